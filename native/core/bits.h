// Sets of small numbers as 64-bit words.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace spidercap {

inline bool has_bit(const uint64_t* bits, uint32_t i) { return (bits[i >> 6] >> (i & 63)) & 1; }
inline void set_bit(uint64_t* bits, uint32_t i) { bits[i >> 6] |= uint64_t{1} << (i & 63); }
inline void clear_bit(uint64_t* bits, uint32_t i) { bits[i >> 6] &= ~(uint64_t{1} << (i & 63)); }

// How many bits of the word stand before bit i.
inline uint32_t bits_before(uint64_t word, uint32_t i) {
  return static_cast<uint32_t>(std::popcount(word & ((uint64_t{1} << (i & 63)) - 1)));
}

// The bits of a word as a range of numbers counted from `base`.
class BitsOf {
 public:
  BitsOf(uint64_t word, size_t base) : word_(word), base_(static_cast<uint32_t>(base)) {}
  uint32_t operator*() const { return base_ + static_cast<uint32_t>(std::countr_zero(word_)); }
  BitsOf& operator++() {
    word_ &= word_ - 1;
    return *this;
  }
  bool operator!=(std::nullptr_t) const { return word_ != 0; }
  BitsOf begin() const { return *this; }
  std::nullptr_t end() const { return nullptr; }

 private:
  uint64_t word_;
  uint32_t base_;
};

// Those of the numbers first … end-1 that word w holds.
inline uint64_t bits_within(size_t w, uint32_t first, uint32_t end) {
  const auto from = static_cast<uint32_t>(w * 64), to = from + 64;
  if (end <= from || first >= to) return 0;
  const uint64_t not_before = first > from ? ~uint64_t{0} << (first - from) : ~uint64_t{0};
  return end < to ? not_before & ~(~uint64_t{0} << (end - from)) : not_before;
}

// Sets the bits first … end-1.
inline void set_range(uint64_t* bits, uint32_t first, uint32_t end) {
  for (size_t w = first >> 6; w * 64 < end; ++w) bits[w] |= bits_within(w, first, end);
}

}  // namespace spidercap
