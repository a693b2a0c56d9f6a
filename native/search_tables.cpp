#include "search_tables.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace spidercap {
namespace {

constexpr float kNever = -1e8F;
constexpr float kTriedBeam = 14.0F;

Need side_of(const Grammar& grammar, uint32_t state) { return static_cast<Need>(grammar.need_side[state]); }

}  // namespace

SearchTables::SearchTables(const Grammar& source)
    : grammar(source), tags(source.tags), labels(source.labels), states(source.states), root(source.root) {
  number_remainders();
  set_joins();
  set_peels();
  set_climbs();
  set_neighbours();
  set_outlooks();
  set_likely_tags();
}

void SearchTables::number_remainders() {
  in_file_.resize(states);
  std::iota(in_file_.begin(), in_file_.end(), 0U);
  std::stable_sort(in_file_.begin() + labels, in_file_.end(), [&](uint32_t a, uint32_t b) {
    return std::pair(grammar.need_side[a], grammar.need_label[a]) < std::pair(grammar.need_side[b], grammar.need_label[b]);
  });
  number_.resize(states);
  for (uint32_t state = 0; state < states; ++state) number_[in_file_[state]] = state;
  for (uint32_t state = labels; state < states; ++state) needed_.push_back(grammar.need_label[in_file_[state]]);
  const auto is_left = [&](uint32_t state) { return side_of(grammar, state) == Need::left; };
  first_right = static_cast<uint32_t>(std::partition_point(in_file_.begin() + labels, in_file_.end(), is_left) - in_file_.begin());
  for (uint32_t label = 0; label <= labels; ++label)
    right_starts_.push_back(
        static_cast<uint32_t>(std::lower_bound(needed_.begin() + (first_right - labels), needed_.end(), label) - needed_.begin()) + labels);
}

// The file keeps pairs in order of their left, then their right label, so that a pair's number can be counted from bits.
void SearchTables::set_joins() {
  right_partners = left_partners = BitRows(labels, labels);
  join_starts_.push_back(0);
  for (size_t pair = 0; pair < grammar.pair_left.size(); ++pair) {
    set_bit(right_partners.row(grammar.pair_left[pair]), grammar.pair_right[pair]);
    set_bit(left_partners.row(grammar.pair_right[pair]), grammar.pair_left[pair]);
    const uint32_t first = grammar.group_rules[grammar.pair_groups[pair]];
    const uint32_t end = grammar.group_rules[grammar.pair_groups[pair + 1]];
    for (uint32_t rule = first; rule < end; ++rule)
      joins_.push_back({grammar.rule_weight[rule], number_[grammar.rule_parent[rule]]});
    join_starts_.push_back(static_cast<uint32_t>(joins_.size()));
  }
  uint32_t pairs = 0;
  for (const uint64_t word : right_partners.words) {
    first_pairs_.push_back(pairs);
    pairs += static_cast<uint32_t>(std::popcount(word));
  }
}

void SearchTables::set_peels() {
  peel_starts_.push_back(0);
  for (uint32_t state = labels; state < states; ++state) {
    const uint32_t index = in_file_[state] - labels;
    for (uint32_t rule = grammar.remainder_rules[index]; rule < grammar.remainder_rules[index + 1]; ++rule)
      peels_.push_back({grammar.remainder_weight[rule], number_[grammar.remainder_parent[rule]]});
    peel_starts_.push_back(static_cast<uint32_t>(peels_.size()));
  }
}

// No circle of unary steps gains (the training sees to it), so that the best chains have an end.
void SearchTables::set_climbs() {
  constexpr float nothing = -std::numeric_limits<float>::infinity();
  std::vector<float> best(labels);
  std::vector<uint16_t> below(labels);
  climb_starts_.push_back(0);
  for (uint32_t start = 0; start < labels; ++start) {
    std::fill(best.begin(), best.end(), nothing);
    best[start] = 0;
    std::vector<uint32_t> reached{start};
    for (size_t next = 0; next < reached.size() && next < size_t{labels} * labels; ++next) {
      const uint32_t child = reached[next];
      for (uint32_t u = grammar.unary_rules[child]; u < grammar.unary_rules[child + 1]; ++u) {
        const uint32_t parent = grammar.unary_parent[u];
        const float weight = best[child] + grammar.unary_weight[u];
        if (weight <= best[parent]) continue;
        best[parent] = weight;
        below[parent] = static_cast<uint16_t>(child);
        reached.push_back(parent);
      }
    }
    for (uint32_t top = 0; top < labels; ++top)
      if (top != start && best[top] != nothing) climbs_.push_back({best[top], static_cast<uint16_t>(top), below[top]});
    climb_starts_.push_back(static_cast<uint32_t>(climbs_.size()));
  }
}

uint32_t SearchTables::below(uint32_t base, uint32_t top) const {
  const auto chains = climbs(base);
  return std::find_if(chains.begin(), chains.end(), [&](const Climb& climb) { return climb.top == top; })->below;
}

// By state, the tags that a tree under it can begin with (or end with).
BitRows SearchTables::corners(bool first) const {
  BitRows found(states, tags);
  for (uint32_t tag = 0; tag < tags; ++tag) set_bit(found.row(tag), tag);
  bool grew = true;
  const auto add = [&](uint32_t to, uint32_t from) {
    for (size_t w = 0; w < found.width; ++w) {
      const uint64_t both = found.row(to)[w] | found.row(from)[w];
      grew |= both != found.row(to)[w];
      found.row(to)[w] = both;
    }
  };
  while (grew) {
    grew = false;
    for (uint32_t child = 0; child < labels; ++child)
      for (const Climb& climb : climbs(child)) add(climb.top, child);
    for (uint32_t p = 0; p < grammar.pair_left.size(); ++p)
      for (const Step& step : joins(p)) add(step.parent, first ? grammar.pair_left[p] : grammar.pair_right[p]);
    for (uint32_t state = labels; state < states; ++state)
      for (const Step& step : peels(state)) add(step.parent, (state < first_right) == first ? needed(state) : state);
  }
  return found;
}

void SearchTables::set_neighbours() {
  possible_after = possible_before = seen_after = seen_before = BitRows(tags + 1, states);
  const BitRows firsts = corners(true), lasts = corners(false);
  for (uint32_t tag = 0; tag <= tags; ++tag)
    for (uint32_t state = 0; state < states; ++state) {
      const bool needs_left = state >= labels && state < first_right, needs_right = state >= first_right;
      const bool is_edge = tag == tags;
      const bool after = !needs_left || (!is_edge && has_bit(lasts.row(needed(state)), tag));
      const bool before = !needs_right || (!is_edge && has_bit(firsts.row(needed(state)), tag));
      const size_t row = tag * possible_after.width;
      if (after) set_bit(possible_after.row(tag), state);
      if (before) set_bit(possible_before.row(tag), state);
      if (after && has_bit(grammar.after_tag.data() + row, in_file_[state])) set_bit(seen_after.row(tag), state);
      if (before && has_bit(grammar.before_tag.data() + row, in_file_[state])) set_bit(seen_before.row(tag), state);
    }
}

void SearchTables::set_outlooks() {
  for (uint32_t state = 0; state < states; ++state) {
    const auto column = static_cast<uint16_t>(state);
    if (state < labels) {
      outlooks.push_back({0, label_after, column, label_before, column});
      continue;
    }
    const auto need = static_cast<uint16_t>(needed(state));
    const float share = grammar.remainder_share[in_file_[state] - labels] - (need < tags ? grammar.tag_frequency[need] : 0);
    if (state < first_right)
      outlooks.push_back({share, needed_before, need, label_before, grammar.state_parent[in_file_[state]]});
    else
      outlooks.push_back({share, best_before, 0, needed_after, need});
  }
}

void SearchTables::add_likely_tags(std::span<const float> terms) {
  float best = -1e30F;
  for (uint32_t tag = 0; tag < tags; ++tag) best = std::max(best, terms[tag] + grammar.tag_frequency[tag]);
  for (uint32_t tag = 0; tag < tags; ++tag)
    if (terms[tag] > kNever && terms[tag] + grammar.tag_frequency[tag] >= best - kTriedBeam)
      likely_tags_.push_back({static_cast<uint16_t>(tag), terms[tag]});
  likely_starts_.push_back(static_cast<uint32_t>(likely_tags_.size()));
}

void SearchTables::set_likely_tags() {
  std::vector<float> terms(tags);
  likely_starts_.push_back(0);
  for (uint32_t row = 0; row < grammar.word_rows(); ++row) {
    grammar.read_row(row, terms);
    add_likely_tags(terms);
  }
}

}  // namespace spidercap
