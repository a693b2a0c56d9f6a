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
    for (const auto rule : {&Child::conjunction, &Child::fixed_pair, &Child::conjunct, &Child::verbal, &Child::object,
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
    return nouns.has(tag) || tag == VBG || tag == DT ? NN : tag;
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
      for (int32_t n = 1; n < tree_.count(i); ++n)
        if (tree_.at(i, n) == VP && is_passive(tree_.child(i, n))) return true;
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

  bool head_is_be_of_there() const { return (tree_.of_head(top_) & be) != 0 && is_existential(tree_, phrase_); }

  Answer conjunction() const {
    if (punctuation.has(self_)) return to_head(Label::punct);
    const bool correlates = (word() & correlative) != 0;
    if (self_ == DT && !right_ && joined_after_ && correlates) return to_head(Label::cc_preconj);
    if (!is(conjunctions)) return std::nullopt;
    if (joined_after_ && !right_ && correlates) return to_head(Label::cc_preconj);
    if (under_ == UCP && right_ && correlates) return to_head(Label::dep);
    if (under_ == PP && !right_) {
      if (CategorySet{IN, TO}.has(beside(n_ - 1))) return to(n_ - 1, Label::cc);
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
    if (under_ == CONJP && self_ == IN && right_ && count_ == 2 && (word() & if_) != 0) return to_head(Label::dep);
    if (!is_word() || !under({PP, SBAR})) return std::nullopt;
    if (n_ > 0 && is_fixed_pair(n_ - 1)) return to(n_ - 1, Label::mwe);
    if (!is_fixed_pair(n_)) return std::nullopt;
    return to_head(under_ == SBAR || main_ == S || main_ == SBAR ? Label::mark : Label::case_);
  }

  // Behind a conjunction stands a conjunct; adverbs between the two belong to it.
  Answer conjunct() const {
    constexpr CategorySet prepositions = {IN, TO}, adverbs = {ADVP, RB, PP, RBR};
    if (under_ == PP && !right_ && n_ > 1 && is(prepositions) && conjunctions.has(beside(n_ - 1)) &&
        prepositions.has(beside(n_ - 2)))
      return to(n_ - 2, Label::conj);
    if (under_ == UCP && main_ == CC) return to_head(right_ ? Label::conj : Label::advmod);
    if (under_ == PRT && right_) return to_head(Label::dep);
    if (!right_ || !joined_before_) return std::nullopt;
    if (is({ADVP, RB}) && conjunctions.has(beside(n_ - 1)) && n_ + 1 < count_ && !conjunctions.has(beside(n_ + 1)) &&
        is_only({RB, RBR, RBS, ADVP}))
      return to(n_ + 1, (tree_.of_head(child_) & negation) != 0 ? Label::neg : Label::advmod);
    int32_t before = n_ - 1;
    while (before > head_ && adverbs.has(beside(before))) --before;
    if (before <= head_ || !conjunctions.has(beside(before))) return std::nullopt;
    if (under({UCP, NP}) && self_ == VP && main_ == NP) return to_head(Label::acl);
    if (is({RB, ADVP}) && !CategorySet{RB, ADVP, PP}.has(main_)) return to_head(Label::advmod);
    if (self_ == FRAG && tree_.count(child_) > 1) return to_head(Label::dep);
    return to_head(Label::conj);
  }

  // Auxiliaries and adverbs of a verb phrase.
  Answer verbal() const {
    if (under({VP, SQ, SINV})) {
      if (is(verbs) && is_word() && is_auxiliary(tree_, phrase_, n_)) return to_head(auxiliary());
      if (is({RB, ADVP})) return to_head((tree_.of_head(child_) & negation) != 0 ? Label::neg : Label::advmod);
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

  Answer object() const {
    if (!right_ || self_ != NP) return std::nullopt;
    if (under_ == SINV && object_before()) return to_head(Label::dep);
    if (under_ != VP) return std::nullopt;
    if (head_is_be_of_there()) return to_head(Label::nsubj);
    if (beside(n_ + 1) == NP) return to_head(tree_.at(child_, 0) == PRPS ? Label::dep : Label::iobj);
    if ((tree_.of_head(top_) & copular) != 0) return to_head(Label::xcomp);
    if ((tree_.of_head(child_) & day) != 0 && tree_[tree_.child(child_, 0)].word >= 0) return to_head(Label::nmod_tmod);
    return to_head(Label::dobj);
  }

  // What a subordinate clause is to a verb.
  Label subordinate() const {
    const int32_t clause = tree_.find(child_, {S}), marker = tree_.find(child_, {IN, WHADVP, WHNP, WHPP, RB});
    const bool unmarked = marker < 0 || (tree_.own(marker) & that) != 0;
    if (clause >= 0 && !tree_.has(clause, {VP}) && unmarked) return Label::dep;
    if (tree_.has(child_, {SBAR})) return Label::dep;
    const int32_t first = tree_.find(child_, {IN, WHADVP, WHNP, WHPP, RB, WHADJP});
    const bool complement = first < 0 || CategorySet{WHNP, WHPP, WHADJP}.has(tree_.category(first)) ||
                            (tree_.own(tree_.first_tag(first)) & (that | how | whether)) != 0;
    if (!complement) return Label::advcl;
    if (!object_before()) return Label::ccomp;
    if (tree_.has(child_, {WHADVP}) && clause >= 0 && lead(clause) == TO) return Label::xcomp;
    return tree_.has(child_, clause_markers) ? Label::ccomp : Label::dep;
  }

  // What a clause without a mark of subordination is to a verb.
  Label complement() const {
    const Category core = tree_.at(child_, tree_[child_].middle), verb = lead(child_);
    if (core != VP) return tree_.count(child_) > 1 || core == ADJP || core == NP ? Label::xcomp : Label::dep;
    if (verb == VBG && main_ == VBG) return Label::advcl;
    if (tree_.has(child_, {NP})) return participles.has(verb) ? Label::dep : Label::ccomp;
    const bool object = object_before();
    if (verb == TO && object) return (tree_.of_head(top_) & permit) != 0 ? Label::xcomp : Label::advcl;
    if (verb == TO || verb == VBG) return Label::xcomp;
    return verb == VBN || object ? Label::dep : Label::ccomp;
  }

  Answer clause() const {
    if (!right_) return std::nullopt;
    if (under_ == VP && self_ == SBAR) return to_head(subordinate());
    if (under_ == VP && self_ == S) return to_head(complement());
    if (under_ == VP && self_ == VP && !joined_before_) {
      const Category first = tree_.at(child_, 0);
      return to_head(n_ == head_ + 1 && (first == VB || (main_ == VB && first == VBG)) ? Label::xcomp : Label::dep);
    }
    if (under_ == ADJP && self_ == S) return to_head(lead(child_) == TO ? Label::xcomp : Label::dep);
    if (self_ != SBAR) return std::nullopt;
    const uint32_t first = tree_.own(tree_.first_tag(child_));
    if (under_ == ADJP && (first & as) != 0) return to_head(Label::dep);
    if (under_ == ADVP) {
      if ((first & while_) != 0) return to_head(main_ == RB ? Label::dep : Label::advcl);
      if ((first & as) != 0) return to_head(Label::ccomp);
      if (!tree_.has(child_, clause_markers)) return to_head(Label::dep);
    }
    return std::nullopt;
  }

  Label relative() const {
    if (main_ != NP) return Label::ccomp;
    const int32_t mark = tree_.find(child_, {IN}), clause = tree_.find(child_, {S});
    if (mark >= 0) {
      if ((tree_.own(mark) & that) != 0) return Label::dep;
      if ((tree_.own(mark) & before) != 0) return Label::acl;
      if (clause >= 0 && (tree_.at(clause, 0) != NP || !tree_.has(clause, {VP}))) return Label::dep;
    }
    if (clause >= 0 && lead(clause) == TO && !tree_.has(child_, clause_markers)) return Label::acl;
    return Label::acl_relcl;
  }

  // Clauses, phrases and nouns that modify a noun.
  Answer noun_modifier() const {
    if (under_ != NP) return std::nullopt;
    if (!right_) {
      if (self_ != NP || !nouns.has(main_)) return std::nullopt;
      return to_head(tree_.category(tree_.last(child_)) == POS ? Label::nmod_poss : Label::compound);
    }
    if (self_ == NP && main_ == NP && !joined_before_ && (beside(n_ - 1) == comma || is_only({NNP})))
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
    if (self_ == ADJP && !right_ && tree_.count(child_) == 1 && tree_.at(child_, 0) == QP)
      return to_head(Label::nummod);
    if (self_ == PRPS) return to_head(Label::nmod_poss);
    if (self_ == RB && !right_ && under({ADJP, ADVP, NP, PP}) && (word() & (no | negation)) != 0)
      return to_head(under_ == ADVP && (word() & negation) != 0 ? Label::dep : Label::neg);
    if (under_ == ADVP && right_ && main_ == JJ && (self_ == NP || (self_ == PP && tree_.count(child_) == 1)))
      return to_head(Label::dep);
    if (under_ != ADJP || right_ || !is({NN, JJ})) return std::nullopt;
    const bool noun_like = CategorySet{NN, VBG, VBN}.has(main_);
    if (self_ == NN) return noun_like ? to_head(Label::dep) : std::nullopt;
    int32_t adjectives = 0;
    for (int32_t i = 0; i < head_; ++i) adjectives += beside(i) == JJ ? 1 : 0;
    return joined_before_ || joined_after_ || (noun_like && adjectives < 2) ? to_head(Label::dep) : std::nullopt;
  }

  Answer subject() const {
    if (self_ == WHNP && !right_ && under({SBAR, SBARQ})) {
      if (main_ != S && main_ != SQ) return to_head(Label::dep);
      return to_head(tree_.has(top_, {NP}) ? Label::dobj : Label::nsubj);
    }
    if (self_ != NP) return std::nullopt;
    if (tree_.category(tree_.last(child_)) == EX) return to_head(Label::expl);
    if (under_ != S || right_) return std::nullopt;
    // Without a verb, what stands first is a subject only as the complement of a verb.
    if ((main_ == ADJP || main_ == NP) && !parent_is(VP)) return to_head(Label::dep);
    if (main_ == S && !(parent_is(VP) && n_ == 0)) return to_head(Label::dep);
    return std::nullopt;
  }

  Answer quantity() const {
    if (under_ != QP) return std::nullopt;
    if (self_ == IN && beside(n_ + 1) == JJS) return to(n_ + 1, Label::case_);
    if (self_ == IN && n_ > 0 && is_fixed_pair(n_ - 1)) return to(n_ - 1, Label::mwe);
    if (self_ == JJS) return to_head(Label::nmod_npmod);
    return std::nullopt;
  }

  Answer determiner() const {
    if (self_ != DT || right_) return std::nullopt;
    if (CategorySet{JJ, NP, ADJP}.has(main_) && under({NP, ADJP}) && joined_after_) return to_head(Label::dep);
    if (under({ADJP, QP})) return std::nullopt;
    if ((word() & no) != 0) return to_head(Label::neg);
    if (main_ == DT) return to_head(Label::dep);
    if (beside(n_ + 1) == DT || beside(n_ + 1) == PRPS) return to_head(Label::det_predet);
    return std::nullopt;
  }

  // "followed by …": a participle in the preposition's place.
  bool is_participle_phrase(int32_t i) const {
    return tree_.count(i) > 1 && participles.has(tree_.at(i, 0)) && tree_.at(i, tree_[i].middle) == PP;
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
    if (under_ == PP && is({IN, TO})) {
      if (right_ && self_ == IN && beside(n_ + 1) == S) return to_head(Label::mark);
      return main_ == S || main_ == SBAR ? to_head(Label::mark) : std::nullopt;
    }
    if (self_ != PP || !(right_ || under({S, VP}))) return std::nullopt;
    const Category own_core = tree_.at(child_, tree_[child_].middle);
    if (own_core == PP && under_ == FRAG) return to_head(Label::nmod);
    if (own_core == PP && under({NP, NX}) && !tree_.has(child_, conjunctions) &&
        tree_.category(tree_.first_tag(tree_.find(child_, {PP}))) == TO)
      return to_head(Label::acl);
    const Category core = governed();
    if (CategorySet{IN, TO, RP}.has(core) && tree_.count(child_) == 1) {
      if (beside(n_ - 1) == PP && under_ == VP) return to(n_ - 1, Label::case_);
      return to_head(under(nominal) ? Label::acl : under_ == FRAG ? Label::dep : Label::nmod);
    }
    if (CategorySet{NP, WHNP, PP, NX, NP_TMP}.has(core) && !is_participle_phrase(child_)) return std::nullopt;
    return to_head(under(nominal) ? Label::acl : under_ == FRAG ? Label::dep : Label::advcl);
  }

  const PhraseTree& tree_;
  int32_t phrase_, n_, count_, head_, child_, top_;
  bool right_, joined_before_ = false, joined_after_ = false;
  Category under_, self_, main_;
};

}  // namespace

Arc arc_of(const PhraseTree& tree, int32_t phrase, int32_t n) { return Child(tree, phrase, n).arc(); }

}  // namespace spidercap
