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
      limited_(limits.leave_out() && tables.grammar.has_odds()),
      same_(limits.same),
      lattice_(tables, limits),
      odds_(tables, limits),
      edges_(tables.openers),
      best_(tables.states, kUnmade),
      made_(tables.states + 1),
      entry_of_(tables.labels, kNone) {
  for (StateList* list : {&labels_, &actives_})
    list->states.resize(tables.states + 1), list->least.resize(tables.states + 1);
}

void Chart::fill(std::span<const std::string_view> words, bool any_tag) {
  lattice_.read(words, any_tag, odds_);
  edges_.clear(size() + 1);
  entry_count_ = 0;
  cells_.resize(cell_number(0, size() + 1));
  if (spans_.size() <= size()) spans_.resize(size() + 1);
  for (size_t i = size(); i-- > 0;) {
    open_word(i);
    for (size_t j = i + 1; j <= size(); ++j) {
      if (has_bit(&open_, static_cast<uint32_t>(j)))
        close_span(j);
      else
        cells_[cell_number(i, j)] = {};
    }
    edges_.close(i);
  }
}

void Chart::open_word(size_t i) {
  begin_ = i, open_ = 0;
  open_span(i + 1);
  Span& word = spans_[i + 1];
  if (static_cast<size_t>(word.limit - word.next) <= lattice_[i].size()) add_room(word, lattice_[i].size());
  for (const TagScore& t : lattice_[i]) *word.next++ = {t.word, t.tag};
  word.joins[word.join_count++] = {0, kWord};
}

// Over the whole caption no active stands: nothing is left for it to take.
void Chart::open_span(size_t j) {
  set_bit(&open_, static_cast<uint32_t>(j));
  Span& span = spans_[j];
  span.next = span.candidates.data(), span.join_count = 0;
  if (limited_ && (begin_ > 0 || j < size())) {
    odds_.read_span(begin_, j, lattice_.outside(begin_, j), span.odds);
    return;
  }
  span.odds.least.fill(kNothing);
  if (limited_)
    std::fill(span.odds.least.begin() + tables_.grammar.class_bias.size() / 3, span.odds.least.end(), Odds::kClosed);
}

void Chart::close_span(size_t j) {
  end_ = j;
  labels_.count = actives_.count = 0;
  choose_candidates(spans_[j].candidates.data());
  add_unary();
  store();
  if (j < size() && entry_count_ > cells_[cell_number(begin_, j)].first) extend();
}

// The best candidate for each state, of those from the first one on, and the least scores of states not seen before.
// Candidates come by where their first part ends, so that of equal ones the first has the shortest.
void Chart::choose_candidates(const Candidate* first) {
  const size_t old_labels = labels_.count, old_actives = actives_.count;
  uint16_t *label = labels_.states.data() + old_labels, *active = actives_.states.data() + old_actives;
  Candidate* bests = best_.data();
  const uint32_t labels = tables_.labels;
  const float same = same_;
  for (const Candidate *candidate = first, *end = spans_[end_].next; candidate != end; ++candidate) {
    const uint32_t state = candidate->state();
    Candidate& best = bests[state];
    *label = *active = static_cast<uint16_t>(state);
    const uint32_t is_new = best.has_join() ? 0 : 1, is_label = state < labels ? 1 : 0;
    label += is_new & is_label;
    active += is_new & ~is_label;
    const auto old = std::bit_cast<uint64_t>(best), offered = std::bit_cast<uint64_t>(*candidate);
    const uint64_t is_better = -uint64_t{candidate->score > best.score + same};
    best = std::bit_cast<Candidate>(old ^ ((old ^ offered) & is_better));
  }
  labels_.count = static_cast<size_t>(label - labels_.states.data());
  actives_.count = static_cast<size_t>(active - actives_.states.data());
  set_least(labels_, old_labels, kNothing);
  set_least(actives_, old_actives, Odds::kClosed);
}

// The least scores of a list's states from the first one on; over the whole caption those given: any label may stand,
// and no active, for which nothing is left to take.
void Chart::set_least(StateList& list, size_t first, float of_whole) {
  float* least = list.least.data() + first;
  if (limited_ && !is_whole())
    odds_.set_least(spans_[end_].odds, list.all().subspan(first), least);
  else
    std::fill(least, list.least.data() + list.count, is_whole() ? of_whole : kNothing);
}

// The states of a list that reach their least score, until the next call.
std::span<const uint16_t> Chart::made(const StateList& list) {
  uint16_t* next = made_.data();
  const Candidate* bests = best_.data();
  for (size_t s = 0; s < list.count; ++s) {
    *next = list.states[s];
    next += bests[list.states[s]].score > list.least[s];
  }
  return {made_.data(), next};
}

// Offers a span what steps make of a join, as far as it reaches the least score that each must have.
template <typename LeastOf>
void Chart::offer(Span& span, std::span<const Step> steps, float sum, LeastOf least_of, const Join& join) {
  if (steps.empty() || span.join_count == kMostJoins) return;  // a join that has no number left is given up
  if (static_cast<size_t>(span.limit - span.next) <= steps.size()) [[unlikely]]
    add_room(span, steps.size());
  const uint32_t number = span.join_count << kStateBits;
  Candidate* next = span.next;
  for (const Step& step : steps) {
    *next = {sum + step.weight, step.parent | number};
    next += next->score > least_of(step);
  }
  span.joins[span.join_count++] = join;
  span.next = next;
}

// Chains of unary steps start from the scores that labels have without any.
void Chart::add_unary() {
  Span& span = spans_[end_];
  const auto chosen = span.next - span.candidates.data();
  const auto least_of = [&](const Step& step) { return span.odds.least[tables_.class_of(step.parent)]; };
  for (const uint16_t label : made(labels_)) {
    const auto steps = limited_ ? tables_.likely_unary(label) : tables_.unary_closure(label);
    offer(span, steps, best_[label].score, least_of, {label, kUnary});
  }
  choose_candidates(span.candidates.data() + chosen);
}

void Chart::store() {
  const size_t most = entry_count_ + labels_.count + actives_.count + 1;
  if (entries_.size() < most) entries_.resize(2 * most);
  Cell& cell = cells_[cell_number(begin_, end_)];
  cell.first = static_cast<uint32_t>(entry_count_);
  store_labels();
  cell.labels_end = static_cast<uint32_t>(entry_count_);
  store_actives();
  cell.end = static_cast<uint32_t>(entry_count_);
}

void Chart::store_labels() {
  next_edge_ = edges_.room(labels_.count + 1);
  for (const uint16_t label : made(labels_)) store_label(label);
  edges_.added(next_edge_);
  for (const uint16_t label : labels_.all()) entry_of_[label] = kNone, best_[label] = kUnmade;
}

// Returns the label's entry. What a chain of unary steps stands on is entered before it.
uint32_t Chart::store_label(uint32_t label) {
  if (entry_of_[label] != kNone) return entry_of_[label];
  const Candidate best = best_[label];
  const Join join = spans_[end_].joins[best.join()];
  const uint32_t left = join.right == kUnary ? store_label(join.left) : join.left;
  const auto entry = static_cast<uint32_t>(entry_count_++);
  entries_[entry] = {best.score, left, join.right, static_cast<uint16_t>(label)};
  entry_of_[label] = entry;
  *next_edge_++ = {{best.score, entry, static_cast<uint32_t>(end_)}, label};
  return entry;
}

void Chart::store_actives() {
  const std::vector<Join>& joins = spans_[end_].joins;
  auto* room = edges_.room(actives_.count + 1);
  for (const uint16_t state : made(actives_)) {
    const Candidate& best = best_[state];
    const Join& join = joins[best.join()];
    *room = {{best.score, static_cast<uint32_t>(entry_count_), static_cast<uint32_t>(end_)}, state};
    room += state < tables_.openers;
    entries_[entry_count_++] = {best.score, join.left, join.right, state};
  }
  edges_.added(room);
  for (const uint16_t state : actives_.all()) best_[state] = kUnmade;
}

// Joins all that was just stored with all that begins behind it. Each of the three loops notes what the next one goes
// on with, so that none has to guess.
void Chart::extend() {
  for (const uint32_t end : BitsOf(edges_.ends(end_) & ~open_, 0)) open_span(end);
  find_partners();
  find_offers();
  for (const Offer& made : std::span(offers_.data(), offer_count_)) {
    Span& span = spans_[made.end];
    const float least = span.odds.least[made.steps->number];
    offer(span, tables_.all(*made.steps), made.sum, [&](const Step&) { return least; }, made.join);
  }
}

// The states behind the stored ones that these have steps with.
SPIDERCAP_CLONES void Chart::find_partners() {
  const Cell& cell = cells_[cell_number(begin_, end_)];
  const uint64_t* beginning = edges_.states(end_);
  size_t count = 0;
  for (uint32_t e = cell.first; e < cell.end; ++e) {
    const auto all = tables_.right_partners(entries_[e].state);
    if (met_.size() < count + all.size() + 1) met_.resize(2 * (count + all.size() + 1));
    Met* next = met_.data() + count;
    for (const Partners& partners : all) {
      const uint64_t states = partners.states & beginning[partners.word];
      *next = {states, &partners, e};
      next += states != 0;
    }
    count = static_cast<size_t>(next - met_.data());
  }
  met_count_ = count;
}

// What of their joins may reach the least score of its class.
SPIDERCAP_CLONES void Chart::find_offers() {
  const Entry* entries = entries_.data();
  const Span* spans = spans_.data();
  size_t count = 0;
  for (const Met& met : std::span(met_.data(), met_count_)) {
    const float score = entries[met.entry].score;
    for (const uint32_t right : BitsOf(met.states, 0)) {
      const auto edges = edges_(end_, met.partners->word * 64 + right);
      const auto groups = tables_.steps(met.partners->first_pair + bits_before(met.partners->states, right));
      const size_t most = count + groups.size() * edges.size() + 1;
      if (offers_.size() < most) offers_.resize(2 * most);
      Offer* next = offers_.data() + count;
      for (const Steps& steps : groups)
        for (const EdgesByStart::Edge& edge : edges) {
          const float sum = score + edge.score;
          *next = {sum, edge.end, &steps, {met.entry, edge.entry}};
          next += sum + steps.most > spans[edge.end].odds.least[steps.number];
        }
      count = static_cast<size_t>(next - offers_.data());
    }
  }
  offer_count_ = count;
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
  return entries_[entry].score + lattice_.outside(i, j);
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
