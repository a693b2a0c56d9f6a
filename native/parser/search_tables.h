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

// Some of what two states side by side make: steps whose parents are of one class (odds.h), all labels or all actives.
struct Steps {
  float most;         // the greatest weight
  uint8_t number;     // of the class
  uint8_t is_active;  // 1 if the parents are actives, otherwise 0
  uint16_t count;
  uint32_t first;
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

class SearchTables {
 public:
  explicit SearchTables(const Grammar& grammar);

  const Grammar& grammar;
  uint32_t tags, labels, openers, states, root;

  // States that can stand at the right of a state, words of bits in order.
  std::span<const Partners> right_partners(uint32_t state) const { return slice(partners_, partner_starts_, state); }
  std::span<const Steps> steps(uint32_t pair) const { return slice(steps_of_pairs_, pair_starts_, pair); }
  std::span<const Step> all(const Steps& steps) const { return {steps_.data() + steps.first, steps.count}; }
  // The best chains of unary steps up from a label, likeliest first; of these, those that are worth a try within
  // limits.
  std::span<const Step> unary_closure(uint32_t label) const { return slice(unary_, unary_starts_, label); }
  std::span<const Step> likely_unary(uint32_t label) const { return unary_closure(label).first(likely_unary_[label]); }
  uint32_t class_of(uint32_t label) const { return label_class_[label]; }
  // The label right under `top` on the best chain of unary steps up from `base`.
  uint32_t below(uint32_t base, uint32_t top) const;
  // How well tags stand before a tag, by their number, and behind it; and the sum of the best of both.
  const float* before(uint32_t tag) const { return &tag_precedes_[tag * (size_t{tags} + 1)]; }
  const float* behind(uint32_t tag) const { return &grammar.tag_follows[tag * (size_t{tags} + 1)]; }
  float most_around(uint32_t tag) const { return most_around_[tag]; }

 private:
  template <typename T>
  static std::span<const T> slice(const std::vector<T>& all, const std::vector<uint32_t>& starts, size_t i) {
    return {all.data() + starts[i], starts[i + 1] - starts[i]};
  }
  void set_pairs();
  void set_steps();
  void set_classes();
  void set_unary_closure();
  void set_precedes();

  std::vector<Partners> partners_;
  std::vector<uint32_t> partner_starts_;
  std::vector<Step> steps_;
  std::vector<Steps> steps_of_pairs_;
  std::vector<uint32_t> pair_starts_;
  std::vector<Step> unary_;
  std::vector<Chain> chains_;  // beside unary_
  std::vector<uint32_t> unary_starts_, likely_unary_;
  std::vector<uint8_t> label_class_;
  std::vector<float> tag_precedes_, most_around_;
};

}  // namespace spidercap
