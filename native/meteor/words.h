// What METEOR's matchers ask of a word, found once a word: identity, stem, synsets, place in the paraphrase table.
// A new word costs a stem and a few hash lookups (about 2 µs); a known one a single lookup.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/string_table.h"
#include "meteor/paraphrase.h"
#include "meteor/wordnet.h"

namespace spidercap {

// The data behind the synonym and paraphrase modules; without a paraphrase table that module finds nothing.
struct MeteorResources {
  WordNet wordnet;
  std::optional<ParaphraseIndex> paraphrases;
};

struct MeteorWord {
  uint32_t identity;         // words of equal identity are the same word
  uint32_t stem;             // identity of the stem
  uint32_t paraphrase_word;  // id in the paraphrase table, or ParaphraseIndex::none
  uint32_t first_synset;     // in the lexicon's list of synsets
  uint32_t synsets;
  uint32_t function;  // 1 for a function word
};

class Lexicon {
 public:
  explicit Lexicon(const MeteorResources& resources) : resources_(&resources) {}

  uint32_t find(std::string_view token) const { return strings_.find(token); }
  // The id of a lower-case token, which is analysed when it is new.
  uint32_t insert(std::string_view token);
  size_t size() const { return words_.size(); }
  void clear();

  const MeteorWord& operator[](uint32_t id) const { return words_[id]; }
  std::span<const uint32_t> synsets(const MeteorWord& word) const {
    return std::span(synsets_).subspan(word.first_synset, word.synsets);
  }
  const MeteorResources& resources() const { return *resources_; }

  template <typename Archive>
  void save(Archive& archive) const {
    std::vector<char> text;
    std::vector<uint32_t> ends;
    for (uint32_t id = 0; id < words_.size(); ++id) {
      text.insert(text.end(), strings_[id].begin(), strings_[id].end());
      ends.push_back(static_cast<uint32_t>(text.size()));
    }
    archive.put(text);
    archive.put(ends);
    archive.put(words_);
    archive.put(synsets_);
  }

  template <typename Archive>
  void load(Archive& archive) {
    std::vector<char> text;
    std::vector<uint32_t> ends;
    archive.take(text);
    archive.take(ends);
    archive.take(words_);
    archive.take(synsets_);
    strings_.clear();
    uint32_t start = 0;
    for (const uint32_t end : ends) {
      strings_.insert({text.data() + start, end - start});
      start = end;
    }
  }

 private:
  const MeteorResources* resources_;
  StringTable strings_;
  std::vector<MeteorWord> words_;
  std::vector<uint32_t> synsets_;
  std::u32string characters_;
  std::vector<uint32_t> found_;
};

}  // namespace spidercap
