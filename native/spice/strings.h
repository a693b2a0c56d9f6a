// Strings of SPICE: numbers for them, lower case, and the order and hash by which the reference keeps them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/string_table.h"

namespace spidercap {

// String → number, filled once.
class SpiceStrings {
 public:
  static constexpr uint32_t absent = StringTable::none;

  void reserve(size_t count) { strings_.reserve(count, 0), values_.reserve(count); }
  // The number of the string; `value` becomes it if the string is new.
  uint32_t insert(std::string_view text, uint32_t value) {
    const uint32_t id = strings_.insert(text);
    if (id == values_.size()) values_.push_back(value);
    return values_[id];
  }
  uint32_t find(std::string_view text) const {
    const uint32_t id = strings_.find(text);
    return id == StringTable::none ? absent : values_[id];
  }

 private:
  StringTable strings_;
  std::vector<uint32_t> values_;
};

// The text in lower case, into `buffer` if that differs. Letters outside ASCII are left as they are: captions reach the
// parser in the lower case of the tokenizer, which knows all of Unicode.
std::string_view lower_case_of(std::string_view text, std::string& buffer);

// Order of two UTF-8 strings by their UTF-16 code units, as the reference sorts.
bool less_in_utf16(std::string_view a, std::string_view b);

// The polynomial hash of the reference, over UTF-16 code units: sum of c[i] * 31^(n-1-i), modulo 2^32.
uint32_t polynomial_hash(std::string_view text);

}  // namespace spidercap
