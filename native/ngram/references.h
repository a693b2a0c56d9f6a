// References of many images, digested once for BLEU, ROUGE-L and CIDEr, and candidates scored against them.
// Kept per image: a trie of its n-grams with the count in each reference; per reference: length, CIDEr norms and word
// ids; once: the vocabulary, and the n-grams of document frequency 2 and more.
// Cost of a score: one hash look-up per word, one short search per distinct n-gram in the image's trie, and for CIDEr
// one hash look-up per distinct n-gram.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "ngram/bleu.h"
#include "ngram/cider.h"
#include "ngram/image_ngrams.h"
#include "ngram/ngrams.h"

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
  class Scratch;

  NgramReferences() = default;
  template <typename Archive>
  void visit(Archive& archive) {
    index_.visit(archive), ngrams_.visit(archive), archive(log_images_), archive(image_starts_);
    archive(reference_words_), archive(reference_norms_), archive(piece_starts_), archive(pieces_);
  }
  std::vector<std::span<const uint32_t>> words_of_image(std::span<const uint32_t> words,
                                                        std::span<const uint64_t> word_starts, size_t image) const;
  void digest_images(std::span<const uint32_t> words, std::span<const uint64_t> word_starts, size_t threads);
  void prefetch(size_t image) const;
  void score_pair(const NgramRequest& request, size_t pair, Scratch& scratch) const;
  double score_rouge_l(size_t image, Scratch& scratch) const;

  NgramIndex index_;
  ImageNgrams ngrams_;
  std::vector<double> log_images_{0.0};  // one number
  InverseFrequency idf_;
  std::vector<uint64_t> image_starts_{0};
  std::vector<uint32_t> reference_words_;
  std::vector<OrderNorms> reference_norms_;
  std::vector<uint64_t> piece_starts_{0};
  std::vector<uint32_t> pieces_;
};

}  // namespace spidercap
