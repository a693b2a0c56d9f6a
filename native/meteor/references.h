// References digested for METEOR: each image's references normalised, their words analysed, their phrases found in the
// paraphrase table. Digesting costs about 5 µs a reference, and about 150 bytes; scoring a caption against the digest
// touches no text of the references any more.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "meteor/words.h"

namespace spidercap {

// One reference inside its image's digest.
struct ReferenceView {
  std::span<const uint32_t> words;          // for each word, its place among the image's words
  std::span<const uint8_t> phrase_lengths;  // for each word, bit n−1 set when a phrase of n words starts there
  std::span<const uint32_t> phrases;        // those phrases by start, then length: places among the image's phrases
  uint32_t function_words;
};

struct ImageView {
  std::span<const uint32_t> words;    // the different words of its references: ids in the lexicon
  std::span<const uint32_t> phrases;  // the different phrases, ascending: ids in the paraphrase table
};

class MeteorReferences {
 public:
  explicit MeteorReferences(const MeteorResources& resources) : lexicon_(resources) {}
  // The references of all images end to end, and where each image's start: one more number than images.
  MeteorReferences(const MeteorResources& resources, std::span<const std::string_view> references,
                   std::span<const uint64_t> image_starts);

  size_t images() const { return image_references_.size() - 1; }
  size_t references() const { return reference_words_.size() - 1; }
  ImageView image(size_t i) const;
  std::pair<size_t, size_t> references_of(size_t image) const {
    return {image_references_[image], image_references_[image + 1]};
  }
  ReferenceView reference(size_t i) const;
  const Lexicon& lexicon() const { return lexicon_; }

  // The digest as bytes, and back; loading throws std::invalid_argument when the bytes are damaged, of another version
  // or were made with other WordNet or paraphrase data.
  std::vector<uint8_t> save() const;
  static MeteorReferences load(const MeteorResources& resources, std::span<const uint8_t> bytes);

 private:
  struct Digester;

  template <typename Self, typename Visit>
  static void each_array(Self& self, Visit visit) {
    visit(self.image_references_);
    visit(self.image_words_);
    visit(self.image_phrases_);
    visit(self.reference_words_);
    visit(self.reference_phrases_);
    visit(self.function_words_);
    visit(self.words_);
    visit(self.phrases_);
    visit(self.word_places_);
    visit(self.phrase_lengths_);
    visit(self.phrase_places_);
  }

  Lexicon lexicon_;
  // Where each image's or reference's share of the lists below starts, and the end.
  std::vector<uint64_t> image_references_{0};
  std::vector<uint64_t> image_words_{0};
  std::vector<uint64_t> image_phrases_{0};
  std::vector<uint64_t> reference_words_{0};
  std::vector<uint64_t> reference_phrases_{0};
  std::vector<uint32_t> function_words_;
  std::vector<uint32_t> words_;
  std::vector<uint32_t> phrases_;
  std::vector<uint32_t> word_places_;
  std::vector<uint8_t> phrase_lengths_;
  std::vector<uint32_t> phrase_places_;
};

// The phrases of the table that start at each word of a text: calls found(start, length, phrase) by start, then length.
// `paraphrase_word(i)` is the table's id of word i.
template <typename Word, typename Found>
void find_phrases(const ParaphraseIndex& index, size_t words, Word paraphrase_word, Found found) {
  for (size_t start = 0; start < words; ++start) {
    uint32_t phrase = 0;
    for (size_t end = start; end < words; ++end) {
      const uint32_t word = paraphrase_word(end);
      if (word == ParaphraseIndex::none) break;
      phrase = index.extend(phrase, word);
      if (phrase == ParaphraseIndex::none) break;
      found(start, end - start + 1, phrase);
    }
  }
}

}  // namespace spidercap
