// The parser's model file, memory-mapped: a header with version and SHA-256, then named arrays that are used in place.
// Opening costs a few system calls, one pass over the section table and one over the words (a hash index, ~1 ms).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/string_table.h"

namespace spidercap {

// A read-only file in memory for as long as the object lives.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  std::span<const unsigned char> bytes() const { return {data_, size_}; }

 private:
  const unsigned char* data_ = nullptr;
  size_t size_ = 0;
};

// Texts end to end, and where each starts.
struct TextTable {
  std::span<const char> text;
  std::span<const uint32_t> starts;
  size_t size() const { return starts.size() - 1; }
  std::string_view operator[](size_t i) const { return {text.data() + starts[i], starts[i + 1] - starts[i]}; }
};

class Grammar {
 public:
  // Sizes of the network of odds.h. Spans have a shape: their size, up to a greatest, and which ends of the caption
  // they touch; and some verbs in them.
  static constexpr size_t kHidden = 32, kSpanSizes = 16, kSpanEnds = 4, kSpanVerbs = 4;
  static constexpr size_t kMostClasses = 64;
  static constexpr size_t kSpanShapes = kSpanSizes * kSpanEnds + kSpanVerbs;
  static constexpr uint32_t kMostStates = 0x1FFF;  // that a chart can number

  explicit Grammar(const std::string& path);

  const std::string& hash() const { return hash_; }
  uint32_t version() const { return version_; }

  // States are numbered tags first, then phrases (both are labels), then actives: phrases that still lack a child.
  // Actives below `openers` can take one at their left.
  uint32_t tags = 0, labels = 0, openers = 0, states = 0, root = 0;
  TextTable label_names, plain_names;

  // Pair of children → binary steps.
  std::span<const uint16_t> pair_left, pair_right;
  std::span<const uint32_t> pair_steps;
  std::span<const uint16_t> step_parent;
  std::span<const float> step_weight;

  // Child → unary steps.
  std::span<const uint32_t> unary_steps;
  std::span<const uint16_t> unary_parent;
  std::span<const float> unary_weight;

  // Which tags follow each other.
  std::span<const float> tag_frequency;  // log of each tag's share among all tags
  std::span<const float> tag_follows;    // (tags + 1) x (tags + 1); the last row and column are the caption's ends

  // The network of odds.h; a model without one leaves nothing out. Phrases and actives are in classes: a third of these
  // are of labels, the others of actives.
  bool has_odds() const { return !odds_units.empty(); }
  std::span<const int8_t> odds_embedding, odds_inner, odds_shapes;
  std::span<const int8_t> state_vectors, class_vectors;
  std::span<const float> state_bias, state_trust, class_bias, class_trust;
  std::span<const uint16_t> state_class;  // by phrase, then by active
  std::span<const float> odds_units;      // of the products with vectors of tags, other states, classes

  // Terms of words come in rows: one for each word of the vocabulary, then one for each shape of other words.
  size_t word_rows() const { return words_.size() + shapes_.size(); }
  uint32_t word_row(std::string_view word) const;
  // Writes the term of every tag over the row's word (about -1e9 where it cannot be) into `terms`, `tags` long. Many
  // frequent words are closed: they take no tags but their own, unless any tag is wanted.
  void read_row(uint32_t row, bool any_tag, std::span<float> terms) const;

 private:
  // The parts of the file, by name; what does not fit is an error: so many values; numbers below an end; for each of so
  // many things where its own begin among all, up to their end.
  template <typename T>
  std::span<const T> section(std::string_view name) const;
  template <typename T>
  std::span<const T> section(std::string_view name, size_t count) const;
  std::span<const uint16_t> numbers(std::string_view name, size_t end) const;
  std::span<const uint32_t> starts(std::string_view name, size_t count, size_t end) const;
  TextTable texts(std::string_view stem) const;
  void read_counts();
  void read_steps();
  void read_words();
  void read_estimates();
  void read_odds();
  std::span<const float> trusts(std::string_view name, size_t count) const;
  std::span<const int8_t> rows(std::string_view name, size_t size) const;

  MappedFile file_;
  std::string hash_;
  uint32_t version_ = 0;
  std::unordered_map<std::string_view, std::span<const unsigned char>> sections_;
  TextTable words_, shapes_;
  std::span<const float> word_offset_;
  std::span<const uint8_t> word_closed_;
  std::span<const uint32_t> word_entries_;
  std::span<const uint16_t> entry_tag_;
  std::span<const float> entry_weight_, unseen_weight_, shape_weight_;
  StringTable word_ids_, shape_ids_;
};

// The shape that words outside the vocabulary are scored by: hyphen and last letter of longer words; of words with
// digits, what else they hold.
std::string word_shape(std::string_view word);

}  // namespace spidercap
