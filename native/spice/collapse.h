// From the basic tree to the collapsed graph with propagated conjunctions: passive subjects repaired, multi-word
// prepositions joined, prepositions and conjunctions put into labels (nmod:on, conj:and), and what a conjunct shares
// with the first conjunct made explicit.
// Cost: linear in the words for most captions; at most quadratic. Copies of words (made for conjoined prepositions) end
// at `most_copies` a sentence, which no caption of the reference data comes near.
#pragma once

#include <cstdint>
#include <vector>

#include "spice/graph.h"
#include "spice/prepositions.h"

namespace spidercap {

class Collapser {
 public:
  static constexpr int32_t most_copies = 64;

  // Fills `graph` with the collapsed graph of the sentence. `words` must have been reset to that sentence.
  void collapse(const ParsedSentence& sentence, SentenceWords& words, Graph& graph);

 private:
  // A conjunction found by a pattern: conjuncts of one head under one coordinating word.
  struct Group {
    int32_t head, coordinator;
    std::vector<int32_t> conjuncts;
  };

  void build(const ParsedSentence& sentence);
  Graph& snapshot();
  void add_to_group(int32_t head, int32_t coordinator, int32_t conjunct);
  void conjoin_phrases();
  template <typename IsWanted>
  bool order_matches(Graph& found, const IsWanted& is_wanted);
  void find_conjoined_phrases(Graph& found);
  void find_conjuncts_with_case(Graph& found, int32_t head);
  void apply_phrase_group(const Group& group);
  void conjoin_prepositions();
  void find_conjoined_prepositions(Graph& found);
  void apply_preposition_group(const Group& group);
  int32_t copy_of(int32_t original);

  void name_agents();
  void name_cases();
  void name_case(Graph& found, int32_t edge);
  EdgeLabel conjunction_label(int32_t coordinator);
  void name_conjunctions();
  void propagate();
  void share_governors(int32_t head, int32_t conjunct);
  void share_subject(int32_t head, int32_t conjunct);
  void rebuild();

  struct NewEdge {
    int32_t governor, dependent;
    EdgeLabel label;
  };

  SentenceWords* words_ = nullptr;
  Graph* graph_ = nullptr;
  bool changed_ = false;  // edges, not only labels, differ from the tree
  PrepositionJoiner joiner_;
  Graph copy_;
  std::vector<Group> groups_;
  std::vector<NewEdge> new_edges_;
  std::vector<NewEdge> incoming_;
  std::vector<int32_t> order_;
  std::vector<int32_t> children_, coordinators_;
};

}  // namespace spidercap
