// Which states may stand over which words: a small network of the words around both ends of a span, learnt from charts
// (tools/parser/span_filter.py).
//
//   hidden(i, j) = max(0, first(i) + last(j - 1) + size(i, j) + verbs(i, j))
//   odds(state, i, j) = bias(state) + trust(state) · estimate + weights(state) · hidden(i, j)
//
// are the log-odds that the best tree has the state over the words i … j-1, where `estimate` is what the chart knows of
// it: inside score and outside estimate, below the best tag sequence. first and last are sums of vectors, one for each
// feature of the word (those of tag_filter.h); all are bytes, so that the products are whole numbers on every machine.
// Two more outputs tell whether anything stands over the span at all: a label, or an active. A model in the making has
// no network: then the odds are the estimates below the best of the same list, and any span may hold something.
// Cost: a cache line for each feature of a word, and half a one for each state that is asked for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "parser/grammar.h"
#include "parser/tag_filter.h"

namespace spidercap {

class SpanFilter {
 public:
  static constexpr size_t kHidden = Grammar::kSpanHidden;

  explicit SpanFilter(const Grammar& grammar);
  // The words' features, and their likeliest tags.
  void read(std::span<const TagFilter::Features> features, std::span<const TaggedWord> words);
  // Log-odds that anything stands over the words i … j-1.
  float span_odds(size_t i, size_t j) const;
  // Turns estimates of states over the words i … j-1 into their odds.
  void set_odds(size_t i, size_t j, std::span<const uint16_t> states, float* estimates) const;

 private:
  using Vector = std::array<int16_t, kHidden>;
  using Word = std::array<int16_t, 2 * kHidden>;  // as the first word of a span, then as the last

  static size_t span_number(size_t i, size_t j) { return j * (j - 1) / 2 + i; }
  void set_hidden(size_t i, size_t j);

  std::span<const int8_t> embedding_, shapes_, weights_;
  std::span<const float> bias_, trust_;
  float unit_ = 0;
  int shift_ = 0;
  uint16_t any_label_, any_active_;  // stand for states
  std::vector<bool> is_verb_;        // by tag
  std::vector<Word> words_;
  std::vector<size_t> verbs_before_;  // each word, and the end
  std::vector<Vector> hidden_;        // by span
};

}  // namespace spidercap
