// Words of the captioner: the matches of [a-z0-9']+ in the lower-cased caption, as the paper's 8,855 words are counted.
// One pass over the UTF-8 bytes; no allocation per word beyond the caller's buffer.
#pragma once

#include <string>
#include <string_view>

namespace spidercap {

// Appends the lower-cased word that starts at or after `position` to `word` (cleared first) and moves `position`
// behind it. Returns false when no word is left.
bool next_word(std::string_view caption, size_t& position, std::string& word);

}  // namespace spidercap
