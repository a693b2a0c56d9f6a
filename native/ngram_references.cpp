#include "ngram_references.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "flat_file.h"
#include "fork_join.h"
#include "rouge.h"

namespace spidercap {
namespace {

constexpr size_t images_per_block = 512, pairs_per_block = 64;
constexpr size_t narrow_references = 8;
constexpr uint32_t narrow_count = 15, narrow_bits = 4;
constexpr std::string_view file_magic = "spidercap n-gram references";
constexpr uint32_t file_version = 1;

// One n-gram of one reference, while an image is digested.
struct Occurrence {
  uint32_t id, reference, count;
};

template <typename T>
void append_all(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// Position of an id in sorted ids, or their number. The halving has no branches to guess wrong.
size_t find_sorted(std::span<const uint32_t> ids, uint32_t id) {
  const uint32_t* base = ids.data();
  size_t left = ids.size();
  while (left > 1) {
    const size_t half = left / 2;
    base += base[half - 1] < id ? half : 0;
    left -= half;
  }
  return left == 1 && *base == id ? static_cast<size_t>(base - ids.data()) : ids.size();
}

}  // namespace

// What a block of images adds to the digest.
struct NgramReferences::Digest {
  std::vector<uint64_t> ngrams_per_image;
  std::vector<uint8_t> is_wide;
  std::vector<uint32_t> ids, counts, wide;
  std::vector<Occurrence> occurrences;
  CaptionNgrams ngrams;

  void add_image(size_t references) {
    std::sort(occurrences.begin(), occurrences.end(), [](const Occurrence& a, const Occurrence& b) {
      return std::pair(a.id, a.reference) < std::pair(b.id, b.reference);
    });
    bool wide_image = references > narrow_references;
    for (const Occurrence& occurrence : occurrences) wide_image |= occurrence.count > narrow_count;
    const size_t before = ids.size();
    for (size_t i = 0, end; i < occurrences.size(); i = end) {
      for (end = i; end < occurrences.size() && occurrences[end].id == occurrences[i].id;) ++end;
      ids.push_back(occurrences[i].id);
      const std::span same(occurrences.data() + i, end - i);
      counts.push_back(wide_image ? add_wide(same) : pack(same));
    }
    ngrams_per_image.push_back(ids.size() - before);
    is_wide.push_back(wide_image);
    occurrences.clear();
  }

  static uint32_t pack(std::span<const Occurrence> occurrences) {
    uint32_t packed = 0;
    for (const Occurrence& occurrence : occurrences) packed |= occurrence.count << (narrow_bits * occurrence.reference);
    return packed;
  }

  uint32_t add_wide(std::span<const Occurrence> occurrences) {
    const size_t start = wide.size();
    wide.push_back(static_cast<uint32_t>(occurrences.size()));
    for (const Occurrence& occurrence : occurrences) {
      wide.push_back(occurrence.reference);
      wide.push_back(occurrence.count);
    }
    return static_cast<uint32_t>(start);
  }
};

// What one thread needs again for every pair.
class NgramReferences::Scratch {
 public:
  CaptionWords caption;
  CaptionNgrams ngrams;
  CommonSubsequence common;
  CiderSums cider;
};

NgramReferences::NgramReferences(std::span<const std::string_view> references, std::vector<uint64_t> image_starts,
                                 const DocumentFrequencies* given, std::optional<double> log_images, size_t threads)
    : image_starts_(std::move(image_starts)) {
  DocumentFrequencies counted;
  if (given != nullptr) counted = *given;
  CaptionWords caption;
  CaptionNgrams ngrams;
  std::vector<std::vector<uint32_t>> image_words;
  std::vector<uint32_t> words;
  std::vector<uint64_t> word_starts{0};
  for (size_t image = 0; image < images(); ++image) {
    image_words.clear();
    for (uint64_t r = image_starts_[image]; r < image_starts_[image + 1]; ++r) {
      caption.read_and_intern(references[r], counted.index.words);
      append_all(pieces_, caption.pieces);
      piece_starts_.push_back(pieces_.size());
      append_all(words, caption.words);
      word_starts.push_back(words.size());
      image_words.push_back(caption.words);
    }
    if (given == nullptr) {
      counted.add_image(image_words);
      continue;
    }
    for (const std::vector<uint32_t>& reference : image_words) {
      ngrams.count(reference);
      ngrams.intern(counted.index.ngrams, [](const NgramTable::Slot&) {});
    }
  }
  log_images_[0] = log_images ? *log_images : std::log(static_cast<double>(std::max<uint64_t>(1, counted.images())));
  index_ = std::move(counted.index);
  prepare_idf();
  digest_images(words, word_starts, threads);
}

void NgramReferences::prepare_idf() {
  uint32_t largest = 0;
  for (const NgramTable::Slot& slot : index_.ngrams.slots()) largest = std::max(largest, slot.df);
  idf_ = InverseFrequency(log_images_[0], largest);
}

void NgramReferences::digest_images(const std::vector<uint32_t>& words, const std::vector<uint64_t>& word_starts,
                                    size_t threads) {
  reference_words_.resize(references());
  reference_norms_.resize(references());
  std::vector<Digest> blocks((images() + images_per_block - 1) / images_per_block);
  const auto known_words = static_cast<uint32_t>(index_.words.size());
  fork_join(images(), threads, images_per_block, [&](size_t first, size_t last) {
    std::vector<uint32_t> reference;
    for (size_t image = first; image < last; ++image) {
      Digest& digest = blocks[image / images_per_block];
      const size_t start = static_cast<size_t>(image_starts_[image]), end = static_cast<size_t>(image_starts_[image + 1]);
      for (size_t r = start; r < end; ++r) {
        reference.assign(words.begin() + static_cast<std::ptrdiff_t>(word_starts[r]),
                         words.begin() + static_cast<std::ptrdiff_t>(word_starts[r + 1]));
        digest.ngrams.count(reference);
        digest.ngrams.look_up(index_.ngrams, known_words);
        reference_words_[r] = static_cast<uint32_t>(reference.size());
        reference_norms_[r] = cider_norms(digest.ngrams, idf_);
        for (const CaptionNgrams::Entry& entry : digest.ngrams.entries)
          digest.occurrences.push_back({entry.id, static_cast<uint32_t>(r - start), entry.count});
      }
      digest.add_image(end - start);
    }
  });
  size_t total = 0;
  for (const Digest& block : blocks) total += block.ids.size();
  ngram_ids_.reserve(total);
  ngram_counts_.reserve(total);
  for (Digest& block : blocks) {
    append(block);
    block = Digest{};
  }
}

void NgramReferences::append(const Digest& digest) {
  const size_t shift = wide_counts_.size();
  if (shift + digest.wide.size() > 0xFFFFFFFF) throw std::length_error("too many references per image to digest");
  size_t next = 0;
  for (size_t i = 0; i < digest.ngrams_per_image.size(); ++i) {
    ngram_starts_.push_back(ngram_starts_.back() + digest.ngrams_per_image[i]);
    for (const size_t end = next + digest.ngrams_per_image[i]; next < end; ++next)
      ngram_counts_.push_back(digest.counts[next] + (digest.is_wide[i] ? static_cast<uint32_t>(shift) : 0));
  }
  append_all(ngram_ids_, digest.ids);
  append_all(image_is_wide_, digest.is_wide);
  append_all(wide_counts_, digest.wide);
}

void NgramReferences::score(const NgramRequest& request, size_t threads) const {
  fork_join(request.captions.size(), threads, pairs_per_block, [&](size_t first, size_t last) {
    Scratch scratch;
    for (size_t pair = first; pair < last; ++pair) score_pair(request, pair, scratch);
  });
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
  const size_t first_ngram = static_cast<size_t>(ngram_starts_[image]);
  const std::span ids(ngram_ids_.data() + first_ngram, static_cast<size_t>(ngram_starts_[image + 1]) - first_ngram);
  const std::span lengths(reference_words_.data() + first, references);
  BleuStatistics statistics = bleu_lengths(words.size(), lengths);
  if (wants_cider) scratch.cider.start(references, request.cider_d, request.cider);
  scratch.ngrams.count(words);
  scratch.ngrams.look_up(index_.ngrams, static_cast<uint32_t>(index_.words.size()));
  for (size_t order = 0; order < ngram_orders; ++order)
    for (size_t i = scratch.ngrams.order_starts[order]; i < scratch.ngrams.order_starts[order + 1]; ++i) {
      const CaptionNgrams::Entry& entry = scratch.ngrams.entries[i];
      if (entry.id == 0) continue;
      const size_t found = find_sorted(ids, entry.id);
      if (found == ids.size()) continue;
      const double idf = wants_cider ? idf_(entry.df) : 0.0;
      uint32_t most = 0;
      const auto take = [&](uint32_t reference, uint32_t count) {
        most = std::max(most, count);
        if (wants_cider) scratch.cider.add(order, reference, idf, entry.count, count);
      };
      uint32_t counts = ngram_counts_[first_ngram + found];
      if (image_is_wide_[image]) {
        const uint32_t* list = wide_counts_.data() + counts;
        for (uint32_t k = 0; k < list[0]; ++k) take(list[1 + 2 * k], list[2 + 2 * k]);
      } else {
        for (uint32_t r = 0; counts != 0; ++r, counts >>= narrow_bits)
          if (const uint32_t count = counts & narrow_count) take(r, count);
      }
      statistics[order] += std::min(entry.count, most);
    }

  if (request.bleu_statistics) std::ranges::copy(statistics, request.bleu_statistics + pair * bleu_statistics_size);
  if (request.bleu) std::ranges::copy(bleu_scores(statistics), request.bleu + pair * ngram_orders);
  if (!wants_cider) return;
  const OrderNorms norms = cider_norms(scratch.ngrams, idf_);
  const std::span reference_norms(reference_norms_.data() + first, references);
  if (request.cider_d) request.cider_d[pair] = scratch.cider.clipped_score(norms, reference_norms, lengths, words.size());
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
  return index_.words.bytes() + index_.ngrams.bytes() + 8 * (image_starts_.size() + ngram_starts_.size()) +
         4 * (ngram_ids_.size() + ngram_counts_.size() + wide_counts_.size() + reference_words_.size() + pieces_.size()) +
         8 * piece_starts_.size() + sizeof(OrderNorms) * reference_norms_.size() + image_is_wide_.size();
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
  loaded.prepare_idf();
  return loaded;
}

}  // namespace spidercap
