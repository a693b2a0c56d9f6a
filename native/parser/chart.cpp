#include "parser/chart.h"

#include <algorithm>
#include <bit>

#include "core/bits.h"
#include "core/clones.h"

namespace spidercap {
namespace {

constexpr float kNothing = -std::numeric_limits<float>::infinity();

}  // namespace

Chart::Chart(const SearchTables& tables, const Limits& limits)
    : tables_(tables),
      limits_(limits),
      lattice_(tables, limits.tag_beam, limits.filter_beam),
      context_(tables),
      filter_(tables.grammar),
      edges_(tables.openers),
      best_(tables.states, {kNothing, 0}),
      entry_of_(tables.labels, kNone) {
  for (StateList* list : {&states_, &labels_, &actives_}) list->states.resize(tables.states + 1);
  for (std::vector<float>* odds : {&label_odds_, &active_odds_}) odds->resize(tables.states);
}

void Chart::fill(std::span<const std::string_view> words) {
  lattice_.read(words);
  context_.read(lattice_);
  if (limits_.leave_out()) filter_.read(lattice_.features(), lattice_.likeliest());
  edges_.clear(size() + 1);
  entry_count_ = 0;
  cells_.resize(cell_number(0, size() + 1));
  if (spans_.size() <= size()) spans_.resize(size() + 1);
  for (size_t i = size(); i-- > 0;) {
    open_spans(i);
    close_span(i + 1);
    for (size_t j = i + 2; j <= size(); ++j)
      if (open_ >> j & 1)
        close_span(j);
      else
        leave_empty(j);
    edges_.close(i);
  }
}

void Chart::open_spans(size_t i) {
  begin_ = i;
  open_ = 0;
  for (size_t j = i + 1; j <= size(); ++j) {
    const bool is_needed = j == i + 1 || (i == 0 && j == size()) || !limits_.leave_out();
    if (!is_needed && filter_.span_odds(i, j) < limits_.span_odds) continue;
    open_ |= uint64_t{1} << j;
    spans_[j].next = spans_[j].candidates.data(), spans_[j].join_count = 0;
  }
  Span& word = spans_[i + 1];
  if (static_cast<size_t>(word.limit - word.next) <= lattice_[i].size()) add_room(word, lattice_[i].size());
  for (const TagScore& t : lattice_[i]) *word.next++ = {t.word, t.tag};
  word.joins[word.join_count++] = {0, kWord};
}

void Chart::close_span(size_t j) {
  end_ = j;
  for (StateList* list : {&states_, &labels_, &actives_}) list->count = 0;
  choose_candidates(spans_[j].candidates.data());
  sort_states(0);
  add_unary();
  store(!limits_.leave_out() || is_whole());
  for (const uint16_t state : states_.all()) best_[state].score = kNothing;
  if (open_ >> (j + 1) != 0) extend();
}

void Chart::leave_empty(size_t j) {
  const auto here = static_cast<uint32_t>(entry_count_);
  cells_[cell_number(begin_, j)] = {here, here, here};
}

// The best candidate for each state, of those from the first one on; states without one before join the list.
void Chart::choose_candidates(const Candidate* first) {
  Candidate* bests = best_.data();
  uint16_t* states = states_.states.data();
  size_t count = states_.count;
  for (const Candidate *candidate = first, *end = spans_[end_].next; candidate != end; ++candidate) {
    const uint32_t state = candidate->state();
    const auto old = std::bit_cast<uint64_t>(bests[state]), offered = std::bit_cast<uint64_t>(*candidate);
    states[count] = static_cast<uint16_t>(state);
    count += bests[state].score == kNothing;
    const uint64_t is_better = -uint64_t{candidate->score > bests[state].score};
    bests[state] = std::bit_cast<Candidate>(old ^ ((old ^ offered) & is_better));
  }
  states_.count = count;
}

// Puts states, from the first one on, into the lists of their kinds.
void Chart::sort_states(size_t first) {
  uint16_t *label = labels_.end(), *active = actives_.end();
  const uint32_t labels = tables_.labels;
  for (const uint16_t state : states_.all().subspan(first)) {
    const bool is_label = state < labels;
    *label = *active = state;
    label += is_label;
    active += !is_label;
  }
  labels_.set_end(label), actives_.set_end(active);
}

// Writes the candidates of one join behind those of a span.
class Chart::Writer {
 public:
  Writer(Span& span, size_t most, float sum, const Join& join) : span_(span), sum_(sum) {
    if (static_cast<size_t>(span.limit - span.next) <= most) [[unlikely]]
      add_room(span, most);
    span.joins[span.join_count] = join;
    number_ = span.join_count << kStateBits;
    next_ = span.next;
  }
  // A join that has no number left is given up with its candidates.
  ~Writer() {
    if (span_.join_count == kMostJoins) [[unlikely]]
      return;
    ++span_.join_count;
    span_.next = next_;
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  void offer(std::span<const Step> steps) {
    for (const Step& step : steps) *next_++ = {sum_ + step.weight, step.parent | number_};
  }

 private:
  Span& span_;
  Candidate* next_;
  float sum_;
  uint32_t number_;
};

// Chains of unary steps start from the scores that labels have without any; labels without a chance start none.
void Chart::add_unary() {
  Span& span = spans_[end_];
  const auto chosen = span.next - span.candidates.data();
  const size_t found = states_.count;
  const bool all = !limits_.leave_out();
  if (!all) set_label_odds();
  for (size_t s = 0; s < labels_.count; ++s) {
    if (!all && label_odds_[s] < limits_.label_odds) continue;
    const uint32_t label = labels_.states[s];
    const auto steps = all ? tables_.unary_closure(label) : tables_.likely_unary(label);
    if (steps.empty()) continue;  // there is room for as many joins as candidates: each join needs one
    Writer(span, steps.size(), best_[label].score, {label, kUnary}).offer(steps);
  }
  choose_candidates(span.candidates.data() + chosen);
  sort_states(found);
}

// The odds of the states over the span, by estimates of the whole caption's score through each of them.
template <typename Outside>
void Chart::set_odds(const StateList& states, std::vector<float>& odds, Outside outside) {
  for (size_t s = 0; s < states.count; ++s)
    odds[s] = best_[states.states[s]].score + outside(states.states[s]) - lattice_.best();
  filter_.set_odds(begin_, end_, states.all(), odds.data());
}

void Chart::set_label_odds() {
  set_odds(labels_, label_odds_, [&](uint32_t label) { return context_.of_label(label, begin_, end_); });
}

void Chart::set_active_odds() {
  set_odds(actives_, active_odds_, [&](uint32_t active) { return context_.of_active(active, begin_, end_); });
}

// Enters the states over the span that have a chance.
void Chart::store(bool keep_all) {
  if (!keep_all) set_label_odds(), set_active_odds();
  const float least_label = keep_all ? kNothing : limits_.label_odds;
  const float least_active = keep_all ? kNothing : limits_.active_odds;
  if (entries_.size() < entry_count_ + states_.count + 1) entries_.resize(2 * (entry_count_ + states_.count + 1));
  Cell& cell = cells_[cell_number(begin_, end_)];
  cell.first = static_cast<uint32_t>(entry_count_);
  store_labels(least_label);
  cell.labels_end = static_cast<uint32_t>(entry_count_);
  store_actives(least_active);
  cell.end = static_cast<uint32_t>(entry_count_);
}

void Chart::store_labels(float least) {
  for (size_t s = 0; s < labels_.count; ++s)
    if (label_odds_[s] >= least && (labels_.states[s] != tables_.root || is_whole())) store_label(labels_.states[s]);
  for (const uint16_t label : labels_.all()) entry_of_[label] = kNone;
}

// Returns the label's entry. What a chain of unary steps stands on is kept with it.
uint32_t Chart::store_label(uint32_t label) {
  if (entry_of_[label] != kNone) return entry_of_[label];
  const Join join = spans_[end_].joins[best_[label].join()];
  const uint32_t left = join.right == kUnary ? store_label(join.left) : join.left;
  const auto entry = static_cast<uint32_t>(entry_count_++);
  entries_[entry] = {best_[label].score, left, join.right, static_cast<uint16_t>(label)};
  entry_of_[label] = entry;
  auto* room = edges_.room(1);
  *room = {{best_[label].score, entry, static_cast<uint32_t>(end_)}, label};
  edges_.added(room + 1);
  return entry;
}

void Chart::store_actives(float least) {
  auto* room = edges_.room(actives_.count + 1);
  const std::vector<Join>& joins = spans_[end_].joins;
  for (size_t s = 0; s < actives_.count; ++s) {
    const uint16_t state = actives_.states[s];
    const Candidate& best = best_[state];
    const Join& join = joins[best.join()];
    const bool is_kept = active_odds_[s] >= least;
    entries_[entry_count_] = {best.score, join.left, join.right, state};
    *room = {{best.score, static_cast<uint32_t>(entry_count_), static_cast<uint32_t>(end_)}, state};
    entry_count_ += is_kept;
    room += is_kept & (state < tables_.openers);
  }
  edges_.added(room);
}

// Joins all that was just stored with all that begins behind it.
SPIDERCAP_CLONES void Chart::extend() {
  const Cell& cell = cells_[cell_number(begin_, end_)];
  const uint64_t* beginning = edges_.states(end_);
  Span* spans = spans_.data();
  for (uint32_t e = cell.first; e < cell.end; ++e) {
    const float score = entries_[e].score;
    for (const Partners& partners : tables_.right_partners(entries_[e].state))
      for (const uint32_t right : BitsOf(partners.states & beginning[partners.word], 0)) {
        const auto steps = tables_.steps(partners.first_pair + bits_before(partners.states, right));
        for (const EdgesByStart::Edge& edge : edges_(end_, partners.word * 64 + right))
          if (open_ >> edge.end & 1)
            Writer(spans[edge.end], steps.size(), score + edge.score, {e, edge.entry}).offer(steps);
      }
  }
}

void Chart::add_room(Span& span, size_t more) {
  const auto count = span.next - span.candidates.data();
  const size_t size = 2 * (span.candidates.size() + more + 1);
  span.candidates.resize(size);
  span.joins.resize(size);
  span.next = span.candidates.data() + count;
  span.limit = span.candidates.data() + size;
}

uint32_t Chart::find(size_t i, size_t j, uint32_t label) const {
  const auto [first, end] = labels_over(i, j);
  for (uint32_t e = first; e < end; ++e)
    if (entries_[e].state == label) return e;
  return kNone;
}

float Chart::estimate(uint32_t entry, size_t i, size_t j) const {
  const uint32_t state = entries_[entry].state;
  const float outside = state < tables_.labels ? context_.of_label(state, i, j) : context_.of_active(state, i, j);
  return entries_[entry].score + outside - lattice_.best();
}

std::pair<uint32_t, uint32_t> Chart::all_over(size_t i, size_t j) const {
  const Cell& cell = cells_[cell_number(i, j)];
  return {cell.first, cell.end};
}

std::pair<uint32_t, uint32_t> Chart::labels_over(size_t i, size_t j) const {
  const Cell& cell = cells_[cell_number(i, j)];
  return {cell.first, cell.labels_end};
}

}  // namespace spidercap
