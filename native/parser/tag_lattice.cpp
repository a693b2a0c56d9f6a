#include "parser/tag_lattice.h"

#include <algorithm>

namespace spidercap {
namespace {

constexpr float kNever = -1e8F, kLowest = -1e30F;
constexpr float kStrongBeam = 7.0F;  // nats below the likeliest tag of the word by itself

float through(const TagScore& tag) { return tag.until + tag.from; }
bool is_below(const TagScore& a, const TagScore& b) { return through(a) < through(b); }

// Those of the tags whose numbers are wanted; which they are is as good as random, so nothing branches.
template <typename IsWanted>
void keep(std::vector<TagScore>& tags, IsWanted is_wanted) {
  size_t kept = 0;
  for (size_t t = 0; t < tags.size(); ++t) {
    const bool wanted = is_wanted(t);
    tags[kept] = tags[t];
    kept += wanted;
  }
  tags.resize(kept);
}

}  // namespace

void TagLattice::read(std::span<const std::string_view> words, bool any_tag, Odds& odds) {
  size_ = words.size();
  words_.resize(std::max(words_.size(), size_));
  likeliest_.resize(size_);
  before_.assign(size_ + 1, 0), behind_.assign(size_ + 1, 0);
  for (size_t i = 0; i < size_; ++i) {
    likeliest_[i].row = tables_.grammar.word_row(words[i]);
    set_tags(i, any_tag);
  }
  run_forwards();
  run_backwards();
  for (size_t i = 0; i < size_; ++i) {
    const auto strong = words_[i].strong_tags();
    likeliest_[i].tag = std::max_element(strong.begin(), strong.end(), is_below)->tag;
  }
  features_ = word_features_.read(likeliest_);
  odds.read(features_, likeliest_);
  if (!limits_.leave_out()) return;
  for (size_t i = 0; i < size_; ++i) leave_out(i, odds);
}

void TagLattice::leave_out(size_t word, const Odds& odds) {
  std::vector<TagScore>& tags = words_[word].tags;
  float highest = kLowest;
  for (const TagScore& t : tags) highest = std::max(highest, through(t));
  const float beam = std::min(best_, highest) - limits_.tag_beam;
  keep(tags, [&](size_t t) { return through(tags[t]) >= beam; });
  if (tags.size() == 1 || !tables_.grammar.has_odds()) return;
  odds_.clear();
  for (const TagScore& t : tags) odds_.push_back(odds.of_tag(word, t.tag, through(t) - best_));
  const float least = std::min(limits_.tag_odds, *std::max_element(odds_.begin(), odds_.end()));
  keep(tags, [&](size_t t) { return odds_[t] >= least; });
}

const TagLattice::Tried& TagLattice::tried(uint32_t row, bool any_tag) {
  Tried& found = tried_[any_tag ? 1 : 0][row];
  if (found.terms.empty()) found = tags_of(row, any_tag);
  return found;
}

TagLattice::Tried TagLattice::tags_of(uint32_t row, bool any_tag) {
  const uint32_t tags = tables_.tags;
  const float tried_beam = limits_.leave_out() ? limits_.tag_beam : kNoBeam;
  const float strong_beam = limits_.leave_out() ? kStrongBeam : kNoBeam;
  const float* frequency = tables_.grammar.tag_frequency.data();
  terms_.resize(tags);
  tables_.grammar.read_row(row, any_tag, terms_);
  float best = kLowest;
  for (uint32_t tag = 0; tag < tags; ++tag) best = std::max(best, terms_[tag] + frequency[tag]);
  Tried found;
  for (uint32_t tag = 0; tag < tags; ++tag)
    if (terms_[tag] > kNever && terms_[tag] + frequency[tag] >= best - tried_beam)
      found.terms.push_back({static_cast<uint16_t>(tag), terms_[tag]});
  const auto is_strong = [&](const Term& t) { return t.term + frequency[t.tag] >= best - strong_beam; };
  std::stable_partition(found.terms.begin(), found.terms.end(), is_strong);
  found.strong = static_cast<size_t>(std::count_if(found.terms.begin(), found.terms.end(), is_strong));
  return found;
}

void TagLattice::set_tags(size_t word, bool any_tag) {
  const Tried& likely = tried(likeliest_[word].row, any_tag);
  std::vector<TagScore>& tags = words_[word].tags;
  tags.resize(likely.terms.size());
  for (size_t t = 0; t < tags.size(); ++t) tags[t] = {likely.terms[t].tag, likely.terms[t].term, 0, 0};
  words_[word].strong = likely.strong;
}

void TagLattice::run_forwards() {
  const uint32_t edge = tables_.tags;
  const float* follows = tables_.grammar.tag_follows.data();
  const size_t stride = edge + 1;
  for (size_t i = 0; i < size_; ++i) {
    for (TagScore& here : words_[i].tags) here.until = i == 0 ? follows[edge * stride + here.tag] : kLowest;
    if (i > 0)
      for (const TagScore& last : words_[i - 1].strong_tags()) {
        const float* row = follows + last.tag * stride;
        for (TagScore& here : words_[i].tags) here.until = std::max(here.until, last.until + row[here.tag]);
      }
    before_[i + 1] = kLowest;
    for (TagScore& here : words_[i].tags) {
      here.until += here.word;
      before_[i + 1] = std::max(before_[i + 1], here.until);
    }
  }
}

void TagLattice::run_backwards() {
  const uint32_t edge = tables_.tags;
  best_ = kLowest;
  for (size_t i = size_; i-- > 0;) {
    std::vector<TagScore>& tags = words_[i].tags;
    const float* last = tables_.before(edge);
    for (TagScore& here : tags) here.from = i + 1 == size_ ? last[here.tag] : kLowest;
    if (i + 1 < size_)
      for (const TagScore& next : words_[i + 1].strong_tags()) {
        const float* row = tables_.before(next.tag);
        for (TagScore& here : tags) here.from = std::max(here.from, next.from + next.word + row[here.tag]);
      }
    behind_[i] = kLowest;
    for (const TagScore& here : tags) {
      behind_[i] = std::max(behind_[i], here.word + here.from);
      if (i + 1 == size_) best_ = std::max(best_, through(here));
    }
  }
}

}  // namespace spidercap
