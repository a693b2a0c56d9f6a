#include "chart.h"

#include <algorithm>

#include "bits.h"
#include "clones.h"

namespace spidercap {
namespace {

constexpr float kNothing = -std::numeric_limits<float>::infinity();
// A phrase of one word competes with its own tag, whose estimate knows nothing of what the phrase costs.
constexpr float kWordExtra = 5.0F;

}  // namespace

Chart::Chart(const SearchTables& tables, const Limits& limits)
    : tables_(tables), limits_(limits), lattice_(tables, limits.tag_beam, limits.filter_beam),
      context_(tables, limits.neighbours, limits.label_beam <= kNoBeam), label_words_(tables.right_partners.width),
      state_words_(tables.seen_after.width), allowed_(state_words_), kept_(state_words_), best_(tables.states),
      labels_(tables.states + 1), remainders_(tables.states + 1), estimates_(tables.states), base_scores_(tables.labels) {}

void Chart::fill(std::span<const std::string_view> words) {
  lattice_.read(words);
  context_.read(lattice_);
  entries_.clear();
  groups_.clear();
  cells_.assign(cell_number(0, size() + 1), {});
  bits_.assign(cells_.size() * set_count * label_words_, 0);
  firsts_.resize(bits_.size());
  beginnings_.assign((size() + 1) * label_words_, 0);
  for (size_t i = size(); i-- > 0;) {
    require_right_neighbours(i + 1);
    fill_word(i);
    for (size_t j = i + 2; j <= size(); ++j) fill_span(i, j);
  }
}

// Of the states that need a label at their right, only those whose label begins here can end here.
void Chart::require_right_neighbours(size_t position) {
  std::fill(kept_.begin(), kept_.end(), 0);
  set_range(kept_.data(), 0, tables_.first_right);
  for (size_t w = 0; w < label_words_; ++w)
    for (const uint32_t label : BitsOf(beginnings_[position * label_words_ + w], w * 64)) {
      const auto [first, end] = tables_.needing_at_right(label);
      set_range(kept_.data(), first, end);
    }
  uint64_t* ending = context_.ending(position);
  for (size_t w = 0; w < state_words_; ++w) ending[w] &= kept_[w];
}

void Chart::open_span(size_t i, size_t j) {
  begin_ = i, end_ = j;
  const uint64_t *beginning = context_.beginning(i), *ending = context_.ending(j);
  for (size_t w = 0; w < state_words_; ++w) allowed_[w] = beginning[w] & ending[w];
  if (!is_whole()) clear_bit(allowed_.data(), tables_.root);
  offer_count_ = label_count_ = remainder_count_ = 0;
}

void Chart::close_span() {
  climb();
  std::fill(kept_.begin(), kept_.end(), 0);
  if (limits_.label_beam > kNoBeam || is_whole()) {
    keep_all();
  } else {
    keep_labels(limits_.label_beam + (end_ - begin_ == 1 ? kWordExtra : 0));
    keep_remainders(limits_.remainder_beam);
  }
  store();
  for (size_t s = 0; s < label_count_; ++s) best_[labels_[s]].score = kNothing;
  for (size_t s = 0; s < remainder_count_; ++s) best_[remainders_[s]].score = kNothing;
}

void Chart::fill_word(size_t i) {
  open_span(i, i + 1);
  reserve_offers(lattice_[i].size());
  for (const TagScore& t : lattice_[i]) {
    offers_[offer_count_] = {t.word, t.tag, 0, kWord};
    best_[t.tag] = {t.word, static_cast<uint32_t>(offer_count_++)};
    labels_[label_count_++] = t.tag;
  }
  close_span();
}

void Chart::fill_span(size_t i, size_t j) {
  open_span(i, j);
  for (size_t k = i + 1; k < j; ++k) join(k);
  choose_offers();
  close_span();
}

SPIDERCAP_CLONES void Chart::join(size_t k) {
  const size_t left_number = cell_number(begin_, k), right_number = cell_number(k, end_);
  const Cell &left = cells_[left_number], &right = cells_[right_number];
  const Entry* entries = entries_.data();
  const auto bits = [&](size_t cell, Set set) { return &bits_[set_offset(cell, set)]; };
  const auto firsts = [&](size_t cell, Set set) { return &firsts_[set_offset(cell, set)]; };
  const auto item = [](const uint64_t* set, const uint32_t* first, uint32_t label) {
    return first[label >> 6] + bits_before(set[label >> 6], label);
  };
  const uint64_t *left_own = bits(left_number, own), *right_own = bits(right_number, own);
  const uint32_t *left_firsts = firsts(left_number, own), *right_firsts = firsts(right_number, own);
  const uint64_t* allowed = allowed_.data();
  const auto offer = [&](std::span<const Step> steps, float sum, uint32_t l, uint32_t r) {
    reserve_offers(steps.size());
    Offer* next = offers_.data() + offer_count_;
    for (const Step& step : steps) {
      *next = {sum + step.weight, step.parent, l, r};
      next += has_bit(allowed, step.parent);
    }
    offer_count_ = static_cast<size_t>(next - offers_.data());
  };

  const uint64_t* right_wanted = bits(right_number, wanted);
  for (const uint32_t w : BitsOf(left.words[own] & right.words[wanted], 0))
    for (const uint32_t left_label : BitsOf(left_own[w] & right_wanted[w], w * 64)) {
      const uint32_t l = item(left_own, left_firsts, left_label);
      const uint64_t* partners = tables_.right_partners.row(left_label);
      for (const uint32_t v : BitsOf(right.words[own], 0))
        for (const uint32_t right_label : BitsOf(partners[v] & right_own[v], v * 64)) {
          const uint32_t r = item(right_own, right_firsts, right_label);
          offer(tables_.joins(tables_.pair(left_label, right_label)), entries[l].score + entries[r].score, l, r);
        }
    }
  const uint64_t* right_lefts = bits(right_number, left_needs);
  for (const uint32_t w : BitsOf(left.words[own] & right.words[left_needs], 0))
    for (const uint32_t label : BitsOf(left_own[w] & right_lefts[w], w * 64)) {
      const uint32_t l = item(left_own, left_firsts, label);
      const uint32_t group = item(right_lefts, firsts(right_number, left_needs), label);
      for (uint32_t r = groups_[group]; r < groups_[group + 1]; ++r)
        offer(tables_.peels(entries[r].state), entries[l].score + entries[r].score, l, r);
    }
  const uint64_t* left_rights = bits(left_number, right_needs);
  for (const uint32_t w : BitsOf(left.words[right_needs] & right.words[own], 0))
    for (const uint32_t label : BitsOf(left_rights[w] & right_own[w], w * 64)) {
      const uint32_t r = item(right_own, right_firsts, label);
      const uint32_t group = item(left_rights, firsts(left_number, right_needs), label);
      for (uint32_t l = groups_[group]; l < groups_[group + 1]; ++l)
        offer(tables_.peels(entries[l].state), entries[l].score + entries[r].score, l, r);
    }
}

void Chart::add_room(size_t more) { offers_.resize(2 * (offers_.size() + more + 1)); }

// The best offer for each state.
void Chart::choose_offers() {
  Best* bests = best_.data();
  size_t labels = 0, remainders = 0;
  for (size_t o = 0; o < offer_count_; ++o) {
    const Offer& offer = offers_[o];
    Best& best = bests[offer.state];
    const bool is_first = best.score == kNothing, is_label = offer.state < tables_.labels;
    labels_[labels] = remainders_[remainders] = static_cast<uint16_t>(offer.state);
    labels += is_first & is_label;
    remainders += is_first & !is_label;
    const bool is_better = offer.score > best.score;
    best.offer = is_better ? static_cast<uint32_t>(o) : best.offer;
    best.score = is_better ? offer.score : best.score;
  }
  label_count_ = labels, remainder_count_ = remainders;
}

// Unary steps start from the scores that labels have without any.
void Chart::climb() {
  const size_t bases = label_count_;
  for (size_t b = 0; b < bases; ++b) base_scores_[b] = best_[labels_[b]].score;
  for (size_t b = 0; b < bases; ++b) {
    const uint32_t base = labels_[b];
    reserve_offers(tables_.climbs(base).size());
    for (const Climb& step : tables_.climbs(base)) {
      Best& best = best_[step.top];
      const float score = base_scores_[b] + step.weight;
      if (score <= best.score || !has_bit(allowed_.data(), step.top)) continue;
      labels_[label_count_] = step.top;
      label_count_ += best.score == kNothing;
      offers_[offer_count_] = {score, step.top, base, kClimb};
      best = {score, static_cast<uint32_t>(offer_count_++)};
    }
  }
}

void Chart::keep_all() {
  for (size_t s = 0; s < label_count_; ++s) set_bit(kept_.data(), labels_[s]);
  for (size_t s = 0; s < remainder_count_; ++s) set_bit(kept_.data(), remainders_[s]);
}

// Estimates the whole caption's score through each of the states; returns the best.
float Chart::estimate(std::span<const uint16_t> states) {
  const ChartContext::Rows rows = context_.rows(begin_, end_);
  float best = kNothing;
  for (size_t s = 0; s < states.size(); ++s) {
    const Outlook& outlook = tables_.outlooks[states[s]];
    estimates_[s] = best_[states[s]].score + outlook.share + rows[outlook.first_row][outlook.first_column] +
                    rows[outlook.second_row][outlook.second_column];
    best = std::max(best, estimates_[s]);
  }
  return best;
}

void Chart::keep_labels(float beam) {
  const float least = estimate({labels_.data(), label_count_}) - beam;
  for (size_t s = 0; s < label_count_; ++s) {
    if (estimates_[s] < least) continue;
    uint32_t label = labels_[s];
    set_bit(kept_.data(), label);
    // What a chain of unary steps stands on is kept with it.
    for (; best_offer(label).right == kClimb; label = best_offer(label).left) set_bit(kept_.data(), best_offer(label).left);
  }
}

void Chart::keep_remainders(float beam) {
  const float least = estimate({remainders_.data(), remainder_count_}) - beam;
  for (size_t s = 0; s < remainder_count_; ++s)
    kept_[remainders_[s] >> 6] |= uint64_t{estimates_[s] >= least} << (remainders_[s] & 63);
}

void Chart::store() {
  Cell& cell = cells_[cell_number(begin_, end_)];
  const size_t most = entries_.size() + label_count_ + remainder_count_;
  if (entries_.capacity() < most) entries_.reserve(2 * most);
  cell.first = static_cast<uint32_t>(entries_.size());
  store_labels(cell);
  cell.labels_end = static_cast<uint32_t>(entries_.size());
  link_labels(cell);
  store_remainders(cell, left_needs, tables_.labels, tables_.first_right);
  store_remainders(cell, right_needs, tables_.first_right, tables_.states);
}

void Chart::store_labels(Cell& cell) {
  const size_t offset = set_offset(cell_number(begin_, end_), own);
  for (size_t w = 0; w < label_words_; ++w) {
    const uint64_t word = kept_[w] & bits_within(w, 0, tables_.labels);
    bits_[offset + w] = word;
    firsts_[offset + w] = static_cast<uint32_t>(entries_.size());
    cell.words[own] |= uint32_t{word != 0} << w;
    beginnings_[begin_ * label_words_ + w] |= word;
    for (const uint32_t label : BitsOf(word, w * 64))
      add_entry(label);
  }
}

void Chart::add_entry(uint32_t state) {
  const Offer& offer = best_offer(state);
  entries_.push_back({offer.score, offer.left, offer.right, static_cast<uint16_t>(state)});
}

// Chains of unary steps were entered by the label they stand on; and which labels does this span want at its left?
void Chart::link_labels(Cell& cell) {
  uint64_t* wanted_bits = &bits_[set_offset(cell_number(begin_, end_), wanted)];
  for (uint32_t e = cell.first; e < cell.labels_end; ++e) {
    Entry& entry = entries_[e];
    if (entry.right == kClimb) entry.left = find(begin_, end_, entry.left);
    const uint64_t* partners = tables_.left_partners.row(entry.state);
    for (size_t w = 0; w < label_words_; ++w) wanted_bits[w] |= partners[w];
  }
  for (size_t w = 0; w < label_words_; ++w) cell.words[wanted] |= uint32_t{wanted_bits[w] != 0} << w;
}

// States come in the order of what they need, so that a group is complete before the next begins.
void Chart::store_remainders(Cell& cell, Set set, uint32_t first, uint32_t end) {
  const size_t offset = set_offset(cell_number(begin_, end_), set);
  for (size_t w = first >> 6; w * 64 < end; ++w)
    for (const uint32_t state : BitsOf(kept_[w] & bits_within(w, first, end), w * 64)) {
      const uint32_t label = tables_.needed(state);
      uint64_t& word = bits_[offset + (label >> 6)];
      if (!has_bit(&bits_[offset], label)) {
        if (word == 0) firsts_[offset + (label >> 6)] = static_cast<uint32_t>(groups_.size());
        groups_.push_back(static_cast<uint32_t>(entries_.size()));
        word |= uint64_t{1} << (label & 63);
        cell.words[set] |= uint32_t{1} << (label >> 6);
      }
      add_entry(state);
    }
  groups_.push_back(static_cast<uint32_t>(entries_.size()));
}

uint32_t Chart::find(size_t i, size_t j, uint32_t label) const {
  const size_t word = set_offset(cell_number(i, j), own) + (label >> 6);
  return (bits_[word] >> (label & 63)) & 1 ? firsts_[word] + bits_before(bits_[word], label) : kNone;
}

std::pair<uint32_t, uint32_t> Chart::labels_over(size_t i, size_t j) const {
  const Cell& cell = cells_[cell_number(i, j)];
  return {cell.first, cell.labels_end};
}

}  // namespace spidercap
