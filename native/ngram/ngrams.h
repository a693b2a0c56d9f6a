// Words and n-grams as numbers: interning, document frequencies, and the n-grams of one caption.
// An n-gram is the pair (its first n-1 words as an n-gram, last word), so identity is exact, without long keys.
// Cost: one hash look-up per word and per distinct n-gram (order 1 to 4).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/open_table.h"
#include "core/pair_table.h"
#include "core/string_table.h"

namespace spidercap {

constexpr size_t ngram_orders = 4;

struct NgramIndex {
  StringTable words;
  PairTable ngrams;  // by prefix and last word; the count is the document frequency

  uint32_t largest_df() const;

  template <typename Archive>
  void visit(Archive& archive) {
    words.visit(archive), ngrams.visit(archive);
  }
};

// One caption as word ids. `words` splits at any Unicode white space (BLEU, CIDEr); `pieces` splits at U+0020 only and
// keeps empty strings (ROUGE-L). Words that the vocabulary does not know get ids from its size upwards.
class CaptionWords {
 public:
  std::vector<uint32_t> words, pieces;

  void read(std::string_view caption, const StringTable& vocabulary);
  void read_and_intern(std::string_view caption, StringTable& vocabulary);

 private:
  template <typename Lookup>
  void split(std::string_view caption, const Lookup& id_of);

  std::unordered_map<std::string_view, uint32_t> strangers_;
};

// Pairs (prefix, word) to small indices, emptied in no time.
class LocalIndex {
 public:
  void clear(size_t most_pairs);
  // The index of a pair; `next` if the pair is new.
  uint32_t insert(uint32_t prefix, uint32_t word, uint32_t next);

 private:
  struct Slot {
    uint64_t key = 0;
    uint32_t index = 0, stamp = 0;  // empty, unless the stamp is the index's own
  };
  OpenTable<Slot> table_;
  uint32_t stamp_ = 1;
};

// The distinct n-grams of one caption: order 1 first, then by first occurrence.
class CaptionNgrams {
 public:
  struct Entry {
    uint32_t prefix, word;  // index of the prefix in entries (unused for order 1), and last word
    uint32_t count;
    uint32_t id, df;  // 0 and 0 if the table does not know it
  };
  std::vector<Entry> entries;
  std::array<size_t, ngram_orders + 1> order_starts{};

  void count(std::span<const uint32_t> words);
  // Fills in the id and df of the entries that the table knows; known words have ids below `known_words`.
  void look_up(const PairTable& table, uint32_t known_words);

 private:
  uint32_t entry_of(uint32_t prefix, uint32_t word);

  LocalIndex index_;
  std::vector<uint32_t> at_position_;
};

// The distinct n-grams of several captions together, every prefix before what it starts.
class DistinctNgrams {
 public:
  struct Node {
    uint32_t prefix, word, order;  // prefix: its index in nodes + 1; 0 for single words; order counts from 0
  };
  struct Occurrence {
    uint32_t node, caption, count;
  };
  std::vector<Node> nodes;
  std::vector<Occurrence> occurrences;

  void collect(std::span<const std::span<const uint32_t>> captions);

 private:
  CaptionNgrams ngrams_;
  LocalIndex index_;
  std::vector<uint32_t> node_of_entry_;
};

// In how many images' references each n-gram occurs.
class DocumentFrequencies {
 public:
  NgramIndex index;

  // Counts one image, given the words of each of its references (ids of `index.words`).
  void add_image(std::span<const std::span<const uint32_t>> references);
  // Adds to the df of the n-gram of these words.
  void add_count(std::string_view ngram, uint32_t df);
  void add_images(uint64_t images) { images_ += images; }
  // Moves the index out, without n-grams of df 1, which weigh as much as unknown ones.
  NgramIndex release_frequent();
  uint64_t images() const { return images_; }

 private:
  uint64_t images_ = 0;
  DistinctNgrams ngrams_;
  std::vector<uint32_t> ids_;
  CaptionWords words_;
};

}  // namespace spidercap
