#include "parser/phrase_tree.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace spidercap {
namespace {

constexpr std::array<std::string_view, 28> phrase_names = {
    "ADJP", "ADVP", "CONJP", "FRAG", "INTJ",  "LST",  "NAC", "NP",  "NP-TMP", "NX",     "PP",     "PRN",  "PRT",  "QP",
    "ROOT", "RRC",  "S",     "SBAR", "SBARQ", "SINV", "SQ",  "UCP", "VP",     "WHADJP", "WHADVP", "WHNP", "WHPP", "X"};

std::unordered_map<std::string_view, uint32_t> known_words() {
  constexpr std::pair<uint32_t, std::string_view> lists[] = {
      {be, "be is are was were been being 's s 're re 'm m am art ai"},
      {have, "have has had having 've ve 'd"},
      {do_, "do does did done doing"},
      {get, "get gets got getting gotten"},
      {negation, "not n't never n nt"},
      {no, "no"},
      {correlative, "both either neither"},
      {copular,
       "become becomes became becoming seem seems seemed seeming remain remains remained remaining resemble resembles "
       "resembled resembling"},
      {day,
       "day days night nights morning mornings evening evenings year years month months week weeks fall spring summer "
       "winter today tomorrow yesterday tonight"},
      {that, "that"},
      {how, "how"},
      {as, "as"},
      {while_, "while"},
      {if_, "if"},
      {before, "before after until"},
      {whether, "whether"},
      {then, "then"},
      {inquire, "know knows knew knowing wonder wonders wondered wondering tell tells told telling"},
      {quantifier, "all both each"},
      {permit, "allow allows allowed allowing tell tells told telling"},
  };
  std::unordered_map<std::string_view, uint32_t> known;
  for (const auto& [bit, words] : lists)
    for (size_t begin = 0; begin < words.size();) {
      const size_t end = std::min(words.find(' ', begin), words.size());
      known[words.substr(begin, end - begin)] |= bit;
      begin = end + 1;
    }
  return known;
}

}  // namespace

Category category_named(std::string_view plain) {
  if (const auto tag = tag_named(plain)) return static_cast<Category>(*tag);
  for (size_t i = 0; i < phrase_names.size(); ++i)
    if (phrase_names[i] == plain) return static_cast<Category>(static_cast<size_t>(Category::ADJP) + i);
  return Category::X;
}

uint32_t lexical_of(std::string_view word) {
  static const auto known = known_words();
  const auto found = known.find(word);
  return found == known.end() ? 0 : found->second;
}

void PhraseTree::clear(std::span<const std::string_view> sentence) {
  size = 0;
  words = sentence;
  lexical.assign(sentence.size(), 0);
  tags.assign(sentence.size(), Category::none);
}

int32_t PhraseTree::add(Category category, int32_t parent) {
  if (static_cast<size_t>(size) == phrases.size()) phrases.emplace_back();
  Phrase& phrase = (*this)[size];
  phrase.category = category, phrase.parent = parent, phrase.word = -1;
  phrase.children.clear();
  return size++;
}

void PhraseTree::set_word(int32_t phrase, int32_t word) {
  (*this)[phrase].word = (*this)[phrase].head = word;
  lexical[static_cast<size_t>(word)] = lexical_of(words[static_cast<size_t>(word)]);
  tags[static_cast<size_t>(word)] = category(phrase);
}

int32_t PhraseTree::find(int32_t i, CategorySet categories) const {
  for (const int32_t child : (*this)[i].children)
    if (categories.has(category(child))) return child;
  return -1;
}

int32_t PhraseTree::first_tag(int32_t i) const {
  while (count(i) > 0) i = child(i, 0);
  return i;
}

}  // namespace spidercap
