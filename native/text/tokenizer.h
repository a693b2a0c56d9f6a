// PTB tokenisation of captions as the COCO caption evaluation does it: lex, normalise, lower-case, drop punctuation,
// join with blanks. Text is UTF-8; whatever is not valid UTF-8, and every line break, counts as a blank.
// Cost: O(bytes). A caption of plain ASCII words takes one pass over its bytes; any other is widened to UTF-16 and goes
// through the rules (tokenizer_rules.h).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace spidercap {

// Appends the tokens of one caption, which is lexed as its text, one LF, and the end of input.
void tokenize_alone(std::string_view caption, std::string& tokens);

// Lexes all captions as one text joined by LF, as the reference does: the last word of a caption may then depend on the
// next caption. `receive` gets the tokens of every caption in order; captions never shift.
void tokenize_together(std::span<const std::string_view> captions,
                       const std::function<void(std::string_view)>& receive);

}  // namespace spidercap
