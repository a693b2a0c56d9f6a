#include "parser/chart.h"

#include <algorithm>
#include <bit>

#include "core/bits.h"
#include "core/clones.h"

namespace spidercap {
namespace {

constexpr float kNothing = -std::numeric_limits<float>::infinity();
constexpr size_t kLabels = 0, kActives = 1;  // of a span's pools

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
  labels_.least_of_whole = kNothing, actives_.least_of_whole = Odds::kClosed;  // no active has anything left to take
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
    if (i > 0) edges_.close(i);  // nothing ends where the caption begins
  }
}

void Chart::open_word(size_t i) {
  begin_ = i, open_ = 0;
  open_span(i + 1);
  Pool& word = spans_[i + 1].pools[kLabels];
  if (static_cast<size_t>(word.limit - word.next) <= lattice_[i].size()) word.add_room(lattice_[i].size());
  for (const TagScore& t : lattice_[i]) *word.next++ = {t.word, t.tag};
  word.joins[word.join_count++] = {0, kWord};
}

// Over the whole caption no active stands: nothing is left for it to take.
void Chart::open_span(size_t j) {
  set_bit(&open_, static_cast<uint32_t>(j));
  Span& span = spans_[j];
  for (Pool& pool : span.pools) pool.clear();
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
  const Span& span = spans_[j];
  choose_candidates(actives_, span.pools[kActives]);
  choose_candidates(labels_, span.pools[kLabels]);
  add_unary();
  store();
  if (j < size() && entry_count_ > cells_[cell_number(begin_, j)].first) extend();
}

// The best candidate for each state, of those from the first one on, and the least scores of states not seen before.
// Candidates come by where their first part ends, so that of equal ones the first has the shortest.
void Chart::choose_candidates(StateList& list, const Pool& pool, size_t first) {
  const size_t old_count = list.count;
  uint16_t* state = list.states.data() + old_count;
  Candidate* bests = best_.data();
  const float same = same_;
  for (const Candidate *candidate = pool.candidates.data() + first, *end = pool.next; candidate != end; ++candidate) {
    Candidate& best = bests[candidate->state()];
    *state = static_cast<uint16_t>(candidate->state());
    state += !best.has_join();
    const auto old = std::bit_cast<uint64_t>(best), offered = std::bit_cast<uint64_t>(*candidate);
    const uint64_t is_better = -uint64_t{candidate->score > best.score + same};
    best = std::bit_cast<Candidate>(old ^ ((old ^ offered) & is_better));
  }
  list.count = static_cast<size_t>(state - list.states.data());
  set_least(list, old_count);
}

// The least scores of a list's states from the first one on.
void Chart::set_least(StateList& list, size_t first) {
  float* least = list.least.data() + first;
  if (limited_ && !is_whole())
    odds_.set_least(spans_[end_].odds, list.all().subspan(first), least);
  else
    std::fill(least, list.least.data() + list.count, is_whole() ? list.least_of_whole : kNothing);
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
void Chart::offer(Pool& pool, std::span<const Step> steps, float sum, LeastOf least_of, const Join& join) {
  if (steps.empty() || pool.join_count == kMostJoins) return;  // a join that has no number left is given up
  if (static_cast<size_t>(pool.limit - pool.next) <= steps.size()) [[unlikely]]
    pool.add_room(steps.size());
  const uint32_t number = pool.join_count << kStateBits;
  Candidate* next = pool.next;
  for (const Step& step : steps) {
    *next = {sum + step.weight, step.parent | number};
    next += next->score > least_of(step);
  }
  pool.joins[pool.join_count++] = join;
  pool.next = next;
}

// Chains of unary steps start from the scores that labels have without any.
void Chart::add_unary() {
  Span& span = spans_[end_];
  Pool& pool = span.pools[kLabels];
  const auto chosen = static_cast<size_t>(pool.next - pool.candidates.data());
  const auto least_of = [&](const Step& step) { return span.odds.least[tables_.class_of(step.parent)]; };
  for (const uint16_t label : made(labels_)) {
    const auto steps = limited_ ? tables_.likely_unary(label) : tables_.unary_closure(label);
    offer(pool, steps, best_[label].score, least_of, {label, kUnary});
  }
  choose_candidates(labels_, pool, chosen);
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
  const Join join = spans_[end_].pools[kLabels].joins[best.join()];
  const uint32_t left = join.right == kUnary ? store_label(join.left) : join.left;
  const auto entry = static_cast<uint32_t>(entry_count_++);
  entries_[entry] = {best.score, left, join.right, static_cast<uint16_t>(label)};
  entry_of_[label] = entry;
  *next_edge_++ = {{best.score, entry, static_cast<uint32_t>(end_)}, label};
  return entry;
}

void Chart::store_actives() {
  const std::vector<Join>& joins = spans_[end_].pools[kActives].joins;
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

// Joins all that was just stored with all that begins behind it. Each of these loops notes what the next one goes on
// with, so that none has to guess.
void Chart::extend() {
  for (const uint32_t end : BitsOf(edges_.ends(end_) & ~open_, 0)) open_span(end);
  find_partners();
  find_pairs();
  find_offers();
  for (const auto& [sum, entry, steps, edge] : std::span(offers_.data(), offer_count_)) {
    Span& span = spans_[edge->end];
    const float least = span.odds.least[steps->number];
    offer(span.pools[steps->is_active], tables_.all(*steps), sum, [=](const Step&) { return least; },
          {entry, edge->entry});
  }
}

// The states behind the stored ones that these have steps with.
SPIDERCAP_CLONES void Chart::find_partners() {
  const Cell& cell = cells_[cell_number(begin_, end_)];
  const size_t most = (cell.end - cell.first) * edges_.width() + 1;
  if (met_.size() < most) met_.resize(2 * most);
  const uint64_t* beginning = edges_.states(end_);
  Met* next = met_.data();
  for (uint32_t e = cell.first; e < cell.end; ++e) {
    for (const Partners& partners : tables_.right_partners(entries_[e].state)) {
      const uint64_t states = partners.states & beginning[partners.word];
      *next = {states, &partners, e};
      next += states != 0;
    }
  }
  met_count_ = static_cast<size_t>(next - met_.data());
}

// These states one by one.
SPIDERCAP_CLONES void Chart::find_pairs() {
  pair_count_ = 0;
  for (const Met& met : std::span(met_.data(), met_count_))
    pair_count_ += static_cast<size_t>(std::popcount(met.states));
  if (pairs_.size() < pair_count_) pairs_.resize(2 * pair_count_);
  const Entry* entries = entries_.data();
  const Met* met = met_.data();
  uint64_t states = met->states;
  size_t most = 0;
  for (Pair& pair : std::span(pairs_.data(), pair_count_)) {
    const auto right = static_cast<uint32_t>(std::countr_zero(states));
    const Partners& partners = *met->partners;
    const auto edges = edges_(end_, partners.word * 64 + right);
    const auto groups = tables_.steps(partners.first_pair + bits_before(partners.states, right));
    const auto edge_count = static_cast<uint32_t>(edges.size()), group_count = static_cast<uint32_t>(groups.size());
    pair = {edges.data(), groups.data(), edge_count, group_count, entries[met->entry].score, met->entry};
    most += size_t{edge_count} * group_count;
    states &= states - 1;
    const uint64_t is_last = states == 0 ? 1 : 0;
    met += is_last;
    states |= met->states & -is_last;
  }
  if (offers_.size() <= most) offers_.resize(2 * most + 1);
}

// What of their joins may reach the least score of its class. Most pairs have one edge and one or two groups.
SPIDERCAP_CLONES void Chart::find_offers() {
  const Span* spans = spans_.data();
  Offer* next = offers_.data();
  for (const Pair& pair : std::span(pairs_.data(), pair_count_)) {
    const auto test = [&](const Steps& steps, const EdgesByStart::Edge& edge, bool is_there = true) {
      const float sum = pair.score + edge.score;
      *next = {sum, pair.entry, &steps, &edge};
      next += is_there & (sum + steps.most > spans[edge.end].odds.least[steps.number]);
    };
    const std::span groups(pair.groups, pair.group_count);
    const std::span edges(pair.edges, pair.edge_count);
    if (groups.size() <= 2 && edges.size() == 1) {
      const bool two_groups = groups.size() == 2;
      test(groups[0], edges[0]);
      test(groups[two_groups], edges[0], two_groups);
    } else {
      for (const Steps& steps : groups)
        for (const EdgesByStart::Edge& edge : edges) test(steps, edge);
    }
  }
  offer_count_ = static_cast<size_t>(next - offers_.data());
}

void Chart::Pool::add_room(size_t more) {
  const auto count = next - candidates.data();
  const size_t size = 2 * (candidates.size() + more + 1);
  candidates.resize(size);
  joins.resize(size);
  next = candidates.data() + count;
  limit = candidates.data() + size;
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
