// A tree of phrases as the rules for heads and labels see it: plain categories, words by what the rules know of them.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "parser/parsed_sentence.h"

namespace spidercap {

// Tags keep their numbers; phrases follow. `group` is a coordination inside a flat noun phrase, made by `regroup`.
// clang-format off
enum class Category : uint8_t {
  CC, CD, DT, EX, FW, IN, JJ, JJR, JJS, LS, MD, NN, NNS, NNP, NNPS, PDT, POS, PRP, PRPS, RB, RBR, RBS, RP, SYM, TO, UH,
  VB, VBD, VBG, VBN, VBP, VBZ, WDT, WP, WPS, WRB, number_sign, dollar, comma, period, colon, open_quote, close_quote,
  left_bracket, right_bracket,
  ADJP, ADVP, CONJP, FRAG, INTJ, LST, NAC, NP, NP_TMP, NX, PP, PRN, PRT, QP, ROOT, RRC, S, SBAR, SBARQ, SINV, SQ, UCP,
  VP, WHADJP, WHADVP, WHNP, WHPP, X, group, none
};
// clang-format on

// The category of a label without marks (`NP-TMP` is one); `X` for a label that no rule knows.
Category category_named(std::string_view plain);

// The tag that a category is; a foreign word if it is a phrase's.
constexpr Tag tag_of(Category category) { return category < Category::ADJP ? static_cast<Tag>(category) : Tag::FW; }

// A set of categories: 128 bits.
class CategorySet {
 public:
  constexpr CategorySet(std::initializer_list<Category> members) {
    for (const Category member : members) {
      const auto number = static_cast<unsigned>(member);
      bits_[number / 64] |= uint64_t{1} << (number % 64);
    }
  }
  constexpr bool has(Category category) const {
    const auto number = static_cast<unsigned>(category);
    return (bits_[number / 64] >> (number % 64) & 1) != 0;
  }

 private:
  std::array<uint64_t, 2> bits_{};
};

// What the rules know of a word, as bits.
enum Lexical : uint32_t {
  be = 1 << 0,
  have = 1 << 1,
  do_ = 1 << 2,
  get = 1 << 3,
  negation = 1 << 4,  // not, never
  no = 1 << 5,
  correlative = 1 << 6,  // both, either, neither
  copular = 1 << 7,      // become, seem, remain, resemble: what follows is a predicate, not an object
  day = 1 << 8,          // nouns of time: what they name is when, not whom
  that = 1 << 9,
  how = 1 << 10,
  as = 1 << 11,
  while_ = 1 << 12,
  if_ = 1 << 13,
  before = 1 << 14,  // before, after, until
  whether = 1 << 15,
  permit = 1 << 16,  // allow, tell: "allowing viewers to see"
  then = 1 << 17,
  inquire = 1 << 19,     // know, wonder: "wondering when it rains"
  quantifier = 1 << 18,  // all, both, each: "they all"
};
uint32_t lexical_of(std::string_view word);

struct Phrase {
  Category category = Category::none;
  int32_t parent = -1;
  int32_t word = -1;   // position of a tag's word
  int32_t head = 0;    // position of the head word
  int32_t middle = 0;  // which child is the head
  std::vector<int32_t> children;
};

// Phrases with parents before children, the root first; groups that the rules add stand at the end.
struct PhraseTree {
  std::vector<Phrase> phrases;  // may be longer than `size`: kept for their memory
  int32_t size = 0;
  std::span<const std::string_view> words;
  std::vector<uint32_t> lexical;  // by word
  std::vector<Category> tags;     // by word

  Phrase& operator[](int32_t i) { return phrases[static_cast<size_t>(i)]; }
  const Phrase& operator[](int32_t i) const { return phrases[static_cast<size_t>(i)]; }
  void clear(std::span<const std::string_view> sentence);
  int32_t add(Category category, int32_t parent);
  void set_word(int32_t phrase, int32_t word);

  int32_t count(int32_t i) const { return static_cast<int32_t>((*this)[i].children.size()); }
  int32_t child(int32_t i, int32_t n) const { return (*this)[i].children[static_cast<size_t>(n)]; }
  int32_t last(int32_t i) const { return (*this)[i].children.back(); }
  Category category(int32_t i) const { return (*this)[i].category; }
  // Category of the n-th child, `none` outside.
  Category at(int32_t i, int32_t n) const { return n >= 0 && n < count(i) ? category(child(i, n)) : Category::none; }
  // The first child of one of these categories, or -1.
  int32_t find(int32_t i, CategorySet categories) const;
  bool has(int32_t i, CategorySet categories) const { return find(i, categories) >= 0; }
  // What the rules know of the word of a tag (nothing for a phrase), and of a phrase's head word.
  uint32_t own(int32_t i) const { return (*this)[i].word < 0 ? 0 : lexical[static_cast<size_t>((*this)[i].word)]; }
  uint32_t of_head(int32_t i) const { return lexical[static_cast<size_t>((*this)[i].head)]; }
  Category head_tag(int32_t i) const { return tags[static_cast<size_t>((*this)[i].head)]; }
  // The leftmost tag of a phrase.
  int32_t first_tag(int32_t i) const;
};

inline constexpr CategorySet conjunctions = {Category::CC, Category::CONJP};
inline constexpr CategorySet nouns = {Category::NN, Category::NNS, Category::NNP, Category::NNPS};
inline constexpr CategorySet verbs = {Category::VB,  Category::VBD, Category::VBG, Category::VBN,
                                      Category::VBP, Category::VBZ, Category::MD};
inline constexpr CategorySet punctuation = {Category::comma,        Category::period,      Category::colon,
                                            Category::open_quote,   Category::close_quote, Category::left_bracket,
                                            Category::right_bracket};

}  // namespace spidercap
