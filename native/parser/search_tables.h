// What the chart reads, worked out from the grammar's file when it is opened (about 25 ms), in the order it is read.
//
// Unary steps are closed: one entry leads from a label to each label above it over the best chain.
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

// Some of the states that can stand to the right of a state: the bits of one word, and the pair with the first of them.
struct Partners {
  uint64_t states;
  uint32_t word, first_pair;
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

// What an active is estimated by (chart_context.h).
struct ActiveTraits {
  float share;      // of the active among all nodes
  uint16_t phrase;  // that it is a part of
  bool may_grow_right;
};

class SearchTables {
 public:
  explicit SearchTables(const Grammar& grammar);

  const Grammar& grammar;
  uint32_t tags, labels, openers, states, root;

  // States that can stand at the right of a state, words of bits in order.
  std::span<const Partners> right_partners(uint32_t state) const { return slice(partners_, partner_starts_, state); }
  std::span<const Step> steps(uint32_t pair) const { return slice(steps_, pair_starts_, pair); }
  // The best chains of unary steps up from a label, likeliest first; of these, those that are worth a try within
  // limits.
  std::span<const Step> unary_closure(uint32_t label) const { return slice(unary_, unary_starts_, label); }
  std::span<const Step> likely_unary(uint32_t label) const { return unary_closure(label).first(likely_unary_[label]); }
  // The label right under `top` on the best chain of unary steps up from `base`.
  uint32_t below(uint32_t base, uint32_t top) const;
  const ActiveTraits& traits(uint32_t active) const { return active_traits_[active - labels]; }
  // The tags that the row's word usually has, or else those within `kTriedBeam` of its likeliest by itself.
  std::span<const TagTerm> likely_tags(uint32_t word_row) const {
    return slice(likely_tags_, likely_starts_, word_row);
  }

 private:
  template <typename T>
  static std::span<const T> slice(const std::vector<T>& all, const std::vector<uint32_t>& starts, size_t i) {
    return {all.data() + starts[i], starts[i + 1] - starts[i]};
  }
  void set_pairs();
  void set_unary_closure();
  void set_active_traits();
  void set_likely_tags();
  void add_usual_tags(uint32_t row, std::span<const float> terms);
  void add_likely_tags(std::span<const float> terms);

  std::vector<ActiveTraits> active_traits_;
  std::vector<Partners> partners_;
  std::vector<uint32_t> partner_starts_;
  std::vector<Step> steps_;
  std::vector<uint32_t> pair_starts_;
  std::vector<Step> unary_;
  std::vector<Chain> chains_;  // beside unary_
  std::vector<uint32_t> unary_starts_, likely_unary_;
  std::vector<TagTerm> likely_tags_;
  std::vector<uint32_t> likely_starts_;  // by word, then by shape
};

}  // namespace spidercap
