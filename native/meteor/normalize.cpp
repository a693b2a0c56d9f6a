#include "meteor/normalize.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <span>

#include "text/lower_case.h"

namespace spidercap {
namespace {

using Text = std::u32string;
using View = std::u32string_view;

// A run of n dots is one character beyond Unicode while the rules run, so that none of them touches it.
constexpr char32_t dot_run_base = 0x110000;
constexpr char32_t longest_dot_run = 0x10000000;

constexpr View ordinary_prefixes[] = {
    U"A",    U"B",   U"C",   U"D",    U"E",    U"F",      U"G",    U"H",    U"I",    U"J",    U"K",    U"L",     U"M",
    U"N",    U"O",   U"P",   U"Q",    U"R",    U"S",      U"T",    U"U",    U"V",    U"W",    U"X",    U"Y",     U"Z",
    U"Adj",  U"Adm", U"Adv", U"Asst", U"Bart", U"Bldg",   U"Brig", U"Bros", U"Capt", U"Cmdr", U"Col",  U"Comdr", U"Con",
    U"Corp", U"Cpl", U"DR",  U"Dr",   U"Drs",  U"Ens",    U"Gen",  U"Gov",  U"Hon",  U"Hr",   U"Hosp", U"Insp",  U"Lt",
    U"MM",   U"MR",  U"MRS", U"MS",   U"Maj",  U"Messrs", U"Mlle", U"Mme",  U"Mr",   U"Mrs",  U"Ms",   U"Msgr",  U"Op",
    U"Ord",  U"Pfc", U"Ph",  U"Prof", U"Pvt",  U"Rep",    U"Reps", U"Res",  U"Rev",  U"Rt",   U"Sen",  U"Sens",  U"Sfc",
    U"Sgt",  U"Sr",  U"St",  U"Supt", U"Surg", U"v",      U"vs",   U"i.e",  U"rev",  U"e.g",  U"Nos",  U"Nr"};
constexpr View numeric_prefixes[] = {U"No", U"Art", U"pp"};

bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }

bool is_letter(char32_t c) {
  if (c < 0x80) return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z');
  return (c >= 0xC0 && c <= 0x17E && c != 0xD7 && c != 0xF7) || (c >= 0x400 && c <= 0x527) ||
         (c >= 0xA640 && c <= 0xA66E) || (c >= 0xA67E && c <= 0xA697) || (c >= 0x1D00 && c <= 0x1D7F);
}

bool is_alphanumeric(char32_t c) { return is_letter(c) || is_digit(c); }

bool is_space(char32_t c) { return c == U' ' || (c >= 0x09 && c <= 0x0D); }

bool is_splitter(char32_t c) { return is_space(c) && c != 0x0B; }

// The blanks that are merged into one at the end.
bool is_wide_blank(char32_t c) {
  return c == U' ' || c == 0xA0 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x205F || c == 0x3000;
}

bool stays_attached(char32_t c) {
  return is_alphanumeric(c) || is_space(c) || c == U'.' || c == U'\'' || c == U'`' || c == U',' || c == U'-' ||
         c == 0x2018 || c == 0x2019;
}

void isolate(const Text& from, Text& to) {
  for (const char32_t c : from) {
    if (stays_attached(c)) {
      to += c;
    } else {
      to += {U' ', c, U' '};
    }
  }
}

void protect_dot_runs(const Text& from, Text& to) {
  for (size_t i = 0; i < from.size();) {
    size_t end = i;
    while (end < from.size() && from[end] == U'.') ++end;
    if (end - i >= 2) {
      to += {U' ', dot_run_base + static_cast<char32_t>(std::min<size_t>(end - i, longest_dot_run)), U' '};
      i = end;
    } else {
      to += from[i++];
    }
  }
}

// Every XmY, where `left` accepts X and `right` accepts Y, becomes X + `replacement` + Y. What one replacement consumed
// is no context of the next.
template <typename Left, typename Right>
void between(const Text& from, Text& to, char32_t middle, Left left, Right right, View replacement) {
  for (size_t i = 0; i < from.size();) {
    to += from[i];
    if (i + 2 < from.size() && from[i + 1] == middle && left(from[i]) && right(from[i + 2])) {
      to += replacement;
      to += from[i + 2];
      i += 3;
    } else {
      ++i;
    }
  }
}

// Every X's with a digit X becomes X 's.
void separate_digit_genitive(const Text& from, Text& to) {
  for (size_t i = 0; i < from.size();) {
    to += from[i];
    if (i + 2 < from.size() && is_digit(from[i]) && from[i + 1] == U'\'' && from[i + 2] == U's') {
      to += U" 's";
      i += 3;
    } else {
      ++i;
    }
  }
}

void unify_quotes(Text& text) {
  for (char32_t& c : text)
    if (c == U'`' || c == 0x2018 || c == 0x2019) c = U'\'';
}

void double_quotes(const Text& from, Text& to) {
  for (size_t i = 0; i < from.size(); ++i) {
    const bool pair = from[i] == U'\'' && i + 1 < from.size() && from[i + 1] == U'\'';
    if (pair || from[i] == 0x201C || from[i] == 0x201D) {
      to += U" \" ";
      if (pair) ++i;
    } else {
      to += from[i];
    }
  }
}

void unify_dashes(const Text& from, Text& to) {
  const auto is_dash = [](char32_t c) { return c == U'-' || c == 0x2013; };
  for (size_t i = 0; i < from.size(); ++i) {
    to += is_dash(from[i]) ? U'-' : from[i];
    if (is_dash(from[i]) && i + 1 < from.size() && is_dash(from[i + 1])) ++i;
  }
}

bool contains(std::span<const View> prefixes, View word) {
  return std::find(prefixes.begin(), prefixes.end(), word) != prefixes.end();
}

// A token that ends in a full stop, and what follows it, to the text of the final tokens.
void append_with_final_period(View token, View next, Text& to) {
  const View body = token.substr(0, token.size() - 1);
  const char32_t first = next.empty() ? U'\0' : next.front();
  if (body.find(U'.') != View::npos && std::any_of(body.begin(), body.end(), is_letter)) {
    std::copy_if(token.begin(), token.end(), std::back_inserter(to), [](char32_t c) { return c != U'.'; });
  } else if (contains(ordinary_prefixes, body) || (first >= U'a' && first <= U'z') ||
             (contains(numeric_prefixes, body) && is_digit(first))) {
    to += token;
  } else {
    to += body;
    to += U" .";
  }
}

View next_token(View text, size_t& position) {
  while (position < text.size() && is_splitter(text[position])) ++position;
  const size_t start = position;
  while (position < text.size() && !is_splitter(text[position])) ++position;
  return text.substr(start, position - start);
}

void separate_final_periods(const Text& from, Text& to) {
  size_t position = 0;
  View token = next_token(from, position);
  while (!token.empty()) {
    const View next = next_token(from, position);
    if (token.size() > 1 && token.back() == U'.') {
      append_with_final_period(token, next, to);
    } else {
      to += token;
    }
    to += U' ';
    token = next;
  }
}

View strip(View text) {
  while (!text.empty() && text.front() <= U' ') text.remove_prefix(1);
  while (!text.empty() && text.back() <= U' ') text.remove_suffix(1);
  return text;
}

// Each rule reads `text` and leaves its result there.
void apply_rules(Text& text, Text& scratch) {
  const auto step = [&](auto&& rule) {
    scratch.clear();
    rule(static_cast<const Text&>(text), scratch);
    text.swap(scratch);
  };
  const auto not_digit = [](char32_t c) { return !is_digit(c); };
  const auto not_letter = [](char32_t c) { return !is_letter(c); };
  const auto neither = [](char32_t c) { return !is_alphanumeric(c); };
  const auto word_or_dot = [](char32_t c) { return is_alphanumeric(c) || c == U'.'; };
  const auto split_at = [&](char32_t middle, auto left, auto right, View replacement) {
    step([&](const Text& from, Text& to) { between(from, to, middle, left, right, replacement); });
  };
  step(isolate);
  step(protect_dot_runs);
  split_at(U',', not_digit, not_digit, U" , ");
  split_at(U',', is_digit, not_digit, U" , ");
  split_at(U',', not_digit, is_digit, U" , ");
  unify_quotes(text);
  step(double_quotes);
  step(unify_dashes);
  split_at(U'-', word_or_dot, is_alphanumeric, U" ");
  split_at(U'\'', not_letter, not_letter, U" ' ");
  split_at(U'\'', neither, is_letter, U" ' ");
  split_at(U'\'', is_letter, not_letter, U" ' ");
  split_at(U'\'', is_letter, is_letter, U" '");
  step(separate_digit_genitive);
  step(separate_final_periods);
}

void append_lower(char32_t c, std::string& text) {
  if (c > dot_run_base) {
    text.append(c - dot_run_base, '.');
  } else if (c == 0x130) {
    // The capital sigma needs no rule of its own: the rules put it between blanks, so it never ends a word.
    text += "i\xCC\x87";
  } else {
    append_utf8(lower_case(c), text);
  }
}

// What a byte of a plain caption becomes: its lower case, a blank, or 0 when the caption needs the rules.
constexpr std::array<char, 256> plain_bytes = [] {
  std::array<char, 256> table{};
  for (int c = 'a'; c <= 'z'; ++c) table[c] = table[c - 'a' + 'A'] = static_cast<char>(c);
  for (int c = '0'; c <= '9'; ++c) table[c] = static_cast<char>(c);
  for (const char c : {' ', '\t', '\n', '\r', '\f'}) table[static_cast<unsigned char>(c)] = ' ';
  return table;
}();

size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

}  // namespace

void decode_utf8(std::string_view text, std::u32string& characters) {
  constexpr std::array<unsigned char, 5> lead_bits = {0, 0x7F, 0x1F, 0x0F, 0x07};
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const size_t length = sequence_length(lead);
    char32_t character = length == 0 ? 0 : lead & lead_bits[length];
    bool whole = length > 0 && i + length <= text.size();
    for (size_t k = 1; whole && k < length; ++k) {
      const auto byte = static_cast<unsigned char>(text[i + k]);
      whole = (byte & 0xC0) == 0x80;
      character = (character << 6) | (byte & 0x3F);
    }
    whole = whole && character < dot_run_base;
    characters += whole ? character : char32_t{0xFFFD};
    i += whole ? length : 1;
  }
}

void append_utf8(char32_t c, std::string& text) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += static_cast<char>(0xC0 | (c >> 6));
    tail(0);
  } else if (c < 0x10000) {
    text += static_cast<char>(0xE0 | (c >> 12));
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xF0 | (c >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

const std::vector<std::string_view>& MeteorNormalizer::tokens(std::string_view caption) {
  tokens_.clear();
  if (!split_plain(caption)) split_general(caption);
  return tokens_;
}

bool MeteorNormalizer::split_plain(std::string_view caption) {
  text_.resize(caption.size());
  for (size_t i = 0; i < caption.size(); ++i) {
    text_[i] = plain_bytes[static_cast<unsigned char>(caption[i])];
    if (text_[i] == 0) return false;
  }
  const std::string_view text = text_;
  for (size_t i = 0; i < text.size();) {
    const size_t end = std::min(text.find(' ', i), text.size());
    if (end > i) tokens_.push_back(text.substr(i, end - i));
    i = end + 1;
  }
  return true;
}

void MeteorNormalizer::split_general(std::string_view caption) {
  scratch_.clear();
  decode_utf8(caption, scratch_);
  characters_.assign(1, U' ');
  characters_ += strip(scratch_);
  characters_ += U' ';
  apply_rules(characters_, scratch_);
  scratch_.clear();
  for (const char32_t c : characters_) {
    if (!is_wide_blank(c))
      scratch_ += c;
    else if (scratch_.empty() || scratch_.back() != U' ')
      scratch_ += U' ';
  }
  text_.clear();
  std::vector<size_t> bounds;
  const View final_text = strip(scratch_);
  for (size_t position = 0;;) {
    const View token = next_token(final_text, position);
    if (token.empty()) break;
    bounds.push_back(text_.size());
    for (const char32_t c : token) append_lower(c, text_);
  }
  bounds.push_back(text_.size());
  for (size_t i = 0; i + 1 < bounds.size(); ++i)
    tokens_.push_back(std::string_view(text_).substr(bounds[i], bounds[i + 1] - bounds[i]));
}

}  // namespace spidercap
