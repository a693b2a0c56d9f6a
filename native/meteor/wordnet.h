// Synsets of a word: Z(w) = Syn(w) ∪ Base(w), where Base(w) are the synsets of the base forms of an irregular form, or
// of the first of 18 suffix rules (20 less the two repeated) whose result is a lemma. Made from the shipped file (see
// tools/wordnet) in a few milliseconds; a word costs one to six hash lookups.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/string_table.h"

namespace spidercap {

class WordNet {
 public:
  // `data` is the unpacked content of the shipped file; throws std::invalid_argument when it is malformed.
  explicit WordNet(std::span<const uint8_t> data);

  // Replaces `synsets` by Z(word), ascending.
  void synsets(std::string_view word, std::vector<uint32_t>& synsets) const;

  uint64_t fingerprint() const { return fingerprint_; }
  // One more than the largest synset number.
  size_t synset_count() const { return synset_count_; }

 private:
  struct Table {
    StringTable entries;
    std::vector<uint32_t> starts{0};
    std::vector<uint32_t> numbers;

    std::span<const uint32_t> of(uint32_t id) const {
      return std::span(numbers).subspan(starts[id], starts[id + 1] - starts[id]);
    }
  };

  static Table read_table(std::span<const uint8_t>& data);
  // The lemma that a suffix rule leads to, or StringTable::none.
  uint32_t base_lemma(std::string_view word) const;

  Table lemmas_;
  Table irregular_;
  uint64_t fingerprint_;
  size_t synset_count_ = 0;
};

}  // namespace spidercap
