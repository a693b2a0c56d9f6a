#include "parser/search_tables.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace spidercap {
namespace {

constexpr float kUnaryBeam = -14.0F;

}  // namespace

SearchTables::SearchTables(const Grammar& source)
    : grammar(source),
      tags(source.tags),
      labels(source.labels),
      openers(source.openers),
      states(source.states),
      root(source.root) {
  set_pairs();
  set_steps();
  set_classes();
  set_unary_closure();
  set_precedes();
}

// The file keeps pairs in order of their left, then their right state, so that a pair's number can be counted from
// bits.
void SearchTables::set_pairs() {
  for (uint32_t pair = 0; pair < grammar.pair_left.size(); ++pair) {
    const uint32_t left = grammar.pair_left[pair], right = grammar.pair_right[pair];
    const bool is_first = partner_starts_.size() <= left;
    while (partner_starts_.size() <= left) partner_starts_.push_back(static_cast<uint32_t>(partners_.size()));
    if (is_first || partners_.back().word != right >> 6) partners_.push_back({0, right >> 6, pair});
    set_bit(&partners_.back().states, right & 63);
  }
  while (partner_starts_.size() <= states) partner_starts_.push_back(static_cast<uint32_t>(partners_.size()));
}

void SearchTables::set_steps() {
  const auto group_of = [&](const Step& step) -> std::pair<uint8_t, uint8_t> {
    const bool is_active = step.parent >= labels;
    return {is_active, grammar.has_odds() ? grammar.state_class[step.parent - tags] : 0};
  };
  pair_starts_.push_back(0);
  for (size_t pair = 0; pair < grammar.pair_left.size(); ++pair) {
    const auto first = static_cast<std::ptrdiff_t>(steps_.size());
    for (uint32_t step = grammar.pair_steps[pair]; step < grammar.pair_steps[pair + 1]; ++step)
      steps_.push_back({grammar.step_weight[step], grammar.step_parent[step]});
    std::stable_sort(steps_.begin() + first, steps_.end(),
                     [&](const Step& a, const Step& b) { return group_of(a) < group_of(b); });
    for (auto step = static_cast<uint32_t>(first); step < steps_.size(); ++step) {
      const auto [is_active, number] = group_of(steps_[step]);
      const bool is_first = step == first || group_of(steps_[step - 1]) != group_of(steps_[step]);
      if (is_first) steps_of_pairs_.push_back({steps_[step].weight, number, is_active, 0, step});
      Steps& last = steps_of_pairs_.back();
      last.most = std::max(last.most, steps_[step].weight);
      ++last.count;
    }
    pair_starts_.push_back(static_cast<uint32_t>(steps_of_pairs_.size()));
  }
}

// Tags, which no step leads to, have none.
void SearchTables::set_classes() {
  label_class_.resize(labels);
  for (uint32_t label = tags; label < labels && grammar.has_odds(); ++label)
    label_class_[label] = static_cast<uint8_t>(grammar.state_class[label - tags]);
}

// No circle of unary steps gains (the training sees to it), so that the best chains have an end.
void SearchTables::set_unary_closure() {
  constexpr float nothing = -std::numeric_limits<float>::infinity();
  std::vector<float> best(labels);
  std::vector<uint16_t> below(labels);
  unary_starts_.push_back(0);
  for (uint32_t start = 0; start < labels; ++start) {
    std::fill(best.begin(), best.end(), nothing);
    best[start] = 0;
    std::vector<uint32_t> reached{start};
    for (size_t next = 0; next < reached.size() && next < size_t{labels} * labels; ++next) {
      const uint32_t child = reached[next];
      for (uint32_t u = grammar.unary_steps[child]; u < grammar.unary_steps[child + 1]; ++u) {
        const uint32_t parent = grammar.unary_parent[u];
        const float weight = best[child] + grammar.unary_weight[u];
        if (weight <= best[parent]) continue;
        best[parent] = weight;
        below[parent] = static_cast<uint16_t>(child);
        reached.push_back(parent);
      }
    }
    std::vector<uint32_t> tops;
    for (uint32_t top = 0; top < labels; ++top)
      if (top != start && best[top] != nothing) tops.push_back(top);
    std::stable_sort(tops.begin(), tops.end(), [&](uint32_t a, uint32_t b) { return best[a] > best[b]; });
    for (const uint32_t top : tops) {
      unary_.push_back({best[top], top});
      chains_.push_back({static_cast<uint16_t>(top), below[top]});
    }
    const auto likely = [&](uint32_t top) { return best[top] >= kUnaryBeam; };
    likely_unary_.push_back(static_cast<uint32_t>(std::count_if(tops.begin(), tops.end(), likely)));
    unary_starts_.push_back(static_cast<uint32_t>(unary_.size()));
  }
}

uint32_t SearchTables::below(uint32_t base, uint32_t top) const {
  const auto chains = slice(chains_, unary_starts_, base);
  return std::find_if(chains.begin(), chains.end(), [&](const Chain& chain) { return chain.top == top; })->below;
}

void SearchTables::set_precedes() {
  const size_t size = size_t{tags} + 1;
  tag_precedes_.resize(size * size);
  for (size_t first = 0; first < size; ++first)
    for (size_t second = 0; second < size; ++second)
      tag_precedes_[second * size + first] = grammar.tag_follows[first * size + second];
  for (uint32_t tag = 0; tag < tags; ++tag)
    most_around_.push_back(*std::max_element(before(tag), before(tag) + size) +
                           *std::max_element(behind(tag), behind(tag) + size));
}

}  // namespace spidercap
