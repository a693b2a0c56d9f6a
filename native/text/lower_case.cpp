#include "text/lower_case.h"

#include <cstdint>
#include <span>
#include <vector>

#include "text/unicode_tables.h"

namespace spidercap {
namespace {

constexpr char16_t capital_sigma = 0x03A3, small_sigma = 0x03C3, final_sigma = 0x03C2, dotted_capital_i = 0x0130;

std::vector<char16_t> unfold_lower_runs() {
  std::vector<char16_t> lower(0x10000);
  for (size_t unit = 0; unit < lower.size(); ++unit) lower[unit] = static_cast<char16_t>(unit);
  for (const unicode::LowerRun& run : unicode::lower_runs()) {
    if (run.last > 0xFFFF) continue;
    for (uint32_t code = run.first; code <= run.last; code += run.step)
      lower[code] = static_cast<char16_t>(static_cast<int32_t>(code) + run.difference);
  }
  return lower;
}

char16_t lower_unit(char16_t unit) {
  static const std::vector<char16_t> table = unfold_lower_runs();
  return table[unit];
}

uint32_t lower_code_point(uint32_t code) {
  for (const unicode::LowerRun& run : unicode::lower_runs())
    if (code >= run.first && code <= run.last && (code - run.first) % run.step == 0)
      return static_cast<uint32_t>(static_cast<int32_t>(code) + run.difference);
  return code;
}

bool is_high_half(char16_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low_half(char16_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

bool contains(std::span<const unicode::CodeRange> ranges, uint32_t code) {
  for (const unicode::CodeRange& range : ranges)
    if (code <= range.last) return code >= range.first;
  return false;
}

uint32_t join_halves(char16_t high, char16_t low) { return 0x10000u + ((high - 0xD800u) << 10) + (low - 0xDC00u); }

// What stands between a letter and its sigma without ending the word. Unlike the Unicode standard the reference lets
// hyphens and digits pass, and stops at the colon and the spacing accents of ASCII.
bool hides(uint32_t code) {
  if (code == '-' || code == '_' || code == 0x058A || code == 0x2010 || code == 0x2011) return true;
  if (code == ':' || code == '^' || code == '`') return false;
  return contains(unicode::digits(), code) || contains(unicode::case_ignorables(), code);
}

bool cased_before(const std::u16string& token, size_t position) {
  while (position > 0) {
    uint32_t code = token[--position];
    if (is_low_half(token[position]) && position > 0 && is_high_half(token[position - 1])) {
      code = join_halves(token[position - 1], token[position]);
      --position;
    }
    if (!hides(code)) return contains(unicode::caseds(), code);
  }
  return false;
}

bool cased_after(const std::u16string& token, size_t position) {
  for (++position; position < token.size(); ++position) {
    uint32_t code = token[position];
    if (is_high_half(token[position]) && position + 1 < token.size() && is_low_half(token[position + 1])) {
      code = join_halves(token[position], token[position + 1]);
      ++position;
    }
    if (!hides(code)) return contains(unicode::caseds(), code);
  }
  return false;
}

}  // namespace

void lower_case(std::u16string& token) {
  bool plain = true;
  for (char16_t unit : token) plain = plain && unit < 0x80;
  if (plain) {
    for (char16_t& unit : token)
      if (unit >= 'A' && unit <= 'Z') unit += 'a' - 'A';
    return;
  }
  std::u16string lowered;
  for (size_t i = 0; i < token.size(); ++i) {
    const char16_t unit = token[i];
    if (unit == dotted_capital_i) {
      lowered += u"i\u0307";
    } else if (unit == capital_sigma) {
      lowered += cased_before(token, i) && !cased_after(token, i) ? final_sigma : small_sigma;
    } else if (is_high_half(unit) && i + 1 < token.size() && is_low_half(token[i + 1])) {
      const uint32_t code = lower_code_point(join_halves(unit, token[++i])) - 0x10000u;
      lowered += static_cast<char16_t>(0xD800u + (code >> 10));
      lowered += static_cast<char16_t>(0xDC00u + (code & 0x3FFu));
    } else {
      lowered += lower_unit(unit);
    }
  }
  token = std::move(lowered);
}

char32_t lower_case(char32_t character) {
  if (character > 0xFFFF) return lower_code_point(character);
  return lower_unit(static_cast<char16_t>(character));
}

}  // namespace spidercap
