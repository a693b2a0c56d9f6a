#include "parser/parsed_captions.h"

#include <span>
#include <stdexcept>

namespace spidercap {

void ParsedCaptions::start_caption() { first_sentence_.push_back(first_word_.size() - 1); }

void ParsedCaptions::add_sentence(const ParsedSentence& sentence) {
  if (first_sentence_.empty()) throw std::invalid_argument("call start_caption before the first sentence");
  const size_t size = sentence.words.size();
  if (sentence.tags.size() != size || sentence.heads.size() != size || sentence.labels.size() != size)
    throw std::invalid_argument("a sentence needs as many tags, heads and labels as words");
  for (size_t i = 0; i < size; ++i) {
    const int32_t head = sentence.heads[i];
    if (head < 0 || static_cast<size_t>(head) > size || static_cast<size_t>(head) == i + 1)
      throw std::invalid_argument("head " + std::to_string(head) + " of word " + std::to_string(i + 1) +
                                  " is neither 0 nor the position of another word of the sentence");
  }
  for (std::string_view word : sentence.words) text_end_.push_back(text_.append(word).size());
  tags_.insert(tags_.end(), sentence.tags.begin(), sentence.tags.end());
  heads_.insert(heads_.end(), sentence.heads.begin(), sentence.heads.end());
  labels_.insert(labels_.end(), sentence.labels.begin(), sentence.labels.end());
  first_word_.push_back(text_end_.size());
}

size_t ParsedCaptions::sentence_count(size_t caption) const {
  const size_t end = caption + 1 < first_sentence_.size() ? first_sentence_[caption + 1] : first_word_.size() - 1;
  return end - first_sentence_[caption];
}

ParsedSentence ParsedCaptions::sentence(size_t index, int32_t number, std::vector<std::string_view>& words) const {
  const size_t begin = first_word_[index], size = first_word_[index + 1] - begin;
  words.clear();
  for (size_t i = begin; i < begin + size; ++i) {
    const size_t start = i == 0 ? 0 : text_end_[i - 1];
    words.push_back(std::string_view(text_).substr(start, text_end_[i] - start));
  }
  return {words, std::span(tags_).subspan(begin, size), std::span(heads_).subspan(begin, size),
          std::span(labels_).subspan(begin, size), number};
}

}  // namespace spidercap
