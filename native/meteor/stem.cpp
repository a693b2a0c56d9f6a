#include "meteor/stem.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <string_view>

namespace spidercap {
namespace {

using Word = std::u32string;
using View = std::u32string_view;

struct Rewrite {
  View from;
  View to;
};

constexpr Rewrite irregular_words[] = {
    {U"skis", U"ski"},      {U"skies", U"sky"},    {U"dying", U"die"},  {U"lying", U"lie"},   {U"tying", U"tie"},
    {U"idly", U"idl"},      {U"gently", U"gentl"}, {U"ugly", U"ugli"},  {U"early", U"earli"}, {U"only", U"onli"},
    {U"singly", U"singl"},  {U"sky", U"sky"},      {U"news", U"news"},  {U"howe", U"howe"},   {U"atlas", U"atlas"},
    {U"cosmos", U"cosmos"}, {U"bias", U"bias"},    {U"andes", U"andes"}};

constexpr View finished_words[] = {U"inning",  U"outing",  U"canning", U"herring",
                                   U"earring", U"proceed", U"exceed",  U"succeed"};

// In every list a suffix stands before the shorter ones it ends in, so the first that fits is the longest.
constexpr Rewrite step_2[] = {{U"ational", U"ate"}, {U"ization", U"ize"}, {U"fulness", U"ful"}, {U"ousness", U"ous"},
                              {U"iveness", U"ive"}, {U"tional", U"tion"}, {U"biliti", U"ble"},  {U"lessli", U"less"},
                              {U"entli", U"ent"},   {U"ation", U"ate"},   {U"alism", U"al"},    {U"aliti", U"al"},
                              {U"fulli", U"ful"},   {U"ousli", U"ous"},   {U"iviti", U"ive"},   {U"enci", U"ence"},
                              {U"anci", U"ance"},   {U"abli", U"able"},   {U"izer", U"ize"},    {U"ator", U"ate"},
                              {U"alli", U"al"},     {U"bli", U"ble"},     {U"ogi", U"og"},      {U"li", U""}};
constexpr Rewrite step_3[] = {{U"ational", U"ate"}, {U"tional", U"tion"}, {U"alize", U"al"},
                              {U"icate", U"ic"},    {U"iciti", U"ic"},    {U"ative", U""},
                              {U"ical", U"ic"},     {U"ness", U""},       {U"ful", U""}};
constexpr View step_4[] = {U"ement", U"ance", U"ence", U"able", U"ible", U"ment", U"ant", U"ent", U"ism",
                           U"ate",   U"iti",  U"ous",  U"ive",  U"ize",  U"ion",  U"al",  U"er",  U"ic"};

bool one_of(char32_t c, View set) { return set.find(c) != View::npos; }

bool is_vowel(char32_t c) { return one_of(c, U"aeiouy"); }

bool has_vowel(View text) { return std::any_of(text.begin(), text.end(), is_vowel); }

class Stemmer {
 public:
  explicit Stemmer(Word& word) : word_(word) {}

  void run() {
    if (replace_irregular() || word_.size() < 3) return;
    mark_consonants();
    find_regions();
    remove_apostrophes();
    remove_plural();
    if (std::find(std::begin(finished_words), std::end(finished_words), View(word_)) == std::end(finished_words)) {
      remove_past_and_progressive();
      final_y_to_i();
      rewrite_derived();
      rewrite_derived_further();
      remove_residual();
      remove_final_letter();
    }
    std::replace(word_.begin(), word_.end(), U'Y', U'y');
  }

 private:
  bool replace_irregular() {
    for (const auto& [from, to] : irregular_words) {
      if (word_ != from) continue;
      word_ = to;
      return true;
    }
    return false;
  }

  void mark_consonants() {
    if (word_.front() == U'\'') word_.erase(0, 1);
    for (size_t i = 0; i < word_.size(); ++i)
      if (word_[i] == U'y' && (i == 0 || is_vowel(word_[i - 1]))) word_[i] = U'Y';
  }

  // The position after the first non-vowel that follows a vowel, at or after `start`.
  size_t region_after(size_t start) const {
    for (size_t i = start + 1; i < word_.size(); ++i)
      if (is_vowel(word_[i - 1]) && !is_vowel(word_[i])) return i + 1;
    return word_.size();
  }

  void find_regions() {
    r1_ = region_after(0);
    for (const View prefix : {View(U"gener"), View(U"commun"), View(U"arsen")})
      if (word_.starts_with(prefix)) r1_ = prefix.size();
    r2_ = region_after(r1_);
  }

  // The length of the word without the suffix if it has it, else npos.
  size_t without(View suffix) const { return word_.ends_with(suffix) ? word_.size() - suffix.size() : Word::npos; }

  View longest(std::initializer_list<View> suffixes) const {
    for (const View suffix : suffixes)
      if (word_.ends_with(suffix)) return suffix;
    return {};
  }

  bool ends_in_short_syllable(View part) const {
    const size_t size = part.size();
    if (size == 2) return is_vowel(part[0]) && !is_vowel(part[1]);
    return size >= 3 && !is_vowel(part[size - 3]) && is_vowel(part[size - 2]) && !is_vowel(part[size - 1]) &&
           !one_of(part[size - 1], U"wxY");
  }

  void remove_apostrophes() { word_.resize(word_.size() - longest({U"'s'", U"'s", U"'"}).size()); }

  void remove_plural() {
    const View suffix = longest({U"sses", U"ied", U"ies", U"us", U"ss", U"s"});
    const size_t rest = word_.size() - suffix.size();
    if (suffix == U"sses") {
      word_.resize(rest + 2);
    } else if (suffix == U"ied" || suffix == U"ies") {
      word_.resize(rest + (rest > 1 ? 1 : 2));
    } else if (suffix == U"s" && rest > 0 && has_vowel(View(word_).substr(0, rest - 1))) {
      word_.resize(rest);
    }
  }

  void remove_past_and_progressive() {
    const View suffix = longest({U"eedly", U"ingly", U"edly", U"eed", U"ing", U"ed"});
    if (suffix.empty()) return;
    const size_t rest = word_.size() - suffix.size();
    if (suffix.starts_with(U"eed")) {
      if (rest >= r1_) word_.resize(rest + 2);
    } else if (has_vowel(View(word_).substr(0, rest))) {
      word_.resize(rest);
      mend_after_removal();
    }
  }

  void mend_after_removal() {
    if (!longest({U"bb", U"dd", U"ff", U"gg", U"mm", U"nn", U"pp", U"rr", U"tt"}).empty()) {
      word_.pop_back();
    } else if (!longest({U"at", U"bl", U"iz"}).empty() || (word_.size() == r1_ && ends_in_short_syllable(word_))) {
      word_ += U'e';
    }
  }

  void final_y_to_i() {
    const size_t size = word_.size();
    if (size > 2 && one_of(word_.back(), U"yY") && !is_vowel(word_[size - 2])) word_.back() = U'i';
  }

  void rewrite(const Rewrite& rule, size_t rest) {
    word_.resize(rest);
    word_ += rule.to;
  }

  void rewrite_derived() {
    for (const Rewrite& rule : step_2) {
      const size_t rest = without(rule.from);
      if (rest == Word::npos) continue;
      const char32_t before = rest > 0 ? word_[rest - 1] : U'\0';
      const bool fits = rule.from == U"ogi" ? before == U'l' : rule.from != U"li" || one_of(before, U"cdeghkmnrt");
      if (rest >= r1_ && fits) rewrite(rule, rest);
      return;
    }
  }

  void rewrite_derived_further() {
    for (const Rewrite& rule : step_3) {
      const size_t rest = without(rule.from);
      if (rest == Word::npos) continue;
      if (rest >= (rule.from == U"ative" ? r2_ : r1_)) rewrite(rule, rest);
      return;
    }
  }

  void remove_residual() {
    for (const View suffix : step_4) {
      const size_t rest = without(suffix);
      if (rest == Word::npos) continue;
      const bool fits = suffix != U"ion" || (rest > 0 && one_of(word_[rest - 1], U"st"));
      if (rest >= r2_ && fits) word_.resize(rest);
      return;
    }
  }

  void remove_final_letter() {
    if (word_.empty()) return;
    const size_t rest = word_.size() - 1;
    const View before = View(word_).substr(0, rest);
    const bool removes_e = word_.back() == U'e' && (rest >= r2_ || (rest >= r1_ && !ends_in_short_syllable(before)));
    const bool removes_l = word_.back() == U'l' && rest >= r2_ && before.ends_with(U'l');
    if (removes_e || removes_l) word_.resize(rest);
  }

  Word& word_;
  size_t r1_ = 0;
  size_t r2_ = 0;
};

}  // namespace

void stem_english(std::u32string& word) { Stemmer(word).run(); }

}  // namespace spidercap
