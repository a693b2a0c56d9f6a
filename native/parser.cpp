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
constexpr float kNothing = -std::numeric_limits<float>::infinity();
constexpr float kWordExtra = 5.0F;
constexpr float kPieceCost = -20.0F;

bool has_bit(const uint64_t* bits, uint32_t i) { return (bits[i >> 6] >> (i & 63)) & 1; }
void set_bit(uint64_t* bits, uint32_t i) { bits[i >> 6] |= uint64_t{1} << (i & 63); }

}  // namespace

Parser::Parser(const Grammar& grammar, Limits limits) : grammar_(grammar), limits_(limits) {
  label_words_ = (grammar.labels + 63) / 64;
  best_.resize(grammar.states);
  best_score_.assign(grammar.states, kNothing);
  is_kept_.assign(grammar.states, 0);
  partners_.assign(grammar.labels * label_words_, 0);
  partner_words_.assign(grammar.labels, 0);
  for (size_t pair = 0; pair < grammar.pair_left.size(); ++pair) {
    set_bit(&partners_[grammar.pair_left[pair] * label_words_], grammar.pair_right[pair]);
    partner_words_[grammar.pair_left[pair]] |= uint32_t{1} << (grammar.pair_right[pair] >> 6);
  }
}

const Tree& Parser::parse(std::span<const std::string_view> words) {
  tree_.nodes.clear();
  tree_.score = 0;
  tree_.whole = true;
  offset_ = 0;
  if (words.empty())
    tree_.nodes.push_back({static_cast<uint16_t>(grammar_.root), 0, 0, {}});
  else if (words.size() <= kLongestCaption)
    parse_piece(words);
  else
    parse_pieces(words);
  return tree_;
}

void Parser::parse_pieces(std::span<const std::string_view> words) {
  Tree all;
  all.whole = false;
  all.nodes.push_back({static_cast<uint16_t>(grammar_.root), 0, static_cast<uint32_t>(words.size()), {}});
  for (size_t begin = 0; begin < words.size(); begin += kPieceWords) {
    tree_.nodes.clear();
    offset_ = begin;
    parse_piece(words.subspan(begin, std::min(kPieceWords, words.size() - begin)));
    // The piece's root dissolves: its children become children of the common root.
    const auto shift = static_cast<uint32_t>(all.nodes.size()) - 1;
    for (const uint32_t child : tree_.nodes[0].children) all.nodes[0].children.push_back(child + shift);
    for (size_t n = 1; n < tree_.nodes.size(); ++n) {
      for (uint32_t& child : tree_.nodes[n].children) child += shift;
      all.nodes.push_back(std::move(tree_.nodes[n]));
    }
    all.score += tree_.score;
  }
  tree_ = std::move(all);
}

void Parser::parse_piece(std::span<const std::string_view> words) {
  length_ = words.size();
  entries_.clear();
  cells_.assign((length_ + 1) * (length_ + 1), {});
  bits_.assign(cells_.size() * label_words_, 0);
  firsts_.resize(bits_.size());
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
  if (limits_.label_beam > kNoBeam) return;
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
  const uint32_t parent = grammar_.state_parent[entry.state], needed = grammar_.need_label[entry.state];
  const bool is_left = static_cast<Need>(grammar_.need_side[entry.state]) == Need::left;
  float before = best_until_[begin_], after = best_from_[end_];
  float share = entry.score + grammar_.remainder_share[entry.state - labels];
  if (needed < grammar_.tags) {
    share -= grammar_.tag_frequency[needed];
    for (const TagScore& t : tags_[is_left ? begin_ - 1 : end_])
      if (t.tag == needed) (is_left ? before : after) = is_left ? t.until : t.word + t.from;
  }
  return share + before + (is_left ? label_before_[end_ * labels + parent] : after);
}

// Drops the entries of the current span that fall behind its best by more than the beam.
void Parser::keep_promising() {
  if (limits_.label_beam > kNoBeam || (begin_ == 0 && end_ == length_)) return;
  // A phrase of one word competes with its own tag, whose estimate knows nothing of what the phrase costs.
  const float extra = end_ - begin_ == 1 ? kWordExtra : 0;
  const auto drop = [&](std::vector<uint32_t>& states, float beam) {
    estimates_.resize(states.size());
    float best = -1e30F;
    for (size_t s = 0; s < states.size(); ++s) best = std::max(best, estimates_[s] = estimate(best_[states[s]]));
    for (size_t s = 0; s < states.size(); ++s)
      if (estimates_[s] >= best - beam)
        for (uint32_t state = states[s]; is_kept_[state] == 0; state = best_[state].left) {
          is_kept_[state] = 1;
          // What a unary step stands on is kept with it.
          if (best_[state].split != kUnary) break;
        }
    std::erase_if(states, [&](uint32_t state) {
      const bool dropped = is_kept_[state] == 0;
      if (dropped) best_score_[state] = kNothing;
      is_kept_[state] = 0;
      return dropped;
    });
  };
  drop(touched_labels_, limits_.label_beam + extra);
  drop(touched_remainders_, limits_.remainder_beam);
}

void Parser::offer(uint32_t state, float score, uint32_t split, uint32_t left, uint32_t right) {
  if (!has_bit(allowed_.data(), state)) return;
  // Most offers end here: the scores alone fit the first-level cache.
  if (score <= best_score_[state]) return;
  if (best_score_[state] == kNothing) (state < grammar_.labels ? touched_labels_ : touched_remainders_).push_back(state);
  best_score_[state] = score;
  best_[state] = {static_cast<uint16_t>(state), static_cast<uint16_t>(split), left, right, score};
}

void Parser::open_span(size_t i, size_t j) {
  begin_ = i, end_ = j;
  const size_t width = grammar_.state_words();
  allowed_.resize(width);
  for (size_t w = 0; w < width; ++w) allowed_[w] = after_[i * width + w] & before_[j * width + w];
}

void Parser::fill_word(size_t i) {
  open_span(i, i + 1);
  for (const TagScore& t : tags_[i]) {
    best_score_[t.tag] = t.word;
    touched_labels_.push_back(t.tag);
    best_[t.tag] = {t.tag, 0, 0, 0, t.word};
  }
  climb();
  keep_promising();
  store(i, i + 1);
}

void Parser::fill_span(size_t i, size_t j) {
  open_span(i, j);
  for (size_t k = i + 1; k < j; ++k) join(i, k, j);
  climb();
  keep_promising();
  store(i, j);
}

void Parser::join(size_t i, size_t k, size_t j) {
  const Cell &left = cell(i, k), &right = cell(k, j);
  if (left.begin == left.end || right.begin == right.end) return;
  join_labels(i, k, j);
  const uint64_t* left_bits = label_bits(i, k);
  const uint64_t* right_bits = label_bits(k, j);
  for (uint32_t r = right.labels_end; r < right.left_end; ++r) {
    const uint32_t label = grammar_.need_label[entries_[r].state];
    if (has_bit(left_bits, label)) {
      const auto l = static_cast<uint32_t>(find(left, label) - entries_.data());
      peel(r, l, l, r, k);
    }
  }
  for (uint32_t l = left.left_end; l < left.end; ++l) {
    const uint32_t label = grammar_.need_label[entries_[l].state];
    if (has_bit(right_bits, label)) {
      const auto r = static_cast<uint32_t>(find(right, label) - entries_.data());
      peel(l, r, l, r, k);
    }
  }
}

// Whether the neighbour that a parent over the current span needs can be there.
bool Parser::fits(Need side, uint32_t label) const {
  if (side == Need::none) return true;
  if (side == Need::left) return has_bit(&ending_[begin_ * label_words_], label);
  return end_ < length_ && (label >= grammar_.tags || has_bit(&starting_[end_ * label_words_], label));
}

void Parser::join_labels(size_t i, size_t k, size_t j) {
  const Cell& left = cell(i, k);
  const uint32_t right_words = cell(k, j).words;
  const uint64_t* right_bits = label_bits(k, j);
  const uint32_t* firsts = &firsts_[(k * (length_ + 1) + j) * label_words_];
  for (uint32_t l = left.begin; l < left.labels_end; ++l) {
    const uint32_t left_label = entries_[l].state;
    const uint64_t* partners = &partners_[left_label * label_words_];
    for (uint32_t common = partner_words_[left_label] & right_words; common != 0; common &= common - 1) {
      const auto w = static_cast<size_t>(std::countr_zero(common));
      for (uint64_t both = partners[w] & right_bits[w]; both != 0; both &= both - 1) {
        const uint64_t earlier = right_bits[w] & ((both & (~both + 1)) - 1);
        const uint32_t r = firsts[w] + static_cast<uint32_t>(std::popcount(earlier));
        const uint32_t pair = grammar_.pair_of(left_label, entries_[r].state);
        const float sum = entries_[l].score + entries_[r].score;
        for (uint32_t g = grammar_.pair_groups[pair - 1]; g < grammar_.pair_groups[pair]; ++g) {
          const Grammar::Group& group = grammar_.groups[g];
          if (!fits(group.side, group.label)) continue;
          for (uint32_t s = group.first_step; s < group.end_step; ++s) {
            const Grammar::Step step = grammar_.steps[s];
            offer(step.parent, sum + step.weight, static_cast<uint32_t>(k), l, r);
          }
        }
      }
    }
  }
}

// The steps that join a remainder with the child peeled off it last.
void Parser::peel(uint32_t remainder, uint32_t peeled, uint32_t left, uint32_t right, size_t k) {
  const uint32_t index = entries_[remainder].state - grammar_.labels;
  const float sum = entries_[remainder].score + entries_[peeled].score;
  for (uint32_t rule = grammar_.remainder_rules[index]; rule < grammar_.remainder_rules[index + 1]; ++rule) {
    const uint32_t parent = grammar_.remainder_parent[rule];
    if (fits(static_cast<Need>(grammar_.need_side[parent]), grammar_.need_label[parent]))
      offer(parent, sum + grammar_.remainder_weight[rule], static_cast<uint32_t>(k), left, right);
  }
}

// Unary steps, to their fixed point: the list of labels grows while it is read.
void Parser::climb() {
  size_t steps = 0;
  for (size_t next = 0; next < touched_labels_.size() && steps < kMostUnarySteps; ++next) {
    const uint32_t child = touched_labels_[next];
    for (uint32_t u = grammar_.unary_rules[child]; u < grammar_.unary_rules[child + 1]; ++u, ++steps) {
      const uint32_t parent = grammar_.unary_parent[u];
      const float score = best_score_[child] + grammar_.unary_weight[u];
      if (score <= best_score_[parent] || (parent == grammar_.root && (begin_ != 0 || end_ != length_))) continue;
      const bool known = best_score_[parent] != kNothing;
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
  uint32_t* firsts = &firsts_[(i * (length_ + 1) + j) * label_words_];
  for (const uint32_t label : touched_labels_) {
    if (bits[label >> 6] == 0) firsts[label >> 6] = static_cast<uint32_t>(entries_.size());
    here.words |= uint32_t{1} << (label >> 6);
    entries_.push_back(best_[label]);
    set_bit(bits, label);
    set_bit(ending, label);
    best_score_[label] = kNothing;
  }
  here.labels_end = static_cast<uint32_t>(entries_.size());
  for (const Need side : {Need::left, Need::right}) {
    for (const uint32_t state : touched_remainders_)
      if (static_cast<Need>(grammar_.need_side[state]) == side) {
        entries_.push_back(best_[state]);
        best_score_[state] = kNothing;
      }
    if (side == Need::left) here.left_end = static_cast<uint32_t>(entries_.size());
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
  tree_.nodes.push_back(
      {entries_[entry].state, static_cast<uint32_t>(i + offset_), static_cast<uint32_t>(j + offset_), {}});
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
  const auto begin = static_cast<uint32_t>(offset_), end = static_cast<uint32_t>(offset_ + words);
  tree_.nodes.push_back({static_cast<uint16_t>(grammar_.root), begin, end, {}});
  std::vector<uint32_t> children;
  for (auto span = spans.rbegin(); span != spans.rend(); ++span)
    children.push_back(add_node(span->first, span->second, back[span->second].second));
  tree_.nodes[0].children = std::move(children);
}

}  // namespace spidercap
