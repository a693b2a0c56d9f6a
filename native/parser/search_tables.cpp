#include "parser/search_tables.h"

#include <algorithm>
#include <limits>

namespace spidercap {
namespace {

constexpr float kNever = -1e8F;
constexpr float kTriedBeam = 11.0F;
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
  set_unary_closure();
  set_active_traits();
  set_likely_tags();
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
  pair_starts_.assign(grammar.pair_steps.begin(), grammar.pair_steps.end());
  for (size_t step = 0; step < grammar.step_parent.size(); ++step)
    steps_.push_back({grammar.step_weight[step], grammar.step_parent[step]});
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

void SearchTables::set_active_traits() {
  for (uint32_t state = labels; state < states; ++state)
    active_traits_.push_back(
        {grammar.active_share[state - labels], grammar.active_phrase[state - labels], !right_partners(state).empty()});
}

void SearchTables::add_likely_tags(std::span<const float> terms) {
  float best = -1e30F;
  for (uint32_t tag = 0; tag < tags; ++tag) best = std::max(best, terms[tag] + grammar.tag_frequency[tag]);
  for (uint32_t tag = 0; tag < tags; ++tag)
    if (terms[tag] > kNever && terms[tag] + grammar.tag_frequency[tag] >= best - kTriedBeam)
      likely_tags_.push_back({static_cast<uint16_t>(tag), terms[tag]});
}

void SearchTables::add_usual_tags(uint32_t row, std::span<const float> terms) {
  if (row + 1 < grammar.usual_starts.size())
    for (uint32_t t = grammar.usual_starts[row]; t < grammar.usual_starts[row + 1]; ++t)
      likely_tags_.push_back({grammar.usual_tags[t], terms[grammar.usual_tags[t]]});
}

void SearchTables::set_likely_tags() {
  std::vector<float> terms(tags);
  likely_starts_.push_back(0);
  for (uint32_t row = 0; row < grammar.word_rows(); ++row) {
    grammar.read_row(row, terms);
    add_usual_tags(row, terms);
    if (likely_tags_.size() == likely_starts_.back()) add_likely_tags(terms);
    likely_starts_.push_back(static_cast<uint32_t>(likely_tags_.size()));
  }
}

}  // namespace spidercap
