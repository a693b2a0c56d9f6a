// The 32-bit polynomial hash by which METEOR tells words and stems apart.
#pragma once

#include <cstdint>
#include <string_view>

namespace spidercap {

// Σ c_i · 31^(length−1−i) modulo 2^32 over the UTF-16 code units c of the text.
uint32_t polynomial_hash(std::u32string_view text);

}  // namespace spidercap
