// What a caption's tags say about each position before its chart is filled: which states can begin and end there, and
// what the words outside a state that does would score.
//
// A label is guessed by the words around it: best score of the tags before it with its share after the last of them,
// and of the tags after it with their share behind it; a remainder by the neighbour it needs and its parent.
#pragma once

#include <cstdint>
#include <vector>

#include "parser/search_tables.h"
#include "parser/tag_lattice.h"

namespace spidercap {

class ChartContext {
 public:
  // `seen`: only states that the training trees show beside the tags. Without `guesses` there are no scores.
  ChartContext(const SearchTables& tables, bool seen, bool guesses);
  void read(const TagLattice& lattice);

  // States that can begin, that can end at a position.
  const uint64_t* beginning(size_t position) const { return beginning_.data() + position * state_words_; }
  uint64_t* ending(size_t position) { return ending_.data() + position * state_words_; }
  // Labels that states that begin at a position need at their left.
  const uint64_t* left_needs(size_t position) const { return left_needs_.data() + position * needs_.width; }
  // Best scores of the tags outside: by label, with its share after the last tag before it (before the first behind
  // it); by the label that a remainder needs there; and of the tags before a position, whatever stands there.
  const float* label_after(size_t position) const { return label_after_.data() + position * tables_.labels; }
  const float* label_before(size_t position) const { return label_before_.data() + position * tables_.labels; }
  const float* needed_before(size_t position) const { return needed_before_.data() + position * tables_.labels; }
  const float* needed_after(size_t position) const { return needed_after_.data() + position * tables_.labels; }
  float best_before(size_t position) const { return best_before_[position]; }

 private:
  void set_states(const TagLattice& lattice, size_t position);
  void set_left_guesses(const TagLattice& lattice, size_t position);
  void set_right_guesses(const TagLattice& lattice, size_t position);

  const SearchTables& tables_;
  bool guesses_;
  const BitRows &after_, &before_, &needs_;
  size_t state_words_;
  std::vector<uint64_t> beginning_, ending_, left_needs_;
  std::vector<float> label_after_, label_before_, needed_before_, needed_after_;  // by position and label
  std::vector<float> best_before_;                                                // by position
};

}  // namespace spidercap
