// Which tags words may have, and which states may stand over which words: a small network of the words around, learnt
// from trees and charts (tools/parser/odds.py). It gives log-odds that the best tree has
//
//   the tag t over word i:              bias(t) + trust(t) · margin + vector(t) · max(0, tag(i))
//   the state s over the words i … j-1: bias(s) + trust(s) · estimate + vector(s) · hidden(i, j)
//   with hidden(i, j) = max(0, first(i) + last(j-1) + the words within + shape(i, j) + verbs(i, j)).
//
// tag, first, last and the words within are sums of vectors, one for each feature of a word (word_features.h); all are
// bytes, so that the products are whole numbers on every machine. `margin` is the best tag sequence through the tag
// below the best one, `estimate` the state's score, with the best tags outside, below the best tag sequence. So a state
// has a least score over each span, below which it has no chance. Classes of states (labels of one plain name, actives
// of theirs) have vectors too, and so a least score that any of their states must have: what is joined can be left out
// before it is known what comes of it.
// Cost: two cache lines for each feature of a word, a product with each class for each span, and one for each state
// that is asked for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "parser/limits.h"
#include "parser/search_tables.h"
#include "parser/word_features.h"

namespace spidercap {

class Odds {
 public:
  static constexpr size_t kHidden = Grammar::kHidden;
  static constexpr float kClosed = std::numeric_limits<float>::infinity();

  Odds(const SearchTables& tables, const Limits& limits);
  void read(std::span<const WordFeatures::Features> features, std::span<const TaggedWord> words);
  // Log-odds of a tag over a word.
  float of_tag(size_t word, uint32_t tag, float margin) const;
  // What the network makes of a span, where tags outside score `outside`.
  struct Span {
    std::array<int16_t, kHidden> hidden;
    float outside;
    std::array<float, Grammar::kMostClasses> least;  // by class
  };
  void read_span(size_t i, size_t j, float outside, Span& span) const;
  // The least scores that states must have over a span that is not the whole caption: there the root has no chance, and
  // a tag any.
  void set_least(const Span& span, std::span<const uint16_t> states, float* least) const;

 private:
  using Word = std::array<int16_t, 3 * kHidden>;  // as the first of a span, as the last, by itself

  float lowered_for(std::span<const TaggedWord> words) const;
  void set_class_least(Span& span) const;

  const Grammar& grammar_;
  Limits limits_;
  int shift_ = 0, inner_shift_ = 0;
  std::array<float, 3> lowered_{};  // what lower limits add to the products with tags, other states, classes
  std::vector<bool> is_verb_;       // by tag
  // What a least score over a span is made of: a constant, less the network's product times a factor.
  struct Line {
    float constant, factor;
  };
  std::vector<Line> lines_;  // by state
  std::vector<int16_t> class_vectors_;
  std::array<float, Grammar::kMostClasses> constants_{}, factors_{};  // by class
  std::vector<Word> words_;
  std::vector<size_t> verbs_before_;  // each word, and the end
};

}  // namespace spidercap
