#include "text/tokenizer_text.h"

#include <span>
#include <vector>

#include "text/unicode_tables.h"

namespace spidercap::ptb {
namespace {

void add_class(std::vector<uint8_t>& classes, std::span<const unicode::CodeRange> ranges, uint8_t added) {
  for (const unicode::CodeRange& range : ranges)
    for (uint32_t code = range.first; code <= range.last; ++code) classes[code] |= added;
}

std::vector<uint8_t> unfold_classes() {
  constexpr unicode::CodeRange blanks[] = {
      {0x09, 0x09}, {0x20, 0x20}, {0xA0, 0xA0}, {0x2000, 0x200A}, {0x3000, 0x3000}};
  constexpr unicode::CodeRange ascii_letters[] = {{'A', 'Z'}, {'a', 'z'}};
  constexpr unicode::CodeRange ascii_digits[] = {{'0', '9'}};
  std::vector<uint8_t> classes(0x10000);
  add_class(classes, unicode::letters(), letter);
  add_class(classes, unicode::marks(), mark);
  add_class(classes, unicode::digits(), digit);
  add_class(classes, unicode::symbols(), symbol);
  add_class(classes, unicode::sentence_marks(), sentence_mark);
  add_class(classes, blanks, blank);
  add_class(classes, ascii_letters, ascii_letter);
  add_class(classes, ascii_digits, ascii_digit);
  return classes;
}

}  // namespace

const uint8_t* character_classes() {
  static const std::vector<uint8_t> classes = unfold_classes();
  return classes.data();
}

size_t Text::literal_at(size_t position, std::string_view lower) const {
  if (position > size() || size() - position < lower.size()) return 0;
  for (size_t i = 0; i < lower.size(); ++i) {
    char16_t unit = units_[position + i];
    if (unit >= 'A' && unit <= 'Z') unit += 'a' - 'A';
    if (unit != static_cast<unsigned char>(lower[i])) return 0;
  }
  return lower.size();
}

size_t Text::apostrophe_at(size_t position) const {
  if (is_one_of(position, u"'\u0092\u2019")) return 1;
  return at(position) == '&' ? literal_at(position, "&apos;") : 0;
}

size_t Text::any_apostrophe_at(size_t position) const {
  return is_one_of(position, u"`\u0091\u2018\u201B") ? 1 : apostrophe_at(position);
}

size_t Text::clitic_at(size_t position) const {
  const size_t apostrophe = apostrophe_at(position);
  if (apostrophe == 0) return 0;
  const size_t rest = position + apostrophe;
  if (is_one_of(rest, u"msdMSD")) return apostrophe + 1;
  if (literal_at(rest, "re") || literal_at(rest, "ve") || literal_at(rest, "ll")) return apostrophe + 2;
  return 0;
}

size_t Text::word_letter_at(size_t position) const {
  if (is(position, letter | mark)) return 1;
  if (at(position) != '&' || !is_one_of(position + 1, u"aeiouAEIOU")) return 0;
  for (std::string_view accent : {"acute;", "grave;", "uml;"})
    if (literal_at(position + 2, accent)) return 2 + accent.size();
  return 0;
}

size_t Text::ampersand_at(size_t position) const {
  if (at(position) != '&') return 0;
  const size_t entity = literal_at(position, "&amp;");
  return entity ? entity : 1;
}

size_t Text::slash_at(size_t position) const {
  if (at(position) == '/') return 1;
  return at(position) == '\\' && at(position + 1) == '/' ? 2 : 0;
}

}  // namespace spidercap::ptb
