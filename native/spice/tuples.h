// Raw SPICE tuples of a parsed sentence: (object), (object, attribute), (subject, object, predicate), in the order of
// the reference, repetitions included.
// Cost: linear in the words for usual captions; a caption never gives more than `most_tuples` tuples.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parser/parsed_sentence.h"
#include "spice/collapse.h"
#include "spice/enhance.h"
#include "spice/graph.h"
#include "spice/lemma.h"

namespace spidercap {

// A list of tuples over a list of strings that lie end to end; to be reused from caption to caption.
class Tuples {
 public:
  struct Tuple {
    uint32_t size;
    std::array<uint32_t, 3> strings;  // numbers of strings
  };

  void clear();
  uint32_t add_string(std::string_view text);
  void add(std::initializer_list<uint32_t> strings);

  const std::vector<Tuple>& tuples() const { return tuples_; }
  // How many of the tuples have the texts of an earlier one.
  size_t repeated() const;
  size_t string_count() const { return ends_.size(); }
  std::string_view string(uint32_t number) const;

 private:
  std::string text_;
  std::vector<uint32_t> ends_;
  std::vector<Tuple> tuples_;
};

// Everything that is needed to make tuples, kept by one thread from caption to caption.
class TupleMaker {
 public:
  static constexpr size_t most_tuples = 4096;

  // The lemmas must outlive the maker.
  explicit TupleMaker(const Lemmas& lemmas) : lemmas_(lemmas) {}

  // Appends the tuples of the sentence.
  void tuples_of(const ParsedSentence& sentence, Tuples& tuples);

  // The graph of the sentence before SPICE's own changes, and after.
  Graph& collapsed(const ParsedSentence& sentence);
  Graph& enhanced(const ParsedSentence& sentence);

 private:
  void add_verb_relations();
  void add_participle_relations();
  void add_intransitive_attributes();
  void add_copular_attributes();
  void add_predicated(int32_t subject, int32_t v);
  void add_adjectives();
  void add_predicate_adjectives();
  void add_prepositions();
  void add_possessions();
  void add_agents();
  void add_counts_of_pairs();
  void add_counts_of_subjects();
  void add_counts_of_others();
  void add_count(int32_t v);
  void add_compounds();
  void add_objects();

  int32_t plural_object(int32_t v);
  bool has_plural_subject(int32_t v);
  bool is_noun(int32_t v) const;
  bool is_plural(int32_t v) const;
  std::string_view lemma(int32_t v);
  uint32_t lemma_string(int32_t v);
  // The predicate of a verb and of the label of its object.
  uint32_t predicate_string(int32_t v, EdgeLabel label);
  void append_preposition(EdgeLabel label, std::string& text) const;
  void emit(std::initializer_list<uint32_t> strings);
  template <typename Visit>
  void for_children(int32_t v, uint64_t labels, Visit&& visit);

  const Lemmas& lemmas_;
  SentenceWords words_;
  Graph graph_;
  Collapser collapser_;
  Enhancer enhancer_;
  Tuples* tuples_ = nullptr;
  std::vector<int32_t> order_;
  std::vector<uint32_t> lemma_strings_;    // by word; `unset` until asked for
  std::vector<std::string> lemmas_found_;  // by word; empty until asked for
  std::vector<uint8_t> in_compound_;
  std::string buffer_, predicate_;
};

}  // namespace spidercap
