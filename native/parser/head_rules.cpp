#include "parser/head_rules.h"

#include <algorithm>

namespace spidercap {
namespace {

using enum Category;

// One step of a list: the first child of these categories, from the left or from the right.
struct Choice {
  enum Side : uint8_t { left, right } side;
  CategorySet categories;
};
constexpr auto left = Choice::left, right = Choice::right;

constexpr Choice adjective_phrase[] = {{right, {dollar, NNS, FW, VB, VBG, VBN, VBP}},
                                       {right, {JJ, NN, RP}},
                                       {left, {ADJP, CD, JJS, RBR, RBS, VBD, WHADVP}},
                                       {left, {JJR, IN, TO, FRAG, UCP}},
                                       {right, {DT}},
                                       {right, {ADVP, RB}},
                                       {left, {NP, NP_TMP, S}},
                                       {left, {PP, SBAR}}};
constexpr Choice adverb_phrase[] = {{right, {RB, RBR, RBS, FW, QP, CD, JJ, JJR, NNS, VBN}},
                                    {right, {ADJP, JJS, NN, PRP, VB, VBD, VP}},
                                    {right, {RP, TO}},
                                    {right, {NP}},
                                    {right, {CC}},
                                    {right, {DT}},
                                    {left, {ADVP, IN}},
                                    {left, {PP, PRN, S, SBAR}}};
constexpr Choice conjunction_phrase[] = {{left, {JJ}}, {left, {RB}}, {left, {CC, IN}}};
constexpr Choice fragment[] = {
    {left, {FRAG, IN, RB}},           {left, {NP, NP_TMP}}, {left, {ADJP, ADVP, DT, INTJ, VP}},
    {left, {JJ, S, SBAR, WHADVP, X}}, {left, {WHNP}},       {left, {PP}}};
constexpr Choice interjection[] = {{left, {DT, UH}}};
constexpr Choice not_a_constituent[] = {{left, {NN, NNP, NNS, NNPS}}, {left, {NP, S}}};
constexpr Choice noun_phrase[] = {{right, {NN, NNS, NNP, NNPS, NX, JJR, VBD, SQ}},
                                  {left, {NP, FW, WDT, WP, WHNP}},
                                  {right, {ADJP, CD, FRAG, UCP, VP, PRN, PRP, EX}},
                                  {right, {JJ, JJS, QP, PP}},
                                  {right, {DT, RB, RBS, POS}},
                                  {right, {ADVP, PDT, PRPS, RP, RRC, S, VB, VBP, X}},
                                  {right, {IN, SBAR, VBN}},
                                  {right, {VBG}}};
constexpr Choice prepositional_phrase[] = {{left, {NP, WHNP, UCP, FRAG, VP, SBARQ, RBS}},
                                           {left, {FW, NP_TMP, S, SBAR, X, RBR}},
                                           {left, {ADVP, PRN}},
                                           {left, {ADJP, PP}},
                                           {right, {JJ, NN, RB, RP, VBG, VBN}},
                                           {right, {IN, TO}}};
constexpr Choice parenthetical[] = {{left, {ADJP, NP_TMP, S, SBAR, VP}}, {left, {NP, PP}}, {left, {ADVP, RB}}};
constexpr Choice particle[] = {{left, {RP}}};
constexpr Choice quantity[] = {{right, {dollar, NN, NNS, NP}},
                               {right, {CD, PDT}},
                               {right, {JJ, JJS, RBR, ADVP}},
                               {right, {DT, TO}},
                               {right, {RB}},
                               {right, {IN, JJR}}};
constexpr Choice reduced_relative[] = {{right, {ADJP, NP, VP}}, {right, {PP}}, {right, {ADVP}}};
constexpr Choice sentence[] = {{left, {VP, UCP}}, {left, {S, SBAR}}, {left, {ADJP}}, {right, {NP}}, {left, {PP, ADVP}}};
constexpr Choice subordinate[] = {{left, {S, SINV, FRAG, SBAR, SQ}}};
constexpr Choice question[] = {{left, {SQ, S, SINV, FRAG}}, {left, {WHNP}}};
constexpr Choice inverted[] = {{left, {VP}}, {left, {VBZ, VBD, VBP, VB, MD}}, {left, {S, ADJP, FRAG, NP}}};
constexpr Choice inverted_question[] = {{left, {VP, ADJP}}, {left, {VBZ, VBD, VBP, VB, MD}}};
constexpr Choice unlike_coordination[] = {{left, {ADJP, SBAR, NP, S, VP, PP, FRAG}}};
constexpr Choice verb_phrase[] = {{left, {VB, VBD, VBN, VBZ, VBP, VBG, MD, TO, VP}},
                                  {left, {NN, NNS, NNP, JJ}},
                                  {left, {ADJP, FRAG, WHNP}},
                                  {left, {UCP, NP}},
                                  {left, {NP_TMP}},
                                  {left, {PP}}};
constexpr Choice asked_adjective[] = {{right, {ADJP, JJ, WP}}};
constexpr Choice asked_adverb[] = {{right, {JJ, NN, RB, WRB}}};
constexpr Choice asked_preposition[] = {{right, {NP, WHNP}}};
constexpr Choice unknown[] = {{right, {ADJP, JJR, NP, RBR, S}}};

std::span<const Choice> choices_of(Category category) {
  switch (category) {
    case ADJP:
      return adjective_phrase;
    case ADVP:
      return adverb_phrase;
    case CONJP:
      return conjunction_phrase;
    case FRAG:
      return fragment;
    case INTJ:
      return interjection;
    case NAC:
      return not_a_constituent;
    case NP:
    case NX:
    case WHNP:
    case NP_TMP:
      return noun_phrase;
    case PP:
      return prepositional_phrase;
    case PRN:
      return parenthetical;
    case PRT:
      return particle;
    case QP:
      return quantity;
    case RRC:
      return reduced_relative;
    case S:
      return sentence;
    case SBAR:
      return subordinate;
    case SBARQ:
      return question;
    case SINV:
      return inverted;
    case SQ:
      return inverted_question;
    case UCP:
      return unlike_coordination;
    case VP:
      return verb_phrase;
    case WHADJP:
      return asked_adjective;
    case WHADVP:
      return asked_adverb;
    case WHPP:
      return asked_preposition;
    case X:
      return unknown;
    default:
      return {};
  }
}

constexpr CategorySet verbal = {VP, SQ, SINV}, flat = {NP, NX, WHNP}, adjectives = {JJ, JJR, JJS};

bool is_possessive(const PhraseTree& tree, int32_t i) {
  return tree.count(i) > 0 && tree.category(tree.last(i)) == POS;
}

// Puts children [begin, end) of a phrase under a new one of the given category.
void gather(PhraseTree& tree, int32_t i, int32_t begin, int32_t end, Category category) {
  const int32_t made = tree.add(category, i);
  auto& children = tree[i].children;
  tree[made].children.assign(children.begin() + begin, children.begin() + end);
  for (const int32_t child : tree[made].children) tree[child].parent = made;
  children.erase(children.begin() + begin, children.begin() + end);
  children.insert(children.begin() + begin, made);
}

// "bread and butter knives and forks", "a cup and some tea and milk": each part between conjunctions is a phrase; if
// the first has one word and the second two, the first conjunction joins modifiers.
void split_conjuncts(PhraseTree& tree, int32_t i, int32_t middle) {
  constexpr CategorySet modifiers = {NN, JJ, NNP, JJR, JJS, VBN, VBG, CD};
  const bool determiner = middle == 2 && tree.at(i, 0) == DT;
  if ((middle == 1 || determiner) && modifiers.has(tree.at(i, middle - 1)) && nouns.has(tree.at(i, middle + 2)) &&
      conjunctions.has(tree.at(i, middle + 3)))
    gather(tree, i, middle - 1, middle + 2, group);
  for (int32_t begin = 0; begin < tree.count(i); begin += 2) {
    int32_t end = begin;
    while (end < tree.count(i) && !(end > 0 && conjunctions.has(tree.at(i, end)))) ++end;
    gather(tree, i, begin, end, NP);
  }
}

// Coordination inside a flat noun phrase. "(brown and white) dogs" and "a (brown and white) dog" are modifiers that are
// coordinated; in every longer flat phrase the conjuncts are all that stands on the two sides of the conjunction.
void regroup(PhraseTree& tree, int32_t i) {
  const int32_t count = tree.count(i);
  if (count < 4 || !flat.has(tree.category(i))) return;
  int32_t middle = -1, found = 0;
  for (int32_t n = 0; n < count; ++n) {
    if (conjunctions.has(tree.at(i, n)) && conjunctions.has(tree.at(i, n + 1))) return;
    if (n > 0 && conjunctions.has(tree.at(i, n)) && ++found == 1) middle = n;
    if (tree.at(i, n) == NP && !is_possessive(tree, tree.child(i, n))) return;
  }
  if (middle < 1 || middle == count - 1) return;
  constexpr CategorySet modifiers = {DT, NN, JJ, NNP, JJR, JJS, VB, VBN, VBG, CD}, phrases = {PP, S, SBAR, VP};
  if (found == 1 && middle == 1 && modifiers.has(tree.at(i, 0)) && !phrases.has(tree.at(i, count - 1)))
    return gather(tree, i, 0, 3, group);
  if (found == 1 && middle == 2 && count == 5 && tree.at(i, 0) == DT && modifiers.has(tree.at(i, 1)) &&
      nouns.has(tree.at(i, 4)))
    return gather(tree, i, 1, 4, group);
  if (found > 1) return split_conjuncts(tree, i, middle);
  if (count - middle < 3) return;
  gather(tree, i, middle + 1, count, adjectives.has(tree.at(i, count - 1)) ? ADJP : NP);
  if (middle > 1) gather(tree, i, 0, middle, adjectives.has(tree.at(i, middle - 1)) ? ADJP : NP);
}

// "in between", "in order": a preposition whose only object makes one expression with it.
bool fixed_phrase(const PhraseTree& tree, int32_t i) {
  if (tree.count(i) != 2 || tree.at(i, 0) != IN || tree.at(i, 1) != NP) return false;
  const int32_t object = tree.child(i, 1);
  if (tree.count(object) != 1 || tree[tree.child(object, 0)].word < 0) return false;
  const auto word = [&](int32_t tag) { return tree.words[static_cast<size_t>(tree[tag].word)]; };
  const std::string_view second = word(tree.child(object, 0));
  return word(tree.child(i, 0)) == "in" && (second == "between" || second == "order");
}

// Phrases whose head no list gives; -1 for all others.
int32_t exceptional_head(const PhraseTree& tree, int32_t i) {
  const int32_t count = tree.count(i), first = tree.child(i, 0);
  constexpr CategorySet finite = {VBZ, VBP, VBD};
  switch (tree.category(i)) {
    case SINV:
      return finite.has(tree.category(first)) && (tree.own(first) & (be | have | do_)) == 0 ? 0 : -1;
    case VP: {  // "(get louder) progresses"
      if (tree.at(i, 0) == ADVP && tree.at(i, 1) == PP && !tree.has(i, verbs)) return 0;
      const int32_t last = count - 1;
      return count == 3 && tree.at(i, 0) == VB && tree.at(i, 1) == ADJP && finite.has(tree.at(i, last)) ? last : -1;
    }
    case NP:
      if (count == 2 && tree.at(i, 0) == PP && tree.at(i, 1) == PP) return 0;
      return tree.at(i, count - 1) == FW && tree.at(i, count - 2) == FW && !nouns.has(tree.at(i, 0)) ? count - 1 : -1;
    case WHNP:  // "all of which"
      return count == 2 && tree.at(i, 0) == DT && tree.at(i, 1) == WHPP ? 1 : -1;
    case SBARQ:
      return asks_by_copula(tree, i) ? 0 : -1;
    case FRAG:  // "but after a while"
      return count == 2 && tree.at(i, 0) == CC && tree.at(i, 1) == PP ? 0 : -1;
    case QP:  // "two and a half"
      return tree.at(i, 0) == CD && tree.at(i, 1) == CC ? 0 : -1;
    case ADJP:  // "up close", "aged yellowed"
      if (tree.at(i, 0) == IN && tree.at(i, 1) == RB) return tree.at(i, 2) == RB ? 2 : 1;
      return count == 2 && tree.at(i, 0) == VBN && tree.at(i, 1) == JJ ? 1 : -1;
    case PP:
      return fixed_phrase(tree, i) ? 0 : -1;
    case UCP:
      if (tree.category(first) == ADVP && count == 2) return 0;
      if (tree.category(first) != ADVP || count < 3 || !conjunctions.has(tree.at(i, 1))) return -1;
      return CategorySet{NP, ADJP}.has(tree.at(i, count - 1)) ? 0 : 1;
    case ADVP: {  // "as well", "at least"
      if (count != 2 || tree[first].word < 0 || tree[tree.child(i, 1)].word < 0) return -1;
      const auto word = [&](int32_t n) { return tree.words[static_cast<size_t>(tree[tree.child(i, n)].word)]; };
      if (word(0) == "at" && word(1) == "least")
        return tree[i].parent >= 0 && CategorySet{ADVP, PP, VP}.has(tree.category(tree[i].parent)) ? 0 : 1;
      return word(0) == "as" && word(1) == "well" ? 0 : -1;
    }
    default:
      return -1;
  }
}

int32_t listed_head(const PhraseTree& tree, int32_t i, std::span<const Choice> choices, auto skipped) {
  const int32_t count = tree.count(i);
  for (const Choice& choice : choices)
    for (int32_t step = 0; step < count; ++step) {
      const int32_t n = choice.side == left ? step : count - 1 - step;
      if (choice.categories.has(tree.at(i, n)) && !skipped(n)) return n;
    }
  const bool from_left = choices.empty() || choices[0].side == left;
  for (int32_t step = 0; step < count; ++step) {
    const int32_t n = from_left ? step : count - 1 - step;
    const Category category = tree.at(i, n);
    if (!punctuation.has(category) && !conjunctions.has(category) && !skipped(n)) return n;
  }
  return from_left ? 0 : count - 1;
}

int32_t head_child(const PhraseTree& tree, int32_t i) {
  if (tree.count(i) == 1) return 0;
  if (const int32_t found = exceptional_head(tree, i); found >= 0) return found;
  const bool auxiliaries = verbal.has(tree.category(i));
  const int32_t found = listed_head(tree, i, choices_of(tree.category(i)),
                                    [&](int32_t n) { return auxiliaries && is_auxiliary(tree, i, n); });
  // "(light and dark) brown"
  if (tree.category(i) == NP && tree.at(i, found) == ADJP && tree.at(i, found + 1) == JJ) return found + 1;
  // Behind a conjunction stands a further conjunct: the one before it is the head (Collins 1999).
  return found >= 2 && conjunctions.has(tree.at(i, found - 1)) ? found - 2 : found;
}

void set_head(PhraseTree& tree, int32_t i) {
  if (tree.count(i) == 0) return;
  tree[i].middle = head_child(tree, i);
  tree[i].head = tree[tree.child(i, tree[i].middle)].head;
}

}  // namespace

bool asks_by_copula(const PhraseTree& tree, int32_t question) {
  if (tree.at(question, 0) != WHNP || tree.at(question, 1) != SQ || tree.at(tree.child(question, 0), 0) != WP)
    return false;
  const int32_t clause = tree.child(question, 1);
  return tree.count(clause) == 2 && (tree.own(tree.child(clause, 0)) & be) != 0 && tree.at(clause, 1) == NP;
}

bool is_existential(const PhraseTree& tree, int32_t phrase) {
  const int32_t parent = tree[phrase].parent;
  if (parent < 0) return false;
  for (const int32_t beside : tree[parent].children) {
    if (beside == phrase) continue;
    if (tree.category(beside) == EX) return true;
    if (tree.category(beside) == NP && tree.count(beside) > 0 && tree.category(tree.last(beside)) == EX) return true;
  }
  return false;
}

bool is_auxiliary(const PhraseTree& tree, int32_t phrase, int32_t child) {
  const int32_t verb = tree.child(phrase, child);
  const Category category = tree.category(verb);
  if (category != TO && !verbs.has(category)) return false;
  const bool beside_verb = tree.has(phrase, {VP});
  if (category == TO || category == MD) return beside_verb;
  const uint32_t word = tree.own(verb);
  if (beside_verb && (word & (be | have | do_ | get)) != 0) return true;
  if ((word & be) == 0 || tree.category(phrase) == SQ || is_existential(tree, phrase)) return false;
  const int32_t unlike = tree.find(phrase, {UCP});
  return tree.has(phrase, {NP, ADJP, PP, WHNP}) || (unlike >= 0 && tree.at(unlike, 0) != ADVP);
}

void find_heads(PhraseTree& tree) {
  for (int32_t i = tree.size; i-- > 0;) {
    const int32_t before = tree.size;
    regroup(tree, i);
    for (int32_t made = before; made < tree.size; ++made) regroup(tree, made);
    for (int32_t made = tree.size; made-- > before;) set_head(tree, made);
    set_head(tree, i);
  }
}

}  // namespace spidercap
