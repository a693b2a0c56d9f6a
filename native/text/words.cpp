#include "text/words.h"

#include <array>

namespace spidercap {
namespace {

// What a byte becomes inside a word; 0 ends the word.
constexpr std::array<char, 256> word_bytes = [] {
  std::array<char, 256> table{};
  for (int c = 'a'; c <= 'z'; ++c) table[c] = table[c - 'a' + 'A'] = static_cast<char>(c);
  for (int c = '0'; c <= '9'; ++c) table[c] = static_cast<char>(c);
  table['\''] = '\'';
  return table;
}();

// Two characters outside ASCII have an ASCII letter in their lower case: the Kelvin sign (k) and the dotted capital I
// (i and a combining dot, which ends the word).
char letter_at(std::string_view text, size_t& position, bool& ends_word) {
  const auto byte = static_cast<unsigned char>(text[position]);
  if (byte == 0xE2 && text.substr(position, 3) == "\xE2\x84\xAA") {
    position += 3;
    return 'k';
  }
  if (byte == 0xC4 && text.substr(position, 2) == "\xC4\xB0") {
    position += 2;
    ends_word = true;
    return 'i';
  }
  ++position;
  return word_bytes[byte];
}

}  // namespace

bool next_word(std::string_view caption, size_t& position, std::string& word) {
  word.clear();
  while (position < caption.size()) {
    bool ends_word = false;
    const char letter = letter_at(caption, position, ends_word);
    if (letter != 0) word.push_back(letter);
    if ((letter == 0 || ends_word) && !word.empty()) return true;
  }
  return !word.empty();
}

}  // namespace spidercap
