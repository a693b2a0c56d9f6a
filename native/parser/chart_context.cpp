#include "parser/chart_context.h"

#include <algorithm>

#include "core/clones.h"

namespace spidercap {
namespace {

constexpr float kLowest = -1e30F;

SPIDERCAP_CLONES void raise(float* to, const float* row, float score, size_t count) {
  for (size_t i = 0; i < count; ++i) to[i] = std::max(to[i], score + row[i]);
}

}  // namespace

void ChartContext::read(const TagLattice& lattice) {
  const size_t positions = lattice.size() + 1;
  best_before_.resize(positions), best_after_.resize(positions);
  label_after_.resize(positions * tables_.labels), label_before_.resize(positions * tables_.labels);
  for (size_t position = 0; position < positions; ++position) {
    set_left_estimates(lattice, position);
    set_right_estimates(lattice, position);
  }
}

// Of the tags, only those that can stand at the position are worked out: no others are asked for.
void ChartContext::set_left_estimates(const TagLattice& lattice, size_t position) {
  const uint32_t tags = tables_.tags, labels = tables_.labels;
  float* after = &label_after_[position * labels];
  std::fill(after, after + labels, kLowest);
  float best = position == 0 ? 0 : kLowest;
  const auto add_tag = [&](uint32_t tag, float score) {
    const float* row = &tables_.grammar.after_share[size_t{tag} * labels];
    raise(after + tags, row + tags, score, labels - tags);
    if (position < lattice.size())
      for (const TagScore& t : lattice[position]) after[t.tag] = std::max(after[t.tag], score + row[t.tag]);
    best = std::max(best, score);
  };
  if (position == 0) add_tag(tags, 0);
  if (position > 0)
    for (const TagScore& t : lattice[position - 1]) add_tag(t.tag, t.until);
  best_before_[position] = best;
}

void ChartContext::set_right_estimates(const TagLattice& lattice, size_t position) {
  const uint32_t tags = tables_.tags, labels = tables_.labels;
  float* before = &label_before_[position * labels];
  std::fill(before, before + labels, kLowest);
  float best = position == lattice.size() ? 0 : kLowest;
  const auto add_tag = [&](uint32_t tag, float score) {
    const float* row = &tables_.grammar.before_share[size_t{tag} * labels];
    raise(before + tags, row + tags, score, labels - tags);
    if (position > 0)
      for (const TagScore& t : lattice[position - 1]) before[t.tag] = std::max(before[t.tag], score + row[t.tag]);
    best = std::max(best, score);
  };
  if (position == lattice.size()) add_tag(tags, 0);
  if (position < lattice.size())
    for (const TagScore& t : lattice[position]) add_tag(t.tag, t.word + t.from);
  best_after_[position] = best;
}

}  // namespace spidercap
