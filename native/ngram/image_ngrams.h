// The n-grams of each image's references, order 1 to 4, as one small trie per image, all tries end to end.
// Nodes lie level by level, sisters sorted by word, so that a trie is read front to back: 12 bytes a node, and a
// candidate's n-gram costs a search among the few words that follow its prefix in the image.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "ngram/ngrams.h"

namespace spidercap {

class ImageNgrams {
 public:
  // Tries of a run of images while they are made.
  class Builder {
   public:
    void add_image(std::span<const std::span<const uint32_t>> references);

   private:
    friend class ImageNgrams;
    void rank_nodes();
    void write_children();
    void write_counts(size_t references);

    std::vector<uint64_t> sizes_;
    std::vector<uint32_t> words_, children_, counts_, wide_;
    std::vector<uint8_t> is_wide_;

    DistinctNgrams ngrams_;
    std::vector<uint32_t> rank_;  // place of each n-gram in the trie
    std::vector<std::pair<uint64_t, uint32_t>> sorted_;
  };

  // The trie of one image. A node is its index + 1; 0 is the root, and `absent` no node.
  class Trie {
   public:
    static constexpr uint32_t absent = 0xFFFFFFFF;

    uint32_t child(uint32_t node, uint32_t word) const;
    // Calls receive(reference, count) for every reference that holds the n-gram, in order.
    template <typename Receive>
    void counts(uint32_t node, const Receive& receive) const {
      uint32_t packed = counts_[node - 1];
      if (wide_ != nullptr) {
        const uint32_t* list = wide_ + packed;
        for (uint32_t i = 0; i < list[0]; ++i) receive(list[1 + 2 * i], list[2 + 2 * i]);
        return;
      }
      for (uint32_t reference = 0; packed != 0; ++reference, packed >>= narrow_bits)
        if (const uint32_t count = packed & narrow_count) receive(reference, count);
    }

   private:
    friend class ImageNgrams;
    const uint32_t *words_, *children_, *counts_, *wide_;
  };

  Trie trie(size_t image) const;
  // Brings the front of an image's trie near.
  void prefetch(size_t image) const;
  // Adds the tries of builders, which are emptied.
  void append(std::span<Builder> builders);
  size_t bytes() const;

  template <typename Archive>
  void visit(Archive& archive) {
    archive(starts_), archive(words_), archive(children_), archive(counts_), archive(wide_), archive(is_wide_);
  }

 private:
  void append(Builder&& builder);

  static constexpr size_t narrow_references = 8;
  static constexpr uint32_t narrow_bits = 4, narrow_count = 15;

  std::vector<uint64_t> starts_{0};
  // Per node its last word and its counts; per node, and once more per image, where its children start.
  std::vector<uint32_t> words_, children_;
  // Counts: four bits a reference, or, for images with more than eight references or fifteen repetitions, an index into
  // wide_: how many pairs, then (reference, count) pairs.
  std::vector<uint32_t> counts_, wide_;
  std::vector<uint8_t> is_wide_;
};

}  // namespace spidercap
