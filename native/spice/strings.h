// Strings of SPICE: a 64-bit hash, and a table from string to number that is filled once.
// Look-up: one multiplication per eight bytes, then one probe or two (the table is at most 5/8 full).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace spidercap {

uint64_t hash_of(std::string_view text);

// String → number, filled once. The strings must outlive the table.
class SpiceStrings {
 public:
  static constexpr uint32_t absent = 0xFFFFFFFF;

  void reserve(size_t count);
  // The number of the string; `value` becomes it if the string is new.
  uint32_t insert(std::string_view text, uint32_t value);
  uint32_t find(std::string_view text) const;

 private:
  struct Slot {
    uint32_t check = 0;
    uint32_t key = absent;
  };
  struct Key {
    const char* text;
    uint32_t size;
    uint32_t value;
  };
  size_t slot_of(std::string_view text, uint64_t hash) const;
  void resize(size_t slots);

  std::vector<Slot> slots_;
  std::vector<Key> keys_;
};

// The text in lower case, into `buffer` if that differs. Letters outside ASCII are left as they are: captions reach the
// parser in the lower case of the tokenizer, which knows all of Unicode.
std::string_view lower_case_of(std::string_view text, std::string& buffer);

// Order of two UTF-8 strings by their UTF-16 code units, as the reference sorts.
bool less_in_utf16(std::string_view a, std::string_view b);

// The polynomial hash of the reference, over UTF-16 code units: sum of c[i] * 31^(n-1-i), modulo 2^32.
uint32_t polynomial_hash(std::string_view text);

}  // namespace spidercap
