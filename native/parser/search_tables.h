// What the chart reads, worked out from the grammar's file when it is opened (about 25 ms), in the order it is read.
//
// Remainders are numbered anew, by the side and label of the neighbour they need, so that those with one need lie side
// by side. Unary steps are closed: one entry leads from a label to each label above it over the best chain. Which tags
// a label can begin and end with, by any tree at all, tells before which words a remainder can find its neighbour.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/bits.h"
#include "parser/grammar.h"

namespace spidercap {

struct Step {
  float weight;
  uint32_t parent;
};

// The steps that join two labels: first those to whole phrases, then those to remainders, by what these need.
struct Pair {
  uint32_t first_step, phrases_end, steps_end;
  uint32_t first_group, groups_end;
};
struct Group {
  uint32_t need;  // a label at the left; one at the right is counted from `right_needs_from` on
  uint32_t steps_end;
};

// The steps from a remainder with its neighbour: nine in ten have one.
struct Peel {
  Step first;
  uint32_t more, end;  // the others
};

// Some of the labels that can stand to the right of a label: the bits of one word, and the pair with the first of them.
struct Partners {
  uint64_t labels;
  uint32_t word, first_pair;
};

// Some of a set of states: the bits of one word.
struct StateBits {
  uint32_t word;
  uint64_t states;
};

// A best chain of unary steps, without its lower end.
struct Chain {
  uint16_t top;
  uint16_t below;  // the label under the top, itself reached from the lower end; that end's own number if there is none
};

struct TagTerm {
  uint16_t tag;
  float term;
};

// Bits of a set of states, or of labels, by row.
struct BitRows {
  BitRows() = default;
  BitRows(size_t rows, size_t columns) : width((columns + 63) / 64), words(rows * width) {}
  uint64_t* row(size_t i) { return words.data() + i * width; }
  const uint64_t* row(size_t i) const { return words.data() + i * width; }
  size_t width = 0;
  std::vector<uint64_t> words;
};

// What a remainder is estimated by (chart_context.h).
struct Outlook {
  float share;            // of the remainder among all nodes that have its neighbour
  uint16_t need, parent;  // the label of that neighbour, and the phrase that it is a part of
};

class SearchTables {
 public:
  explicit SearchTables(const Grammar& grammar);

  const Grammar& grammar;
  uint32_t tags, labels, states, root;
  // States from `labels` on are remainders; those from `first_right` on need a neighbour at their right, others at
  // their left.
  uint32_t first_right = 0;

  // Where, in a set of needs, those at the right begin.
  uint32_t right_needs_from() const { return (labels + 63) / 64 * 64; }
  std::span<const Partners> right_partners(uint32_t label) const { return slice(partners_, partner_starts_, label); }
  const Pair& pair(uint32_t number) const { return pairs_[number]; }
  const Group& group(uint32_t number) const { return groups_[number]; }
  // Those of a pair, of one of its groups, or of a remainder beyond the first.
  std::span<const Step> steps(uint32_t first, uint32_t end) const { return {steps_.data() + first, end - first}; }
  const Peel& peel(uint32_t remainder) const { return peels_[remainder - labels]; }
  std::span<const Step> climbs(uint32_t label) const { return slice(climbs_, climb_starts_, label); }
  // No more than so many pairs of entries can be joined where two spans meet, or labels be the foot of unary steps.
  size_t most_joins() const { return pairs_.size() + states; }
  // The label right under `top` on the best chain of unary steps up from `base`.
  uint32_t below(uint32_t base, uint32_t top) const;
  uint32_t needed(uint32_t remainder) const { return needed_[remainder - labels]; }
  const Outlook& outlook(uint32_t remainder) const { return outlooks_[remainder - labels]; }
  // The states that need the label at their right.
  std::span<const StateBits> needing_at_right(uint32_t label) const { return slice(needing_, needing_starts_, label); }
  // Tags of the row's word within `kTriedBeam` of its likeliest by itself.
  std::span<const TagTerm> likely_tags(uint32_t word_row) const {
    return slice(likely_tags_, likely_starts_, word_row);
  }

  BitRows possible_after, possible_before;  // by tag and the caption's edge: states that can stand after, before it
  BitRows seen_after, seen_before;          // of these, states that did so in the training trees
  BitRows possible_needs, seen_needs;       // by tag: labels that some state that can stand after it needs at its left
  std::vector<uint64_t> needing_nothing_right;  // the states that need no neighbour at their right

 private:
  template <typename T>
  static std::span<const T> slice(const std::vector<T>& all, const std::vector<uint32_t>& starts, size_t i) {
    return {all.data() + starts[i], starts[i + 1] - starts[i]};
  }
  void number_remainders();
  void set_needing();
  void set_joins();
  void add_partner(uint32_t left, uint32_t right, uint32_t pair);
  void add_pair(std::span<const Step> steps);
  void set_peels();
  void set_climbs();
  void set_neighbours();
  void set_needs();
  void set_outlooks();
  void set_likely_tags();
  BitRows corners(bool first) const;
  void add_likely_tags(std::span<const float> terms);

  std::vector<uint32_t> number_;   // by the file's number of a state: ours
  std::vector<uint32_t> in_file_;  // the reverse
  std::vector<uint16_t> needed_;
  std::vector<Outlook> outlooks_;
  std::vector<StateBits> needing_;
  std::vector<uint32_t> needing_starts_;
  std::vector<Partners> partners_;
  std::vector<uint32_t> partner_starts_;
  std::vector<Pair> pairs_;
  std::vector<Group> groups_;
  std::vector<Peel> peels_;
  std::vector<Step> steps_;
  std::vector<Step> climbs_;
  std::vector<Chain> chains_;  // beside climbs_
  std::vector<uint32_t> climb_starts_;
  std::vector<TagTerm> likely_tags_;
  std::vector<uint32_t> likely_starts_;  // by word, then by shape
};

}  // namespace spidercap
