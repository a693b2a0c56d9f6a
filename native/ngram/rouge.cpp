#include "ngram/rouge.h"

#include <algorithm>
#include <bit>

namespace spidercap {
namespace {

constexpr size_t word_bits = 64;

size_t hash_word(uint32_t word) { return static_cast<size_t>((word * uint64_t{0x9E3779B97F4A7C15}) >> 40); }

}  // namespace

double rouge_l_score(double precision, double recall) {
  constexpr double beta_squared = 1.2 * 1.2;
  if (precision == 0 || recall == 0) return 0.0;
  return ((1 + beta_squared) * precision * recall) / (recall + beta_squared * precision);
}

CommonSubsequence::Slot& CommonSubsequence::slot_for(uint32_t word) {
  const size_t mask = slots_.size() - 1;
  size_t i = hash_word(word) & mask;
  while (slots_[i].stamp == stamp_ && slots_[i].word != word) i = (i + 1) & mask;
  if (slots_[i].stamp != stamp_) slots_[i] = Slot{word, stamp_};
  return slots_[i];
}

const CommonSubsequence::Slot* CommonSubsequence::find(uint32_t word) const {
  const size_t mask = slots_.size() - 1;
  for (size_t i = hash_word(word) & mask; slots_[i].stamp == stamp_; i = (i + 1) & mask)
    if (slots_[i].word == word) return &slots_[i];
  return nullptr;
}

void CommonSubsequence::set_candidate(std::span<const uint32_t> words) {
  words_ = words;
  size_t wanted = 128;
  while (wanted < 2 * words.size()) wanted *= 2;
  if (slots_.size() < wanted || ++stamp_ == 0) {
    slots_.assign(std::max(wanted, slots_.size()), Slot{});
    stamp_ = 1;
  }
  if (words.size() > word_bits) return set_long_candidate();
  for (size_t i = 0; i < words.size(); ++i) slot_for(words[i]).bits |= uint64_t{1} << i;
}

// A word that stands at more places than a row has blocks gets a row of bits; there are fewer than 64 such words.
void CommonSubsequence::set_long_candidate() {
  const size_t blocks = (words_.size() + word_bits - 1) / word_bits;
  for (uint32_t word : words_) ++slot_for(word).last;
  positions_.assign(words_.size(), 0);
  rows_.clear();
  uint32_t start = 0;
  for (uint32_t word : words_) {
    Slot& slot = slot_for(word);
    if (slot.bits != 0) continue;
    slot.bits = 1;
    const uint32_t count = slot.last;
    slot.first = slot.last = start;
    start += count;
    if (count <= blocks) continue;
    slot.row = rows_.size();
    rows_.resize(rows_.size() + blocks);
  }
  for (uint32_t i = 0; i < words_.size(); ++i) {
    Slot& slot = slot_for(words_[i]);
    positions_[slot.last++] = i;
    if (slot.row != no_row) rows_[slot.row + i / word_bits] |= uint64_t{1} << i % word_bits;
  }
}

// Hyyrö's recurrence: the zeros of V count the common subsequence.
size_t CommonSubsequence::length_with(std::span<const uint32_t> reference) {
  if (words_.size() > word_bits) return long_length_with(reference);
  uint64_t state = ~uint64_t{0};
  for (uint32_t word : reference) {
    const Slot* slot = find(word);
    if (slot == nullptr) continue;
    const uint64_t matched = state & slot->bits;
    state = (state + matched) | (state - matched);
  }
  const uint64_t used = words_.size() == word_bits ? ~uint64_t{0} : (uint64_t{1} << words_.size()) - 1;
  return static_cast<size_t>(std::popcount(~state & used));
}

size_t CommonSubsequence::long_length_with(std::span<const uint32_t> reference) {
  const size_t blocks = (words_.size() + word_bits - 1) / word_bits;
  state_.assign(blocks, ~uint64_t{0});
  matches_.assign(blocks, 0);
  for (uint32_t word : reference) {
    const Slot* slot = find(word);
    if (slot == nullptr) continue;
    const bool sparse = slot->row == no_row;
    const auto places = std::span(positions_).subspan(slot->first, slot->last - slot->first);
    if (sparse)
      for (uint32_t i : places) matches_[i / word_bits] |= uint64_t{1} << i % word_bits;
    const uint64_t* row = sparse ? matches_.data() : rows_.data() + slot->row;
    uint64_t carry = 0;
    for (size_t b = 0; b < blocks; ++b) {
      const uint64_t matched = state_[b] & row[b];
      const uint64_t partial = state_[b] + matched;
      const uint64_t sum = partial + carry;
      carry = (partial < matched ? 1 : 0) | (sum < partial ? 1 : 0);
      state_[b] = sum | (state_[b] & ~row[b]);
    }
    if (sparse)
      for (uint32_t i : places) matches_[i / word_bits] = 0;
  }
  size_t length = 0;
  for (size_t i = 0; i < words_.size(); ++i) length += (state_[i / word_bits] >> i % word_bits & 1) == 0;
  return length;
}

}  // namespace spidercap
