// What a caption's tags say about each position before its chart is filled: what the words outside a state that begins
// or ends there would score.
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
  explicit ChartContext(const SearchTables& tables) : tables_(tables) {}
  void read(const TagLattice& lattice);

  // The outside estimate of a label, or of an active, over the words i … j-1.
  float of_label(uint32_t label, size_t i, size_t j) const {
    return label_after_[i * tables_.labels + label] + label_before_[j * tables_.labels + label];
  }
  float of_active(uint32_t active, size_t i, size_t j) const {
    const ActiveTraits& traits = tables_.traits(active);
    const float behind = traits.may_grow_right ? best_after_[j] : label_before_[j * tables_.labels + traits.phrase];
    return traits.share + best_before_[i] + behind;
  }

 private:
  void set_left_estimates(const TagLattice& lattice, size_t position);
  void set_right_estimates(const TagLattice& lattice, size_t position);

  const SearchTables& tables_;
  // Best scores of the tags outside: by position and label, with its share after the last tag before it (before the
  // first behind it); and of the tags before, or behind, a position, whatever stands there.
  std::vector<float> label_after_, label_before_;
  std::vector<float> best_before_, best_after_;
};

}  // namespace spidercap
