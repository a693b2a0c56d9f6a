#include "meteor/score.h"

#include <algorithm>
#include <cmath>

namespace spidercap {
namespace {

// Σ of matched words in the order that the reference tool adds them: content of all modules, then function words.
template <typename T>
double weighted_matches(std::span<const T, meteor_statistics> s, size_t side) {
  double sum = 0;
  for (size_t m = 0; m < meteor_modules; ++m)
    sum += static_cast<double>(s[cell::modules + 4 * m + side]) * meteor_module_weights[m] * meteor_delta;
  for (size_t m = 0; m < meteor_modules; ++m)
    sum += static_cast<double>(s[cell::modules + 4 * m + 2 + side]) * meteor_module_weights[m] * (1 - meteor_delta);
  return sum;
}

template <typename T>
double weighted_length(std::span<const T, meteor_statistics> s, size_t side) {
  const auto words = static_cast<double>(s[cell::caption_words + side]);
  const auto function = static_cast<double>(s[cell::caption_function + side]);
  return meteor_delta * (words - function) + (1 - meteor_delta) * function;
}

template <typename T>
double score(std::span<const T, meteor_statistics> s) {
  const double f =
      meteor_harmonic(weighted_matches(s, 0) / weighted_length(s, 0), weighted_matches(s, 1) / weighted_length(s, 1));
  const double matches =
      (static_cast<double>(s[cell::caption_matched]) + static_cast<double>(s[cell::reference_matched])) / 2;
  if (f == 0 || matches <= 0) return 0;
  const double fragmentation = meteor_is_perfect(s) ? 0 : static_cast<double>(s[cell::chunks]) / matches;
  return std::max(0.0, f * (1 - meteor_gamma * std::pow(fragmentation, meteor_beta)));
}

}  // namespace

double meteor_harmonic(double precision, double recall) {
  const double f = 1 / ((1 - meteor_alpha) / precision + meteor_alpha / recall);
  return std::isfinite(f) && f > 0 ? f : 0;
}

double meteor_score(std::span<const int64_t, meteor_statistics> statistics) { return score(statistics); }

double meteor_score(const MeteorStatistics& statistics) {
  return score(std::span<const int32_t, meteor_statistics>(statistics));
}

}  // namespace spidercap
