#include "parser/chart.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "core/bits.h"
#include "core/clones.h"

namespace spidercap {
namespace {

constexpr float kNothing = -std::numeric_limits<float>::infinity();
// A phrase of one word competes with its own tag, whose estimate knows nothing of what the phrase costs.
constexpr float kWordExtra = 3.0F;

SPIDERCAP_CLONES void intersect(uint64_t* to, const uint64_t* a, const uint64_t* b, size_t words) {
  for (size_t w = 0; w < words; ++w) to[w] = a[w] & b[w];
}

}  // namespace

Chart::Chart(const SearchTables& tables, const Limits& limits)
    : tables_(tables),
      limits_(limits),
      lattice_(tables, limits.tag_beam, limits.filter_beam),
      context_(tables, limits.neighbours, limits.label_odds >= -kNoBeam),
      filter_(tables.grammar),
      edges_(tables.openers),
      state_words_(tables.state_words()),
      best_(tables.states, {kNothing, 0}),
      entry_of_(tables.labels, kNone) {
  if (tables.states > kStateMask)
    throw std::invalid_argument("the parser's model has more states than a chart can number");
  for (StateList* list : {&states_, &labels_, &actives_}) list->states.resize(tables.states + 1);
  for (std::vector<float>* estimates : {&label_estimates_, &active_estimates_}) estimates->resize(tables.states);
}

void Chart::fill(std::span<const std::string_view> words) {
  const size_t beyond = words.size() > kUsualLength ? words.size() - kUsualLength : 0;
  extra_ = std::min(kMostWidening, limits_.widening * static_cast<float>(beyond));
  lattice_.read(words, extra_);
  context_.read(lattice_);
  if (leaves_out()) filter_.read(lattice_.features(), lattice_.likeliest());
  edges_.clear(size() + 1);
  entry_count_ = 0;
  cells_.resize(cell_number(0, size() + 1));
  if (spans_.size() <= size()) spans_.resize(size() + 1);
  allowed_.resize((size() + 1) * state_words_);
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
  if (leaves_out()) filter_.begin(i);
  for (size_t j = i + 1; j <= size(); ++j) {
    const bool always = j == i + 1 || (i == 0 && j == size()) || !leaves_out();
    if (!always && filter_.any_odds(j) < limits_.span_odds - extra_) continue;
    open_ |= uint64_t{1} << j;
    uint64_t* allowed = &allowed_[j * state_words_];
    intersect(allowed, context_.beginning(i), context_.ending(j), state_words_);
    if (i > 0 || j < size()) clear_bit(allowed, tables_.root);
    Span& span = spans_[j];
    span.allowed = allowed;
    span.next = span.candidates.data(), span.join_count = 0;
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
  store(!leaves_out() || is_whole());
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

// Writes the candidates of one join behind those of a span; the join counts if a candidate of it is allowed.
class Chart::Writer {
 public:
  Writer(Span& span, size_t most, float sum, const Join& join) : span_(span), sum_(sum) {
    if (static_cast<size_t>(span.limit - span.next) <= most) [[unlikely]]
      add_room(span, most);
    span.joins[span.join_count] = join;
    number_ = span.join_count << kStateBits;
    next_ = span.next;
  }
  ~Writer() {
    span_.join_count += (next_ != span_.next) & (span_.join_count < kMostJoins);
    span_.next = next_;
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  void offer(std::span<const Step> steps) {
    for (const Step& step : steps) {
      *next_ = {sum_ + step.weight, step.parent | number_};
      next_ += has_bit(span_.allowed, step.parent);
    }
  }

 private:
  Span& span_;
  Candidate* next_;
  float sum_;
  uint32_t number_;
};

// Chains of unary steps start from the scores that labels have without any.
void Chart::add_unary() {
  Span& span = spans_[end_];
  const auto chosen = span.next - span.candidates.data();
  const size_t found = states_.count;
  const bool all = !leaves_out();
  for (const uint32_t label : labels_.all()) {
    const auto steps = all ? tables_.unary_closure(label) : tables_.likely_unary(label);
    Writer(span, steps.size(), best_[label].score, {label, kUnary}).offer(steps);
  }
  choose_candidates(span.candidates.data() + chosen);
  sort_states(found);
}

// Estimates the whole caption's score through each of the states; returns the best.
template <typename Outside>
void Chart::estimate(const StateList& states, std::vector<float>& estimates, Outside outside) {
  for (size_t s = 0; s < states.count; ++s)
    estimates[s] = std::clamp(best_[states.states[s]].score + outside(states.states[s]), -40.0F, 20.0F);
  filter_.set_odds(end_, states.all(), estimates.data());
}

// Enters the states over the span that are within the beams of the best.
void Chart::store(bool keep_all) {
  float least_label = kNothing, least_active = kNothing;
  if (!keep_all) {
    const float *after = context_.label_after(begin_), *before = context_.label_before(end_);
    const float best_before = context_.best_before(begin_), best_after = context_.best_after(end_);
    estimate(labels_, label_estimates_, [&](uint32_t state) { return after[state] + before[state] - lattice_.best(); });
    estimate(actives_, active_estimates_, [&](uint32_t state) {
      const Outlook& outlook = tables_.outlook(state);
      return outlook.share + best_before + (outlook.may_grow_right ? best_after : before[outlook.phrase]) -
             lattice_.best();
    });
    least_label = limits_.label_odds - extra_;
    least_active = limits_.active_odds - extra_;
  }
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
    if (label_estimates_[s] >= least) store_label(labels_.states[s]);
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
    const bool is_kept = active_estimates_[s] >= least;
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
          if (open_ >> edge.end & 1) Writer(spans[edge.end], steps.size(), score + edge.score, {e, edge.entry}).offer(steps);
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

std::pair<uint32_t, uint32_t> Chart::labels_over(size_t i, size_t j) const {
  const Cell& cell = cells_[cell_number(i, j)];
  return {cell.first, cell.labels_end};
}

}  // namespace spidercap
