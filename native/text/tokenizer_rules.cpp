#include "text/tokenizer_rules.h"

#include <bit>
#include <string>
#include <string_view>

#include "text/tokenizer_lists.h"

namespace spidercap::ptb {
namespace {

constexpr uint8_t letter_or_digit = letter | digit;

// The ASCII letters from a position on, lower-cased, as far as listed words go; one letter more tells a longer run.
std::string lower_letters(const Text& text, size_t position) {
  std::string word;
  for (; text.is(position, ascii_letter) && word.size() <= longest_listed_word; ++position)
    word.push_back(static_cast<char>(text.at(position) | 0x20));
  return word;
}

// Sets of positions as bits relative to a start: the pattern of a telephone number walks all its choices at once.
class PositionSet {
 public:
  PositionSet(const Text& text, size_t start, uint64_t bits = 1) : text_(&text), start_(start), bits_(bits) {}

  PositionSet one_of(std::u16string_view set) const {
    uint64_t next = 0;
    for (uint64_t left = bits_; left != 0; left &= left - 1)
      if (text_->is_one_of(start_ + static_cast<size_t>(std::countr_zero(left)), set))
        next |= (left & ~(left - 1)) << 1;
    return {*text_, start_, next};
  }
  PositionSet digits(int least, int most) const {
    PositionSet step = *this, reached = {*text_, start_, 0};
    for (int count = 1; count <= most; ++count) {
      step = step.one_of(u"0123456789");
      if (count >= least) reached = reached.either(step);
    }
    return reached;
  }
  PositionSet either(const PositionSet& other) const { return {*text_, start_, bits_ | other.bits_}; }
  bool empty() const { return bits_ == 0; }
  size_t longest() const { return static_cast<size_t>(63 - std::countl_zero(bits_)); }

 private:
  const Text* text_;
  size_t start_;
  uint64_t bits_;
};

}  // namespace

void Lexer::consider(Rule rule, size_t length, size_t reach) {
  if (reach > best_.reach || (reach == best_.reach && rule < best_.rule)) best_ = {rule, length, reach};
}

Match Lexer::match(size_t position) {
  here_ = position;
  best_ = {Rule::anything_else, 1, 1};
  const int32_t unit = text_.at(position);
  match_web();
  if (text_.word_letter_at(position)) match_word_start();
  if (text_.is(position, digit)) match_number_start();
  if (text_.any_apostrophe_at(position)) match_apostrophe_start();
  if (unit == '&') match_ampersand_start();
  match_punctuation(unit);
  return best_;
}

void Lexer::match_web() {
  const int32_t unit = text_.at(here_);
  const auto take = [&](Rule rule, size_t end) {
    if (end > here_) consider(rule, end - here_);
  };
  if (unit == '<') take(Rule::tag, web_.tag_end(here_));
  if (unit == 'h' || unit == 'H') take(Rule::full_url, web_.full_url_end(here_));
  take(Rule::likely_url, web_.host_end(here_));
  if (text_.is(here_, ascii_alnum) || unit == '<' || unit == '&') take(Rule::email, web_.email_end(here_));
}

void Lexer::match_word_start() {
  match_word();
  match_thing();
  match_file_name();
  match_not();
  if (!text_.is(here_, ascii_letter)) return match_letters_with_apostrophe();
  match_apostrophe_words();
  match_abbreviations();
  match_acronym();
  match_special_words();
  match_capitals();
  match_slash_compound();
  match_hyphen_compound();
  if (text_.at(here_) == 'x') match_smiley();
}

void Lexer::match_word() {
  size_t end = here_;
  while (true) {
    while (const size_t step = text_.word_character_at(end)) end += step;
    if (!text_.is_one_of(end, u".!?") || !text_.word_letter_at(end + 1)) break;
    ++end;
  }
  const size_t length = end - here_;
  consider(Rule::word, length);
  if (const size_t clitic = text_.clitic_at(end)) consider(Rule::word_before_clitic, length, length + clitic);
  if (text_.at(end) == '.' && text_.is_inner(end + 1)) consider(Rule::word_period, length + 1, length + 2);
}

// The host of n't, and n't itself.
void Lexer::match_not() {
  size_t end = here_;
  while (text_.is(end, ascii_letter) || text_.at(end) == Text::soft_hyphen) ++end;
  const size_t apostrophe = text_.any_apostrophe_at(end);
  if (end == here_ || apostrophe == 0 || !text_.is_one_of(end - 1, u"nN") || !text_.is_one_of(end + apostrophe, u"tT"))
    return;
  const size_t reach = end + apostrophe + 1 - here_;
  size_t before = end - 1;
  while (before > here_ && text_.at(before - 1) == Text::soft_hyphen) --before;
  if (before > here_ && !text_.is_one_of(before - 1, u"nN")) consider(Rule::word_before_not, end - 1 - here_, reach);
  if (end - here_ != 1) return;
  consider(Rule::loose_not_clitic, reach);
  if (text_.at(here_ + reach) >= 0 && !text_.is(here_ + reach, ascii_letter))
    consider(Rule::not_clitic, reach, reach + 1);
}

// Apostrophe words that start with a letter, and y'.
void Lexer::match_apostrophe_words() {
  if (text_.is_one_of(here_, u"lLdDjJ"))
    if (const size_t apostrophe = text_.apostrophe_at(here_ + 1)) consider(Rule::apostrophe_word, 1 + apostrophe);
  for (std::string_view word : {"dunkin", "somethin", "ol"})
    if (text_.literal_at(here_, word))
      if (const size_t apostrophe = text_.apostrophe_at(here_ + word.size()))
        consider(Rule::apostrophe_word, word.size() + apostrophe);
  for (std::string_view word :
       {"cont'd.", "cont'd", "nor'easter", "c'mon", "e'er", "s'mores", "ev'ry", "li'l", "nat'l"})
    if (text_.literal_at(here_, word)) consider(Rule::apostrophe_word, word.size());
  if (const size_t apostrophe = text_.any_apostrophe_at(here_ + 1)) {
    const size_t behind = here_ + 1 + apostrophe;
    const size_t end = text_.run_end(behind, letter);
    const bool initial = text_.at(here_) == 'n' || (text_.is_capital(here_) && !text_.is_one_of(here_, u"IY"));
    if (initial && end >= behind + 2) consider(Rule::apostrophe_word, end - here_);
    if (text_.literal_at(here_, "o") && text_.literal_at(behind, "o"))
      consider(Rule::apostrophe_word, behind + 1 - here_);
  }
  if (text_.literal_at(here_, "y"))
    if (const size_t apostrophe = text_.apostrophe_at(here_ + 1);
        apostrophe && text_.is(here_ + 1 + apostrophe, letter))
      consider(Rule::y_apostrophe, 1 + apostrophe, 2 + apostrophe);
  match_letters_with_apostrophe();
}

// Apostrophe words: letters ending in a vowel, an apostrophe, and more letters: ma'am, Hawai'i.
void Lexer::match_letters_with_apostrophe() {
  const size_t end = text_.run_end(here_, letter);
  if (end < here_ + 2 || !text_.is_one_of(end - 1, u"aeiouyAEIOUY")) return;
  const size_t apostrophe = text_.any_apostrophe_at(end);
  if (apostrophe == 0) return;
  const size_t behind = end + apostrophe;
  if (text_.is_capital(behind) || text_.is_one_of(behind, u"aeiou"))
    consider(Rule::apostrophe_word, text_.run_end(behind + 1, letter) - here_);
}

void Lexer::match_abbreviations() {
  std::string word = lower_letters(text_, here_);
  for (std::string_view dotted : {"ph.d", "ed.d", "a.k.a"})
    if (text_.literal_at(here_, dotted) && !text_.is(here_ + dotted.size(), ascii_letter)) word = dotted;
  if (word.size() > longest_listed_word) return;
  const uint8_t kinds = word_kinds(word);
  const bool capital = text_.is_capital(here_);
  const size_t period = here_ + word.size(), length = word.size() + 1;
  // In pty, pte and their like the y or e must be small, and so must the middle letter of mfg and mtg.
  const size_t vowel = word.find_first_of("ye", word.find("pt") == std::string::npos ? word.size() : 0);
  const bool small_vowel = vowel == std::string::npos || word[0] != 'p' || !text_.is_capital(here_ + vowel);
  const bool small_middle = !(word == "mfg" || word == "mtg") || !text_.is_capital(here_ + 1);
  const bool in_b = ((kinds & abbreviation_b) || (capital && (kinds & abbreviation_b_capital))) && small_middle;
  if (in_b && text_.is(period, blank)) consider(Rule::abbreviation_before_blank, word.size(), length);
  if (text_.at(period) != '.') return;
  if (in_b) consider(Rule::abbreviation_b, length);
  const bool in_a = ((kinds & abbreviation_a) && small_vowel) || (capital && (kinds & abbreviation_a_capital));
  if (in_a) {
    const size_t tag = text_.is_white(period + 1) ? web_.tag_end(period + 2) : 0;
    consider(Rule::abbreviation_a, length, tag ? tag - here_ : period + 3 <= text_.size() ? length + 2 : length);
  }
  if (kinds & before_number) {
    const size_t number = period + 1 + (text_.is_white(period + 1) ? 1 : 0);
    if (text_.is(number, digit)) consider(Rule::abbreviation_before_number, length, number + 1 - here_);
  }
  if ((word == "pty" || word == "pte" || word == "co") && text_.is(period + 1, blank) &&
      (text_.literal_at(period + 2, "ltd") || text_.literal_at(period + 2, "lim")))
    consider(Rule::company, length, length + 4);
}

// End of what opens a sentence behind an acronym: white space, then a capitalised starter or a tag, then one white.
size_t Lexer::sentence_start_end(size_t position) {
  if (!text_.is_white(position)) return 0;
  while (text_.is_white(position)) ++position;
  size_t end = web_.tag_end(position);
  if (text_.is_capital(position)) {
    std::string word = lower_letters(text_, position);
    if (text_.at(position + word.size()) == '.') word.push_back('.');
    if (word_kinds(word) & sentence_starter) end = position + word.size();
  }
  return end && text_.is_white(end) ? end + 1 : 0;
}

void Lexer::match_acronym() {
  size_t end = here_ + 1;
  while (text_.at(end) == '.' && text_.is(end + 1, ascii_letter)) end += 2;
  const auto take = [&](size_t length) {
    const size_t period = here_ + length;
    if (text_.is(period, blank)) consider(Rule::abbreviation_before_blank, length, length + 1);
    if (text_.is_white(period)) consider(Rule::acronym_before_white, length, length + 1);
    if (text_.at(period) != '.') return;
    consider(Rule::abbreviation_b, length + 1);
    if (const size_t start = sentence_start_end(period + 1))
      consider(Rule::acronym_before_sentence, length == 1 ? 1 : length + 1, start - here_);
  };
  take(end - here_);
  if (end > here_ + 1) take(end - 2 - here_);
  for (std::string_view special :
       {"canada-u.s", "sino-u.s", "korean-u.s", "eu-u.s", "japan-u.s", "non-u.s", "u.s.-u.k", "u.s.-u.s.s.r"})
    if (text_.literal_at(here_, special)) take(special.size());
}

void Lexer::match_special_words() {
  for (std::string_view word : {"c++", "c#", "f#"})
    if (text_.literal_at(here_, word)) consider(Rule::language_name, word.size());
  for (std::string_view word : {"cannot", "gonna", "gotta", "lemme", "gimme", "wanna"})
    if (text_.literal_at(here_, word)) consider(Rule::assimilation, 3, word.size());
  for (std::string_view word : {"c.d.s", "pro-", "anti-"})
    if (text_.literal_at(here_, word)) consider(Rule::treebank_special, word.size());
  if (text_.literal_at(here_, "s")) {
    const size_t behind = here_ + 1 + text_.ampersand_at(here_ + 1);
    for (std::string_view rest : {"p-500", "ls"})
      if (behind > here_ + 1 && text_.literal_at(behind, rest))
        consider(Rule::treebank_special, behind + rest.size() - here_);
  }
  if (text_.literal_at(here_, "cap"))
    if (const size_t apostrophe = text_.apostrophe_at(here_ + 3);
        apostrophe && text_.literal_at(here_ + 3 + apostrophe, "n"))
      consider(Rule::treebank_special, 4 + apostrophe);
  if (text_.literal_at(here_, "c"))
    if (const size_t apostrophe = text_.apostrophe_at(here_ + 1);
        apostrophe && text_.literal_at(here_ + 1 + apostrophe, "est"))
      consider(Rule::treebank_special, 4 + apostrophe);
}

// Capitals before $, and capitals joined by & or +.
void Lexer::match_capitals() {
  const auto capitals_end = [&](size_t position) {
    while (text_.is_capital(position)) ++position;
    return position;
  };
  size_t end = capitals_end(here_);
  if (end == here_) return;
  if (text_.at(end) == '$') consider(Rule::dollar, end + 1 - here_);
  bool joined = false;
  while (true) {
    const size_t entity = text_.literal_at(end, "&amp;");
    const size_t single = text_.at(end) == '&' || text_.at(end) == '+' ? 1 : 0;
    const size_t joint = entity && text_.is_capital(end + entity) ? entity : single;
    if (joint == 0 || !text_.is_capital(end + joint)) break;
    end = capitals_end(end + joint);
    joined = true;
  }
  if (!joined) return;
  consider(Rule::joined_capitals, end - here_);
  if (text_.at(end) == '.' && text_.is_inner(end + 1))
    consider(Rule::joined_capitals_period, end + 1 - here_, end + 2 - here_);
}

size_t Lexer::slash_group_end(size_t position) const {
  size_t end = text_.run_end(position, ascii_alnum);
  if (end == position) return 0;
  for (int hyphens = 0; hyphens < 2; ++hyphens)
    if (text_.at(end) == '-' && text_.is(end + 1, ascii_letter)) end = text_.run_end(end + 1, ascii_letter);
  return end;
}

void Lexer::match_slash_compound() {
  size_t end = slash_group_end(here_);
  for (int slashes = 0; slashes < 2; ++slashes) {
    const size_t slash = text_.slash_at(end);
    const size_t group = slash ? slash_group_end(end + slash) : 0;
    if (group == 0) return;
    end = group;
    consider(Rule::slash_compound, end - here_);
  }
}

void Lexer::scan_file_names() {
  file_run_ = {here_, here_};
  size_t dot = 0;
  for (size_t i = here_;; ++i) {
    const size_t piece = i;
    while (const size_t step = text_.word_character_at(i)) i += step;
    file_run_.last = i;
    if (dot && (text_.is_white(i) || text_.is_one_of(i, u".?!,")) && i - piece <= longest_listed_word) {
      std::string extension;
      for (size_t k = piece; k < i; ++k)
        if (text_.at(k) < 0x80)
          extension.push_back(static_cast<char>(text_.is_capital(k) ? text_.at(k) | 0x20 : text_.at(k)));
      if (extension.size() == i - piece && (word_kinds(extension) & file_extension)) {
        file_run_.dot = dot;
        file_run_.end = i;
      }
    }
    if (text_.at(i) != '.' || !text_.word_character_at(i + 1)) return;
    dot = i;
  }
}

void Lexer::match_file_name() {
  if (here_ < file_run_.first || here_ >= file_run_.last) scan_file_names();
  if (file_run_.dot > here_) consider(Rule::file_name, file_run_.end - here_, file_run_.end + 1 - here_);
}

void Lexer::scan_hyphen_compound() {
  hyphen_run_ = {here_, here_};
  size_t& head = hyphen_run_.last;
  while (text_.is(head, ascii_alnum) || text_.is_one_of(head, u".,\u00AD")) ++head;
  for (size_t hyphen = head; text_.at(hyphen) == '-';) {
    size_t end = hyphen + 1;
    while (text_.is(end, ascii_alnum) || text_.at(end) == Text::soft_hyphen) ++end;
    size_t acronym = hyphen + 1, letters = 0;
    for (; text_.is(acronym, ascii_letter) && text_.at(acronym + 1) == '.'; ++letters) acronym += 2;
    const auto before_period = [&](size_t e) { return text_.at(e) == '.' && text_.is_inner(e + 1); };
    if (end == hyphen + 1) return;
    hyphen_run_.end = end;
    if (before_period(end)) hyphen_run_.end_before_period = end;
    if (letters >= 2) {
      hyphen_run_.end = end = acronym;
      if (before_period(end)) hyphen_run_.end_before_period = end;
    }
    hyphen = end;
  }
}

void Lexer::match_hyphen_compound() {
  if (here_ < hyphen_run_.first || here_ >= hyphen_run_.last) scan_hyphen_compound();
  const auto& [first, last, end, end_before_period] = hyphen_run_;
  if (end > here_) consider(Rule::hyphen_compound, end - here_);
  if (end_before_period > here_)
    consider(Rule::hyphen_compound_period, end_before_period + 1 - here_, end_before_period + 2 - here_);
}

size_t Lexer::thing_part_end(size_t position) const {
  if (text_.is_one_of(position, u"dDoOlL"))
    if (const size_t apostrophe = text_.any_apostrophe_at(position + 1)) {
      const size_t behind = position + 1 + apostrophe;
      const size_t end = text_.run_end(behind, letter_or_digit);
      if (end >= behind + 2) return end;
    }
  const size_t end = text_.run_end(position, letter_or_digit);
  return end > position ? end : 0;
}

void Lexer::match_thing() {
  size_t end = thing_part_end(here_);
  if (end == 0) return;
  while (text_.is_one_of(end, u"-_\u058A\u2010\u2011")) {
    const size_t part = thing_part_end(end + 1);
    if (part == 0) break;
    end = part;
  }
  consider(Rule::thing, end - here_);
  if (text_.at(end) == '.' && text_.is_inner(end + 1)) consider(Rule::thing_period, end + 1 - here_, end + 2 - here_);
}

void Lexer::match_number_start() {
  match_date();
  match_number();
  match_fraction();
  match_thing();
  match_file_name();
  if (!text_.is(here_, ascii_digit)) return;
  match_slash_compound();
  match_hyphen_compound();
  match_phone();
}

void Lexer::match_date() {
  size_t end = here_;
  for (size_t most : {2, 2, 4}) {
    const size_t start = end;
    while (end < start + most && text_.is(end, digit)) ++end;
    if (most == 4) {
      if (end >= start + 2) consider(Rule::date, end - here_);
    } else if (end == start || !text_.is_one_of(end, u"-/")) {
      return;
    } else {
      ++end;
    }
  }
}

void Lexer::match_number() {
  size_t end = here_ + (text_.is_one_of(here_, u"+-") ? 1 : 0);
  const size_t start = end;
  while (true) {
    if (text_.is(end, digit)) {
      ++end;
    } else if (text_.is_one_of(end, u".:,\u00AD\u066B\u066C") && text_.is(end + 1, digit)) {
      end += 2;
    } else {
      break;
    }
  }
  if (end > start) consider(Rule::number, end - here_);
}

void Lexer::match_fraction() {
  const auto digits_end = [&](size_t position) {
    size_t end = position;
    while (end < position + 4 && text_.is(end, digit)) ++end;
    return end;
  };
  const auto fraction_end = [&](size_t position) -> size_t {
    const size_t numerator = digits_end(position);
    const size_t slash = text_.at(numerator) == 0x2044 ? 1 : text_.slash_at(numerator);
    if (numerator == position || slash == 0) return 0;
    const size_t end = digits_end(numerator + slash);
    return end > numerator + slash ? end : 0;
  };
  if (const size_t end = fraction_end(here_)) consider(Rule::fraction, end - here_);
  const size_t whole = digits_end(here_);
  if (whole > here_ && text_.is_one_of(whole, u"- \u00A0"))
    if (const size_t end = fraction_end(whole + 1)) consider(Rule::fraction, end - here_);
}

void Lexer::match_script_digits() {
  const auto run = [&](size_t position, std::u16string_view digits) {
    while (text_.is_one_of(position, digits)) ++position;
    return position;
  };
  const size_t start = here_ + (text_.is_one_of(here_, u"\u207A\u207B\u208A\u208B") ? 1 : 0);
  const size_t above = run(start, u"\u2070\u00B9\u00B2\u00B3\u2074\u2075\u2076\u2077\u2078\u2079");
  const size_t below = run(start, u"\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089");
  if (above > start) consider(Rule::script_digits, above - here_);
  if (below > start) consider(Rule::script_digits, below - here_);
}

void Lexer::match_phone() {
  constexpr std::u16string_view separator = u"- \u00A0";
  const PositionSet start(text_, here_);
  const PositionSet plus = start.one_of(u"+");
  const PositionSet prefix = start.either(plus).either(plus.one_of(u"+"));
  const PositionSet area = start.one_of(u"(").digits(2, 3).one_of(u")");
  const PositionSet lead =
      area.either(area.one_of(u" \u00A0"))
          .either(prefix.either(prefix.digits(2, 4).one_of(separator)).digits(2, 4).one_of(separator));
  const PositionSet exchange = lead.digits(3, 4);
  const PositionSet plain = exchange.either(exchange.one_of(separator)).digits(3, 5);
  const PositionSet dotted_lead = start.either(prefix.digits(2, 4).one_of(u"."));
  const PositionSet dotted = dotted_lead.digits(2, 4).one_of(u".").digits(3, 4).one_of(u".").digits(3, 5);
  const PositionSet all = plain.either(dotted);
  if (!all.empty()) consider(Rule::phone, all.longest());
}

void Lexer::match_apostrophe_start() {
  match_clitic();
  match_quotes();
  if (text_.at(here_) == '\'') {
    match_smiley();
    if (text_.literal_at(here_, "'twas")) consider(Rule::assimilation, 2, 5);
    if (text_.literal_at(here_, "'tis")) consider(Rule::assimilation, 2, 4);
    if (text_.is(here_ + 1, ascii_letter) && text_.at(here_ + 2) >= 0 && !text_.is_one_of(here_ + 2, u" \t\n\r\u00A0"))
      consider(Rule::opening_apostrophe, 1, 3);
  }
  const size_t apostrophe = text_.apostrophe_at(here_);
  if (apostrophe == 0) return;
  const size_t behind = here_ + apostrophe;
  if (text_.literal_at(behind, "n")) consider(Rule::apostrophe_word, apostrophe + 1 + text_.apostrophe_at(behind + 1));
  for (std::string_view word : {"em", "til", "till", "cause"})
    if (text_.literal_at(behind, word)) consider(Rule::apostrophe_word, apostrophe + word.size());
  if (text_.is_one_of(behind, u"23456789") && text_.literal_at(behind + 1, "0s"))
    consider(Rule::apostrophe_word, apostrophe + 3);
  if (text_.is(behind, ascii_digit) && text_.is(behind + 1, ascii_digit) && text_.is_white(behind + 2))
    consider(Rule::year, apostrophe + 2, apostrophe + 3);
}

void Lexer::match_clitic() {
  const size_t clitic = text_.clitic_at(here_);
  if (clitic == 0) return;
  consider(Rule::loose_clitic, clitic);
  if (text_.at(here_ + clitic) >= 0 && !text_.is(here_ + clitic, ascii_letter))
    consider(Rule::clitic, clitic, clitic + 1);
}

void Lexer::match_quotes() {
  constexpr std::u16string_view quotes =
      u"`\u2018\u2019\u201A\u201B\u201C\u201D\u201E\u201F\u2039\u203A\u00AB\u00BB\u0091\u0092\u0093\u0094";
  if (const size_t apostrophe = text_.apostrophe_at(here_)) consider(Rule::quotes, apostrophe);
  if (text_.literal_at(here_, "''")) consider(Rule::quotes, 2);
  if (text_.is_one_of(here_, quotes)) consider(Rule::quotes, text_.is_one_of(here_ + 1, quotes) ? 2 : 1);
}

void Lexer::match_ampersand_start() {
  for (std::string_view dash : {"&mdash;", "&ndash;", "&md;"})
    if (text_.literal_at(here_, dash)) consider(Rule::long_dash, dash.size());
  if (text_.literal_at(here_, "&amp;")) consider(Rule::ampersand_entity, 5);
  for (std::string_view odd : {"&ht;", "&tl;", "&ur;", "&lr;", "&qc;", "&ql;", "&qr;", "&odq;", "&cdq;"})
    if (text_.literal_at(here_, odd)) consider(Rule::odd_entity, odd.size());
  if (text_.at(here_ + 1) == '#') {
    const size_t end = text_.run_end(here_ + 2, ascii_digit);
    if (end > here_ + 2 && text_.at(end) == ';') consider(Rule::odd_entity, end + 1 - here_);
  }
  if (text_.literal_at(here_, "&quot;"))
    consider(Rule::double_quote, 6, text_.is(here_ + 6, ascii_alnum) || text_.at(here_ + 6) == '$' ? 7 : 6);
  if (text_.literal_at(here_, "&lt;")) consider(Rule::less_than, 4);
  if (text_.literal_at(here_, "&gt;")) consider(Rule::greater_than, 4);
  if (text_.literal_at(here_, "&nbsp;")) consider(Rule::blank_entity, 6);
}

// Emoticons, western and Asian.
void Lexer::match_smiley() {
  constexpr std::u16string_view mouths = u"()DPdpO\\{@|[]", eyes = u"-^x=~<>'";
  size_t position = here_ + (text_.is_one_of(here_, u"<>") ? 1 : 0);
  if (text_.is_one_of(position, u":;=")) {
    position += text_.is_one_of(position + 1, u"-o*'") ? 2 : 1;
    if (text_.is_one_of(position, mouths) && text_.at(position + 1) >= 0 && !text_.is(position + 1, ascii_alnum))
      consider(Rule::smiley, position + 1 - here_, position + 2 - here_);
  }
  if (text_.is_one_of(here_, eyes) && text_.at(here_ + 1) == '_' && text_.is_one_of(here_ + 2, eyes))
    consider(Rule::asian_smiley, 3);
  if (text_.at(here_) != '(' || !text_.is_one_of(here_ + 1, eyes)) return;
  const size_t right = here_ + (text_.is_one_of(here_ + 2, u"_.") ? 3 : 2);
  if (text_.is_one_of(right, eyes) && text_.at(right + 1) == ')') consider(Rule::asian_smiley, right + 2 - here_);
  const bool sides = text_.at(here_ + 1) != '-' && text_.at(here_ + 3) != '-' &&
                     (text_.is_one_of(here_ + 3, eyes) || text_.at(here_ + 3) == '`');
  if (sides && text_.at(here_ + 2) == '-' && text_.at(here_ + 4) == ')') consider(Rule::asian_smiley, 5);
}

// Three to five dots, together or with single blanks between them.
void Lexer::match_dots() {
  size_t end = here_;
  while (end < here_ + 5 && text_.at(end) == '.') ++end;
  if (end >= here_ + 3) consider(Rule::ellipsis, end - here_);
  size_t spaced = here_ + 1, dots = 1;
  while (dots < 5 && text_.is_one_of(spaced, u" \u00A0") && text_.at(spaced + 1) == '.') {
    spaced += 2;
    ++dots;
  }
  if (dots >= 3) consider(Rule::ellipsis, spaced - here_);
}

// A handle, or a hash and a word without digits.
void Lexer::match_handle() {
  size_t end = here_ + 1;
  if (text_.at(here_) == '#') {
    while (const size_t step = text_.word_letter_at(end)) end += step;
  } else if (!text_.is(end, ascii_digit)) {
    while (text_.is(end, ascii_alnum) || text_.at(end) == '_') ++end;
  }
  if (end > here_ + 1) consider(Rule::handle, end - here_);
}

void Lexer::match_punctuation(int32_t unit) {
  match_ascii_punctuation(unit);
  if (text_.is_inner(here_)) consider(Rule::inner_punctuation, 1);
  if (text_.is(here_, sentence_mark)) consider(Rule::sentence_end, 1);
  if (text_.is(here_, symbol)) consider(Rule::symbol_sign, 1);
  if (text_.is(here_, blank)) consider(Rule::blanks, text_.run_end(here_, blank) - here_);
  if (text_.is_one_of(here_, std::u16string_view(u"\0\u200B\u200E\u200F\uFEFF", 5))) consider(Rule::blanks, 1);
  if (unit < 0x80) return;
  if (text_.is_one_of(here_, u"\u2013\u2014\u2015\u0096\u0097")) consider(Rule::long_dash, 1);
  if (text_.is_one_of(here_, u"\u00BC\u00BD\u00BE") || (unit >= 0x2153 && unit <= 0x215E))
    consider(Rule::fraction_sign, 1);
  if (text_.is_one_of(here_, u"\u00A2\u00A3\u00A4\u00A5\u0080\u20A0\u20AC\u060B\u0E3F\u20A4\uFFE0\uFFE1\uFFE5\uFFE6"))
    consider(Rule::currency_sign, 1);
  if (unit == 0x2026) consider(Rule::ellipsis, 1);
  if (text_.is_one_of(here_, u"\u00AD\u066B\u066C")) match_number();
  match_script_digits();
  match_quotes();
}

void Lexer::match_ascii_punctuation(int32_t unit) {
  const auto run = [&](Rule rule, int32_t of) { consider(rule, text_.run_end_of(here_, of) - here_); };
  switch (unit) {
    case '<':
    case '>':
      consider(unit == '<' ? Rule::less_than : Rule::greater_than, 1);
      if (text_.at(here_ + 1) == unit) consider(Rule::duck_feet, 2);
      match_smiley();
      break;
    case ':':
      match_number();
      [[fallthrough]];
    case ';':
    case '=':
    case '^':
    case '~':
      if (unit == '=') consider(Rule::equals, 1);
      match_smiley();
      break;
    case '-':
      for (std::string_view bracket : {"-lrb-", "-rrb-", "-lcb-", "-rcb-", "-lsb-", "-rsb-"})
        if (text_.literal_at(here_, bracket)) consider(Rule::treebank_special, bracket.size());
      run(Rule::hyphens, '-');
      match_smiley();
      match_number();
      break;
    case '+':
      match_number();
      match_phone();
      break;
    case '(':
      match_phone();
      match_smiley();
      [[fallthrough]];
    case ')':
    case '[':
    case ']':
    case '{':
    case '}':
      consider(Rule::bracket, 1);
      break;
    case '"':
      consider(Rule::double_quote, 1, text_.is(here_ + 1, ascii_alnum) || text_.at(here_ + 1) == '$' ? 2 : 1);
      break;
    case '#':
      consider(Rule::dollar, 1);
      [[fallthrough]];
    case '@':
      run(Rule::mark_run, unit);
      match_handle();
      break;
    case '_':
      run(Rule::mark_run, '_');
      break;
    case '$':
      consider(Rule::dollar, 1);
      break;
    case '*':
      run(Rule::stars, '*');
      break;
    case '\\': {
      size_t end = here_;
      while (end < here_ + 6 && text_.literal_at(end, "\\*")) end += 2;
      if (end > here_) consider(Rule::stars, end - here_);
      break;
    }
    case '/':
      consider(Rule::slash, 1);
      break;
    case '.':
      match_dots();
      match_number();
      break;
    case ',':
      match_number();
      break;
    case '?':
    case '!': {
      size_t end = here_;
      while (text_.is_one_of(end, u"?!")) ++end;
      consider(Rule::question_run, end - here_);
      break;
    }
    case 0x007F:
      consider(Rule::delete_character, 1);
      break;
    case '\n':
      consider(Rule::line_break, 1);
      break;
    default:
      break;
  }
}

}  // namespace spidercap::ptb
