#include "parser/label_rules.h"

#include <optional>
#include <string_view>
#include <utility>

#include "parser/head_rules.h"

namespace spidercap {
namespace {

using enum Category;

constexpr CategorySet nominal = {NP, NX, WHNP}, participles = {VBN, VBG}, clause_markers = {IN, WHADVP, WHNP, WHPP};

constexpr std::pair<std::string_view, std::string_view> fixed_pairs[] = {
    {"as", "if"},       {"in", "between"}, {"such", "as"},  {"instead", "of"},   {"so", "that"},
    {"rather", "than"}, {"because", "of"}, {"due", "to"},   {"according", "to"}, {"in", "order"},
    {"at", "least"},    {"more", "than"},  {"less", "than"}};

// One child with what surrounds it. Every rule answers for the children it knows; the first answer counts.
class Child {
 public:
  Child(const PhraseTree& tree, int32_t phrase, int32_t n)
      : tree_(tree),
        phrase_(phrase),
        n_(n),
        count_(tree.count(phrase)),
        head_(tree[phrase].middle),
        child_(tree.child(phrase, n)),
        top_(tree.child(phrase, head_)),
        right_(n > head_),
        under_(tree.category(phrase)),
        self_(tree.category(child_)),
        main_(tree.category(top_)) {
    for (int32_t i = 1; i < count_; ++i) {
      if (!conjunctions.has(beside(i))) continue;
      joined_before_ |= i < n;
      joined_after_ |= i > n;
    }
    if (self_ == group) self_ = group_category();
  }

  Arc arc() const {
    for (const auto rule : {&Child::conjunction, &Child::fixed_pair, &Child::verbal, &Child::conjunct, &Child::object,
                            &Child::clause, &Child::noun_modifier, &Child::unlike, &Child::adjectival, &Child::subject,
                            &Child::quantity, &Child::determiner, &Child::preposition})
      if (const auto found = (this->*rule)()) return *found;
    return {head_, usual_label(under_, self_, right_)};
  }

 private:
  using Answer = std::optional<Arc>;

  Category beside(int32_t n) const { return tree_.at(phrase_, n); }
  Answer to_head(Label label) const { return Arc{head_, label}; }
  Answer to(int32_t governor, Label label) const { return Arc{governor, label}; }
  bool is(CategorySet categories) const { return categories.has(self_); }
  bool under(CategorySet categories) const { return categories.has(under_); }
  bool is_word() const { return tree_[child_].word >= 0; }
  uint32_t word() const { return tree_.own(child_); }
  std::string_view text(int32_t n) const {
    const int32_t word = n >= 0 && n < count_ ? tree_[tree_.child(phrase_, n)].word : -1;
    return word < 0 ? std::string_view() : tree_.words[static_cast<size_t>(word)];
  }

  // The category that a coordination inside a flat noun phrase modifies like: that of its first member.
  Category group_category() const {
    const Category tag = tree_.head_tag(child_);
    return nouns.has(tag) || CategorySet{VBG, VB, DT, CD}.has(tag) ? NN : tag;
  }

  // How the verb phrase of a clause begins: with "to", a participle …
  Category lead(int32_t clause) const {
    const int32_t verb = tree_.find(clause, {VP});
    return verb < 0 ? none : tree_.at(verb, 0);
  }

  bool object_before() const {
    for (int32_t i = head_ + 1; i < n_; ++i)
      if (beside(i) == NP) return true;
    return false;
  }

  bool parent_is(Category category) const {
    const int32_t parent = tree_[phrase_].parent;
    return parent >= 0 && tree_.category(parent) == category;
  }

  // A past participle, or a coordination with one in it.
  bool is_passive(int32_t i) const {
    if (tree_.category(i) == UCP) {
      if (!CategorySet{ADJP, VP}.has(tree_.at(i, 0))) return false;
      for (int32_t n = 0; n < tree_.count(i); ++n)
        if ((tree_.at(i, n) == ADJP || (n > 0 && tree_.at(i, n) == VP)) && tree_.has(tree_.child(i, n), {VBN, VBD}))
          return true;
      return false;
    }
    const bool coordination = tree_.has(i, conjunctions);
    for (const int32_t part : tree_[i].children) {
      const Category category = tree_.category(part);
      if (category == VBN || category == VBD) return true;
      if (coordination && (category == VP || category == ADJP) && is_passive(part)) return true;
    }
    return false;
  }

  // Whether the clause has a verb, and not a noun in the verb's place.
  bool has_verb(int32_t clause) const {
    const int32_t predicate = tree_.find(clause, {VP});
    return predicate < 0 || !nouns.has(tree_.at(predicate, 0));
  }

  bool starts_with_be(int32_t i) const {
    const int32_t verb = tree_.find(i, verbs);
    return verb >= 0 && (tree_.own(verb) & be) != 0;
  }

  bool is_only(CategorySet categories) const {
    if (is_word()) return categories.has(self_);
    for (const int32_t part : tree_[child_].children)
      if (!categories.has(tree_.category(part))) return false;
    return true;
  }

  bool is_possessive() const { return !is_word() && tree_.category(tree_.last(child_)) == POS; }

  bool head_is_be_of_there() const { return (tree_.of_head(top_) & be) != 0 && is_existential(tree_, phrase_); }

  Answer conjunction() const {
    if (punctuation.has(self_)) return to_head(Label::punct);
    const bool correlates = (word() & correlative) != 0;
    if (self_ == DT && !right_ && joined_after_ && correlates) return to_head(Label::cc_preconj);
    if (!is(conjunctions)) return std::nullopt;
    if (joined_after_ && !right_ && correlates) return to_head(Label::cc_preconj);
    if (right_ && correlates) return to_head(Label::dep);
    if (under_ == PP && !right_) {
      if (CategorySet{IN, TO}.has(beside(n_ - 1))) return to(n_ - 1, Label::cc);
      if (beside(n_ - 1) == PP) return to_head(Label::cc);
      if (main_ == NP && self_ == CC) return to_head(Label::case_);
      if (main_ == S) return to_head(Label::dep);
    }
    return to_head(Label::cc);
  }

  bool is_fixed_pair(int32_t first) const {
    for (const auto& [one, two] : fixed_pairs)
      if (text(first) == one && text(first + 1) == two) return true;
    return false;
  }

  Answer fixed_pair() const {
    if (under_ == ADVP && n_ == 1 && right_ && text(0) == "kind" && text(1) == "of") return to_head(Label::mwe);
    if (under_ == CONJP && self_ == IN && right_ && count_ == 2 && (word() & if_) != 0) return to_head(Label::dep);
    if (under_ == PP && self_ == NP && right_ && head_ == 0 && main_ == IN) return to_head(Label::mwe);
    if (!is_word() || !under({PP, SBAR})) return std::nullopt;
    if (n_ > 0 && is_fixed_pair(n_ - 1)) return to(n_ - 1, Label::mwe);
    if (!is_fixed_pair(n_)) return std::nullopt;
    return to_head(under_ == SBAR || main_ == S || main_ == SBAR ? Label::mark : Label::case_);
  }

  // "and then a dog", "and quietly leaves": an adverb between a conjunction and a conjunct like the first. A bare
  // adverb other than "then" and "not" is a conjunct itself, and what follows it is none.
  bool leads_conjunct(int32_t n) const {
    if (!CategorySet{ADVP, RB, PP, RBR}.has(beside(n)) || under_ == ADJP) return false;
    if (under_ == ADVP && beside(n + 1) == NP) return false;  // "up and down the hill"
    if (beside(n) == ADVP) return !CategorySet{SBAR, PP}.has(beside(n + 1)) || under_ != NP;
    return beside(n) != RB || (tree_.own(tree_.child(phrase_, n)) & (negation | then)) != 0;
  }

  bool is_conjunct_adverb() const {
    if (CategorySet{RB, ADVP, PP, S, VP}.has(main_) && under({ADVP, PP, UCP, NP})) return true;
    if (under_ == NP && self_ == ADVP) return CategorySet{SBAR, PP}.has(beside(n_ + 1));
    return CategorySet{RB, ADVP, PP}.has(main_) || under({QP, SBAR}) || (under_ == ADJP && (word() & negation) != 0);
  }

  // Behind a conjunction stands a conjunct; adverbs between the two belong to it.
  Answer conjunct() const {
    constexpr CategorySet prepositions = {IN, TO};
    if (under_ == PP && !right_ && n_ > 1 && is(prepositions) && conjunctions.has(beside(n_ - 1)) &&
        prepositions.has(beside(n_ - 2)))
      return to(n_ - 2, Label::conj);
    if (under({PP, ADVP}) && self_ == PP && n_ != head_ && conjunctions.has(beside(n_ - 1)) &&
        (!right_ ? beside(n_ - 2) == PP : main_ == CC))
      return to_head(Label::conj);
    if (under_ == UCP && main_ == CC) return to_head(right_ ? Label::conj : Label::advmod);
    if (under_ == PRT && right_) return to_head(Label::dep);
    if (!right_ || !joined_before_) return std::nullopt;
    if (is({ADVP, RB}) && conjunctions.has(beside(n_ - 1)) && n_ + 1 < count_ && !conjunctions.has(beside(n_ + 1)) &&
        leads_conjunct(n_) && is_only({RB}) && tree_.count(child_) < 2)
      return to(n_ + 1, (tree_.of_head(child_) & negation) != 0 ? Label::neg : Label::advmod);
    int32_t before = n_ - 1;
    while (before > head_ && leads_conjunct(before)) --before;
    if (before <= head_ || !conjunctions.has(beside(before))) return std::nullopt;
    if (under({UCP, NP}) && main_ == NP &&
        (self_ == VP ? !tree_.has(child_, conjunctions) || !tree_.has(child_, {VP}) : self_ == S && lead(child_) == TO))
      return to_head(Label::acl);
    if (under_ == UCP && self_ == RRC) return to_head(Label::acl_relcl);
    if (under_ == X && self_ == PP) return to_head(governed() == NP ? Label::nmod : Label::dep);
    if (under_ == UCP && self_ == ADVP && beside(n_ - 1) == ADVP) return to_head(Label::conj);
    if (is({RB, ADVP})) return to_head(is_conjunct_adverb() ? Label::conj : Label::advmod);
    if (self_ == FRAG && tree_.count(child_) > 1) return to_head(Label::dep);
    if (under_ == QP && self_ == DT) return std::nullopt;
    return to_head(Label::conj);
  }

  // Auxiliaries and adverbs of a verb phrase.
  Answer verbal() const {
    if (under_ == SINV && !right_ && is_word() && is(verbs) && main_ == NP) return to_head(Label::dep);
    if (under_ == VP && right_ && is_word() && is(verbs) && conjunctions.has(beside(n_ - 1)) && beside(n_ + 2) == VP)
      return to_head(Label::aux);
    if (under({VP, SQ, SINV})) {
      if (is(verbs) && is_word() && is_auxiliary(tree_, phrase_, n_)) return to_head(auxiliary());
      if (is({RB, ADVP}) && !(right_ && joined_before_))
        return to_head((tree_.of_head(child_) & negation) != 0 ? Label::neg : Label::advmod);
    }
    if (under_ == S && !right_ && is({RB, ADVP}) && (tree_.of_head(child_) & negation) != 0) return to_head(Label::neg);
    if (under_ == SINV && right_ && self_ == VP && starts_with_be(child_))
      return to_head(is_passive(top_) ? Label::auxpass : Label::aux);
    return std::nullopt;
  }

  Label auxiliary() const {
    const bool phrase = main_ == VP || main_ == ADJP || main_ == UCP;
    if ((word() & be) != 0) {
      if (phrase && is_passive(top_)) return Label::auxpass;
      return main_ == VP ? Label::aux : Label::cop;
    }
    return (word() & get) != 0 && is_passive(top_) ? Label::auxpass : Label::aux;
  }

  // Whether the phrase is a copula with a predicate that is no verb.
  bool has_copula() const {
    for (int32_t i = 0; i < head_; ++i)
      if (verbs.has(beside(i)) && (tree_.own(tree_.child(phrase_, i)) & be) != 0)
        return CategorySet{NP, ADJP}.has(main_);
    return false;
  }

  // "softens and becomes": a copular verb, also as a conjunct.
  bool has_copular_verb() const {
    for (int32_t i = head_; i < n_; ++i)
      if ((tree_.own(tree_.child(phrase_, i)) & copular) != 0) return true;
    return (tree_.of_head(top_) & copular) != 0;
  }

  Answer object() const {
    if (!right_ || self_ != NP) return std::nullopt;
    if (under_ == SINV && object_before()) return to_head(Label::dep);
    if (under_ != VP) return std::nullopt;
    if (has_copula()) return to_head(Label::dep);
    if (head_is_be_of_there())
      return to_head(beside(n_ + 1) == NP || (tree_.at(child_, 0) == NP && tree_.at(child_, 1) == NP) ? Label::iobj
                                                                                                      : Label::nsubj);
    const int32_t next = n_ + 1 < count_ ? tree_.child(phrase_, n_ + 1) : -1;
    if (beside(n_ + 1) == NP || (beside(n_ + 1) == UCP && tree_.at(next, 0) == NP))
      return to_head(tree_.at(child_, 0) == PRPS ? Label::dep : Label::iobj);
    if (has_copular_verb()) return to_head(Label::xcomp);
    if ((tree_.of_head(child_) & day) != 0 && tree_[tree_.child(child_, 0)].word >= 0) return to_head(Label::nmod_tmod);
    return to_head(Label::dobj);
  }

  // "that it rains and that it snows": what coordinated subordinate clauses are to a verb.
  Label subordinates() const {
    bool complement = false;
    for (const int32_t part : tree_[child_].children) {
      if (tree_.category(part) != SBAR) continue;
      const int32_t marker = tree_.find(part, {IN});
      if (marker >= 0 && (tree_.own(marker) & that) == 0) return Label::advcl;
      complement |= marker >= 0;
    }
    return complement ? Label::ccomp : Label::dep;
  }

  // What a subordinate clause is to a verb.
  Label subordinate() const {
    if (tree_.has(child_, {SBAR})) return subordinates();
    const int32_t clause = tree_.find(child_, {S}), first = tree_.find(child_, {IN, WHADVP, WHNP, WHPP, WHADJP});
    if (first >= 0 && tree_.at(child_, 0) == RB) return Label::advcl;
    const bool complement = first < 0 || CategorySet{WHNP, WHPP, WHADJP}.has(tree_.category(first)) ||
                            (tree_.own(tree_.first_tag(first)) & (that | how | whether)) != 0;
    const bool infinitive = clause >= 0 && lead(clause) == TO;
    if (!complement && first == tree_.find(child_, {WHADVP}) && (tree_.of_head(top_) & inquire) != 0 && !infinitive)
      return Label::ccomp;
    if (complement && (clause < 0 || !tree_.has(clause, {VP}))) return Label::dep;
    if (!complement) return infinitive && tree_.category(first) == WHADVP ? Label::xcomp : Label::advcl;
    if (main_ == NP && has_copula() && !tree_.has(child_, {IN})) return Label::dep;
    if (!object_before()) return Label::ccomp;
    if (tree_.has(child_, {WHADVP}) && clause >= 0 && lead(clause) == TO) return Label::xcomp;
    return tree_.has(child_, {IN}) ? Label::ccomp : Label::dep;
  }

  // What a clause without a mark of subordination is to a verb.
  Label complement() const {
    const Category core = tree_.at(child_, tree_[child_].middle), verb = lead(child_);
    if (core != VP) return tree_.count(child_) > 1 || core == ADJP || core == NP ? Label::xcomp : Label::dep;
    if (main_ == VBG && tree_.has(tree_.find(child_, {VP}), {VBG})) return Label::advcl;
    if (main_ == NP)
      return verb == TO ? Label::advcl : tree_.has(tree_.find(child_, {VP}), {VBG}) ? Label::xcomp : Label::dep;
    if (tree_.has(child_, {NP}) && (tree_.of_head(top_) & have) != 0) return Label::ccomp;
    if (tree_.has(child_, {NP})) return participles.has(verb) ? Label::dep : Label::ccomp;
    const bool object = object_before();
    if (verb == TO && object) return (tree_.of_head(top_) & permit) != 0 ? Label::xcomp : Label::advcl;
    if (verb == TO || verb == VBG) return Label::xcomp;
    return verb == VBN || object ? Label::dep : Label::ccomp;
  }

  // "(and a dog barks)", "(but in calm water)": what a parenthesis is to the phrase around it.
  Label parenthesis() const {
    const Category core = tree_.at(child_, tree_[child_].middle);
    if (under_ == NP) return core == PP ? Label::nmod : Label::dep;
    return under_ != ADJP && CategorySet{S, SBAR, VP}.has(core) ? Label::parataxis : Label::dep;
  }

  Answer clause() const {
    if (!right_) return std::nullopt;
    if (under_ == VP && self_ == SBAR) return to_head(subordinate());
    if (under_ == VP && self_ == S) return to_head(complement());
    if (self_ == PRN) return to_head(parenthesis());
    if (under_ == VP && self_ == VP && !joined_before_) {
      int32_t verb = 0;
      while (tree_.at(child_, verb) == ADVP) ++verb;
      const Category first = tree_.at(child_, verb);
      if ((tree_.of_head(top_) & copular) != 0) return to_head(Label::xcomp);
      return to_head(n_ == head_ + 1 && (first == VB || (main_ == VB && first == VBG)) ? Label::xcomp : Label::dep);
    }
    if (under_ == ADJP && self_ == S) return to_head(lead(child_) == TO ? Label::xcomp : Label::dep);
    if (self_ != SBAR) return std::nullopt;
    const uint32_t first = tree_.own(tree_.first_tag(child_));
    if (under_ == ADJP && ((first & as) != 0 || tree_.has(child_, {FRAG}))) return to_head(Label::dep);
    if (under_ == ADVP && main_ == ADVP) return to_head(Label::advcl);
    if (under_ == ADVP) {
      if ((first & as) != 0) return to_head(Label::ccomp);
      if (main_ == RB || !tree_.has(child_, clause_markers)) return to_head(Label::dep);
    }
    return std::nullopt;
  }

  // A clause with a subject and a verb that has no object: what it modifies may be the object ("the road as cows
  // walk").
  bool lacks_object(int32_t clause) const {
    int32_t verb = tree_.find(clause, {VP});
    if (verb < 0 || !tree_.has(clause, {NP}) || tree_.has(clause, conjunctions)) return false;
    while (tree_.has(verb, {VP})) {
      if (tree_.find(verb, {VP}) != tree_.child(verb, 0) && is_passive(tree_.find(verb, {VP})) && starts_with_be(verb))
        return false;
      verb = tree_.find(verb, {VP});
    }
    return !tree_.has(verb, {NP, SBAR}) && !starts_with_be(verb);
  }

  // "how", "however": no relative adverb of a noun.
  bool is_manner(int32_t adverb) const {
    return adverb >= 0 && (tree_.at(adverb, 0) == RB || (tree_.own(tree_.child(adverb, 0)) & how) != 0);
  }

  Label relative() const {
    const int32_t mark = tree_.find(child_, {IN}), clause = tree_.find(child_, {S});
    if (main_ == RB) return Label::dep;
    if (main_ != NP) {
      const bool adverbial = beside(0) == NP && mark >= 0 && (tree_.own(mark) & (while_ | as)) != 0;
      return adverbial && clause >= 0 && lacks_object(clause) ? Label::acl_relcl : Label::ccomp;
    }
    if (clause < 0) return mark >= 0 ? Label::dep : Label::acl_relcl;
    if (lead(clause) == TO) return Label::acl;
    if (mark >= 0 && (tree_.own(mark) & before) != 0) return Label::acl;
    if (mark >= 0 && (tree_.own(mark) & that) != 0) return Label::dep;
    if (is_manner(tree_.find(child_, {WHADVP}))) return Label::dep;
    if (mark < 0 && tree_.at(child_, 0) != WPS) return Label::acl_relcl;
    return lacks_object(clause) ? Label::acl_relcl : Label::dep;
  }

  // Clauses, phrases and nouns that modify a noun.
  Answer noun_modifier() const {
    if (under_ != NP && !(under_ == NX && self_ == VP)) return std::nullopt;
    if (right_ && is({SBAR, PP}) && beside(n_ - 1) == ADVP && conjunctions.has(beside(n_ - 2)))
      return to(n_ - 1, self_ == PP ? Label::nmod : Label::dep);
    if (!right_) {
      if (main_ == NX && (self_ == NP || (is({NN, NNS}) && n_ + 1 == head_)) && !is_possessive())
        return to_head(conjunctions.has(beside(n_ - 1)) ? Label::conj : Label::dep);
      if (self_ != NP || !nouns.has(main_)) return std::nullopt;
      const bool possessive = tree_.category(tree_.last(child_)) == POS || beside(n_ + 1) == POS;
      return to_head(possessive ? Label::nmod_poss : Label::compound);
    }
    if (self_ == NP && main_ == NP && !joined_before_ && !joined_after_ && is_possessive())
      return to_head(Label::nmod_poss);
    if (self_ == NP && main_ == NP && !joined_before_ &&
        (beside(n_ - 1) == comma || (is_only({NNP}) && tree_.count(child_) == 1)))
      return to_head(Label::appos);
    if (self_ == VP) {
      const int32_t verb = tree_.find(child_, {VB, VBD, VBG, VBN, VBP, VBZ, MD, TO});
      return to_head(verb >= 0 && CategorySet{VBG, VBN, VBD, TO}.has(tree_.category(verb)) ? Label::acl : Label::dep);
    }
    if (self_ == S && main_ != NP) return to_head(lead(child_) == TO ? Label::acl : Label::dep);
    if (self_ == SBAR) return to_head(relative());
    return std::nullopt;
  }

  // A coordination of unlike things counts as its first.
  Answer unlike() const {
    if (self_ != UCP || !under({NP, VP}) || (under_ == VP && !right_)) return std::nullopt;
    const Category first = tree_.at(child_, tree_[child_].middle);
    if (first == ADVP || first == CC) return to_head(Label::advmod);
    if (under_ == VP) {
      if (first == NP) return to_head(head_is_be_of_there() ? Label::nsubj : Label::dobj);
      return to_head(first == ADJP ? Label::xcomp : Label::dep);
    }
    if (first == PP) return to_head(Label::nmod);
    if (first == ADJP || (!right_ && first == JJ)) return to_head(Label::amod);
    return to_head(!right_ && (first == NP || nouns.has(first)) ? Label::compound : Label::dep);
  }

  Answer adjectival() const {
    if (self_ == ADJP && !right_ && tree_.count(child_) == 1 && tree_.at(child_, 0) == QP &&
        tree_.head_tag(child_) == CD)
      return to_head(Label::nummod);
    if (self_ == PRPS) return to_head(Label::nmod_poss);
    if (self_ == NP && !right_ && under({ADJP, ADVP})) {  // "ten feet tall", "two hours earlier"
      const bool measure = n_ + 1 == head_ && CategorySet{JJ, JJR, JJS, RB, RBR}.has(main_);
      return to_head(measure ? Label::nmod_npmod : Label::dep);
    }
    if (self_ == RB && right_ && under_ == NP && (word() & negation) != 0) return to_head(Label::neg);
    if (under_ == ADJP && self_ == RB && !right_ && n_ > 1 && conjunctions.has(beside(n_ - 1)) &&
        (word() & negation) != 0)
      return to_head(Label::conj);
    if (under_ == ADVP && self_ == RB && !right_ && conjunctions.has(beside(n_ + 1))) return to_head(Label::dep);
    if (self_ == RB && !right_ && under({ADJP, ADVP, NP, PP}) && (word() & (no | negation)) != 0)
      return to_head(under_ == ADVP && (word() & negation) != 0 ? Label::dep : Label::neg);
    if (under_ == ADVP && right_ && main_ == JJ && (self_ == NP || (self_ == PP && tree_.count(child_) == 1)))
      return to_head(Label::dep);
    if (under_ != ADJP || right_ || !is({NN, JJ})) return std::nullopt;
    if (conjunctions.has(beside(n_ - 1)) && main_ == JJ) return to_head(Label::conj);
    const bool noun_like = CategorySet{NN, VBG, VBN}.has(main_);
    if (self_ == NN) return noun_like ? to_head(Label::dep) : std::nullopt;
    if (conjunctions.has(beside(n_ - 1))) return to_head(Label::conj);
    int32_t adjectives = 0;
    for (int32_t i = 0; i < head_; ++i) adjectives += beside(i) == JJ ? 1 : 0;
    return joined_before_ || joined_after_ || (noun_like && adjectives < 2) ? to_head(Label::dep) : std::nullopt;
  }

  Answer subject() const {
    if (self_ == WHNP && !right_ && under({SBAR, SBARQ})) {
      if (main_ != S && main_ != SQ) return to_head(Label::dep);
      return to_head(tree_.has(top_, {NP}) ? Label::dobj : Label::nsubj);
    }
    if (under_ == S && self_ == NP_TMP && n_ == 0 && head_ == 1 && main_ == VP) return to_head(Label::dep);
    if (under_ == S && self_ == S && !right_ && !tree_.has(child_, {VP, S, SBAR})) return to_head(Label::dep);
    if (self_ != NP) return std::nullopt;
    if (tree_.category(tree_.last(child_)) == EX) return to_head(Label::expl);
    if (under_ != S || right_) return std::nullopt;
    // Without a verb, what stands first is a subject only as the complement of a verb.
    if (CategorySet{ADJP, NP, UCP}.has(main_) && (!parent_is(VP) || n_ + 1 != head_)) return to_head(Label::dep);
    if (main_ == SBAR && n_ + 1 == head_) return to_head(Label::dep);
    if (main_ == S && !(parent_is(VP) && n_ == 0)) return to_head(Label::dep);
    return std::nullopt;
  }

  Answer quantity() const {
    if (under_ != QP) return std::nullopt;
    if (self_ == CD && right_ && nouns.has(main_)) return to_head(Label::compound);
    if (self_ == DT && right_ && beside(n_ + 1) == NN) return to(n_ + 1, Label::det);
    if (self_ == NN && beside(n_ - 1) == DT && beside(n_ - 2) == CC) return to_head(Label::conj);
    if (self_ == IN && beside(n_ + 1) == JJS) return to(n_ + 1, Label::case_);
    if (self_ == IN && n_ > 0 && is_fixed_pair(n_ - 1)) return to(n_ - 1, Label::mwe);
    if (self_ == JJS) return to_head(Label::nmod_npmod);
    return std::nullopt;
  }

  Answer determiner() const {
    if (self_ == DT && main_ == WHPP) return to_head(Label::dep);
    if (self_ == PDT && main_ == NP && joined_after_)
      return to_head((word() & correlative) != 0 ? Label::cc_preconj : Label::dep);
    if (self_ == DT && right_ && main_ == PRP && (word() & quantifier) != 0) return to_head(Label::det);
    if (self_ != DT || right_) return std::nullopt;
    if (CategorySet{JJ, NP, ADJP}.has(main_) && under({NP, ADJP}) && joined_after_ && !nouns.has(beside(count_ - 1)))
      return to_head(Label::dep);
    if (under({ADJP, QP})) return std::nullopt;
    if ((word() & no) != 0) return to_head(Label::neg);
    if (main_ == DT) return to_head(Label::dep);
    if (beside(n_ + 1) == DT || beside(n_ + 1) == PRPS) return to_head(Label::det_predet);
    return std::nullopt;
  }

  // "followed by …": a participle in the preposition's place.
  bool is_participle_phrase(int32_t i) const { return leads_with_word(i) && participles.has(tree_.at(i, 0)); }

  // "next to …", "prior to …": a phrase around a prepositional phrase that begins with a word other than a preposition.
  bool leads_with_word(int32_t i) const {
    return tree_.count(i) > 1 && CategorySet{VBN, VBG, RB, NN, JJ}.has(tree_.at(i, 0)) &&
           tree_.at(i, tree_[i].middle) == PP && !tree_.has(i, conjunctions);
  }

  // What a preposition governs: the category of its phrase's head child, seen through coordinations and one phrase.
  Category governed() const {
    Category core = tree_.at(child_, tree_[child_].middle);
    if (core == UCP) {
      const int32_t unlike = tree_.find(child_, {UCP});
      core = tree_.at(unlike, tree_[unlike].middle);
    }
    const int32_t inner = tree_.find(child_, {PP});
    if (core == PP && inner >= 0 && !is_participle_phrase(child_)) core = tree_.at(inner, tree_[inner].middle);
    return core;
  }

  Answer preposition() const {
    if (under_ == PP && self_ == VBG && !right_ && beside(n_ - 1) == RB) return to_head(Label::dep);
    if (under_ == PP && is({IN, TO})) {
      if (right_ && self_ == IN && beside(n_ + 1) == S) return to_head(Label::mark);
      if (beside(n_ + 1) == ADVP || (main_ == S && !has_verb(top_))) return std::nullopt;
      return main_ == S || main_ == SBAR ? to_head(Label::mark) : std::nullopt;
    }
    if (self_ != PP || !(right_ || under({S, VP, SINV}))) return std::nullopt;
    if (under_ == SINV && right_) return std::nullopt;
    const Category own_core = tree_.at(child_, tree_[child_].middle);
    if (own_core == PP && under({NP, NX}) && !tree_.has(child_, conjunctions) &&
        tree_.category(tree_.first_tag(tree_.find(child_, {PP}))) == TO)
      return to_head(Label::acl);
    const Category core = governed();
    if (own_core == PP && under_ == FRAG) {
      const int32_t inner = tree_.find(child_, {PP});
      const bool clause = CategorySet{S, SBAR, ADJP, ADVP, IN}.has(tree_.at(inner, tree_[inner].middle));
      return to_head(clause && !tree_.has(child_, conjunctions) ? Label::dep : Label::nmod);
    }
    if (under_ == SINV) return CategorySet{S, SBAR}.has(core) ? to_head(Label::dep) : std::nullopt;
    if (own_core == PP && under_ == VP && !CategorySet{NP, WHNP, NX, NP_TMP}.has(core) && !leads_with_word(child_) &&
        !tree_.has(child_, conjunctions))
      return to_head(Label::dep);
    if (CategorySet{IN, TO, RP}.has(core) && tree_.count(child_) == 1) {
      if (beside(n_ - 1) == PP && under_ == VP) return to(n_ - 1, Label::case_);
      return to_head(under(nominal) ? Label::acl : under_ == FRAG ? Label::dep : Label::nmod);
    }
    if (CategorySet{NP, WHNP, PP, NX, NP_TMP}.has(core) &&
        !(under_ == NP ? is_participle_phrase(child_) && !parent_is(ROOT) : leads_with_word(child_)))
      return std::nullopt;
    return to_head(under(nominal) ? Label::acl : under({FRAG, SINV}) ? Label::dep : Label::advcl);
  }

  const PhraseTree& tree_;
  int32_t phrase_, n_, count_, head_, child_, top_;
  bool right_, joined_before_ = false, joined_after_ = false;
  Category under_, self_, main_;
};

}  // namespace

Arc arc_of(const PhraseTree& tree, int32_t phrase, int32_t n) { return Child(tree, phrase, n).arc(); }

}  // namespace spidercap
