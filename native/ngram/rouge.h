// ROUGE-L of the COCO caption evaluation: with P and R the largest LCS / candidate length and LCS / reference length
// over the references, each taken alone, the score is (1 + β²)·P·R / (R + β²·P), β = 1.2; 0 if P or R is 0.
// LCS by bit-parallel dynamic programming: O(reference words · ⌈candidate words / 64⌉).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace spidercap {

double rouge_l_score(double precision, double recall);

// Length of the longest common subsequence of one candidate with many references, words given as ids.
class CommonSubsequence {
 public:
  void set_candidate(std::span<const uint32_t> words);
  size_t length_with(std::span<const uint32_t> reference);

 private:
  // Where a word of the candidate stands: one bit per position for up to 64 words; for longer candidates a range of
  // `positions_`, and for words that are too frequent for that a whole row of bits.
  struct Slot {
    uint32_t word = 0, stamp = 0;
    uint64_t bits = 0;
    uint32_t first = 0, last = 0;
    uint64_t row = no_row;
  };
  static constexpr uint64_t no_row = ~uint64_t{0};

  Slot& slot_for(uint32_t word);
  const Slot* find(uint32_t word) const;
  void set_long_candidate();
  size_t long_length_with(std::span<const uint32_t> reference);

  std::vector<Slot> slots_;
  uint32_t stamp_ = 0;
  std::span<const uint32_t> words_;
  std::vector<uint32_t> positions_;
  std::vector<uint64_t> rows_;
  std::vector<uint64_t> state_, matches_;
};

}  // namespace spidercap
