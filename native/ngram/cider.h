// CIDEr-D and original CIDEr. Weight of an n-gram g in a caption: count(g) · (ln N - ln max(1, df(g))). Per order n:
//   CIDEr-D: Σ_g min(w_h, w_r)·w_r / (|h|·|r|) · e^(-(l_h - l_r)² / 72),  CIDEr: Σ_g w_h·w_r / (|h|·|r|),
// summed over references, averaged over the four orders, divided by the number of references, times 10.
// Sums run over the candidate's n-grams in order of n and first occurrence, as in the reference, so that the last bit
// agrees. Cost: O(distinct candidate n-grams · references that hold them).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ngram/ngrams.h"

namespace spidercap {

using OrderNorms = std::array<double, ngram_orders>;

// ln N - ln max(1, df), with the logarithms of small df kept.
class InverseFrequency {
 public:
  InverseFrequency() = default;
  InverseFrequency(double log_images, uint32_t largest_df);
  double operator()(uint32_t df) const;

 private:
  double log_images_ = 0;
  std::vector<double> logarithms_;
};

// Norms of one caption's weights, per order.
OrderNorms cider_norms(const CaptionNgrams& ngrams, const InverseFrequency& idf);

// Number of bigrams of a caption: what CIDEr-D takes for its length.
inline int64_t cider_length(size_t words) { return words > 0 ? static_cast<int64_t>(words) - 1 : 0; }

// Products of one candidate with every reference of an image.
class CiderSums {
 public:
  void start(size_t references, bool clipped, bool plain);
  // An n-gram that the reference holds `reference_count` times.
  void add(size_t order, size_t reference, double idf, uint32_t candidate_count, uint32_t reference_count);
  double clipped_score(const OrderNorms& candidate, std::span<const OrderNorms> references,
                       std::span<const uint32_t> reference_words, size_t candidate_words) const;
  double plain_score(const OrderNorms& candidate, std::span<const OrderNorms> references) const;

 private:
  bool with_clipped_ = false, with_plain_ = false;
  std::vector<std::array<double, ngram_orders>> clipped_, plain_;
};

}  // namespace spidercap
