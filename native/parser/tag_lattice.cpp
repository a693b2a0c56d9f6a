#include "parser/tag_lattice.h"

#include <algorithm>

namespace spidercap {
namespace {

constexpr float kNever = -1e8F, kLowest = -1e30F;

}  // namespace

void TagLattice::read(std::span<const std::string_view> words) {
  size_ = words.size();
  words_.resize(std::max(words_.size(), size_));
  likeliest_.resize(size_);
  for (size_t i = 0; i < size_; ++i) {
    likeliest_[i].row = tables_.grammar.word_row(words[i]);
    set_tags(likeliest_[i].row, words_[i]);
  }
  run_forwards();
  best_ = run_backwards();
  for (size_t i = 0; i < size_; ++i)
    std::erase_if(words_[i], [&](const TagScore& t) { return t.until + t.from < best_ - beam_; });
  read_features();
  if (!filter_.has_weights() || filter_beam_ > kNoBeam) return;
  for (size_t i = 0; i < size_; ++i)
    if (words_[i].size() > 1) filter_tags(features_[i], words_[i]);
}

void TagLattice::read_features() {
  const auto is_less = [](const TagScore& a, const TagScore& b) { return a.until + a.from < b.until + b.from; };
  for (size_t i = 0; i < size_; ++i)
    likeliest_[i].tag = std::max_element(words_[i].begin(), words_[i].end(), is_less)->tag;
  features_ = filter_.read(likeliest_);
}

void TagLattice::filter_tags(const TagFilter::Features& features, std::vector<TagScore>& tags) {
  scores_.clear();
  for (const TagScore& t : tags) scores_.push_back(filter_.score(features, t.tag, t.until + t.from));
  const float least = *std::max_element(scores_.begin(), scores_.end()) - filter_beam_;
  size_t kept = 0;
  for (size_t t = 0; t < tags.size(); ++t)
    if (scores_[t] >= least) tags[kept++] = tags[t];
  tags.resize(kept);
}

// The likeliest tags of the word by itself, or all that it can have if the beam is off.
void TagLattice::set_tags(uint32_t word_row, std::vector<TagScore>& tags) {
  tags.clear();
  if (beam_ <= kNoBeam) {
    for (const TagTerm& likely : tables_.likely_tags(word_row)) tags.push_back({likely.tag, likely.term, 0, 0});
    return;
  }
  terms_.resize(tables_.tags);
  tables_.grammar.read_row(word_row, terms_);
  for (uint32_t tag = 0; tag < tables_.tags; ++tag)
    if (terms_[tag] > kNever) tags.push_back({static_cast<uint16_t>(tag), terms_[tag], 0, 0});
}

void TagLattice::run_forwards() {
  const uint32_t edge = tables_.tags;
  const float* follows = tables_.grammar.tag_follows.data();
  const size_t stride = edge + 1;
  for (size_t i = 0; i < size_; ++i) {
    for (TagScore& here : words_[i]) here.until = i == 0 ? follows[edge * stride + here.tag] : kLowest;
    if (i > 0)
      for (const TagScore& last : words_[i - 1]) {
        const float* row = follows + last.tag * stride;
        for (TagScore& here : words_[i]) here.until = std::max(here.until, last.until + row[here.tag]);
      }
    for (TagScore& here : words_[i]) here.until += here.word;
  }
}

// Returns the score of the best sequence.
float TagLattice::run_backwards() {
  const uint32_t edge = tables_.tags;
  float total = kLowest;
  for (size_t i = size_; i-- > 0;)
    for (TagScore& here : words_[i]) {
      const float* row = tables_.grammar.tag_follows.data() + here.tag * size_t{edge + 1};
      here.from = i + 1 == size_ ? row[edge] : kLowest;
      if (i + 1 < size_)
        for (const TagScore& next : words_[i + 1])
          here.from = std::max(here.from, next.from + next.word + row[next.tag]);
      if (i + 1 == size_) total = std::max(total, here.until + here.from);
    }
  return total;
}

}  // namespace spidercap
