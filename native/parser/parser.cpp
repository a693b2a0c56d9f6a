#include "parser/parser.h"

#include <algorithm>
#include <utility>

namespace spidercap {
namespace {

constexpr float kPieceCost = -20.0F;

}  // namespace

const Tree& Parser::parse(std::span<const std::string_view> words) {
  tree_.nodes.clear();
  tree_.score = 0;
  tree_.whole = true;
  words_read_ = 0;
  if (words.empty())
    tree_.nodes.push_back({static_cast<uint16_t>(tables_.root), 0, 0, {}});
  else if (words.size() <= kLongestCaption)
    parse_piece(words);
  else
    parse_pieces(words);
  return tree_;
}

void Parser::parse_pieces(std::span<const std::string_view> words) {
  Tree all;
  all.whole = false;
  all.nodes.push_back({static_cast<uint16_t>(tables_.root), 0, static_cast<uint32_t>(words.size()), {}});
  for (size_t begin = 0; begin < words.size(); begin += kPieceWords) {
    tree_.nodes.clear();
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
  const uint32_t root = search(words);
  if (root == Chart::kNone) return add_side_by_side();
  tree_.score = (*chart_)[root].score;
  add_node(tables_.root, root);
}

// The entry of the root, or kNone.
uint32_t Parser::search(std::span<const std::string_view> words) {
  narrow_.fill(words);
  chart_ = &narrow_;
  for (const bool any_tag : {false, true}) {
    if (const uint32_t root = chart_->find(0, words.size(), tables_.root); root != Chart::kNone) return root;
    wide().fill(words, any_tag);
    chart_ = wide_.get();
  }
  return chart_->find(0, words.size(), tables_.root);
}

Chart& Parser::wide() {
  if (!wide_) wide_ = std::make_unique<Chart>(tables_, limits_.wider());
  return *wide_;
}

// Adds the node of a label that an entry holds, or passes on its chain of unary steps, with everything below.
uint32_t Parser::add_node(uint32_t label, uint32_t entry) {
  const auto index = static_cast<uint32_t>(tree_.nodes.size());
  tree_.nodes.push_back({static_cast<uint16_t>(label), words_read_, 0, {}});
  const Chart::Entry& here = (*chart_)[entry];
  std::vector<uint32_t> children;
  if (here.right == Chart::kWord) {
    ++words_read_;
  } else if (here.right == Chart::kUnary) {
    const uint32_t base = (*chart_)[here.left].state, below = tables_.below(base, label);
    children.push_back(add_node(below, below == base ? here.left : entry));
  } else {
    add_children(entry, children);
  }
  tree_.nodes[index].children = std::move(children);
  tree_.nodes[index].end = words_read_;
  return index;
}

// The labelled nodes below a joined entry, actives dissolved, from left to right.
void Parser::add_children(uint32_t entry, std::vector<uint32_t>& children) {
  for (const uint32_t child : {(*chart_)[entry].left, (*chart_)[entry].right}) {
    if ((*chart_)[child].state < tables_.labels)
      children.push_back(add_node((*chart_)[child].state, child));
    else
      add_children(child, children);
  }
}

// No tree covers the caption: the cheapest row of phrases, side by side under the root.
void Parser::add_side_by_side() {
  const size_t words = chart_->size();
  tree_.whole = false;
  std::vector<float> best(words + 1, -1e30F);
  std::vector<std::pair<size_t, uint32_t>> back(words + 1);
  best[0] = 0;
  for (size_t j = 1; j <= words; ++j)
    for (size_t i = 0; i < j; ++i) {
      const auto [first, end] = chart_->labels_over(i, j);
      for (uint32_t e = first; e < end; ++e) {
        const float score = best[i] + (*chart_)[e].score + kPieceCost;
        if (score > best[j]) best[j] = score, back[j] = {i, e};
      }
    }
  std::vector<uint32_t> entries;
  for (size_t j = words; j > 0; j = back[j].first) entries.push_back(back[j].second);
  tree_.score = best[words];
  const auto end = static_cast<uint32_t>(words_read_ + words);
  tree_.nodes.push_back({static_cast<uint16_t>(tables_.root), words_read_, end, {}});
  std::vector<uint32_t> children;
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry)
    children.push_back(add_node((*chart_)[*entry].state, *entry));
  tree_.nodes[0].children = std::move(children);
}

}  // namespace spidercap
