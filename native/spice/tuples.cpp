#include "spice/tuples.h"

#include <algorithm>
#include <utility>

#include "spice/strings.h"

namespace spidercap {
namespace {

constexpr uint32_t unset = 0xFFFFFFFF;
constexpr uint64_t plurals = bit(Tag::NNS) | bit(Tag::NNPS);
constexpr uint64_t nouns = plurals | bit(Tag::NN) | bit(Tag::NNP);
constexpr uint64_t verbs = bit(Tag::VB) | bit(Tag::VBD) | bit(Tag::VBG) | bit(Tag::VBN) | bit(Tag::VBP) | bit(Tag::VBZ);
constexpr uint64_t adjectives = bit(Tag::JJ) | bit(Tag::JJR) | bit(Tag::JJS);
constexpr uint64_t direct_objects = bit(Label::dobj) | bit(Label::iobj);
constexpr uint64_t prepositional = named_nmod | bit(Label::nmod_tmod) | bit(Label::nmod_npmod);
constexpr uint64_t nmod_with_name = prepositional | bit(Label::nmod_poss) | bit(Label::nmod_agent);
constexpr uint64_t objects = direct_objects | nmod_with_name;
constexpr uint64_t any_nmod = nmod_with_name | bit(Label::nmod);

std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

void Tuples::clear() {
  text_.clear();
  ends_.clear();
  tuples_.clear();
}

uint32_t Tuples::add_string(std::string_view text) {
  text_.append(text);
  ends_.push_back(static_cast<uint32_t>(text_.size()));
  return static_cast<uint32_t>(ends_.size()) - 1;
}

void Tuples::add(std::initializer_list<uint32_t> strings) {
  Tuple tuple{static_cast<uint32_t>(strings.size()), {}};
  std::copy(strings.begin(), strings.end(), tuple.strings.begin());
  tuples_.push_back(tuple);
}

size_t Tuples::repeated() const {
  std::vector<std::pair<uint32_t, std::array<std::string_view, 3>>> texts;
  texts.reserve(tuples_.size());
  for (const Tuple& tuple : tuples_) {
    auto& [size, strings] = texts.emplace_back();
    size = tuple.size;
    for (uint32_t i = 0; i < size; ++i) strings[i] = string(tuple.strings[i]);
  }
  std::sort(texts.begin(), texts.end());
  return texts.size() - static_cast<size_t>(std::unique(texts.begin(), texts.end()) - texts.begin());
}

std::string_view Tuples::string(uint32_t number) const {
  const uint32_t begin = number == 0 ? 0 : ends_[number - 1];
  return std::string_view(text_).substr(begin, ends_[number] - begin);
}

Graph& TupleMaker::collapsed(const ParsedSentence& sentence) {
  words_.reset(sentence);
  collapser_.collapse(sentence, words_, graph_);
  return graph_;
}

Graph& TupleMaker::enhanced(const ParsedSentence& sentence) {
  enhancer_.enhance(collapsed(sentence));
  return graph_;
}

void TupleMaker::tuples_of(const ParsedSentence& sentence, Tuples& tuples) {
  enhanced(sentence);
  tuples_ = &tuples;
  lemma_strings_.assign(words_.size(), unset);
  if (lemmas_found_.size() < lemma_strings_.size()) lemmas_found_.resize(lemma_strings_.size());
  for (size_t i = 0; i < lemma_strings_.size(); ++i) lemmas_found_[i].clear();
  graph_.match_order(order_);
  const uint64_t labels = graph_.all_labels();
  const bool has_subjects = (labels & bit(Label::nsubj)) != 0;
  if (has_subjects && (labels & objects) != 0) add_verb_relations();
  if ((labels & bit(Label::acl)) != 0 && (labels & objects) != 0) add_participle_relations();
  if (has_subjects) add_intransitive_attributes();
  if (has_subjects && (labels & bit(Label::cop)) != 0) add_copular_attributes();
  if ((labels & bit(Label::amod)) != 0) add_adjectives();
  if (has_subjects) add_predicate_adjectives();
  if ((labels & prepositional) != 0) add_prepositions();
  if ((labels & bit(Label::nmod_poss)) != 0) add_possessions();
  if ((labels & bit(Label::nmod_agent)) != 0) add_agents();
  if ((labels & (bit(Label::nummod) | bit(Label::det_qmod))) != 0) {
    if (has_subjects) add_counts_of_pairs();
    add_counts_of_subjects();
    add_counts_of_others();
  }
  in_compound_.assign(words_.vertex_count(), 0);
  if ((labels & bit(Label::compound)) != 0) add_compounds();
  add_objects();
}

template <typename Visit>
void TupleMaker::for_children(int32_t v, uint64_t labels, Visit&& visit) {
  if (!graph_.has_child(v, labels)) return;
  for (int32_t e : graph_.out(v))
    if ((bit(graph_.edge(e).label) & labels) != 0) visit(graph_.edge(e).dependent, graph_.edge(e).label);
}

bool TupleMaker::is_noun(int32_t v) const { return (words_.tag_bit(v) & nouns) != 0; }
bool TupleMaker::is_plural(int32_t v) const { return (words_.tag_bit(v) & plurals) != 0; }

std::string_view TupleMaker::lemma(int32_t v) {
  std::string& known = lemmas_found_[words_.original(v)];
  if (known.empty()) {
    const SentenceWords::Word& word = words_.word(v);
    known = lemmas_.lemma_of(word.text, word.lower, word.tag, buffer_);
  }
  return known;
}

uint32_t TupleMaker::lemma_string(int32_t v) {
  uint32_t& known = lemma_strings_[words_.original(v)];
  if (known == unset) {
    std::string lowered;
    known = tuples_->add_string(lower_case_of(trimmed(lemma(v)), lowered));
  }
  return known;
}

void TupleMaker::append_preposition(EdgeLabel label, std::string& text) const {
  const size_t start = text.size();
  if (label.name != 0) text.append(words_.name(label.name));
  if (label.base == Label::nmod_tmod) text.append("tmod");
  if (label.base == Label::nmod_npmod) text.append("npmod");
  std::replace(text.begin() + static_cast<std::ptrdiff_t>(start), text.end(), '_', ' ');
}

uint32_t TupleMaker::predicate_string(int32_t v, EdgeLabel label) {
  predicate_.assign(lemma(v));
  if (graph_.has_child(v, bit(Label::compound_prt))) {
    if (predicate_ == "be") predicate_.clear();
    bool first = true;
    for_children(v, bit(Label::compound_prt), [&](int32_t particle, EdgeLabel) {
      if (first) predicate_.append(" ").append(words_.word(particle).text);
      first = false;
    });
  }
  if ((bit(label) & prepositional) != 0) {
    predicate_ += ' ';
    append_preposition(label, predicate_);
  }
  return tuples_->add_string(predicate_);
}

void TupleMaker::emit(std::initializer_list<uint32_t> strings) {
  if (tuples_->tuples().size() < most_tuples) tuples_->add(strings);
}

// R1: a man rides a horse, a man stands on a hill.
void TupleMaker::add_verb_relations() {
  for (int32_t v : order_) {
    const uint64_t labels = graph_.out_labels(v);
    if ((labels & bit(Label::nsubj)) == 0 || (labels & objects) == 0 || (labels & bit(Label::cop)) != 0) continue;
    for_children(v, bit(Label::nsubj), [&](int32_t subject, EdgeLabel) {
      if (!is_noun(subject)) return;
      for_children(v, objects, [&](int32_t object, EdgeLabel label) {
        if (is_noun(object) && tuples_->tuples().size() < most_tuples)
          emit({lemma_string(subject), lemma_string(object), predicate_string(v, label)});
      });
    });
  }
}

// R2: a man riding a horse.
void TupleMaker::add_participle_relations() {
  for (int32_t v : order_)
    for_children(v, bit(Label::acl), [&](int32_t verb, EdgeLabel) {
      if ((words_.tag_bit(verb) & verbs) == 0) return;
      for_children(verb, objects, [&](int32_t object, EdgeLabel label) {
        if (is_noun(object) && tuples_->tuples().size() < most_tuples)
          emit({lemma_string(v), lemma_string(object), predicate_string(verb, label)});
      });
    });
}

// R3: a dog sleeps.
void TupleMaker::add_intransitive_attributes() {
  for (int32_t v : order_) {
    if (!graph_.has_child(v, bit(Label::nsubj)) || graph_.has_child(v, bit(Label::cop))) continue;
    bool has_object = false;
    for_children(v, objects, [&](int32_t object, EdgeLabel) { has_object |= is_noun(object); });
    if (has_object) continue;
    for_children(v, bit(Label::nsubj), [&](int32_t subject, EdgeLabel) {
      if (is_noun(subject)) add_predicated(subject, v);
    });
  }
}

// R4: the dog is brown, the dog is on a hill.
void TupleMaker::add_copular_attributes() {
  for (int32_t v : order_) {
    if (!graph_.has_child(v, bit(Label::cop))) continue;
    for_children(v, bit(Label::nsubj), [&](int32_t subject, EdgeLabel) {
      if (is_noun(subject)) for_children(v, bit(Label::cop), [&](int32_t, EdgeLabel) { add_predicated(subject, v); });
    });
  }
}

void TupleMaker::add_predicated(int32_t subject, int32_t v) {
  if (tuples_->tuples().size() >= most_tuples) return;
  if (graph_.has_child(v, bit(Label::case_))) {
    predicate_.clear();
    for_children(v, bit(Label::case_), [&](int32_t marker, EdgeLabel) {
      if (!predicate_.empty()) return;
      predicate_.append(words_.word(marker).text);
      for_children(marker, bit(Label::mwe),
                   [&](int32_t part, EdgeLabel) { predicate_.append(" ").append(words_.word(part).text); });
    });
    emit({lemma_string(subject), lemma_string(v), tuples_->add_string(predicate_)});
  } else if (lemma(v) != "be") {
    emit({lemma_string(subject), lemma_string(v)});
  }
}

// R5: a brown dog.
void TupleMaker::add_adjectives() {
  for (int32_t v : order_)
    for_children(v, bit(Label::amod),
                 [&](int32_t adjective, EdgeLabel) { emit({lemma_string(v), lemma_string(adjective)}); });
}

// R6: the dog is brown, once more.
void TupleMaker::add_predicate_adjectives() {
  for (int32_t v : order_)
    if ((words_.tag_bit(v) & adjectives) != 0)
      for_children(v, bit(Label::nsubj),
                   [&](int32_t subject, EdgeLabel) { emit({lemma_string(subject), lemma_string(v)}); });
}

// R7: a dog on a hill.
void TupleMaker::add_prepositions() {
  for (int32_t v : order_) {
    if (!is_noun(v)) continue;
    for_children(v, prepositional, [&](int32_t object, EdgeLabel label) {
      predicate_.clear();
      append_preposition(label, predicate_);
      emit({lemma_string(v), lemma_string(object), tuples_->add_string(predicate_)});
    });
  }
}

// R8: the man's hat.
void TupleMaker::add_possessions() {
  for (int32_t v : order_)
    if (is_noun(v))
      for_children(v, bit(Label::nmod_poss), [&](int32_t owner, EdgeLabel) {
        if (is_noun(owner)) emit({lemma_string(owner), lemma_string(v), tuples_->add_string("have")});
      });
}

// R9: a horse is ridden by a man.
void TupleMaker::add_agents() {
  for (int32_t v : order_) {
    if ((words_.tag_bit(v) & verbs) == 0) continue;
    for_children(v, bit(Label::nmod_agent), [&](int32_t agent, EdgeLabel label) {
      if (!is_noun(agent)) return;
      for_children(v, bit(Label::nsubjpass), [&](int32_t object, EdgeLabel) {
        if (is_noun(object) && tuples_->tuples().size() < most_tuples)
          emit({lemma_string(agent), lemma_string(object), predicate_string(v, label)});
      });
    });
  }
}

bool TupleMaker::has_plural_subject(int32_t v) {
  bool found = false;
  for_children(v, bit(Label::nsubj), [&](int32_t subject, EdgeLabel) { found |= is_plural(subject); });
  return found;
}

int32_t TupleMaker::plural_object(int32_t v) {
  int32_t direct = -1, other = -1;
  for_children(v, objects, [&](int32_t object, EdgeLabel label) {
    if (!is_plural(object)) return;
    if ((bit(label) & direct_objects) != 0) {
      if (direct < 0) direct = object;
      return;
    }
    const bool agent = label.base == Label::nmod_agent ||
                       (label.name != 0 && words_.name(label.name).find("agent") != std::string_view::npos);
    if (other < 0 && !agent && graph_.has_child(object, bit(Label::case_))) other = object;
  });
  return direct >= 0 ? direct : other;
}

// R10: two dogs chase three cats.
void TupleMaker::add_counts_of_pairs() {
  for (int32_t v : order_) {
    if (!graph_.has_child(v, bit(Label::nsubj)) || !graph_.has_child(v, objects)) continue;
    int32_t subject = -1;
    for_children(v, bit(Label::nsubj), [&](int32_t child, EdgeLabel) {
      if (subject < 0 && is_plural(child)) subject = child;
    });
    const int32_t object = subject < 0 ? -1 : plural_object(v);
    if (object < 0) continue;
    add_count(subject);
    add_count(object);
  }
}

// R11: two dogs sleep; two dogs.
void TupleMaker::add_counts_of_subjects() {
  for (int32_t v : order_) {
    if (!is_plural(v)) continue;
    bool counts = graph_.is_root(v);
    for (int32_t e = graph_.first_in(v); e >= 0 && !counts; e = graph_.edge(e).next_in)
      counts = bit(graph_.edge(e).label) == bit(Label::nsubj) && plural_object(graph_.edge(e).governor) < 0;
    if (counts) add_count(v);
  }
}

// R12: plural nouns that are neither root nor subject, nor an object beside a plural subject.
void TupleMaker::add_counts_of_others() {
  for (int32_t v : order_) {
    if (!is_plural(v) || graph_.is_root(v)) continue;
    bool counts = true;
    for (int32_t e = graph_.first_in(v); e >= 0 && counts; e = graph_.edge(e).next_in) {
      const uint64_t label = bit(graph_.edge(e).label);
      counts = label != bit(Label::nsubj) &&
               ((label & (direct_objects | any_nmod)) == 0 || !has_plural_subject(graph_.edge(e).governor));
    }
    if (counts) add_count(v);
  }
}

void TupleMaker::add_count(int32_t v) {
  for (const Label label : {Label::nummod, Label::det_qmod}) {
    if (!graph_.has_child(v, bit(label))) continue;
    int32_t count = -1;
    for_children(v, bit(label), [&](int32_t child, EdgeLabel) {
      if (count < 0) count = child;
    });
    if (label == Label::det_qmod || words_.position(count) < words_.position(v))
      emit({lemma_string(v), lemma_string(count)});
    return;
  }
}

// R13: a fire truck.
void TupleMaker::add_compounds() {
  for (int32_t v : order_) {
    if (!is_noun(v)) continue;
    for_children(v, bit(Label::compound), [&](int32_t part, EdgeLabel) {
      if (!is_noun(part)) return;
      emit({lemma_string(v), lemma_string(part)});
      in_compound_[v] = in_compound_[part] = 1;
    });
  }
}

// R15: every noun that is in no compound.
void TupleMaker::add_objects() {
  for (int32_t v : order_)
    if (is_noun(v) && in_compound_[v] == 0) emit({lemma_string(v)});
}

}  // namespace spidercap
