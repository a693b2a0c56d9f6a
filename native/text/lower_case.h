// Full Unicode lower-casing of one token (UTF-16), root locale, Unicode 13: one table look-up a code unit.
// U+0130 becomes i + U+0307; a capital sigma at the end of a word becomes the final sigma.
#pragma once

#include <string>

namespace spidercap {

void lower_case(std::u16string& token);

// One character; U+0130, whose lower case is two, stays as it is.
char32_t lower_case(char32_t character);

}  // namespace spidercap
