#include "parser/search_tables.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

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
  set_needs();
  set_outlooks();
  set_likely_tags();
}

void SearchTables::number_remainders() {
  in_file_.resize(states);
  std::iota(in_file_.begin(), in_file_.end(), 0U);
  std::stable_sort(in_file_.begin() + labels, in_file_.end(), [&](uint32_t a, uint32_t b) {
    return std::pair(grammar.need_side[a], grammar.need_label[a]) <
           std::pair(grammar.need_side[b], grammar.need_label[b]);
  });
  number_.resize(states);
  for (uint32_t state = 0; state < states; ++state) number_[in_file_[state]] = state;
  for (uint32_t state = labels; state < states; ++state) needed_.push_back(grammar.need_label[in_file_[state]]);
  const auto is_left = [&](uint32_t state) { return side_of(grammar, state) == Need::left; };
  first_right = static_cast<uint32_t>(std::partition_point(in_file_.begin() + labels, in_file_.end(), is_left) -
                                      in_file_.begin());
  set_needing();
}

// Remainders are in order of what they need.
void SearchTables::set_needing() {
  needing_nothing_right.resize((states + 63) / 64);
  set_range(needing_nothing_right.data(), 0, first_right);
  needing_starts_.push_back(0);
  for (uint32_t label = 0, state = first_right; label < labels; ++label) {
    for (; state < states && needed(state) == label; ++state) {
      if (needing_.size() == needing_starts_.back() || needing_.back().word != state >> 6)
        needing_.push_back({state >> 6, 0});
      set_bit(&needing_.back().states, state & 63);
    }
    needing_starts_.push_back(static_cast<uint32_t>(needing_.size()));
  }
}

// The file keeps pairs in order of their left, then their right label, so that a pair's number can be counted from
// bits.
void SearchTables::set_joins() {
  for (uint32_t pair = 0; pair < grammar.pair_left.size(); ++pair) {
    add_partner(grammar.pair_left[pair], grammar.pair_right[pair], pair);
    std::vector<Step> steps;
    const uint32_t first = grammar.group_rules[grammar.pair_groups[pair]];
    const uint32_t end = grammar.group_rules[grammar.pair_groups[pair + 1]];
    for (uint32_t rule = first; rule < end; ++rule)
      steps.push_back({grammar.rule_weight[rule], number_[grammar.rule_parent[rule]]});
    // Remainders are numbered by their needs, so that this brings those with one need together.
    std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.parent < b.parent; });
    add_pair(steps);
  }
  while (partner_starts_.size() <= labels) partner_starts_.push_back(static_cast<uint32_t>(partners_.size()));
}

void SearchTables::add_partner(uint32_t left, uint32_t right, uint32_t pair) {
  const bool is_new = partner_starts_.size() <= left;
  while (partner_starts_.size() <= left) partner_starts_.push_back(static_cast<uint32_t>(partners_.size()));
  if (is_new || partners_.back().word != right >> 6) partners_.push_back({0, right >> 6, pair});
  set_bit(&partners_.back().labels, right & 63);
}

void SearchTables::add_pair(std::span<const Step> steps) {
  const auto count = [](const auto& all) { return static_cast<uint32_t>(all.size()); };
  Pair pair{count(steps_), count(steps_), 0, count(groups_), 0};
  for (const Step& step : steps) {
    steps_.push_back(step);
    if (step.parent < labels) {
      pair.phrases_end = count(steps_);
      continue;
    }
    const uint32_t need = needed(step.parent) + (step.parent < first_right ? 0 : right_needs_from());
    if (count(groups_) == pair.first_group || groups_.back().need != need) groups_.push_back({need, 0});
    groups_.back().steps_end = count(steps_);
  }
  pair.steps_end = count(steps_), pair.groups_end = count(groups_);
  pairs_.push_back(pair);
}

void SearchTables::set_peels() {
  for (uint32_t state = labels; state < states; ++state) {
    const uint32_t index = in_file_[state] - labels, first = grammar.remainder_rules[index],
                   end = grammar.remainder_rules[index + 1];
    if (first == end)
      throw std::runtime_error("the parser's model file has a remainder without a step; install the package again");
    const auto step = [&](uint32_t rule) {
      return Step{grammar.remainder_weight[rule], number_[grammar.remainder_parent[rule]]};
    };
    Peel peel{step(first), static_cast<uint32_t>(steps_.size()), 0};
    for (uint32_t rule = first + 1; rule < end; ++rule) steps_.push_back(step(rule));
    peel.end = static_cast<uint32_t>(steps_.size());
    peels_.push_back(peel);
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
    for (uint32_t top = 0; top < labels; ++top) {
      if (top == start || best[top] == nothing) continue;
      climbs_.push_back({best[top], top});
      chains_.push_back({static_cast<uint16_t>(top), below[top]});
    }
    climb_starts_.push_back(static_cast<uint32_t>(climbs_.size()));
  }
}

uint32_t SearchTables::below(uint32_t base, uint32_t top) const {
  const auto chains = slice(chains_, climb_starts_, base);
  return std::find_if(chains.begin(), chains.end(), [&](const Chain& chain) { return chain.top == top; })->below;
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
      for (const Step& climb : climbs(child)) add(climb.parent, child);
    for (uint32_t p = 0; p < grammar.pair_left.size(); ++p)
      for (const Step& step : steps(pairs_[p].first_step, pairs_[p].steps_end))
        add(step.parent, first ? grammar.pair_left[p] : grammar.pair_right[p]);
    for (uint32_t state = labels; state < states; ++state) {
      const uint32_t corner = (state < first_right) == first ? needed(state) : state;
      add(peel(state).first.parent, corner);
      for (const Step& step : steps(peel(state).more, peel(state).end)) add(step.parent, corner);
    }
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

void SearchTables::set_needs() {
  const auto needs = [&](const BitRows& after) {
    BitRows found(tags + 1, labels);
    for (uint32_t tag = 0; tag <= tags; ++tag)
      for (uint32_t state = labels; state < first_right; ++state)
        if (has_bit(after.row(tag), state)) set_bit(found.row(tag), needed(state));
    return found;
  };
  possible_needs = needs(possible_after), seen_needs = needs(seen_after);
}

void SearchTables::set_outlooks() {
  for (uint32_t state = labels; state < states; ++state) {
    const auto need = static_cast<uint16_t>(needed(state));
    const float share =
        grammar.remainder_share[in_file_[state] - labels] - (need < tags ? grammar.tag_frequency[need] : 0);
    outlooks_.push_back({share, need, grammar.state_parent[in_file_[state]]});
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
