// Lemmas of SPICE: a function of (word, tag). Closed rules for function words; for plural nouns and verbs a list of
// words (which also says what becomes of the part behind a hyphen) and, for all others, the change that belongs to the
// longest known ending (at most six letters).
// Cost of a plural noun or verb: at most nine look-ups; of any other word: none or one comparison.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "parser/parsed_sentence.h"
#include "spice/strings.h"

namespace spidercap {

class Lemmas {
 public:
  // `text`: the content of the shipped file (tools/spice/make_lemmas.py). Throws std::invalid_argument.
  explicit Lemmas(std::string text);
  // The tables point into the text, so the object stays where it is.
  Lemmas(const Lemmas&) = delete;
  Lemmas& operator=(const Lemmas&) = delete;

  // The lemma of the word; `lower` is its lower case. The result points to one of the arguments, to this object, or
  // to `buffer`.
  std::string_view lemma_of(std::string_view word, std::string_view lower, Tag tag, std::string& buffer) const;

 private:
  struct Change {
    uint32_t strip;
    std::string_view add;
  };
  struct Kind {
    SpiceStrings words;  // → lemmas
    std::vector<std::string_view> lemmas;
    SpiceStrings endings;  // → changes
    std::vector<Change> changes;
  };
  void read_line(std::string_view line);
  static std::string_view look_up(const Kind& kind, std::string_view lower, std::string& buffer);

  std::string text_;
  std::array<Kind, 2> kinds_;  // plural nouns, verbs
};

}  // namespace spidercap
