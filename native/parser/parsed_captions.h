// Parses of many captions, end to end in flat arrays; each caption has zero or more sentences. The parser fills it, or
// Python does with parses from elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parser/parsed_sentence.h"

namespace spidercap {

class ParsedCaptions {
 public:
  void start_caption();
  // Appends a sentence to the caption started last. Throws std::invalid_argument if the lengths differ or a head is
  // not the position of another word or 0.
  void add_sentence(const ParsedSentence& sentence);

  size_t size() const { return first_sentence_.size(); }
  size_t sentence_count(size_t caption) const;

  // Calls `visit` with each sentence of the caption. `words` is a buffer that the sentences point into.
  template <typename Visit>
  void for_sentences(size_t caption, std::vector<std::string_view>& words, Visit&& visit) const {
    const size_t first = first_sentence_[caption], last = first + sentence_count(caption);
    for (size_t i = first; i < last; ++i) visit(sentence(i, static_cast<int32_t>(i - first), words));
  }

 private:
  ParsedSentence sentence(size_t index, int32_t number, std::vector<std::string_view>& words) const;

  std::string text_;
  std::vector<size_t> first_sentence_;  // by caption
  std::vector<size_t> first_word_{0};   // by sentence, and the end
  std::vector<size_t> text_end_;        // by word
  std::vector<Tag> tags_;
  std::vector<int32_t> heads_;
  std::vector<Label> labels_;
};

}  // namespace spidercap
