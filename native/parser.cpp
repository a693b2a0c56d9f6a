#include "parser.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace spidercap {
namespace {

constexpr float kNever = -1e8F;
constexpr uint32_t kUnary = 0xFFFF;
constexpr size_t kMostUnarySteps = 4096;  // per span: no grammar of ours comes near it
constexpr float kTriedBeam = 14.0F;       // nats between tags of a word that enter the bigram model
constexpr float kNoBeam = 1e20F;
constexpr uint8_t kKept = 2;
constexpr float kPieceCost = -20.0F;

bool has_bit(const uint64_t* bits, uint32_t i) { return (bits[i >> 6] >> (i & 63)) & 1; }
void set_bit(uint64_t* bits, uint32_t i) { bits[i >> 6] |= uint64_t{1} << (i & 63); }

}  // namespace

Parser::Parser(const Grammar& grammar, Limits limits) : grammar_(grammar), limits_(limits) {
  label_words_ = (grammar.labels + 63) / 64;
  best_.resize(grammar.states);
  is_touched_.assign(grammar.states, 0);
}

const Tree& Parser::parse(std::span<const std::string_view> words) {
  tree_.nodes.clear();
  tree_.score = 0;
  tree_.whole = true;
  length_ = words.size();
  if (words.empty()) {
    tree_.nodes.push_back({static_cast<uint16_t>(grammar_.root), 0, 0, {}});
    return tree_;
  }
  entries_.clear();
  cells_.assign((length_ + 1) * (length_ + 1), {});
  bits_.assign(cells_.size() * label_words_, 0);
  ending_.assign((length_ + 1) * label_words_, 0);
  starting_.assign((length_ + 1) * label_words_, 0);
  choose_tags(words);
  after_.resize((length_ + 1) * grammar_.state_words());
  before_.resize((length_ + 1) * grammar_.state_words());
  label_after_.resize((length_ + 1) * grammar_.labels);
  label_before_.resize((length_ + 1) * grammar_.labels);
  best_until_.resize(length_ + 1);
  best_from_.resize(length_ + 1);
  for (size_t position = 0; position <= length_; ++position) {
    set_neighbours(position);
    set_estimates(position);
  }
  for (size_t j = 1; j <= length_; ++j) {
    fill_word(j - 1);
    for (size_t i = j - 1; i-- > 0;) fill_span(i, j);
  }
  read_tree(length_);
  return tree_;
}

// Tags of each word whose best sequence under the bigram model is within the beam of the best sequence.
void Parser::choose_tags(std::span<const std::string_view> words) {
  const uint32_t n_tags = grammar_.tags;
  const float* follows = grammar_.tag_follows.data();
  const size_t stride = n_tags + 1;
  word_scores_.resize(n_tags);
  tags_.resize(std::max(tags_.size(), length_));
  for (size_t i = 0; i < length_; ++i) try_tags(words[i], tags_[i]);
  for (size_t i = 0; i < length_; ++i)
    for (TagScore& here : tags_[i]) {
      float best = i == 0 ? follows[n_tags * stride + here.tag] : -1e30F;
      if (i > 0)
        for (const TagScore& last : tags_[i - 1]) best = std::max(best, last.until + follows[last.tag * stride + here.tag]);
      here.until = best + here.word;
    }
  float total = -1e30F;
  for (size_t i = length_; i-- > 0;)
    for (TagScore& here : tags_[i]) {
      const float* row = follows + here.tag * stride;
      float best = i + 1 == length_ ? row[n_tags] : -1e30F;
      if (i + 1 < length_)
        for (const TagScore& next : tags_[i + 1]) best = std::max(best, next.from + next.word + row[next.tag]);
      here.from = best;
      if (i + 1 == length_) total = std::max(total, here.until + best);
    }
  for (size_t i = 0; i < length_; ++i)
    std::erase_if(tags_[i], [&](const TagScore& t) { return t.until + t.from < total - limits_.tag_beam; });
}

// The tags that enter the bigram model: the likeliest ones of the word by itself, or all if the beam is off.
void Parser::try_tags(std::string_view word, std::vector<TagScore>& tried) {
  tried.clear();
  grammar_.score_word(word, word_scores_);
  const bool all = limits_.tag_beam > kNoBeam;
  float best = -1e30F;
  if (!all)
    for (uint32_t tag = 0; tag < grammar_.tags; ++tag)
      best = std::max(best, word_scores_[tag] + grammar_.tag_frequency[tag]);
  for (uint32_t tag = 0; tag < grammar_.tags; ++tag)
    if (word_scores_[tag] > kNever && (all || word_scores_[tag] + grammar_.tag_frequency[tag] >= best - kTriedBeam))
      tried.push_back({static_cast<uint16_t>(tag), word_scores_[tag], 0, 0});
}

// States that may begin at a position (given the tags before it) and end there (given the tags after it).
void Parser::set_neighbours(size_t position) {
  const size_t width = grammar_.state_words();
  uint64_t* after = &after_[position * width];
  uint64_t* before = &before_[position * width];
  if (position < length_)
    for (const TagScore& t : tags_[position]) set_bit(&starting_[position * label_words_], t.tag);
  if (!limits_.neighbours) {
    std::fill(after, after + width, ~uint64_t{0});
    std::fill(before, before + width, ~uint64_t{0});
    return;
  }
  std::fill(after, after + width, 0);
  std::fill(before, before + width, 0);
  const auto add = [&](uint64_t* to, const uint64_t* rows, uint32_t tag) {
    const uint64_t* row = rows + tag * width;
    for (size_t w = 0; w < width; ++w) to[w] |= row[w];
  };
  if (position == 0)
    add(after, grammar_.after_tag.data(), grammar_.tags);
  else
    for (const TagScore& t : tags_[position - 1]) add(after, grammar_.after_tag.data(), t.tag);
  if (position == length_)
    add(before, grammar_.before_tag.data(), grammar_.tags);
  else
    for (const TagScore& t : tags_[position]) add(before, grammar_.before_tag.data(), t.tag);
}

// For each label the best score of the words before a position if it begins there, and of those after if it ends there.
void Parser::set_estimates(size_t position) {
  if (limits_.cell_beam > kNoBeam) return;
  const uint32_t labels = grammar_.labels;
  float* after = &label_after_[position * labels];
  float* before = &label_before_[position * labels];
  std::fill(after, after + labels, -1e30F);
  std::fill(before, before + labels, -1e30F);
  best_until_[position] = position == 0 ? 0 : -1e30F;
  best_from_[position] = position == length_ ? 0 : -1e30F;
  const auto raise = [&](float* to, const float* row, float score) {
    for (uint32_t label = 0; label < labels; ++label) to[label] = std::max(to[label], score + row[label]);
  };
  if (position == 0) raise(after, &grammar_.after_share[size_t{grammar_.tags} * labels], 0);
  if (position > 0)
    for (const TagScore& t : tags_[position - 1]) {
      raise(after, &grammar_.after_share[size_t{t.tag} * labels], t.until);
      best_until_[position] = std::max(best_until_[position], t.until);
    }
  if (position == length_) raise(before, &grammar_.before_share[size_t{grammar_.tags} * labels], 0);
  if (position < length_)
    for (const TagScore& t : tags_[position]) {
      raise(before, &grammar_.before_share[size_t{t.tag} * labels], t.word + t.from);
      best_from_[position] = std::max(best_from_[position], t.word + t.from);
    }
}

// Score of the whole caption through an entry of the current span, the rest being guessed from the words' tags.
float Parser::estimate(const Entry& entry) const {
  const size_t labels = grammar_.labels;
  if (entry.state < labels)
    return entry.score + label_after_[begin_ * labels + entry.state] + label_before_[end_ * labels + entry.state];
  const float share = entry.score + grammar_.remainder_share[entry.state - labels];
  const uint32_t parent = grammar_.state_parent[entry.state];
  if (static_cast<Need>(grammar_.need_side[entry.state]) == Need::left)
    return share + best_until_[begin_] + label_before_[end_ * labels + parent];
  return share + best_until_[begin_] + best_from_[end_];
}

// Drops the entries of the current span that fall behind its best by more than the beam.
void Parser::keep_promising() {
  if (limits_.cell_beam > kNoBeam) return;
  const auto drop = [&](std::vector<uint32_t>& states, float beam) {
    estimates_.resize(states.size());
    float best = -1e30F;
    for (size_t s = 0; s < states.size(); ++s) best = std::max(best, estimates_[s] = estimate(best_[states[s]]));
    for (size_t s = 0; s < states.size(); ++s)
      if (estimates_[s] >= best - beam)
        for (uint32_t state = states[s]; is_touched_[state] != kKept; state = best_[state].left) {
          is_touched_[state] = kKept;
          // What a unary step stands on is kept with it.
          if (best_[state].split != kUnary) break;
        }
    std::erase_if(states, [&](uint32_t state) {
      const bool dropped = is_touched_[state] != kKept;
      if (dropped) is_touched_[state] = 0;
      return dropped;
    });
  };
  drop(touched_labels_, limits_.cell_beam);
  drop(touched_remainders_, limits_.cell_beam);
}

void Parser::offer(uint32_t state, float score, uint32_t split, uint32_t left, uint32_t right) {
  const size_t width = grammar_.state_words();
  if (!has_bit(&after_[begin_ * width], state) || !has_bit(&before_[end_ * width], state)) return;
  Entry& entry = best_[state];
  if (is_touched_[state]) {
    if (score <= entry.score) return;
  } else {
    is_touched_[state] = 1;
    (state < grammar_.labels ? touched_labels_ : touched_remainders_).push_back(state);
  }
  entry = {static_cast<uint16_t>(state), static_cast<uint16_t>(split), left, right, score};
}

void Parser::fill_word(size_t i) {
  begin_ = i, end_ = i + 1;
  for (const TagScore& t : tags_[i]) {
    is_touched_[t.tag] = 1;
    touched_labels_.push_back(t.tag);
    best_[t.tag] = {t.tag, 0, 0, 0, t.word};
  }
  climb();
  keep_promising();
  store(i, i + 1);
}

void Parser::fill_span(size_t i, size_t j) {
  begin_ = i, end_ = j;
  for (size_t k = i + 1; k < j; ++k) join(cell(i, k), cell(k, j), i, k, j);
  climb();
  keep_promising();
  store(i, j);
}

void Parser::join(const Cell& left, const Cell& right, size_t i, size_t k, size_t j) {
  const uint64_t* ending = &ending_[i * label_words_];
  const uint64_t* left_bits = label_bits(i, k);
  const uint64_t* right_bits = label_bits(k, j);
  const auto fits = [&](Need side, uint32_t label) {
    if (side == Need::none) return true;
    if (side == Need::left) return has_bit(ending, label);
    return j < length_ && (label >= grammar_.tags || has_bit(&starting_[j * label_words_], label));
  };
  for (uint32_t l = left.begin; l < left.labels_end; ++l) {
    const Entry left_entry = entries_[l];
    for (uint32_t r = right.begin; r < right.labels_end; ++r) {
      const uint32_t pair = grammar_.pair_of(left_entry.state, entries_[r].state);
      if (pair == 0) continue;
      const float sum = left_entry.score + entries_[r].score;
      for (uint32_t g = grammar_.pair_groups[pair - 1]; g < grammar_.pair_groups[pair]; ++g) {
        if (!fits(static_cast<Need>(grammar_.group_side[g]), grammar_.group_label[g])) continue;
        for (uint32_t rule = grammar_.group_rules[g]; rule < grammar_.group_rules[g + 1]; ++rule)
          offer(grammar_.rule_parent[rule], sum + grammar_.rule_weight[rule], static_cast<uint32_t>(k), l, r);
      }
    }
  }
  const auto peel = [&](const Entry& remainder, const Entry* peeled, uint32_t l, uint32_t r) {
    const uint32_t index = remainder.state - grammar_.labels;
    const float sum = remainder.score + peeled->score;
    for (uint32_t rule = grammar_.remainder_rules[index]; rule < grammar_.remainder_rules[index + 1]; ++rule) {
      const uint32_t parent = grammar_.remainder_parent[rule];
      if (!fits(static_cast<Need>(grammar_.need_side[parent]), grammar_.need_label[parent])) continue;
      offer(parent, sum + grammar_.remainder_weight[rule], static_cast<uint32_t>(k), l, r);
    }
  };
  for (uint32_t r = right.labels_end; r < right.end; ++r) {
    const Entry& remainder = entries_[r];
    if (static_cast<Need>(grammar_.need_side[remainder.state]) != Need::left) continue;
    const uint32_t label = grammar_.need_label[remainder.state];
    if (!has_bit(left_bits, label)) continue;
    const Entry* peeled = find(left, label);
    peel(remainder, peeled, static_cast<uint32_t>(peeled - entries_.data()), r);
  }
  for (uint32_t l = left.labels_end; l < left.end; ++l) {
    const Entry& remainder = entries_[l];
    if (static_cast<Need>(grammar_.need_side[remainder.state]) != Need::right) continue;
    const uint32_t label = grammar_.need_label[remainder.state];
    if (!has_bit(right_bits, label)) continue;
    const Entry* peeled = find(right, label);
    peel(remainder, peeled, l, static_cast<uint32_t>(peeled - entries_.data()));
  }
}

// Unary steps, to their fixed point: the list of labels grows while it is read.
void Parser::climb() {
  size_t steps = 0;
  for (size_t next = 0; next < touched_labels_.size() && steps < kMostUnarySteps; ++next) {
    const uint32_t child = touched_labels_[next];
    for (uint32_t u = grammar_.unary_rules[child]; u < grammar_.unary_rules[child + 1]; ++u, ++steps) {
      const uint32_t parent = grammar_.unary_parent[u];
      const float score = best_[child].score + grammar_.unary_weight[u];
      const bool known = is_touched_[parent] != 0;
      if (parent == grammar_.root && (begin_ != 0 || end_ != length_)) continue;
      if (known && score <= best_[parent].score) continue;
      offer(parent, score, kUnary, child, 0);
      // A label that was read before has a better score now: read it again.
      if (known) touched_labels_.push_back(parent);
    }
  }
  std::sort(touched_labels_.begin(), touched_labels_.end());
  touched_labels_.erase(std::unique(touched_labels_.begin(), touched_labels_.end()), touched_labels_.end());
}

void Parser::store(size_t i, size_t j) {
  Cell& here = cell(i, j);
  here.begin = static_cast<uint32_t>(entries_.size());
  uint64_t* bits = &bits_[(i * (length_ + 1) + j) * label_words_];
  uint64_t* ending = &ending_[j * label_words_];
  for (const uint32_t label : touched_labels_) {
    entries_.push_back(best_[label]);
    set_bit(bits, label);
    set_bit(ending, label);
    is_touched_[label] = 0;
  }
  here.labels_end = static_cast<uint32_t>(entries_.size());
  for (const uint32_t state : touched_remainders_) {
    entries_.push_back(best_[state]);
    is_touched_[state] = 0;
  }
  here.end = static_cast<uint32_t>(entries_.size());
  touched_labels_.clear();
  touched_remainders_.clear();
}

const Parser::Entry* Parser::find(const Cell& cell, uint32_t label) const {
  const auto* begin = entries_.data() + cell.begin;
  const auto* end = entries_.data() + cell.labels_end;
  const auto* found = std::lower_bound(begin, end, label, [](const Entry& e, uint32_t l) { return e.state < l; });
  return found != end && found->state == label ? found : nullptr;
}

void Parser::read_tree(size_t words) {
  const Entry* root = find(cell(0, words), grammar_.root);
  if (root == nullptr) return side_by_side(words);
  tree_.score = root->score;
  add_node(0, words, static_cast<uint32_t>(root - entries_.data()));
}

uint32_t Parser::add_node(size_t i, size_t j, uint32_t entry) {
  const auto index = static_cast<uint32_t>(tree_.nodes.size());
  tree_.nodes.push_back({entries_[entry].state, static_cast<uint16_t>(i), static_cast<uint16_t>(j), {}});
  std::vector<uint32_t> children;
  collect(i, j, entry, children);
  tree_.nodes[index].children = std::move(children);
  return index;
}

// The labelled nodes below an entry, remainders dissolved, from left to right.
void Parser::collect(size_t i, size_t j, uint32_t entry, std::vector<uint32_t>& children) {
  const Entry here = entries_[entry];
  if (here.split == 0) return;
  if (here.split == kUnary) {
    const Entry* child = find(cell(i, j), here.left);
    children.push_back(add_node(i, j, static_cast<uint32_t>(child - entries_.data())));
    return;
  }
  const auto below = [&](size_t from, size_t to, uint32_t child) {
    if (entries_[child].state < grammar_.labels)
      children.push_back(add_node(from, to, child));
    else
      collect(from, to, child, children);
  };
  below(i, here.split, here.left);
  below(here.split, j, here.right);
}

// No tree covers the caption: the cheapest row of phrases, side by side under the root.
void Parser::side_by_side(size_t words) {
  tree_.whole = false;
  std::vector<float> best(words + 1, -1e30F);
  std::vector<std::pair<size_t, uint32_t>> back(words + 1);
  best[0] = 0;
  for (size_t j = 1; j <= words; ++j)
    for (size_t i = 0; i < j; ++i) {
      const Cell& span = cell(i, j);
      for (uint32_t e = span.begin; e < span.labels_end; ++e) {
        const float score = best[i] + entries_[e].score + kPieceCost;
        if (score > best[j]) best[j] = score, back[j] = {i, e};
      }
    }
  std::vector<std::pair<size_t, size_t>> spans;
  for (size_t j = words; j > 0; j = back[j].first) spans.push_back({back[j].first, j});
  tree_.score = best[words];
  tree_.nodes.push_back({static_cast<uint16_t>(grammar_.root), 0, static_cast<uint16_t>(words), {}});
  std::vector<uint32_t> children;
  for (auto span = spans.rbegin(); span != spans.rend(); ++span)
    children.push_back(add_node(span->first, span->second, back[span->second].second));
  tree_.nodes[0].children = std::move(children);
}

}  // namespace spidercap
