#include "text/tokenizer.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "text/lower_case.h"
#include "text/tokenizer_lists.h"
#include "text/tokenizer_normalize.h"
#include "text/tokenizer_rules.h"

namespace spidercap {
namespace {

using ptb::Lexer;
using ptb::Match;

void append_utf8(std::u16string_view units, std::string& out) {
  for (size_t i = 0; i < units.size(); ++i) {
    uint32_t code = units[i];
    if (code >= 0xD800 && code < 0xDC00 && i + 1 < units.size() && units[i + 1] >= 0xDC00 && units[i + 1] < 0xE000)
      code = 0x10000u + ((code - 0xD800u) << 10) + (units[++i] - 0xDC00u);
    if (code < 0x80) {
      out.push_back(static_cast<char>(code));
    } else if (code < 0x800) {
      out.push_back(static_cast<char>(0xC0 | code >> 6));
      out.push_back(static_cast<char>(0x80 | (code & 0x3F)));
    } else if (code < 0x10000) {
      out.push_back(static_cast<char>(0xE0 | code >> 12));
      out.push_back(static_cast<char>(0x80 | (code >> 6 & 0x3F)));
      out.push_back(static_cast<char>(0x80 | (code & 0x3F)));
    } else {
      out.push_back(static_cast<char>(0xF0 | code >> 18));
      out.push_back(static_cast<char>(0x80 | (code >> 12 & 0x3F)));
      out.push_back(static_cast<char>(0x80 | (code >> 6 & 0x3F)));
      out.push_back(static_cast<char>(0x80 | (code & 0x3F)));
    }
  }
}

// The code point at a position, which moves behind it; a blank for anything invalid (one byte is skipped then).
uint32_t decode_utf8(std::string_view text, size_t& position) {
  const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(text[i])); };
  const uint32_t first = byte(position++);
  if (first < 0x80) return first;
  const size_t more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
  if (first < 0xC2 || first > 0xF4 || text.size() - position < more) return ' ';
  uint32_t code = first & (0x3Fu >> more);
  for (size_t i = 0; i < more; ++i) {
    if ((byte(position + i) & 0xC0) != 0x80) return ' ';
    code = code << 6 | (byte(position + i) & 0x3F);
  }
  constexpr uint32_t least[] = {0, 0x80, 0x800, 0x10000};
  if (code < least[more] || code > 0x10FFFF) return ' ';
  position += more;
  return code;
}

bool is_line_break(uint32_t code) {
  return (code >= 0x0A && code <= 0x0D) || code == 0x85 || code == 0x2028 || code == 0x2029;
}

// UTF-8 to UTF-16 with line breaks and lone surrogates turned into blanks.
void append_clean_units(std::string_view caption, std::u16string& units) {
  for (size_t position = 0; position < caption.size();) {
    uint32_t code = decode_utf8(caption, position);
    if (is_line_break(code) || (code >= 0xD800 && code < 0xE000)) code = ' ';
    if (code >= 0x10000) {
      units.push_back(static_cast<char16_t>(0xD800 + ((code - 0x10000) >> 10)));
      units.push_back(static_cast<char16_t>(0xDC00 + ((code - 0x10000) & 0x3FF)));
    } else {
      units.push_back(static_cast<char16_t>(code));
    }
  }
}

// The tokens of one caption, joined by blanks, behind what the buffer already holds.
class TokenLine {
 public:
  explicit TokenLine(std::string& out) : out_(out), start_(out.size()) {}

  void separate() {
    if (out_.size() > start_) out_.push_back(' ');
  }
  void add(ptb::Rule rule, std::u16string_view matched) {
    token_ = matched;
    ptb::normalize(rule, token_);
    lower_case(token_);
    if (ptb::is_dropped(token_)) return;
    separate();
    append_utf8(token_, out_);
  }
  std::string& out() { return out_; }

 private:
  std::string& out_;
  size_t start_;
  std::u16string token_;
};

enum ByteKind : uint8_t { capital_byte = 1, small_byte = 2, digit_byte = 4, mark_byte = 8 };

constexpr std::array<uint8_t, 128> byte_kinds = [] {
  std::array<uint8_t, 128> kinds{};
  for (int c = 'A'; c <= 'Z'; ++c) kinds[c] = capital_byte;
  for (int c = 'a'; c <= 'z'; ++c) kinds[c] = small_byte;
  for (int c = '0'; c <= '9'; ++c) kinds[c] = digit_byte;
  for (char c : {',', ';', ':', '!', '?', '"', '.', '-'}) kinds[static_cast<unsigned char>(c)] = mark_byte;
  return kinds;
}();

// One caption's line of text, as bytes or UTF-16 units, read as plain words and marks.
template <typename Unit>
class PlainReader {
 public:
  PlainReader(const Unit* line, size_t size) : line_(line), size_(size) {}

  // Appends plain tokens from a position on; returns the end of the line, or where the rules are needed.
  size_t read(size_t position, TokenLine& tokens) const {
    while (true) {
      const size_t behind_blanks = skip_blanks(position);
      if (behind_blanks >= size_) return size_;
      // The rules see a run of blanks as a whole, which matters when another kind of blank may follow.
      if (unit_at(behind_blanks) >= 0x80) return position;
      const size_t next = read_token(behind_blanks, tokens);
      if (next == behind_blanks) return behind_blanks;
      position = next;
    }
  }

 private:
  uint32_t unit_at(size_t i) const { return static_cast<std::make_unsigned_t<Unit>>(line_[i]); }
  uint8_t kind_at(size_t i) const { return i < size_ && unit_at(i) < 0x80 ? byte_kinds[unit_at(i)] : uint8_t{0}; }

  size_t skip_blanks(size_t i) const {
    while (i < size_ && line_[i] == ' ') ++i;
    return i;
  }

  // Whether a blank (or the line's end) follows, and nothing behind it that would join in.
  bool ends_before(size_t i, bool behind_number, bool behind_dot) const {
    if (i >= size_) return true;
    if (line_[i] != ' ') return false;
    if (i + 1 >= size_) return true;
    if (behind_number && ((kind_at(i + 1) & digit_byte) || unit_at(i + 1) >= 0x80)) return false;
    return !(behind_dot && (line_[i + 1] == '.' || unit_at(i + 1) >= 0x80));
  }

  size_t read_token(size_t position, TokenLine& tokens) const {
    const uint8_t kind = kind_at(position);
    if (kind & (capital_byte | small_byte)) return read_word(position, tokens);
    if (kind & digit_byte) return read_number(position, tokens);
    if ((kind & mark_byte) && ends_before(position + 1, false, line_[position] == '.')) return position + 1;
    return position;
  }

  size_t read_word(size_t position, TokenLine& tokens) const {
    std::string& out = tokens.out();
    const size_t before = out.size();
    tokens.separate();
    const size_t start = out.size();
    size_t end = position;
    for (uint8_t kind; (kind = kind_at(end)) & (capital_byte | small_byte); ++end)
      out.push_back(static_cast<char>(unit_at(end) | 0x20));
    const std::string_view word(out.data() + start, out.size() - start);
    if (const size_t next = behind_token(end, false, word)) {
      if (const size_t split = ptb::assimilation_split(word)) out.insert(start + split, 1, ' ');
      return next;
    }
    out.resize(before);
    return position;
  }

  size_t read_number(size_t position, TokenLine& tokens) const {
    size_t end = position;
    while (kind_at(end) & digit_byte) ++end;
    const size_t next = behind_token(end, true, {});
    if (next == 0) return position;
    tokens.separate();
    for (size_t i = position; i < end; ++i) tokens.out().push_back(static_cast<char>(line_[i]));
    return next;
  }

  // Where to go on when a blank, or one mark and a blank, ends the token; 0 when the rules must decide.
  size_t behind_token(size_t end, bool number, std::string_view word) const {
    if (ends_before(end, number, false)) return end;
    if (!(kind_at(end) & mark_byte) || line_[end] == '-') return 0;
    const bool dot = line_[end] == '.';
    if (!ends_before(end + 1, number, dot) || (dot && !number && ptb::may_keep_period(word))) return 0;
    return end + 1;
  }

  const Unit* line_;
  size_t size_;
};

template <typename Unit>
size_t read_plain(std::basic_string_view<Unit> line, size_t position, TokenLine& tokens) {
  return PlainReader<Unit>(line.data(), line.size()).read(position, tokens);
}

// Lexes from a position to the end of one line; returns where the last token ends. Only a tag with a line break inside
// quotes reaches behind the line: the line keeps its own part of it.
size_t lex_line(Lexer& lexer, std::u16string_view text, size_t position, size_t end, TokenLine& line) {
  while ((position = read_plain(text.substr(0, end), position, line)) < end) {
    const Match match = lexer.match(position);
    line.add(match.rule, text.substr(position, std::min(match.length, end - position)));
    position += match.length;
    if (position > end) break;
  }
  return position;
}

}  // namespace

void tokenize_alone(std::string_view caption, std::string& tokens) {
  const size_t start = tokens.size();
  TokenLine line(tokens);
  if (read_plain(caption, 0, line) == caption.size()) return;
  tokens.resize(start);
  std::u16string units;
  units.reserve(caption.size() + 1);
  append_clean_units(caption, units);
  units.push_back('\n');
  Lexer lexer(units);
  lex_line(lexer, units, 0, units.size() - 1, line);
}

void tokenize_together(std::span<const std::string_view> captions,
                       const std::function<void(std::string_view)>& receive) {
  std::u16string units;
  std::vector<size_t> ends;
  for (std::string_view caption : captions) {
    if (!ends.empty()) units.push_back('\n');
    append_clean_units(caption, units);
    ends.push_back(units.size());
  }
  Lexer lexer(units);
  const std::u16string_view text(units);
  size_t start = 0, lexed = 0;
  std::string tokens;
  for (size_t end : ends) {
    tokens.clear();
    TokenLine line(tokens);
    if (lexed > start) line.add(ptb::Rule::tag, text.substr(start, std::min(lexed, end) - start));
    if (lexed <= end) lexed = lex_line(lexer, text, std::max(lexed, start), end, line);
    start = end + 1;
    receive(tokens);
  }
}

}  // namespace spidercap
