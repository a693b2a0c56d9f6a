// A log-linear model of a word's tag given the words and likeliest tags around it: drops tags that the bigram model
// leaves.
//
//   score(i, t) = scale · (until + from)(i, t) + Σ over features f of word i of weight(f, t)
//
// A feature (the word before; this tag and the next; …) is a hash of what it sees; its weights for all tags lie side by
// side in a table of bytes, where features may overlap. Cost: 17 features a word, each a few cache lines of the table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "parser/grammar.h"

namespace spidercap {

// What the features of a caption's words are made of.
struct TaggedWord {
  uint32_t row;  // the grammar's row of the word
  uint16_t tag;  // its tag in the likeliest sequence of the bigram model
};

// Whether a tag, without marks, is a verb's.
bool is_verb(std::string_view plain_tag);

class TagFilter {
 public:
  static constexpr size_t kFeatures = 17;
  using Features = std::array<uint32_t, kFeatures>;  // hashes, whose last bits tell where the weights of each begin

  explicit TagFilter(const Grammar& grammar);
  // A model in the making may have no weights: then nothing is to be dropped.
  bool has_weights() const { return !weights_.empty(); }
  // The features of every word, until the next call.
  std::span<const Features> read(std::span<const TaggedWord> words);
  // Of a tag, by its word's features and the score of the best tag sequence through it, in nats.
  float score(const Features& features, uint32_t tag, float sequence) const {
    return scale_ * sequence + sum(features, tag);
  }

 private:
  float sum(const Features& features, uint32_t output) const;
  void read_verbs(std::span<const TaggedWord> words);

  std::span<const int8_t> weights_;
  float unit_ = 0, scale_ = 0;
  uint32_t mask_ = 0;
  std::vector<bool> is_verb_;  // by tag
  uint16_t edge_;              // stands for the tag, and the word, beyond the caption's ends
  std::vector<Features> features_;
  std::vector<uint16_t> verb_before_, verb_after_;
};

}  // namespace spidercap
