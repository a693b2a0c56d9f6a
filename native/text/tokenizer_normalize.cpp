#include "text/tokenizer_normalize.h"

#include <utility>

#include "text/lower_case.h"

namespace spidercap::ptb {
namespace {

void replace_all(std::u16string& token, std::u16string_view from, std::u16string_view to) {
  for (size_t i = token.find(from); i != std::u16string::npos; i = token.find(from, i + to.size()))
    token.replace(i, from.size(), to);
}

void replace_caseless_ampersand_entity(std::u16string& token) {
  for (size_t i = 0; i + 5 <= token.size(); ++i) {
    std::u16string entity = token.substr(i, 5);
    lower_case(entity);
    if (entity == u"&amp;") token.replace(i, 5, u"&");
  }
}

void replace_brackets(std::u16string& token) {
  replace_all(token, u"(", u"-lrb-");
  replace_all(token, u")", u"-rrb-");
}

void strip_soft_hyphens(std::u16string& token) {
  std::erase(token, u'\u00AD');
  if (token.empty()) token = u"-";
}

void normalize_quotes(std::u16string& token) {
  replace_all(token, u"&apos;", u"'");
  std::u16string plain;
  for (const char16_t unit : token) switch (unit) {
      case 0x2018:
      case 0x201B:
      case 0x2039:
      case 0x0091:
        plain += u'`';
        break;
      case 0x2019:
      case 0x203A:
      case 0x0092:
        plain += u'\'';
        break;
      case 0x201C:
      case 0x00AB:
      case 0x0093:
        plain += u"``";
        break;
      case 0x201D:
      case 0x00BB:
      case 0x0094:
        plain += u"''";
        break;
      default:
        plain += unit;
    }
  token = std::move(plain);
}

void normalize_sign(std::u16string& token) {
  switch (token[0]) {
    case 0x00BC:
      token = u"1/4";
      break;
    case 0x00BD:
      token = u"1/2";
      break;
    case 0x00BE:
      token = u"3/4";
      break;
    case 0x2153:
      token = u"1/3";
      break;
    case 0x2154:
      token = u"2/3";
      break;
    case 0x00A2:
      token = u"cents";
      break;
    case 0x00A3:
      token = u"#";
      break;
    case 0x00A4:
    case 0x0080:
    case 0x20A0:
    case 0x20AC:
      token = u"$";
      break;
    default:
      break;
  }
}

std::u16string_view bracket_name(char16_t bracket) {
  switch (bracket) {
    case '(':
      return u"-lrb-";
    case ')':
      return u"-rrb-";
    case '[':
      return u"-lsb-";
    case ']':
      return u"-rsb-";
    case '{':
      return u"-lcb-";
    default:
      return u"-rcb-";
  }
}

}  // namespace

void normalize(Rule rule, std::u16string& token) {
  switch (rule) {
    case Rule::tag:
    case Rule::fraction:
      replace_all(token, u" ", u"\u00A0");
      break;
    case Rule::phone:
      replace_all(token, u" ", u"\u00A0");
      [[fallthrough]];
    case Rule::smiley:
    case Rule::asian_smiley:
      replace_brackets(token);
      break;
    case Rule::long_dash:
    case Rule::delete_character:
    case Rule::ellipsis:
    case Rule::blanks:
    case Rule::line_break:
    case Rule::blank_entity:
    case Rule::anything_else:
      token.clear();
      break;
    case Rule::ampersand_entity:
      token = u"&";
      break;
    case Rule::word_before_clitic:
    case Rule::word_before_not:
    case Rule::word:
    case Rule::number:
    case Rule::word_period:
    case Rule::hyphen_compound_period:
    case Rule::hyphen_compound:
      strip_soft_hyphens(token);
      break;
    case Rule::clitic:
    case Rule::not_clitic:
    case Rule::opening_apostrophe:
    case Rule::loose_clitic:
    case Rule::loose_not_clitic:
    case Rule::quotes:
      normalize_quotes(token);
      break;
    case Rule::fraction_sign:
    case Rule::currency_sign:
      normalize_sign(token);
      break;
    case Rule::treebank_special:
    case Rule::joined_capitals_period:
    case Rule::joined_capitals:
      replace_caseless_ampersand_entity(token);
      break;
    case Rule::double_quote:
      if (token == u"\"" || token == u"&quot;") token.clear();
      break;
    case Rule::less_than:
      token = u"<";
      break;
    case Rule::greater_than:
      token = u">";
      break;
    case Rule::bracket:
      token = bracket_name(token[0]);
      break;
    case Rule::hyphens:
      if (token.size() <= 4) token.clear();
      break;
    default:
      break;
  }
}

bool is_dropped(std::u16string_view token) {
  static constexpr std::u16string_view punctuation[] = {u"''", u"'", u"``", u"`",  u".",   u"?", u"!",
                                                        u",",  u":", u"-",  u"--", u"...", u";"};
  for (std::u16string_view mark : punctuation)
    if (token == mark) return true;
  return token.empty();
}

}  // namespace spidercap::ptb
