#include "ngram/bleu.h"

#include <algorithm>
#include <cmath>

namespace spidercap {

std::array<double, ngram_orders> bleu_scores(std::span<const int64_t, bleu_statistics_size> statistics) {
  constexpr double tiny = 1e-15, small = 1e-9;
  const auto value = [&](size_t i) { return static_cast<double>(statistics[i]); };
  const double ratio = (value(8) + tiny) / (value(9) + small);
  const double penalty = ratio < 1 ? std::exp(1 - 1 / ratio) : 1.0;
  std::array<double, ngram_orders> scores{};
  double product = 1.0;
  for (size_t n = 0; n < ngram_orders; ++n) {
    product *= (value(n) + tiny) / (value(4 + n) + small);
    scores[n] = std::pow(product, 1.0 / static_cast<double>(n + 1)) * penalty;
  }
  return scores;
}

int64_t closest_length(std::span<const uint32_t> reference_lengths, int64_t candidate_length) {
  int64_t closest = -1, distance = 0;
  for (const int64_t length : reference_lengths) {
    const int64_t away = std::abs(length - candidate_length);
    if (closest >= 0 && (away > distance || (away == distance && length >= closest))) continue;
    closest = length;
    distance = away;
  }
  return closest;
}

BleuStatistics bleu_lengths(size_t candidate_length, std::span<const uint32_t> reference_lengths) {
  BleuStatistics statistics{};
  const auto length = static_cast<int64_t>(candidate_length);
  for (size_t n = 0; n < ngram_orders; ++n) statistics[4 + n] = std::max<int64_t>(0, length - static_cast<int64_t>(n));
  statistics[8] = length;
  statistics[9] = closest_length(reference_lengths, length);
  return statistics;
}

}  // namespace spidercap
