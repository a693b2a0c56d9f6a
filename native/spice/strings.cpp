#include "spice/strings.h"

#include <algorithm>
#include <utility>

namespace spidercap {
namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

// Reads one UTF-8 character; bytes that are no UTF-8 stand for themselves.
uint32_t next_character(std::string_view text, size_t& position) {
  const auto byte = [&](size_t i) -> uint32_t { return static_cast<unsigned char>(text[i]); };
  const uint32_t first = byte(position++);
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
  if (more == 0 || position + more > text.size()) return first;
  uint32_t character = first & (0x3Fu >> more);
  for (int i = 0; i < more; ++i) character = character << 6 | (byte(position++) & 0x3F);
  return character;
}

// Characters beyond the basic plane sort as surrogates: between U+D7FF and U+E000.
std::pair<uint32_t, uint32_t> utf16_key(uint32_t character) {
  if (character < 0x10000) return {character, 0};
  return {0xD800 + ((character - 0x10000) >> 10), character};
}

}  // namespace

std::string_view lower_case_of(std::string_view text, std::string& buffer) {
  if (std::none_of(text.begin(), text.end(), is_upper)) return text;
  buffer.assign(text);
  for (char& c : buffer)
    if (is_upper(c)) c = static_cast<char>(c - 'A' + 'a');
  return buffer;
}

bool less_in_utf16(std::string_view a, std::string_view b) {
  for (size_t i = 0, j = 0; j < b.size();) {
    if (i >= a.size()) return true;
    const auto left = utf16_key(next_character(a, i));
    const auto right = utf16_key(next_character(b, j));
    if (left != right) return left < right;
  }
  return false;
}

uint32_t polynomial_hash(std::string_view text) {
  uint32_t hash = 0;
  for (size_t i = 0; i < text.size();) {
    const uint32_t character = next_character(text, i);
    if (character < 0x10000) {
      hash = hash * 31 + character;
    } else {
      hash = hash * 31 + 0xD800 + ((character - 0x10000) >> 10);
      hash = hash * 31 + 0xDC00 + (character & 0x3FF);
    }
  }
  return hash;
}

}  // namespace spidercap
