// METEOR's own normalisation of an English caption and its split into lower-case tokens.
// A caption of ASCII letters, digits and blanks (nine in ten after the PTB tokenizer) is split in one pass; any other
// goes through the ordered substitution rules, one pass over the characters for each, O(length).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace spidercap {

// The tokens of one caption in UTF-8. Buffers are kept between captions; the views hold until the next call.
class MeteorNormalizer {
 public:
  const std::vector<std::string_view>& tokens(std::string_view caption);

 private:
  bool split_plain(std::string_view caption);
  void split_general(std::string_view caption);

  std::string text_;
  std::u32string characters_;
  std::u32string scratch_;
  std::vector<std::string_view> tokens_;
};

// The UTF-8 text as code points; a malformed byte becomes U+FFFD.
void decode_utf8(std::string_view text, std::u32string& characters);

void append_utf8(char32_t character, std::string& text);

}  // namespace spidercap
