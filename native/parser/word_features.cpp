#include "parser/word_features.h"

#include <initializer_list>

namespace spidercap {
namespace {

constexpr uint32_t kNoRow = 0xFFFFFFFF;

uint32_t mixed(uint32_t hash, uint32_t value) {
  hash = (hash ^ value) * 0x85EBCA6BU;
  return hash ^ (hash >> 15);
}

}  // namespace

bool is_verb(std::string_view plain_tag) { return plain_tag.starts_with("VB") || plain_tag == "MD"; }

WordFeatures::WordFeatures(const Grammar& grammar) : edge_(static_cast<uint16_t>(grammar.tags)) {
  for (uint32_t tag = 0; tag < grammar.tags; ++tag) is_verb_.push_back(is_verb(grammar.plain_names[tag]));
}

// The likeliest tag of the nearest verb before, and after, each word.
void WordFeatures::read_verbs(std::span<const TaggedWord> words) {
  const size_t size = words.size();
  verb_before_.assign(size, edge_);
  verb_after_.assign(size, edge_);
  for (size_t i = 1; i < size; ++i)
    verb_before_[i] = is_verb_[words[i - 1].tag] ? words[i - 1].tag : verb_before_[i - 1];
  for (size_t i = size; i-- > 1;) verb_after_[i - 1] = is_verb_[words[i].tag] ? words[i].tag : verb_after_[i];
}

std::span<const WordFeatures::Features> WordFeatures::read(std::span<const TaggedWord> words) {
  read_verbs(words);
  features_.resize(words.size());
  const TaggedWord beyond{kNoRow, edge_};
  const auto at = [&](size_t i) { return i < words.size() ? words[i] : beyond; };
  for (size_t i = 0; i < words.size(); ++i) {
    const TaggedWord before2 = at(i - 2), before = at(i - 1), here = words[i], after = at(i + 1), after2 = at(i + 2);
    const uint32_t verb_before = verb_before_[i], verb_after = verb_after_[i];
    uint32_t number = 0;
    const auto add = [&](std::initializer_list<uint32_t> seen) {
      uint32_t hash = (number + 1) * 0x9E3779B1U;
      for (const uint32_t value : seen) hash = mixed(hash, value);
      features_[i][number++] = hash;
    };
    add({});
    add({here.row});
    add({before.row});
    add({after.row});
    add({before2.row});
    add({after2.row});
    add({before.tag, here.tag});
    add({here.tag, after.tag});
    add({before.tag, here.tag, after.tag});
    add({before2.tag, before.tag, here.tag});
    add({here.tag, after.tag, after2.tag});
    add({before2.tag, before.tag, here.tag, after.tag, after2.tag});
    add({here.row, before.tag});
    add({here.row, after.tag});
    add({here.tag, verb_before, verb_after});
    add({here.row, verb_before});
    add({here.row, verb_after});
  }
  return features_;
}

}  // namespace spidercap
