#include "parser/chart_context.h"

#include <algorithm>

#include "core/clones.h"

namespace spidercap {
namespace {

constexpr float kLowest = -1e30F;

SPIDERCAP_CLONES void raise(float* to, const float* row, float score, size_t count) {
  for (size_t i = 0; i < count; ++i) to[i] = std::max(to[i], score + row[i]);
}

SPIDERCAP_CLONES void add(uint64_t* to, const uint64_t* row, size_t width) {
  for (size_t w = 0; w < width; ++w) to[w] |= row[w];
}

}  // namespace

ChartContext::ChartContext(const SearchTables& tables, bool seen, bool guesses)
    : tables_(tables),
      guesses_(guesses),
      after_(seen ? tables.seen_after : tables.possible_after),
      before_(seen ? tables.seen_before : tables.possible_before),
      needs_(seen ? tables.seen_needs : tables.possible_needs),
      state_words_(after_.width) {}

void ChartContext::read(const TagLattice& lattice) {
  const size_t positions = lattice.size() + 1;
  beginning_.assign(positions * state_words_, 0);
  ending_.assign(positions * state_words_, 0);
  left_needs_.assign(positions * needs_.width, 0);
  if (guesses_) {
    best_before_.resize(positions);
    for (auto* guesses : {&label_after_, &label_before_, &needed_before_, &needed_after_})
      guesses->resize(positions * tables_.labels);
  }
  for (size_t position = 0; position < positions; ++position) {
    set_states(lattice, position);
    if (!guesses_) continue;
    set_left_guesses(lattice, position);
    set_right_guesses(lattice, position);
  }
}

void ChartContext::set_states(const TagLattice& lattice, size_t position) {
  uint64_t* beginning = beginning_.data() + position * state_words_;
  uint64_t* ending = ending_.data() + position * state_words_;
  const auto add_after = [&](uint32_t tag) {
    add(beginning, after_.row(tag), state_words_);
    add(left_needs_.data() + position * needs_.width, needs_.row(tag), needs_.width);
  };
  if (position == 0)
    add_after(tables_.tags);
  else
    for (const TagScore& t : lattice[position - 1]) add_after(t.tag);
  if (position == lattice.size())
    add(ending, before_.row(tables_.tags), state_words_);
  else
    for (const TagScore& t : lattice[position]) add(ending, before_.row(t.tag), state_words_);
}

// Of the tags, only those that can stand at the position are worked out: no others are asked for.
void ChartContext::set_left_guesses(const TagLattice& lattice, size_t position) {
  const uint32_t tags = tables_.tags, labels = tables_.labels;
  float* after = &label_after_[position * labels];
  float* needed = &needed_before_[position * labels];
  std::fill(after, after + labels, kLowest);
  float best = position == 0 ? 0 : kLowest;
  const auto add_context = [&](uint32_t tag, float score) {
    const float* row = &tables_.grammar.after_share[size_t{tag} * labels];
    raise(after + tags, row + tags, score, labels - tags);
    if (position < lattice.size())
      for (const TagScore& t : lattice[position]) after[t.tag] = std::max(after[t.tag], score + row[t.tag]);
  };
  if (position == 0) add_context(tags, 0);
  if (position > 0)
    for (const TagScore& t : lattice[position - 1]) {
      add_context(t.tag, t.until);
      needed[t.tag] = t.until;
      best = std::max(best, t.until);
    }
  std::fill(needed + tags, needed + labels, best);
  best_before_[position] = best;
}

void ChartContext::set_right_guesses(const TagLattice& lattice, size_t position) {
  const uint32_t tags = tables_.tags, labels = tables_.labels;
  float* before = &label_before_[position * labels];
  float* needed = &needed_after_[position * labels];
  std::fill(before, before + labels, kLowest);
  float best = position == lattice.size() ? 0 : kLowest;
  const auto add_context = [&](uint32_t tag, float score) {
    const float* row = &tables_.grammar.before_share[size_t{tag} * labels];
    raise(before + tags, row + tags, score, labels - tags);
    if (position > 0)
      for (const TagScore& t : lattice[position - 1]) before[t.tag] = std::max(before[t.tag], score + row[t.tag]);
  };
  if (position == lattice.size()) add_context(tags, 0);
  if (position < lattice.size())
    for (const TagScore& t : lattice[position]) {
      add_context(t.tag, t.word + t.from);
      needed[t.tag] = t.word + t.from;
      best = std::max(best, t.word + t.from);
    }
  std::fill(needed + tags, needed + labels, best);
}

}  // namespace spidercap
