#include "parser/odds.h"

#include <algorithm>
#include <bit>

#include "core/clones.h"
#include "core/prefetch.h"

namespace spidercap {
namespace {

constexpr size_t kHidden = Odds::kHidden;
constexpr size_t kSizes = Grammar::kSpanSizes, kEnds = Grammar::kSpanEnds, kVerbs = Grammar::kSpanVerbs;
constexpr size_t kMostClasses = Grammar::kMostClasses;
constexpr float kPlain = -1.3F, kOddest = 1.4F;  // nats a word: of tags that follow each other, and below that
constexpr uint64_t kSpread = 0x9E3779B97F4A7C15U;

size_t row_of(uint32_t feature, int shift) { return (feature * kSpread) >> shift; }

SPIDERCAP_CLONES void add_row(int16_t* sum, const int8_t* row, size_t count) {
  for (size_t k = 0; k < count; ++k) sum[k] = static_cast<int16_t>(sum[k] + row[k]);
}

SPIDERCAP_CLONES void combine(const int16_t* first, const int16_t* last, const int8_t* shape, const int8_t* verbs,
                              int16_t* hidden) {
  for (size_t k = 0; k < kHidden; ++k) {
    const auto sum = static_cast<int16_t>(first[k] + last[k] + shape[k] + verbs[k]);
    hidden[k] = std::max<int16_t>(sum, 0);
  }
}

template <typename Number>
int32_t product(const int16_t* hidden, const Number* vector) {
  int32_t sum = 0;
  for (size_t k = 0; k < kHidden; ++k) sum += hidden[k] * vector[k];
  return sum;
}

}  // namespace

Odds::Odds(const SearchTables& tables, const Limits& limits) : grammar_(tables.grammar), limits_(limits) {
  for (uint32_t tag = 0; tag < grammar_.tags; ++tag) is_verb_.push_back(is_verb(grammar_.plain_names[tag]));
  if (!grammar_.has_odds()) return;
  shift_ = 64 - std::countr_zero(grammar_.odds_embedding.size() / (3 * kHidden));
  inner_shift_ = 64 - std::countr_zero(grammar_.odds_inner.size() / kHidden);
  class_vectors_.resize(kMostClasses * kHidden);
  std::copy(grammar_.class_vectors.begin(), grammar_.class_vectors.end(), class_vectors_.begin());
  for (size_t c = 0; c < grammar_.class_bias.size(); ++c) {
    const float trust = grammar_.class_trust[c];
    constants_[c] = (limits.class_odds - grammar_.class_bias[c]) / trust;
    factors_[c] = grammar_.odds_units[2] / trust;
  }
  lines_.assign(grammar_.tags, {-kClosed, 0});
  for (uint32_t state = grammar_.tags; state < grammar_.states; ++state) {
    const float limit = state < grammar_.labels ? limits.label_odds : limits.active_odds;
    const float trust = grammar_.state_trust[state];
    lines_.push_back({(limit - grammar_.state_bias[state]) / trust, grammar_.odds_units[1] / trust});
  }
  lines_[grammar_.root] = {kClosed, 0};
}

void Odds::read(std::span<const WordFeatures::Features> features, std::span<const TaggedWord> words) {
  if (!grammar_.has_odds()) return;
  const float lowered = lowered_for(words);
  for (size_t unit = 0; unit < lowered_.size(); ++unit) lowered_[unit] = lowered / grammar_.odds_units[unit];
  words_.assign(words.size(), {});
  verbs_before_.assign(1, 0);
  std::array<int16_t, kHidden> within{};
  for (size_t i = 0; i < words.size(); ++i) {
    Word& word = words_[i];
    if (i + 1 < words.size())
      for (const uint32_t feature : features[i + 1])
        prefetch_address(&grammar_.odds_embedding[row_of(feature, shift_) * (3 * kHidden)]);
    for (const uint32_t feature : features[i])
      add_row(word.data(), &grammar_.odds_embedding[row_of(feature, shift_) * (3 * kHidden)], 3 * kHidden);
    for (size_t k = 0; k < kHidden; ++k) word[k] = static_cast<int16_t>(word[k] - within[k]);
    for (const size_t inner : WordFeatures::kInner)
      add_row(within.data(), &grammar_.odds_inner[row_of(features[i][inner], inner_shift_) * kHidden], kHidden);
    for (size_t k = 0; k < kHidden; ++k) word[kHidden + k] = static_cast<int16_t>(word[kHidden + k] + within[k]);
    for (size_t k = 2 * kHidden; k < 3 * kHidden; ++k) word[k] = std::max<int16_t>(word[k], 0);
    verbs_before_.push_back(verbs_before_.back() + (is_verb_[words[i].tag] ? 1 : 0));
  }
}

// By how much the limits are lower for odd captions, in which more is unlikely at the same time.
float Odds::lowered_for(std::span<const TaggedWord> words) const {
  const size_t stride = grammar_.tags + size_t{1};
  size_t last = grammar_.tags;
  float follows = 0;
  for (const TaggedWord& word : words) {
    follows += grammar_.tag_follows[last * stride + word.tag];
    last = word.tag;
  }
  follows += grammar_.tag_follows[last * stride + grammar_.tags];
  return limits_.odder * std::clamp(kPlain - follows / static_cast<float>(words.size() + 1), 0.0F, kOddest);
}

SPIDERCAP_CLONES float Odds::of_tag(size_t word, uint32_t tag, float margin) const {
  const int32_t seen = product(words_[word].data() + 2 * kHidden, &grammar_.state_vectors[tag * kHidden]);
  return grammar_.state_bias[tag] + grammar_.state_trust[tag] * margin +
         grammar_.odds_units[0] * (static_cast<float>(seen) + lowered_[0]);
}

void Odds::read_span(size_t i, size_t j, float outside, Span& span) const {
  const size_t shape = std::min(j - i, kSizes - 1) * kEnds + (i == 0 ? 2 : 0) + (j == words_.size() ? 1 : 0);
  const size_t verbs = kSizes * kEnds + std::min(verbs_before_[j] - verbs_before_[i], kVerbs - 1);
  span.outside = outside;
  combine(words_[i].data(), words_[j - 1].data() + kHidden, &grammar_.odds_shapes[shape * kHidden],
          &grammar_.odds_shapes[verbs * kHidden], span.hidden.data());
  set_class_least(span);
}

SPIDERCAP_CLONES void Odds::set_class_least(Span& span) const {
  std::array<int32_t, kMostClasses> products;
  for (size_t c = 0; c < kMostClasses; ++c) products[c] = product(span.hidden.data(), &class_vectors_[c * kHidden]);
  for (size_t c = 0; c < kMostClasses; ++c)
    span.least[c] = constants_[c] - factors_[c] * (static_cast<float>(products[c]) + lowered_[2]) - span.outside;
}

SPIDERCAP_CLONES void Odds::set_least(const Span& span, std::span<const uint16_t> states, float* least) const {
  for (size_t s = 0; s < states.size(); ++s) {
    const Line& line = lines_[states[s]];
    const int32_t seen = product(span.hidden.data(), &grammar_.state_vectors[states[s] * kHidden]);
    least[s] = line.constant - line.factor * (static_cast<float>(seen) + lowered_[1]) - span.outside;
  }
}

}  // namespace spidercap
