// WordNet synsets of a word or phrase, as METEOR's tables give them: those of its own entry, and those of its base
// forms (a list of irregular forms) or of its stem (the first ending whose removal gives an entry).
// Cost: a few look-ups in a table of 147,306 entries; callers keep the results (see SceneStrings).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/string_table.h"

namespace spidercap {

class Synsets {
 public:
  // `content`: of the shipped file (tools/spice/make_synsets.py). Throws std::invalid_argument.
  explicit Synsets(std::string_view content);

  // The numbers of the string's synsets, sorted, into `numbers`.
  void find(std::string_view text, std::vector<uint32_t>& numbers) const;

 private:
  // A sorted list of words, each with a list of numbers.
  struct Index {
    StringTable words;
    std::vector<uint32_t> starts{0};
    std::vector<uint32_t> numbers;
    void append(uint32_t entry, std::vector<uint32_t>& to) const;
  };
  uint32_t stem(std::string_view word, std::string& buffer) const;

  Index entries_;     // → synsets
  Index exceptions_;  // → entries
};

}  // namespace spidercap
