// What the network of odds (odds.h) sees of a word: the words and likeliest tags around it, each combination (the word
// before; this tag and the next; …) as a hash.
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

class WordFeatures {
 public:
  static constexpr size_t kCount = 17;
  using Features = std::array<uint32_t, kCount>;
  // The features that tell of a word within a span: itself; its tag with the one before; with the verbs around.
  static constexpr std::array<size_t, 3> kInner{1, 6, 14};

  explicit WordFeatures(const Grammar& grammar);
  // The features of every word, until the next call.
  std::span<const Features> read(std::span<const TaggedWord> words);

 private:
  void read_verbs(std::span<const TaggedWord> words);

  std::vector<bool> is_verb_;  // by tag
  uint16_t edge_;              // stands for the tag, and the word, beyond the caption's ends
  std::vector<Features> features_;
  std::vector<uint16_t> verb_before_, verb_after_;
};

}  // namespace spidercap
