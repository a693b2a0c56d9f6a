// Match candidates between a caption and a reference: exact, stem, synonym and paraphrase.
// A caption is prepared once for all references of its image: for each different word of the references, bit masks of
// the caption's words that are the same, share its stem or share a synset; for each different phrase, the caption's
// phrases that are its paraphrases. Cost: (words of the image) × (words of the caption)/64 mask operations, one table
// look-up a synset on either side, and one filter test a paraphrase of every phrase on either side.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "meteor/references.h"
#include "meteor/score.h"

namespace spidercap {

struct MatchCandidate {
  uint32_t caption_start;
  MeteorModule module;
  uint8_t reference_words;
  uint8_t caption_words;
  uint8_t value;  // worth inside the alignment search
};

// The candidates whose reference span starts at each reference word, in the order that decides ties.
struct MatchLists {
  std::vector<MatchCandidate> candidates;
  std::vector<uint32_t> starts;              // of each reference word's list; one more for the end
  std::vector<uint32_t> reference_coverage;  // how many candidates cover each word
  std::vector<uint32_t> caption_coverage;
  uint64_t distance = 0;  // Σ |reference start − caption start|

  size_t reference_size() const { return starts.size() - 1; }
  size_t caption_size() const { return caption_coverage.size(); }
  std::span<const MatchCandidate> list(size_t r) const {
    return std::span(candidates).subspan(starts[r], starts[r + 1] - starts[r]);
  }
};

class Matcher {
 public:
  explicit Matcher(const MeteorReferences& references);

  // Makes ready for the references of one image. The tokens are normalised and lower-case.
  void prepare(size_t image, const std::vector<std::string_view>& tokens);
  void match(const ReferenceView& reference, MatchLists& lists);

  size_t caption_size() const { return caption_.size(); }
  bool is_function(size_t caption_word) const { return caption_[caption_word].word.function != 0; }
  bool is_function(const ReferenceView& reference, size_t word) const {
    return image_function_[reference.words[word]] != 0;
  }

 private:
  struct CaptionWord {
    MeteorWord word;
    std::span<const uint32_t> synsets;
  };
  struct CaptionPhrase {
    uint32_t phrase;
    uint32_t start;
    uint32_t length;

    bool operator<(const CaptionPhrase& other) const {
      return phrase != other.phrase ? phrase < other.phrase : start < other.start;
    }
  };
  // Caption phrases from `begin` to `end` of the sorted list are paraphrases of the image's phrase `place`.
  struct ForwardMatch {
    uint32_t place;
    uint32_t begin;
    uint32_t end;
  };
  // The image's phrase `place` is a paraphrase of a caption phrase; in the order of generation.
  struct BackwardMatch {
    uint32_t place;
    uint32_t order;
    uint32_t start;
    uint32_t length;
  };
  // A set of phrases that may say yes wrongly, never no.
  class PhraseFilter {
   public:
    void clear() { bits_.fill(0); }
    void add(uint32_t phrase) { bits_[slot(phrase) >> 6] |= uint64_t{1} << (slot(phrase) & 63); }
    bool may_hold(uint32_t phrase) const { return (bits_[slot(phrase) >> 6] >> (slot(phrase) & 63)) & 1; }

   private:
    static constexpr uint32_t slot(uint32_t phrase) { return (phrase * 2654435761u) >> 19; }
    std::array<uint64_t, 128> bits_{};
  };

  void read_caption(const std::vector<std::string_view>& tokens);
  void mask_words();
  void mask_same(size_t block);
  void mask_synonyms(size_t block);
  void match_phrases();
  void match_forward(const ParaphraseIndex& index);
  void match_backward(const ParaphraseIndex& index);
  bool same_words(const ReferenceView& reference) const;
  void add_masked(MatchLists& lists, size_t r, MeteorModule module, size_t place) const;
  void add_forward(MatchLists& lists, size_t r, size_t length, uint32_t place) const;
  void add_paraphrases(MatchLists& lists, size_t r, const ReferenceView& reference, const uint32_t* phrases);

  const MeteorReferences& references_;
  Lexicon unseen_;  // words of captions that no reference has
  ImageView image_;
  std::vector<std::pair<bool, uint32_t>> token_ids_;  // whether unseen, and the id in that lexicon
  std::vector<CaptionWord> caption_;
  size_t blocks_ = 0;                           // of 64 caption words in a mask
  std::array<std::vector<uint64_t>, 3> masks_;  // exact, stem, synonym: for each word of the image, `blocks_` blocks
  std::vector<uint8_t> image_function_;
  std::vector<uint64_t> synset_words_;  // for each synset, the caption words of one block that are in it
  std::vector<CaptionPhrase> caption_phrases_;
  std::vector<CaptionPhrase> sorted_phrases_;
  std::vector<ForwardMatch> forward_;
  std::vector<BackwardMatch> backward_;
  std::vector<uint32_t> forward_starts_;   // for each phrase of the image, its share of forward_
  std::vector<uint32_t> backward_starts_;  // and of backward_
  std::vector<BackwardMatch> here_;
  PhraseFilter caption_filter_;
  PhraseFilter image_filter_;
};

}  // namespace spidercap
