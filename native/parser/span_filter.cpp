#include "parser/span_filter.h"

#include <algorithm>
#include <bit>

#include "core/clones.h"

namespace spidercap {
namespace {

constexpr size_t kSizes = 16, kEnds = 4, kVerbs = 4;  // spans of one shape have a vector: kSizes * kEnds, then kVerbs
constexpr uint64_t kSpread = 0x9E3779B97F4A7C15U;

void add(SpanFilter::Vector& to, const int8_t* row) {
  for (size_t k = 0; k < to.size(); ++k) to[k] = static_cast<int16_t>(to[k] + row[k]);
}

int32_t product(const int16_t* hidden, const int8_t* weights) {
  int32_t sum = 0;
  for (size_t k = 0; k < SpanFilter::kHidden; ++k) sum += hidden[k] * weights[k];
  return sum;
}

SPIDERCAP_CLONES void set_all_odds(const int16_t* hidden, const int8_t* weights, const float* bias, const float* trust,
                                   float unit, std::span<const uint16_t> states, float* estimates) {
  for (size_t s = 0; s < states.size(); ++s) {
    const size_t row = states[s];
    estimates[s] = bias[row] + trust[row] * estimates[s] +
                   unit * static_cast<float>(product(hidden, weights + row * SpanFilter::kHidden));
  }
}

}  // namespace

SpanFilter::SpanFilter(const Grammar& grammar)
    : embedding_(grammar.span_embedding),
      shape_(grammar.span_shape),
      weights_(grammar.span_weights),
      bias_(grammar.span_bias),
      trust_(grammar.span_trust),
      states_(grammar.states) {
  for (uint32_t tag = 0; tag < grammar.tags; ++tag)
    is_verb_.push_back(grammar.plain_names[tag].starts_with("VB") || grammar.plain_names[tag] == "MD");
  if (!has_weights()) return;
  unit_ = grammar.span_unit[0];
  shift_ = 64 - std::countr_zero(embedding_.size() / (2 * kHidden));
}

SpanFilter::Vector SpanFilter::sum_of(const TagFilter::Features& features, size_t side) const {
  Vector sum{};
  for (const uint32_t feature : features)
    add(sum, &embedding_[((feature * kSpread) >> shift_) * (2 * kHidden) + side * kHidden]);
  return sum;
}

void SpanFilter::read(std::span<const TagFilter::Features> features, std::span<const TaggedWord> words) {
  first_.resize(words.size()), last_.resize(words.size());
  verbs_.assign(1, 0);
  for (size_t i = 0; i < words.size(); ++i) {
    first_[i] = sum_of(features[i], 0);
    last_[i] = sum_of(features[i], 1);
    verbs_.push_back(verbs_.back() + (is_verb_[words[i].tag] ? 1 : 0));
  }
  hidden_.resize(words.size() + 1);
}

void SpanFilter::begin(size_t i) {
  const size_t size = first_.size();
  for (size_t j = i + 1; j <= size; ++j) {
    Vector& hidden = hidden_[j] = first_[i];
    for (size_t k = 0; k < kHidden; ++k) hidden[k] = static_cast<int16_t>(hidden[k] + last_[j - 1][k]);
    const size_t shape = std::min(j - i, kSizes - 1) * kEnds + (i == 0 ? 2 : 0) + (j == size ? 1 : 0);
    add(hidden, &shape_[shape * kHidden]);
    add(hidden, &shape_[(kSizes * kEnds + std::min<size_t>(verbs_[j] - verbs_[i], kVerbs - 1)) * kHidden]);
    for (int16_t& unit : hidden) unit = std::max<int16_t>(unit, 0);
  }
}

float SpanFilter::any_odds(size_t j) const {
  const uint16_t any[] = {static_cast<uint16_t>(states_), static_cast<uint16_t>(states_ + 1)};
  float odds[] = {0, 0};
  set_odds(j, any, odds);
  return std::max(odds[0], odds[1]);
}

void SpanFilter::set_odds(size_t j, std::span<const uint16_t> states, float* estimates) const {
  set_all_odds(hidden_[j].data(), weights_.data(), bias_.data(), trust_.data(), unit_, states, estimates);
}

}  // namespace spidercap
