// BLEU-1..4 of the COCO caption evaluation, from additive statistics:
//   p_n = (correct_n + 1e-15) / (guess_n + 1e-9),  BLEU-n = (p_1 · … · p_n)^(1/n) · min(1, exp(1 - 1/ratio)),
//   ratio = (c + 1e-15) / (r + 1e-9).
// Per caption from its own statistics, for a corpus from their sums. Cost: O(distinct n-grams) per caption.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "ngram/ngrams.h"

namespace spidercap {

// correct_1..4, guess_1..4, candidate length, closest reference length.
constexpr size_t bleu_statistics_size = 10;
using BleuStatistics = std::array<int64_t, bleu_statistics_size>;

std::array<double, ngram_orders> bleu_scores(std::span<const int64_t, bleu_statistics_size> statistics);

// The reference length nearest to the candidate's; of two equally near the shorter.
int64_t closest_length(std::span<const uint32_t> reference_lengths, int64_t candidate_length);

// guess_n and the lengths; correct_n stays 0.
BleuStatistics bleu_lengths(size_t candidate_length, std::span<const uint32_t> reference_lengths);

}  // namespace spidercap
