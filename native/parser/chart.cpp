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
constexpr float kWordExtra = 5.0F;

SPIDERCAP_CLONES void intersect(uint64_t* to, const uint64_t* a, const uint64_t* b, size_t words) {
  for (size_t w = 0; w < words; ++w) to[w] = a[w] & b[w];
}

}  // namespace

Chart::Chart(const SearchTables& tables, const Limits& limits)
    : tables_(tables),
      limits_(limits),
      lattice_(tables, limits.tag_beam, limits.filter_beam),
      context_(tables, limits.neighbours, limits.label_beam <= kNoBeam),
      labels_from_(tables.labels),
      needing_from_(tables.labels),
      label_words_((tables.labels + 63) / 64),
      state_words_(tables.seen_after.width),
      best_(tables.states, {kNothing, 0}),
      entry_of_(tables.labels, kNone) {
  if (tables.states > kStateMask || tables.most_joins() * kLongestCaption >> (32 - kStateBits) != 0)
    throw std::invalid_argument("the parser's model has more states or steps than a chart can number");
  for (StateList* list : {&states_, &labels_, &lefts_, &rights_}) list->states.resize(tables.states + 1);
  for (std::vector<float>* estimates : {&label_estimates_, &left_estimates_, &right_estimates_})
    estimates->resize(tables.states);
}

void Chart::fill(std::span<const std::string_view> words) {
  lattice_.read(words);
  context_.read(lattice_);
  labels_from_.clear(size() + 1);
  needing_from_.clear(size() + 1);
  entry_count_ = 0;
  cells_.resize(cell_number(0, size() + 1));
  if (spans_.size() <= size()) spans_.resize(size() + 1);
  allowed_.resize((size() + 1) * state_words_);
  needs_.resize((size() + 1) * 2 * label_words_);
  for (size_t i = size(); i-- > 0;) {
    require_right_neighbours(i + 1);
    open_spans(i);
    for (size_t j = i + 1; j <= size(); ++j) close_span(j);
    labels_from_.close(i);
    needing_from_.close(i);
  }
}

// Of the states that need a label at their right, only those whose label begins here can end here.
void Chart::require_right_neighbours(size_t position) {
  possible_ = tables_.needing_nothing_right;
  for (size_t w = 0; w < label_words_; ++w)
    for (const uint32_t label : BitsOf(labels_from_.labels(position)[w], w * 64))
      for (const auto& [word, states] : tables_.needing_at_right(label)) possible_[word] |= states;
  uint64_t* ending = context_.ending(position);
  for (size_t w = 0; w < state_words_; ++w) ending[w] &= possible_[w];
}

void Chart::open_spans(size_t i) {
  begin_ = i;
  for (size_t j = i + 1; j <= size(); ++j) {
    uint64_t *allowed = &allowed_[j * state_words_], *needs = &needs_[j * 2 * label_words_];
    intersect(allowed, context_.beginning(i), context_.ending(j), state_words_);
    if (i > 0 || j < size()) clear_bit(allowed, tables_.root);
    std::copy_n(context_.left_needs(i), label_words_, needs);
    std::copy_n(labels_from_.labels(j), label_words_, needs + label_words_);
    Span& span = spans_[j];
    span.allowed = allowed, span.needs = needs;
    span.next = span.offers.data(), span.join_count = 0;
  }
  Span& word = spans_[i + 1];
  if (static_cast<size_t>(word.limit - word.next) <= lattice_[i].size()) add_room(word, lattice_[i].size());
  for (const TagScore& t : lattice_[i]) *word.next++ = {t.word, t.tag};
  word.joins[word.join_count++] = {0, kWord};
}

void Chart::close_span(size_t j) {
  end_ = j;
  for (StateList* list : {&states_, &labels_, &lefts_, &rights_}) list->count = 0;
  choose_offers(spans_[j].offers.data());
  sort_states(0);
  climb();
  store(limits_.label_beam > kNoBeam || is_whole());
  for (const uint16_t state : states_.all()) best_[state].score = kNothing;
  if (j < size()) extend();
}

// The best offer for each state, of those from the first one on; states without one before join the list.
void Chart::choose_offers(const Offer* first) {
  Offer* bests = best_.data();
  uint16_t* states = states_.states.data();
  size_t count = states_.count;
  for (const Offer *offer = first, *end = spans_[end_].next; offer != end; ++offer) {
    const uint32_t state = offer->state();
    const auto old = std::bit_cast<uint64_t>(bests[state]), offered = std::bit_cast<uint64_t>(*offer);
    states[count] = static_cast<uint16_t>(state);
    count += bests[state].score == kNothing;
    const uint64_t is_better = -uint64_t{offer->score > bests[state].score};
    bests[state] = std::bit_cast<Offer>(old ^ ((old ^ offered) & is_better));
  }
  states_.count = count;
}

// Puts states, from the first one on, into the lists of their kinds.
void Chart::sort_states(size_t first) {
  uint16_t *label = labels_.end(), *left = lefts_.end(), *right = rights_.end();
  const uint32_t labels = tables_.labels, first_right = tables_.first_right;
  for (const uint16_t state : states_.all().subspan(first)) {
    const bool is_label = state < labels, is_right = state >= first_right;
    *label = *left = *right = state;
    label += is_label;
    left += !is_label & !is_right;
    right += is_right;
  }
  labels_.set_end(label), lefts_.set_end(left), rights_.set_end(right);
}

// Writes the offers of one join behind those of a span; the join counts if an offer of it is allowed.
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
    span_.join_count += next_ != span_.next;
    span_.next = next_;
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  void offer(const Step& step) {
    *next_ = {sum_ + step.weight, step.parent | number_};
    next_ += has_bit(span_.allowed, step.parent);
  }
  void offer(std::span<const Step> steps) {
    for (const Step& step : steps) offer(step);
  }

 private:
  Span& span_;
  Offer* next_;
  float sum_;
  uint32_t number_;
};

// Unary steps start from the scores that labels have without any.
void Chart::climb() {
  Span& span = spans_[end_];
  const auto chosen = span.next - span.offers.data();
  const size_t found = states_.count;
  for (const uint32_t label : labels_.all()) {
    const auto steps = tables_.climbs(label);
    Writer(span, steps.size(), best_[label].score, {label, kClimb}).offer(steps);
  }
  choose_offers(span.offers.data() + chosen);
  sort_states(found);
}

// Estimates the whole caption's score through each of the states; returns the best.
template <typename Outside>
float Chart::estimate(const StateList& states, std::vector<float>& estimates, Outside outside) {
  float best = kNothing;
  for (size_t s = 0; s < states.count; ++s) {
    estimates[s] = best_[states.states[s]].score + outside(states.states[s]);
    best = std::max(best, estimates[s]);
  }
  return best;
}

// Enters the states over the span that are within the beams of the best.
void Chart::store(bool keep_all) {
  float least_label = kNothing, least_remainder = kNothing;
  if (!keep_all) {
    const float *after = context_.label_after(begin_), *before = context_.label_before(end_);
    const float *needed_before = context_.needed_before(begin_), *needed_after = context_.needed_after(end_);
    const float best_before = context_.best_before(begin_);
    const float label =
        estimate(labels_, label_estimates_, [&](uint32_t state) { return after[state] + before[state]; });
    const float left = estimate(lefts_, left_estimates_, [&](uint32_t state) {
      const Outlook& outlook = tables_.outlook(state);
      return outlook.share + needed_before[outlook.need] + before[outlook.parent];
    });
    const float right = estimate(rights_, right_estimates_, [&](uint32_t state) {
      const Outlook& outlook = tables_.outlook(state);
      return outlook.share + best_before + needed_after[outlook.need];
    });
    least_label = label - limits_.label_beam - (end_ - begin_ == 1 ? kWordExtra : 0);
    least_remainder = std::max(left, right) - limits_.remainder_beam;
  }
  if (entries_.size() < entry_count_ + states_.count + 1) entries_.resize(2 * (entry_count_ + states_.count + 1));
  Cell& cell = cells_[cell_number(begin_, end_)];
  cell.first = static_cast<uint32_t>(entry_count_);
  store_labels(least_label);
  cell.labels_end = static_cast<uint32_t>(entry_count_);
  store_lefts(least_remainder);
  cell.rights = static_cast<uint32_t>(entry_count_);
  for (size_t s = 0; s < rights_.count; ++s) {
    set_entry(rights_.states[s]);
    entry_count_ += right_estimates_[s] >= least_remainder;
  }
}

void Chart::set_entry(uint32_t state) {
  const Offer& best = best_[state];
  const Join& join = spans_[end_].joins[best.join()];
  entries_[entry_count_] = {best.score, join.left, join.right, static_cast<uint16_t>(state)};
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
  const uint32_t left = join.right == kClimb ? store_label(join.left) : join.left;
  const auto entry = static_cast<uint32_t>(entry_count_++);
  entries_[entry] = {best_[label].score, left, join.right, static_cast<uint16_t>(label)};
  entry_of_[label] = entry;
  auto* room = labels_from_.room(1);
  *room = {{best_[label].score, entry, static_cast<uint16_t>(label), static_cast<uint16_t>(end_)}, label};
  labels_from_.added(room + 1);
  return entry;
}

void Chart::store_lefts(float least) {
  auto* room = needing_from_.room(lefts_.count + 1);
  for (size_t s = 0; s < lefts_.count; ++s) {
    const uint32_t state = lefts_.states[s];
    const bool is_kept = left_estimates_[s] >= least;
    set_entry(state);
    *room = {{best_[state].score, static_cast<uint32_t>(entry_count_), lefts_.states[s], static_cast<uint16_t>(end_)},
             tables_.needed(state)};
    entry_count_ += is_kept;
    room += is_kept;
  }
  needing_from_.added(room);
}

// Joins all that was just stored with all that begins behind it.
SPIDERCAP_CLONES void Chart::extend() {
  const Cell& cell = cells_[cell_number(begin_, end_)];
  const uint64_t *beginning = labels_from_.labels(end_), *needing = needing_from_.labels(end_);
  Span* spans = spans_.data();
  for (uint32_t e = cell.first; e < cell.labels_end; ++e) {
    const uint32_t label = entries_[e].state;
    const float score = entries_[e].score;
    for (const Partners& partners : tables_.right_partners(label))
      for (const uint32_t right : BitsOf(partners.labels & beginning[partners.word], 0)) {
        const Pair& pair = tables_.pair(partners.first_pair + bits_before(partners.labels, right));
        for (const Opening& o : labels_from_(end_, partners.word * 64 + right))
          join(pair, score + o.score, {e, o.entry}, spans[o.end]);
      }
    if (has_bit(needing, label))
      for (const Opening& o : needing_from_(end_, label))
        peel(tables_.peel(o.state), score + o.score, {e, o.entry}, spans[o.end]);
  }
  for (uint32_t e = cell.rights; e < entry_count_; ++e) {
    const uint32_t state = entries_[e].state;
    const Peel& steps = tables_.peel(state);
    for (const Opening& o : labels_from_(end_, tables_.needed(state)))
      peel(steps, entries_[e].score + o.score, {e, o.entry}, spans[o.end]);
  }
}

// Offers all that a pair of labels can become; of remainders only those that find the neighbour they need.
inline void Chart::join(const Pair& pair, float sum, const Join& join, Span& to) const {
  Writer writer(to, pair.steps_end - pair.first_step, sum, join);
  writer.offer(tables_.steps(pair.first_step, pair.phrases_end));
  uint32_t first = pair.phrases_end;
  for (uint32_t g = pair.first_group; g < pair.groups_end; ++g) {
    const Group& group = tables_.group(g);
    if (has_bit(to.needs, group.need)) writer.offer(tables_.steps(first, group.steps_end));
    first = group.steps_end;
  }
}

inline void Chart::peel(const Peel& peel, float sum, const Join& join, Span& to) const {
  Writer writer(to, 1 + peel.end - peel.more, sum, join);
  writer.offer(peel.first);
  if (peel.more < peel.end) writer.offer(tables_.steps(peel.more, peel.end));
}

void Chart::add_room(Span& span, size_t more) {
  const auto count = span.next - span.offers.data();
  const size_t size = 2 * (span.offers.size() + more + 1);
  span.offers.resize(size);
  span.joins.resize(size);
  span.next = span.offers.data() + count;
  span.limit = span.offers.data() + size;
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
