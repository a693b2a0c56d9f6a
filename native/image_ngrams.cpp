#include "image_ngrams.h"

#include <algorithm>
#include <stdexcept>

#include "prefetch.h"

namespace spidercap {
namespace {

template <typename T>
void append_all(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

void ImageNgrams::Builder::add_image(std::span<const std::span<const uint32_t>> references) {
  collect(references);
  rank_nodes();
  write_children();
  write_counts(references.size());
  sizes_.push_back(nodes_.size());
}

// Nodes in the order they are met, prefixes first, and how often each reference holds them.
void ImageNgrams::Builder::collect(std::span<const std::span<const uint32_t>> references) {
  size_t words = 0;
  for (const std::span<const uint32_t> reference : references) words += reference.size();
  index_.clear(ngram_orders * words);
  nodes_.clear();
  occurrences_.clear();
  for (uint32_t r = 0; r < references.size(); ++r) {
    ngrams_.count(references[r]);
    node_of_entry_.resize(ngrams_.entries.size());
    for (uint32_t order = 0; order < ngram_orders; ++order)
      for (size_t i = ngrams_.order_starts[order]; i < ngrams_.order_starts[order + 1]; ++i) {
        const CaptionNgrams::Entry& entry = ngrams_.entries[i];
        const uint32_t prefix = order == 0 ? 0 : node_of_entry_[entry.prefix] + 1;
        const auto next = static_cast<uint32_t>(nodes_.size());
        const uint32_t node = index_.insert(prefix, entry.word, next);
        if (node == next) nodes_.push_back({prefix, entry.word, order, 0});
        node_of_entry_[i] = node;
        occurrences_.push_back({node, r, entry.count});
      }
  }
}

// Order in the trie: level by level, within a level by the rank of the prefix, then by word.
void ImageNgrams::Builder::rank_nodes() {
  uint32_t next = 0;
  for (uint32_t order = 0; order < ngram_orders; ++order) {
    sorted_.clear();
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].order != order) continue;
      const uint64_t prefix = order == 0 ? 0 : nodes_[nodes_[i].prefix - 1].rank;
      sorted_.emplace_back(prefix << 32 | nodes_[i].word, i);
    }
    std::sort(sorted_.begin(), sorted_.end());
    for (const auto& [key, node] : sorted_) {
      nodes_[node].rank = next++;
      words_.push_back(nodes_[node].word);
    }
  }
}

void ImageNgrams::Builder::write_children() {
  const size_t first = children_.size();
  children_.resize(first + nodes_.size() + 1);
  uint32_t* children = children_.data() + first;
  uint32_t singles = 0;
  for (const Node& node : nodes_) {
    if (node.order == 0) ++singles;
    if (node.order != 0) ++children[nodes_[node.prefix - 1].rank + 1];
  }
  children[0] = singles;
  for (size_t i = 1; i <= nodes_.size(); ++i) children[i] += children[i - 1];
}

void ImageNgrams::Builder::write_counts(size_t references) {
  bool wide = references > narrow_references;
  for (Occurrence& occurrence : occurrences_) {
    occurrence.node = nodes_[occurrence.node].rank;
    wide |= occurrence.count > narrow_count;
  }
  const size_t first = counts_.size();
  counts_.resize(first + nodes_.size());
  is_wide_.push_back(wide);
  if (!wide) {
    for (const Occurrence& occurrence : occurrences_)
      counts_[first + occurrence.node] |= occurrence.count << (narrow_bits * occurrence.reference);
    return;
  }
  std::stable_sort(occurrences_.begin(), occurrences_.end(),
                   [](const Occurrence& a, const Occurrence& b) { return a.node < b.node; });
  for (size_t i = 0; i < occurrences_.size(); ++i) {
    const Occurrence& occurrence = occurrences_[i];
    if (i == 0 || occurrences_[i - 1].node != occurrence.node) {
      counts_[first + occurrence.node] = static_cast<uint32_t>(wide_.size());
      wide_.push_back(0);
    }
    ++wide_[counts_[first + occurrence.node]];
    wide_.push_back(occurrence.reference);
    wide_.push_back(occurrence.count);
  }
}

void ImageNgrams::append(Builder&& builder) {
  const size_t shift = wide_.size();
  if (shift + builder.wide_.size() > 0xFFFFFFFF) throw std::length_error("too many references per image to digest");
  size_t node = 0;
  for (size_t image = 0; image < builder.sizes_.size(); ++image) {
    starts_.push_back(starts_.back() + builder.sizes_[image]);
    const size_t end = node + static_cast<size_t>(builder.sizes_[image]);
    for (; node < end; ++node)
      counts_.push_back(builder.counts_[node] + (builder.is_wide_[image] ? static_cast<uint32_t>(shift) : 0));
  }
  append_all(words_, builder.words_);
  append_all(children_, builder.children_);
  append_all(wide_, builder.wide_);
  append_all(is_wide_, builder.is_wide_);
  builder = Builder{};
}

ImageNgrams::Trie ImageNgrams::trie(size_t image) const {
  const auto start = static_cast<size_t>(starts_[image]);
  Trie trie;
  trie.words_ = words_.data() + start;
  trie.children_ = children_.data() + start + image;
  trie.counts_ = counts_.data() + start;
  trie.wide_ = is_wide_[image] ? wide_.data() : nullptr;
  return trie;
}

void ImageNgrams::prefetch(size_t image) const {
  constexpr size_t line = 16;  // numbers in a cache line
  const auto start = static_cast<size_t>(starts_[image]);
  if (words_.size() - start < 3 * line) return;
  for (size_t i = 0; i < 3 * line; i += line) {
    prefetch_address(words_.data() + start + i);
    prefetch_address(children_.data() + start + image + i);
    prefetch_address(counts_.data() + start + i);
  }
}

// Halving without branches that can be guessed wrong, for the many sisters of single words and the few of others.
uint32_t ImageNgrams::Trie::child(uint32_t node, uint32_t word) const {
  const uint32_t first = node == 0 ? 0 : children_[node - 1];
  uint32_t left = (node == 0 ? children_[0] : children_[node]) - first;
  const uint32_t* base = words_ + first;
  while (left > 1) {
    const uint32_t half = left / 2;
    base += base[half - 1] < word ? half : 0;
    left -= half;
  }
  return left == 1 && *base == word ? static_cast<uint32_t>(base - words_) + 1 : absent;
}

size_t ImageNgrams::bytes() const {
  return 8 * starts_.size() + 4 * (words_.size() + children_.size() + counts_.size() + wide_.size()) + is_wide_.size();
}

}  // namespace spidercap
