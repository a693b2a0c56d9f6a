// METEOR's alignment: a beam search of width 40 over reference positions that picks non-overlapping candidates.
// States are ordered by (value K descending, closed chunks C ascending, distance D ascending, order of production).
// The search, with its peculiar distances, is reproduced as it is: the best alignment is not what is asked.
// Cost: (reference words) × 40 × (candidates of the word + 1) proposals of one comparison each, and a partial sort of
// the few that can stay.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "meteor/match.h"

namespace spidercap {

struct ChosenMatch {
  uint32_t reference_start;
  uint32_t candidate;  // in the lists' candidates
};

class Aligner {
 public:
  Aligner();
  ~Aligner();
  Aligner(Aligner&&) noexcept;

  // The chosen candidates in reference order; holds until the next call.
  const std::vector<ChosenMatch>& align(const MatchLists& lists);

 private:
  struct Beams;
  void find_preassigned(const MatchLists& lists);

  std::vector<uint8_t> preassigned_;  // for each reference word, 1 when its only candidate is fixed from the start
  std::vector<ChosenMatch> chosen_;
  std::unique_ptr<Beams> beams_;
};

}  // namespace spidercap
