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
    words_[i].tags = words_[i].strong;
    likeliest_[i].tag = std::max_element(words_[i].tags.begin(), words_[i].tags.end(), is_below)->tag;
  }
  features_ = word_features_.read(likeliest_);
  odds.read(features_, likeliest_);
  if (!limits_.leave_out()) return;
  for (size_t i = 0; i < size_; ++i) leave_out(i, odds);
}

// The tags that stay: strong ones, then others.
void TagLattice::leave_out(size_t word, const Odds& odds) {
  std::vector<TagScore>& tags = words_[word].tags;
  float highest = kLowest;
  for (const TagScore& t : tags) highest = std::max(highest, through(t));
  const float beam = std::min(best_, highest) - limits_.tag_beam, around = before_[word] + behind_[word + 1];
  for (const auto& [tag, term] : words_[word].others)
    if (term + around + tables_.most_around(tag) >= beam)
      tags.push_back({tag, term, term + until(word, tag), from(word, tag)});
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
  std::vector<TagScore>& strong = words_[word].strong;
  strong.resize(likely.strong);
  for (size_t t = 0; t < strong.size(); ++t) strong[t] = {likely.terms[t].tag, likely.terms[t].term, 0, 0};
  words_[word].others = likely.others();
}

// The best sequence of strong tags up to a word that has the tag, without the tag's term.
float TagLattice::until(size_t word, uint32_t tag) const {
  const float* precedes = tables_.before(tag);
  if (word == 0) return precedes[tables_.tags];
  float best = kLowest;
  for (const TagScore& last : words_[word - 1].strong) best = std::max(best, last.until + precedes[last.tag]);
  return best;
}

// The same of the words behind it.
float TagLattice::from(size_t word, uint32_t tag) const {
  const float* follows = tables_.behind(tag);
  if (word + 1 == size_) return follows[tables_.tags];
  float best = kLowest;
  for (const TagScore& next : words_[word + 1].strong) best = std::max(best, next.word + next.from + follows[next.tag]);
  return best;
}

void TagLattice::run_forwards() {
  for (size_t i = 0; i < size_; ++i) {
    before_[i + 1] = kLowest;
    for (TagScore& here : words_[i].strong) {
      here.until = here.word + until(i, here.tag);
      before_[i + 1] = std::max(before_[i + 1], here.until);
    }
  }
}

void TagLattice::run_backwards() {
  for (size_t i = size_; i-- > 0;) {
    behind_[i] = kLowest;
    for (TagScore& here : words_[i].strong) {
      here.from = from(i, here.tag);
      behind_[i] = std::max(behind_[i], here.word + here.from);
    }
  }
  best_ = kLowest;
  for (const TagScore& last : words_[size_ - 1].strong) best_ = std::max(best_, through(last));
}

}  // namespace spidercap
