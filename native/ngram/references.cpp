#include "ngram/references.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/flat_file.h"
#include "core/fork_join.h"
#include "core/prefetch.h"
#include "ngram/rouge.h"

namespace spidercap {
namespace {

constexpr size_t images_per_block = 512, pairs_per_block = 64;
constexpr std::string_view file_magic = "spidercap n-gram references";
constexpr uint32_t file_version = 2;

template <typename T>
void append_all(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

// What one thread needs again for every pair.
class NgramReferences::Scratch {
 public:
  CaptionWords caption;
  CaptionNgrams ngrams;
  std::vector<uint32_t> nodes;
  CommonSubsequence common;
  CiderSums cider;

  // The node of each n-gram of the caption in the image's trie.
  void find_nodes(const ImageNgrams::Trie& trie) {
    constexpr uint32_t absent = ImageNgrams::Trie::absent;
    nodes.resize(ngrams.entries.size());
    for (size_t i = 0; i < nodes.size(); ++i) {
      const CaptionNgrams::Entry& entry = ngrams.entries[i];
      const uint32_t prefix = i < ngrams.order_starts[1] ? 0 : nodes[entry.prefix];
      nodes[i] = prefix == absent ? absent : trie.child(prefix, entry.word);
    }
  }
};

NgramReferences::NgramReferences(std::span<const std::string_view> references, std::vector<uint64_t> image_starts,
                                 const DocumentFrequencies* given, std::optional<double> log_images, size_t threads)
    : image_starts_(std::move(image_starts)) {
  DocumentFrequencies frequencies;
  if (given != nullptr) frequencies = *given;
  CaptionWords caption;
  std::vector<uint32_t> words;
  std::vector<uint64_t> word_starts{0};
  for (size_t image = 0; image < images(); ++image) {
    for (uint64_t r = image_starts_[image]; r < image_starts_[image + 1]; ++r) {
      caption.read_and_intern(references[r], frequencies.index.words);
      append_all(pieces_, caption.pieces);
      piece_starts_.push_back(pieces_.size());
      append_all(words, caption.words);
      word_starts.push_back(words.size());
    }
    if (given == nullptr) frequencies.add_image(words_of_image(words, word_starts, image));
  }
  pieces_.shrink_to_fit();
  piece_starts_.shrink_to_fit();
  log_images_[0] =
      log_images ? *log_images : std::log(static_cast<double>(std::max<uint64_t>(1, frequencies.images())));
  // A given table is taken whole: to go through all of it again would cost more than n-grams of df 1 do.
  index_ = given != nullptr ? std::move(frequencies.index) : frequencies.release_frequent();
  idf_ = InverseFrequency(log_images_[0], index_.largest_df());
  digest_images(words, word_starts, threads);
}

std::vector<std::span<const uint32_t>> NgramReferences::words_of_image(std::span<const uint32_t> words,
                                                                       std::span<const uint64_t> word_starts,
                                                                       size_t image) const {
  std::vector<std::span<const uint32_t>> references;
  for (uint64_t r = image_starts_[image]; r < image_starts_[image + 1]; ++r)
    references.push_back(words.subspan(word_starts[r], word_starts[r + 1] - word_starts[r]));
  return references;
}

void NgramReferences::digest_images(std::span<const uint32_t> words, std::span<const uint64_t> word_starts,
                                    size_t threads) {
  reference_words_.resize(references());
  reference_norms_.resize(references());
  std::vector<ImageNgrams::Builder> blocks((images() + images_per_block - 1) / images_per_block);
  const auto known_words = static_cast<uint32_t>(index_.words.size());
  fork_join(images(), threads, images_per_block, [&](size_t first, size_t last) {
    CaptionNgrams ngrams;
    for (size_t image = first; image < last; ++image) {
      const auto references = words_of_image(words, word_starts, image);
      for (size_t r = 0; r < references.size(); ++r) {
        ngrams.count(references[r]);
        ngrams.look_up(index_.ngrams, known_words);
        reference_words_[image_starts_[image] + r] = static_cast<uint32_t>(references[r].size());
        reference_norms_[image_starts_[image] + r] = cider_norms(ngrams, idf_);
      }
      blocks[image / images_per_block].add_image(references);
    }
  });
  ngrams_.append(blocks);
}

void NgramReferences::score(const NgramRequest& request, size_t threads) const {
  fork_join(request.captions.size(), threads, pairs_per_block, [&](size_t first, size_t last) {
    Scratch scratch;
    for (size_t pair = first; pair < last; ++pair) {
      if (pair + 1 < last) prefetch(static_cast<size_t>(request.images[pair + 1]));
      score_pair(request, pair, scratch);
    }
  });
}

void NgramReferences::prefetch(size_t image) const {
  const auto first = static_cast<size_t>(image_starts_[image]);
  ngrams_.prefetch(image);
  prefetch_address(reference_words_.data() + first);
  prefetch_address(reference_norms_.data() + first);
  prefetch_address(pieces_.data() + piece_starts_[first]);
}

void NgramReferences::score_pair(const NgramRequest& request, size_t pair, Scratch& scratch) const {
  const auto image = static_cast<size_t>(request.images[pair]);
  scratch.caption.read(request.captions[pair], index_.words);
  if (request.rouge_l) request.rouge_l[pair] = score_rouge_l(image, scratch);
  const bool wants_cider = request.cider_d || request.cider;
  if (!request.bleu_statistics && !wants_cider) return;

  const std::vector<uint32_t>& words = scratch.caption.words;
  const size_t first = static_cast<size_t>(image_starts_[image]);
  const size_t references = static_cast<size_t>(image_starts_[image + 1]) - first;
  const std::span lengths(reference_words_.data() + first, references);
  const ImageNgrams::Trie trie = ngrams_.trie(image);
  BleuStatistics statistics = bleu_lengths(words.size(), lengths);
  scratch.ngrams.count(words);
  scratch.find_nodes(trie);
  if (wants_cider) {
    scratch.ngrams.look_up(index_.ngrams, static_cast<uint32_t>(index_.words.size()));
    scratch.cider.start(references, request.cider_d, request.cider);
  }
  for (size_t order = 0; order < ngram_orders; ++order)
    for (size_t i = scratch.ngrams.order_starts[order]; i < scratch.ngrams.order_starts[order + 1]; ++i) {
      if (scratch.nodes[i] == ImageNgrams::Trie::absent) continue;
      const CaptionNgrams::Entry& entry = scratch.ngrams.entries[i];
      const double idf = wants_cider ? idf_(entry.df) : 0.0;
      uint32_t most = 0;
      trie.counts(scratch.nodes[i], [&](uint32_t reference, uint32_t count) {
        most = std::max(most, count);
        if (wants_cider) scratch.cider.add(order, reference, idf, entry.count, count);
      });
      statistics[order] += std::min(entry.count, most);
    }

  if (request.bleu_statistics) std::ranges::copy(statistics, request.bleu_statistics + pair * bleu_statistics_size);
  if (request.bleu) std::ranges::copy(bleu_scores(statistics), request.bleu + pair * ngram_orders);
  if (!wants_cider) return;
  const OrderNorms norms = cider_norms(scratch.ngrams, idf_);
  const std::span reference_norms(reference_norms_.data() + first, references);
  if (request.cider_d)
    request.cider_d[pair] = scratch.cider.clipped_score(norms, reference_norms, lengths, words.size());
  if (request.cider) request.cider[pair] = scratch.cider.plain_score(norms, reference_norms);
}

double NgramReferences::score_rouge_l(size_t image, Scratch& scratch) const {
  const std::vector<uint32_t>& candidate = scratch.caption.pieces;
  scratch.common.set_candidate(candidate);
  double precision = 0, recall = 0;
  for (size_t r = static_cast<size_t>(image_starts_[image]); r < image_starts_[image + 1]; ++r) {
    const size_t start = static_cast<size_t>(piece_starts_[r]), end = static_cast<size_t>(piece_starts_[r + 1]);
    const auto common = static_cast<double>(scratch.common.length_with({pieces_.data() + start, end - start}));
    precision = std::max(precision, common / static_cast<double>(candidate.size()));
    recall = std::max(recall, common / static_cast<double>(end - start));
  }
  return rouge_l_score(precision, recall);
}

size_t NgramReferences::bytes() const {
  return index_.words.bytes() + index_.ngrams.bytes() + ngrams_.bytes() +
         8 * (image_starts_.size() + piece_starts_.size()) + 4 * (reference_words_.size() + pieces_.size()) +
         sizeof(OrderNorms) * reference_norms_.size();
}

void NgramReferences::save(const std::filesystem::path& path, std::string_view key) {
  FlatWriter writer(path, file_magic, file_version, key);
  visit(writer);
  writer.finish();
}

NgramReferences NgramReferences::load(const std::filesystem::path& path, std::string_view key) {
  NgramReferences loaded;
  FlatReader reader(path, file_magic, file_version, key);
  loaded.visit(reader);
  reader.finish();
  loaded.idf_ = InverseFrequency(loaded.log_images_.at(0), loaded.index_.largest_df());
  return loaded;
}

}  // namespace spidercap
