// Unicode lower case of single characters, as Python's str.lower() has it (Unicode 14): a table of 181 runs, found by
// binary search, O(log 181) for a character outside ASCII. U+0130, the only character whose lower case is two, and the
// final sigma are the caller's business.
#pragma once

#include <cstdint>

namespace spidercap {

char32_t lower_case(char32_t character);

}  // namespace spidercap
