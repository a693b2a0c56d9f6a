// References of many images, digested once for BLEU, ROUGE-L and CIDEr, and candidates scored against them.
// Kept per image: its distinct n-grams (sorted ids) with the count in each reference; per reference: length, CIDEr norms
// and word ids. About 8 bytes per distinct n-gram and image; 616,767 COCO references take some 300 MB.
// Cost of a score: one hash look-up per word and distinct n-gram, one binary search per known n-gram.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "bleu.h"
#include "cider.h"
#include "ngrams.h"

namespace spidercap {

// Pairs (image, caption) to score, and where results go; a null pointer leaves a metric out.
struct NgramRequest {
  std::span<const int64_t> images;
  std::span<const std::string_view> captions;
  int64_t* bleu_statistics = nullptr;  // 10 per pair
  double* bleu = nullptr;              // 4 per pair; needs bleu_statistics
  double* rouge_l = nullptr;
  double* cider_d = nullptr;
  double* cider = nullptr;
};

class NgramReferences {
 public:
  // References of all images end to end; those of image i are [image_starts[i], image_starts[i + 1]).
  // Without given frequencies those of the references themselves are counted.
  NgramReferences(std::span<const std::string_view> references, std::vector<uint64_t> image_starts,
                  const DocumentFrequencies* given, std::optional<double> log_images, size_t threads);

  size_t images() const { return image_starts_.size() - 1; }
  size_t references() const { return static_cast<size_t>(image_starts_.back()); }
  size_t bytes() const;

  // Image indices must be in range. Same results for any number of threads.
  void score(const NgramRequest& request, size_t threads) const;

  void save(const std::filesystem::path& path, std::string_view key);
  static NgramReferences load(const std::filesystem::path& path, std::string_view key);

 private:
  struct Digest;
  class Scratch;

  NgramReferences() = default;
  template <typename Archive>
  void visit(Archive& archive) {
    index_.visit(archive), archive(log_images_), archive(image_starts_), archive(ngram_starts_), archive(ngram_ids_);
    archive(image_is_wide_), archive(ngram_counts_), archive(wide_counts_), archive(reference_words_), archive(reference_norms_);
    archive(piece_starts_), archive(pieces_);
  }
  void prepare_idf();
  void digest_images(const std::vector<uint32_t>& words, const std::vector<uint64_t>& word_starts, size_t threads);
  void append(const Digest& digest);
  void score_pair(const NgramRequest& request, size_t pair, Scratch& scratch) const;
  double score_rouge_l(size_t image, Scratch& scratch) const;

  NgramIndex index_;
  std::vector<double> log_images_{0.0};  // one number
  InverseFrequency idf_;
  std::vector<uint64_t> image_starts_{0}, ngram_starts_{0};
  // Sorted ids of an image's n-grams, and their counts: four bits a reference, or, for images with more than eight
  // references or fifteen repetitions, an index into wide_counts_: how many pairs, then (reference, count) pairs.
  std::vector<uint8_t> image_is_wide_;
  std::vector<uint32_t> ngram_ids_, ngram_counts_, wide_counts_;
  std::vector<uint32_t> reference_words_;
  std::vector<OrderNorms> reference_norms_;
  std::vector<uint64_t> piece_starts_{0};
  std::vector<uint32_t> pieces_;
};

}  // namespace spidercap
