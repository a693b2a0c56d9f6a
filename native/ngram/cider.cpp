#include "ngram/cider.h"

#include <algorithm>
#include <cmath>

namespace spidercap {
namespace {

constexpr uint32_t most_kept_logarithms = 1u << 20;

// e^(-Δ²/(2σ²)), σ = 6, with the rounded constant e as in the reference.
double length_factor(int64_t difference) {
  constexpr double e = 2.718281828459045;
  constexpr int64_t kept = 64;
  static const auto table = [] {
    std::array<double, kept> factors{};
    for (int64_t d = 0; d < kept; ++d)
      factors[static_cast<size_t>(d)] = std::pow(e, -static_cast<double>(d * d) / 72.0);
    return factors;
  }();
  difference = std::abs(difference);
  if (difference < kept) return table[static_cast<size_t>(difference)];
  const auto distance = static_cast<double>(difference);
  return std::pow(e, -(distance * distance) / 72.0);
}

double cosine(double product, double candidate_norm, double reference_norm) {
  return candidate_norm != 0 && reference_norm != 0 ? product / (candidate_norm * reference_norm) : product;
}

double image_score(const OrderNorms& sums, size_t references) {
  return (((sums[0] + sums[1]) + sums[2]) + sums[3]) / 4.0 / static_cast<double>(references) * 10.0;
}

}  // namespace

InverseFrequency::InverseFrequency(double log_images, uint32_t largest_df) : log_images_(log_images) {
  logarithms_.resize(static_cast<size_t>(std::min(largest_df, most_kept_logarithms)) + 1);
  for (size_t df = 2; df < logarithms_.size(); ++df) logarithms_[df] = std::log(static_cast<double>(df));
}

double InverseFrequency::operator()(uint32_t df) const {
  return log_images_ - (df < logarithms_.size() ? logarithms_[df] : std::log(static_cast<double>(df)));
}

OrderNorms cider_norms(const CaptionNgrams& ngrams, const InverseFrequency& idf) {
  OrderNorms norms{};
  for (size_t order = 0; order < ngram_orders; ++order) {
    for (size_t i = ngrams.order_starts[order]; i < ngrams.order_starts[order + 1]; ++i) {
      const double weight = static_cast<double>(ngrams.entries[i].count) * idf(ngrams.entries[i].df);
      norms[order] += weight * weight;
    }
    norms[order] = std::sqrt(norms[order]);
  }
  return norms;
}

void CiderSums::start(size_t references, bool clipped, bool plain) {
  with_clipped_ = clipped;
  with_plain_ = plain;
  clipped_.assign(clipped ? references : 0, {});
  plain_.assign(plain ? references : 0, {});
}

void CiderSums::add(size_t order, size_t reference, double idf, uint32_t candidate_count, uint32_t reference_count) {
  const double candidate = static_cast<double>(candidate_count) * idf;
  const double other = static_cast<double>(reference_count) * idf;
  if (with_clipped_) clipped_[reference][order] += std::min(candidate, other) * other;
  if (with_plain_) plain_[reference][order] += candidate * other;
}

double CiderSums::clipped_score(const OrderNorms& candidate, std::span<const OrderNorms> references,
                                std::span<const uint32_t> reference_words, size_t candidate_words) const {
  OrderNorms sums{};
  for (size_t r = 0; r < references.size(); ++r) {
    const double factor = length_factor(cider_length(candidate_words) - cider_length(reference_words[r]));
    for (size_t n = 0; n < ngram_orders; ++n)
      sums[n] += cosine(clipped_[r][n], candidate[n], references[r][n]) * factor;
  }
  return image_score(sums, references.size());
}

double CiderSums::plain_score(const OrderNorms& candidate, std::span<const OrderNorms> references) const {
  OrderNorms sums{};
  for (size_t r = 0; r < references.size(); ++r)
    for (size_t n = 0; n < ngram_orders; ++n) sums[n] += cosine(plain_[r][n], candidate[n], references[r][n]);
  return image_score(sums, references.size());
}

}  // namespace spidercap
