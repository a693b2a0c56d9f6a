// The text under the PTB tokenizer: UTF-16 code units with character classes, and the small matches that rules share.
// Every `..._at` member returns the number of units matched at a position, 0 for no match; positions at or behind the
// end match nothing. Line breaks other than LF are already blanks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace spidercap::ptb {

enum CharacterClass : uint8_t {
  letter = 1,
  mark = 2,
  digit = 4,
  symbol = 8,
  sentence_mark = 16,
  blank = 32,
  ascii_letter = 64,
  ascii_digit = 128,
};
constexpr uint8_t ascii_alnum = ascii_letter | ascii_digit;

// Table of the classes of all 65,536 code units.
const uint8_t* character_classes();

class Text {
 public:
  static constexpr int32_t end_of_input = -1;
  static constexpr int32_t soft_hyphen = 0x00AD;

  explicit Text(std::u16string_view units) : units_(units), classes_(character_classes()) {}

  size_t size() const { return units_.size(); }
  std::u16string_view units() const { return units_; }
  int32_t at(size_t position) const {
    return position < units_.size() ? static_cast<int32_t>(units_[position]) : end_of_input;
  }
  bool is(size_t position, uint8_t classes) const {
    return position < units_.size() && (classes_[units_[position]] & classes) != 0;
  }
  bool is_one_of(size_t position, std::u16string_view set) const {
    return position < units_.size() && set.find(units_[position]) != std::u16string_view::npos;
  }
  bool is_white(size_t position) const { return is(position, blank) || at(position) == '\n'; }
  bool is_capital(size_t position) const { return at(position) >= 'A' && at(position) <= 'Z'; }
  bool is_inner(size_t position) const { return is_one_of(position, u",;:\u3001"); }

  // A fixed string of lower-case ASCII, whatever the case in the text.
  size_t literal_at(size_t position, std::string_view lower) const;
  // Apostrophes ' U+0092 U+2019 &apos; — and with grave or opening ones too.
  size_t apostrophe_at(size_t position) const;
  size_t any_apostrophe_at(size_t position) const;
  // Apostrophe and m, s, d, re, ve or ll.
  size_t clitic_at(size_t position) const;
  // Letter, mark or an entity such as &eacute;.
  size_t word_letter_at(size_t position) const;
  size_t word_character_at(size_t position) const { return is(position, digit) ? 1 : word_letter_at(position); }
  // & or &amp;
  size_t ampersand_at(size_t position) const;
  // / or \/
  size_t slash_at(size_t position) const;

  // End of the longest run of the classes from a position.
  size_t run_end(size_t position, uint8_t classes) const {
    while (is(position, classes)) ++position;
    return position;
  }
  size_t run_end_of(size_t position, int32_t unit) const {
    while (at(position) == unit) ++position;
    return position;
  }

 private:
  std::u16string_view units_;
  const uint8_t* classes_;
};

}  // namespace spidercap::ptb
