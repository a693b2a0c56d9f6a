// What becomes of the text that a rule of the PTB tokenizer matched: escapes, quotes, signs, and the drop list.
#pragma once

#include <string>
#include <string_view>

#include "text/tokenizer_rule.h"

namespace spidercap::ptb {

// Turns the matched text into the token that its rule gives; an empty token is none.
void normalize(Rule rule, std::u16string& token);

// Whether a lower-cased token is on the punctuation list, or empty.
bool is_dropped(std::u16string_view token);

}  // namespace spidercap::ptb
