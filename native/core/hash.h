// The one hash of the core. Not a defence against forgers: texts and numbers come from captions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace spidercap {

constexpr uint64_t hash_multiplier = 0x9E3779B97F4A7C15;

inline uint64_t mix(uint64_t value) {
  value ^= value >> 32;
  value *= hash_multiplier;
  return value ^ value >> 29;
}

inline uint64_t hash_number(uint64_t number) { return mix(mix(number * hash_multiplier)); }

// Two numbers as one.
inline uint64_t pair_key(uint32_t first, uint32_t second) { return static_cast<uint64_t>(first) << 32 | second; }

// Texts of up to this many bytes are told apart by their length and key alone.
constexpr size_t longest_exact_key = 8;

// A number for a text: the text itself if it is short, a hash if it is longer.
inline uint64_t text_key(std::string_view text) {
  const char* data = text.data();
  const size_t size = text.size();
  if (size < 4) {
    if (size == 0) return 0;
    const auto byte = [&](size_t i) { return static_cast<uint64_t>(static_cast<unsigned char>(data[i])); };
    return byte(0) | byte(size / 2) << 8 | byte(size - 1) << 16;
  }
  if (size <= longest_exact_key) {
    uint32_t head = 0, tail = 0;
    std::memcpy(&head, data, 4);
    std::memcpy(&tail, data + size - 4, 4);
    return head | static_cast<uint64_t>(tail) << 32;
  }
  uint64_t key = 0, part = 0;
  for (size_t left = size; left >= 8; data += 8, left -= 8) {
    std::memcpy(&part, data, 8);
    key = mix((key ^ part) * hash_multiplier);
  }
  std::memcpy(&part, text.data() + size - 8, 8);
  return mix((key ^ part) * hash_multiplier);
}

}  // namespace spidercap
