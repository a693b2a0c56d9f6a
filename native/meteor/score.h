// The 23 statistics of a caption and the score that they give:
//   LH = δ·content + (1−δ)·function words of the caption, MH = Σ_m w_m·(δ·content_m + (1−δ)·function_m) of its matches,
//   P = MH/LH, R alike for the reference, F = 1/((1−α)/P + α/R),
//   score = F·(1 − γ·(chunks/matches)^β), α = 0.85, β = 0.2, γ = 0.6, δ = 0.75, w = (1, 0.6, 0.8, 0.6).
// The statistics add up: the corpus score is the score of their sum. O(1) a caption.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace spidercap {

enum MeteorModule : uint8_t { exact_module, stem_module, synonym_module, paraphrase_module };
constexpr size_t meteor_modules = 4;

constexpr std::array<double, meteor_modules> meteor_module_weights = {1.0, 0.6, 0.8, 0.6};
constexpr double meteor_alpha = 0.85;
constexpr double meteor_beta = 0.2;
constexpr double meteor_gamma = 0.6;
constexpr double meteor_delta = 0.75;

constexpr size_t meteor_statistics = 23;

// Places in the statistics. Each module has four cells: content of the caption, content of the reference, function
// words of the caption, function words of the reference.
namespace cell {
constexpr size_t caption_words = 0;
constexpr size_t reference_words = 1;
constexpr size_t caption_function = 2;
constexpr size_t reference_function = 3;
constexpr size_t modules = 4;
constexpr size_t chunks = 20;
constexpr size_t caption_matched = 21;
constexpr size_t reference_matched = 22;
}  // namespace cell

using MeteorStatistics = std::array<int32_t, meteor_statistics>;

// F of precision and recall; 0 where it is not defined.
double meteor_harmonic(double precision, double recall);

// Everything matched in one chunk: no penalty, and no chunk in the corpus sum.
template <typename T>
bool meteor_is_perfect(std::span<const T, meteor_statistics> s) {
  return s[cell::caption_matched] == s[cell::caption_words] && s[cell::reference_matched] == s[cell::reference_words] &&
         s[cell::chunks] == 1;
}

double meteor_score(std::span<const int64_t, meteor_statistics> statistics);
double meteor_score(const MeteorStatistics& statistics);

}  // namespace spidercap
