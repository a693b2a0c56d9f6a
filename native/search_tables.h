// What the chart reads, worked out from the grammar's file when it is opened (about 15 ms), in the order it is read.
//
// Remainders are numbered anew, by the side and label of the neighbour they need, so that those with one need lie side
// by side. Unary steps are closed: one entry leads from a label to each label above it over the best chain. Which tags
// a label can begin and end with, by any tree at all, tells before which words a remainder can find its neighbour.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "bits.h"
#include "grammar.h"

namespace spidercap {

struct Step {
  float weight;
  uint32_t parent;
};

// A best chain of unary steps, without its lower end.
struct Climb {
  float weight;
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

// The chart's estimate for a tree through a state over the words i … j-1 is the sum of its score, its share, and an
// entry of two rows that the caption's tags give for i or j (`ChartContext::Rows`).
struct Outlook {
  float share;
  uint16_t first_row, first_column, second_row, second_column;
};
enum OutlookRow : uint16_t { label_after, label_before, needed_before, needed_after, best_before, row_count };

class SearchTables {
 public:
  explicit SearchTables(const Grammar& grammar);

  const Grammar& grammar;
  uint32_t tags, labels, states, root;
  // States from `labels` on are remainders; those from `first_right` on need a neighbour at their right, others at their left.
  uint32_t first_right = 0;

  std::span<const Step> joins(uint32_t pair) const { return slice(joins_, join_starts_, pair); }
  std::span<const Step> peels(uint32_t remainder) const { return slice(peels_, peel_starts_, remainder - labels); }
  std::span<const Climb> climbs(uint32_t label) const { return slice(climbs_, climb_starts_, label); }
  // The label right under `top` on the best chain of unary steps up from `base`.
  uint32_t below(uint32_t base, uint32_t top) const;
  uint32_t needed(uint32_t remainder) const { return needed_[remainder - labels]; }
  // The states that need the label at their right: from the first to before the second.
  std::pair<uint32_t, uint32_t> needing_at_right(uint32_t label) const {
    return {right_starts_[label], right_starts_[label + 1]};
  }
  // Number of the pair of labels that some step joins; `right` is one of the left label's right partners.
  uint32_t pair(uint32_t left, uint32_t right) const {
    const size_t word = left * right_partners.width + (right >> 6);
    return first_pairs_[word] + bits_before(right_partners.words[word], right);
  }
  // Tags of the row's word within `kTriedBeam` of its likeliest by itself.
  std::span<const TagTerm> likely_tags(uint32_t word_row) const { return slice(likely_tags_, likely_starts_, word_row); }

  BitRows right_partners, left_partners;     // by label: labels that some step joins to its right, to its left
  BitRows possible_after, possible_before;   // by tag and the caption's edge: states that can stand after, before it
  BitRows seen_after, seen_before;           // of these, states that did so in the training trees
  std::vector<Outlook> outlooks;             // by state

 private:
  template <typename T>
  static std::span<const T> slice(const std::vector<T>& all, const std::vector<uint32_t>& starts, size_t i) {
    return {all.data() + starts[i], starts[i + 1] - starts[i]};
  }
  void number_remainders();
  void set_joins();
  void set_peels();
  void set_climbs();
  void set_neighbours();
  void set_outlooks();
  void set_likely_tags();
  BitRows corners(bool first) const;
  void add_likely_tags(std::span<const float> terms);

  std::vector<uint32_t> number_;   // by the file's number of a state: ours
  std::vector<uint32_t> in_file_;  // the reverse
  std::vector<uint16_t> needed_;
  std::vector<uint32_t> right_starts_;
  std::vector<Step> joins_, peels_;
  std::vector<uint32_t> join_starts_, peel_starts_;
  std::vector<uint32_t> first_pairs_;  // by label and word of its right partners' bits
  std::vector<Climb> climbs_;
  std::vector<uint32_t> climb_starts_;
  std::vector<TagTerm> likely_tags_;
  std::vector<uint32_t> likely_starts_;  // by word, then by shape
};

}  // namespace spidercap
