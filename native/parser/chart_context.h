// What a caption's tags say about each position before its chart is filled: which states can begin and end there, and
// what the words outside a state that does would score.
//
// The outside estimate of a label: best score of the tags before it with its share after the last of them, and of the
// tags after it with their share behind it. That of an active: its share, and the tags outside; if nothing more can
// join it at its right, those after it with their share behind the phrase that it is a part of.
#pragma once

#include <cstdint>
#include <vector>

#include "parser/search_tables.h"
#include "parser/tag_lattice.h"

namespace spidercap {

class ChartContext {
 public:
  // `seen`: only states that the training trees show beside the tags. Without `estimates` there are no scores.
  ChartContext(const SearchTables& tables, bool seen, bool estimates)
      : tables_(tables), seen_(seen), estimates_(estimates), state_words_(tables.state_words()) {}
  void read(const TagLattice& lattice);

  // States that can begin, that can end at a position.
  const uint64_t* beginning(size_t position) const { return beginning_.data() + position * state_words_; }
  const uint64_t* ending(size_t position) const { return ending_.data() + position * state_words_; }
  // Best scores of the tags outside: by label, with its share after the last tag before it (before the first behind
  // it); and of the tags before, or behind, a position, whatever stands there.
  const float* label_after(size_t position) const { return label_after_.data() + position * tables_.labels; }
  const float* label_before(size_t position) const { return label_before_.data() + position * tables_.labels; }
  float best_before(size_t position) const { return best_before_[position]; }
  float best_after(size_t position) const { return best_after_[position]; }

 private:
  void set_states(const TagLattice& lattice, size_t position);
  void set_left_estimates(const TagLattice& lattice, size_t position);
  void set_right_estimates(const TagLattice& lattice, size_t position);

  const SearchTables& tables_;
  bool seen_, estimates_;
  size_t state_words_;
  std::vector<uint64_t> beginning_, ending_;
  std::vector<float> label_after_, label_before_;  // by position and label
  std::vector<float> best_before_, best_after_;    // by position
};

}  // namespace spidercap
