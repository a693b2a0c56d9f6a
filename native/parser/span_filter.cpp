#include "parser/span_filter.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/clones.h"

namespace spidercap {
namespace {

constexpr size_t kHidden = SpanFilter::kHidden;
constexpr size_t kSizes = Grammar::kSpanSizes, kEnds = Grammar::kSpanEnds, kVerbs = Grammar::kSpanVerbs;
constexpr uint64_t kSpread = 0x9E3779B97F4A7C15U;

SPIDERCAP_CLONES void add_row(int16_t* sum, const int8_t* row) {
  for (size_t k = 0; k < 2 * kHidden; ++k) sum[k] = static_cast<int16_t>(sum[k] + row[k]);
}

SPIDERCAP_CLONES void combine(const int16_t* first, const int16_t* last, const int8_t* shape, const int8_t* verbs,
                              int16_t* hidden) {
  for (size_t k = 0; k < kHidden; ++k) {
    const auto sum = static_cast<int16_t>(first[k] + last[k] + shape[k] + verbs[k]);
    hidden[k] = std::max<int16_t>(sum, 0);
  }
}

SPIDERCAP_CLONES void add_products(const int16_t* hidden, const int8_t* weights, float unit,
                                   std::span<const uint16_t> states, float* odds) {
  for (size_t s = 0; s < states.size(); ++s) {
    const int8_t* row = weights + states[s] * kHidden;
    int32_t sum = 0;
    for (size_t k = 0; k < kHidden; ++k) sum += hidden[k] * row[k];
    odds[s] += unit * static_cast<float>(sum);
  }
}

void set_below_best(std::span<float> estimates) {
  if (estimates.empty()) return;
  const float best = *std::max_element(estimates.begin(), estimates.end());
  for (float& estimate : estimates) estimate -= best;
}

}  // namespace

SpanFilter::SpanFilter(const Grammar& grammar)
    : embedding_(grammar.span_embedding),
      shapes_(grammar.span_shapes),
      weights_(grammar.span_weights),
      bias_(grammar.span_bias),
      trust_(grammar.span_trust),
      any_label_(static_cast<uint16_t>(grammar.states)),
      any_active_(static_cast<uint16_t>(grammar.states + 1)) {
  for (uint32_t tag = 0; tag < grammar.tags; ++tag) is_verb_.push_back(is_verb(grammar.plain_names[tag]));
  if (embedding_.empty()) return;
  unit_ = grammar.span_unit[0];
  shift_ = 64 - std::countr_zero(embedding_.size() / (2 * kHidden));
}

void SpanFilter::read(std::span<const TagFilter::Features> features, std::span<const TaggedWord> words) {
  if (embedding_.empty()) return;
  words_.assign(words.size(), {});
  verbs_before_.assign(1, 0);
  for (size_t i = 0; i < words.size(); ++i) {
    for (const uint32_t feature : features[i])
      add_row(words_[i].data(), &embedding_[((feature * kSpread) >> shift_) * (2 * kHidden)]);
    verbs_before_.push_back(verbs_before_.back() + (is_verb_[words[i].tag] ? 1 : 0));
  }
  hidden_.resize(span_number(0, words.size() + 1));
  for (size_t j = 1; j <= words.size(); ++j)
    for (size_t i = 0; i < j; ++i) set_hidden(i, j);
}

void SpanFilter::set_hidden(size_t i, size_t j) {
  const size_t shape = std::min(j - i, kSizes - 1) * kEnds + (i == 0 ? 2 : 0) + (j == words_.size() ? 1 : 0);
  const size_t verbs = kSizes * kEnds + std::min(verbs_before_[j] - verbs_before_[i], kVerbs - 1);
  combine(words_[i].data(), words_[j - 1].data() + kHidden, &shapes_[shape * kHidden], &shapes_[verbs * kHidden],
          hidden_[span_number(i, j)].data());
}

float SpanFilter::span_odds(size_t i, size_t j) const {
  if (embedding_.empty()) return std::numeric_limits<float>::infinity();
  const std::array<uint16_t, 2> any{any_label_, any_active_};
  std::array<float, 2> odds{};
  set_odds(i, j, any, odds.data());
  return std::max(odds[0], odds[1]);
}

void SpanFilter::set_odds(size_t i, size_t j, std::span<const uint16_t> states, float* estimates) const {
  if (embedding_.empty()) return set_below_best({estimates, states.size()});
  for (size_t s = 0; s < states.size(); ++s) estimates[s] = bias_[states[s]] + trust_[states[s]] * estimates[s];
  add_products(hidden_[span_number(i, j)].data(), weights_.data(), unit_, states, estimates);
}

}  // namespace spidercap
