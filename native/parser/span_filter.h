// Which states may stand over which words: a small network of the words around both ends of a span, learnt from charts
// (tools/parser/span_filter.py).
//
//   hidden(i, j) = max(0, first(i) + last(j - 1) + size(i, j) + verbs(i, j))
//   odds(state, i, j) = bias(state) + weights(state) · hidden(i, j) + trust(state) · estimate
//
// are the log-odds that the best tree has the state over the words i … j-1; `estimate` is what the chart knows: inside
// score and outside estimate. first and last are sums of the vectors of a word's features (those of tag_filter.h), of
// bytes, so that all is computed in whole numbers, up to the last step. Two more outputs tell whether there is any label,
// or any active, at all: spans with neither are left out.
// Cost: a cache line for each feature of a word, and one for each state that is asked for.
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
  static constexpr size_t kHidden = 32;
  using Vector = std::array<int16_t, kHidden>;

  explicit SpanFilter(const Grammar& grammar);
  // A model in the making may have no weights: then nothing is to be left out.
  bool has_weights() const { return !embedding_.empty(); }
  void read(std::span<const TagFilter::Features> features, std::span<const TaggedWord> words);
  // Works out the spans that begin at the word.
  void begin(size_t i);
  // Log-odds that the best tree has a state over the words i … j-1, of the greater of two kinds: labels, and actives.
  float any_odds(size_t j) const;
  // Turns the states' estimates over the words i … j-1 into their log-odds.
  void set_odds(size_t j, std::span<const uint16_t> states, float* estimates) const;

 private:
  Vector sum_of(const TagFilter::Features& features, size_t side) const;

  std::span<const int8_t> embedding_, shape_, weights_;
  std::span<const float> bias_, trust_;
  float unit_ = 0;
  uint32_t states_;
  int shift_ = 0;
  std::vector<bool> is_verb_;  // by tag
  std::vector<Vector> first_, last_;  // by word
  std::vector<uint32_t> verbs_;       // before each word
  std::vector<Vector> hidden_;        // of the spans that begin at a word, by end
};

}  // namespace spidercap
