// Multi-word prepositions of a dependency graph ("next to", "in front of") become one marker: the first word a case of
// the noun, the others its mwe children. Cost: a few comparisons per word that can begin one, linear per preposition.
#pragma once

#include <compare>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "spice/graph.h"

namespace spidercap {

class PrepositionJoiner {
 public:
  // True if any was joined.
  bool join(Graph& graph);

 private:
  // A multi-word preposition whose words stand at a position.
  struct Phrase {
    int32_t family, entry, position;
    auto operator<=>(const Phrase&) const = default;
  };

  void find_phrases();
  // "out of" town: both words are markers of the noun.
  void join_flat(int32_t first, int32_t second);
  // next (to a car): the first word is the head of the noun.
  void join_headed(int32_t first, int32_t second);
  // in front (of a car): the second word is.
  void join_three(int32_t first, int32_t second, int32_t third);
  void make_unit(std::initializer_list<int32_t> parts, int32_t governor, Label label);
  void move_children(int32_t from, int32_t to);

  Graph* graph_ = nullptr;
  const SentenceWords* words_ = nullptr;
  bool changed_ = false;
  std::vector<Phrase> phrases_;
  std::vector<int32_t> children_;
};

}  // namespace spidercap
