#include "ngram/image_ngrams.h"

#include <algorithm>
#include <stdexcept>

#include "core/prefetch.h"

namespace spidercap {
namespace {

template <typename T>
void append_all(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

void ImageNgrams::Builder::add_image(std::span<const std::span<const uint32_t>> references) {
  ngrams_.collect(references);
  rank_nodes();
  write_children();
  write_counts(references.size());
  sizes_.push_back(ngrams_.nodes.size());
}

// Order in the trie: level by level, within a level by the rank of the prefix, then by word.
void ImageNgrams::Builder::rank_nodes() {
  const std::vector<DistinctNgrams::Node>& nodes = ngrams_.nodes;
  rank_.resize(nodes.size());
  uint32_t next = 0;
  for (uint32_t order = 0; order < ngram_orders; ++order) {
    sorted_.clear();
    for (uint32_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].order != order) continue;
      const uint64_t prefix = order == 0 ? 0 : rank_[nodes[i].prefix - 1];
      sorted_.emplace_back(prefix << 32 | nodes[i].word, i);
    }
    std::sort(sorted_.begin(), sorted_.end());
    for (const auto& [key, node] : sorted_) {
      rank_[node] = next++;
      words_.push_back(nodes[node].word);
    }
  }
}

void ImageNgrams::Builder::write_children() {
  const std::vector<DistinctNgrams::Node>& nodes = ngrams_.nodes;
  const size_t first = children_.size();
  children_.resize(first + nodes.size() + 1);
  uint32_t* children = children_.data() + first;
  for (const DistinctNgrams::Node& node : nodes) ++children[node.order == 0 ? 0 : rank_[node.prefix - 1] + 1];
  for (size_t i = 1; i <= nodes.size(); ++i) children[i] += children[i - 1];
}

void ImageNgrams::Builder::write_counts(size_t references) {
  std::vector<DistinctNgrams::Occurrence>& occurrences = ngrams_.occurrences;
  bool wide = references > narrow_references;
  for (DistinctNgrams::Occurrence& occurrence : occurrences) {
    occurrence.node = rank_[occurrence.node];
    wide |= occurrence.count > narrow_count;
  }
  const size_t first = counts_.size();
  counts_.resize(first + rank_.size());
  is_wide_.push_back(wide);
  if (!wide) {
    for (const DistinctNgrams::Occurrence& occurrence : occurrences)
      counts_[first + occurrence.node] |= occurrence.count << (narrow_bits * occurrence.caption);
    return;
  }
  std::stable_sort(occurrences.begin(), occurrences.end(),
                   [](const auto& a, const auto& b) { return a.node < b.node; });
  for (size_t i = 0; i < occurrences.size(); ++i) {
    uint32_t& list = counts_[first + occurrences[i].node];
    if (i == 0 || occurrences[i - 1].node != occurrences[i].node) {
      list = static_cast<uint32_t>(wide_.size());
      wide_.push_back(0);
    }
    ++wide_[list];
    wide_.push_back(occurrences[i].caption);
    wide_.push_back(occurrences[i].count);
  }
}

void ImageNgrams::append(std::span<Builder> builders) {
  size_t nodes = words_.size(), images = is_wide_.size();
  for (const Builder& builder : builders) {
    nodes += builder.words_.size();
    images += builder.sizes_.size();
  }
  words_.reserve(nodes);
  counts_.reserve(nodes);
  children_.reserve(nodes + images);
  for (Builder& builder : builders) append(std::move(builder));
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
