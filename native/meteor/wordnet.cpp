#include "meteor/wordnet.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>

#include "core/checksum.h"

namespace spidercap {
namespace {

struct SuffixRule {
  std::string_view suffix;
  std::string_view replacement;
};

constexpr SuffixRule suffix_rules[] = {{"s", ""},      {"ses", "s"},   {"xes", "x"}, {"zes", "z"}, {"ches", "ch"},
                                       {"shes", "sh"}, {"men", "man"}, {"ies", "y"}, {"es", "e"},  {"es", ""},
                                       {"ed", "e"},    {"ed", ""},     {"ing", "e"}, {"ing", ""},  {"er", ""},
                                       {"est", ""},    {"er", "e"},    {"est", "e"}};

constexpr size_t most_synsets = 10'000'000;

[[noreturn]] void malformed() { throw std::invalid_argument("the WordNet data is not what tools/wordnet writes"); }

uint8_t take_byte(std::span<const uint8_t>& data) {
  if (data.empty()) malformed();
  const uint8_t byte = data.front();
  data = data.subspan(1);
  return byte;
}

uint32_t take_varint(std::span<const uint8_t>& data) {
  uint32_t value = 0;
  for (int shift = 0; shift < 32; shift += 7) {
    const uint8_t byte = take_byte(data);
    value |= static_cast<uint32_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  malformed();
}

}  // namespace

WordNet::Table WordNet::read_table(std::span<const uint8_t>& data) {
  Table table;
  const uint32_t entries = take_varint(data);
  if (entries > data.size()) malformed();
  table.entries.reserve(entries, 12 * size_t{entries});
  std::string text;
  for (uint32_t i = 0; i < entries; ++i) {
    const size_t shared = take_byte(data);
    const size_t fresh = take_byte(data);
    if (shared > text.size() || fresh > data.size()) malformed();
    text.resize(shared);
    text.append(reinterpret_cast<const char*>(data.data()), fresh);
    data = data.subspan(fresh);
    if (table.entries.insert(text) != i) malformed();
    uint32_t number = 0;
    const uint32_t count = take_varint(data);
    for (uint32_t k = 0; k < count; ++k) table.numbers.push_back(number += take_varint(data));
    table.starts.push_back(static_cast<uint32_t>(table.numbers.size()));
  }
  return table;
}

WordNet::WordNet(std::span<const uint8_t> data) : fingerprint_(checksum(data)) {
  lemmas_ = read_table(data);
  irregular_ = read_table(data);
  if (!data.empty()) malformed();
  for (const Table* table : {&lemmas_, &irregular_})
    for (const uint32_t number : table->numbers) synset_count_ = std::max<size_t>(synset_count_, number + size_t{1});
  if (synset_count_ > most_synsets) malformed();
}

uint32_t WordNet::base_lemma(std::string_view word) const {
  if (word.size() <= 2 || word.ends_with("ss")) return StringTable::none;
  std::string changed;
  for (const auto& [suffix, replacement] : suffix_rules) {
    if (!word.ends_with(suffix)) continue;
    changed.assign(word.substr(0, word.size() - suffix.size()));
    changed += replacement;
    const uint32_t lemma = lemmas_.entries.find(changed);
    if (lemma != StringTable::none) return lemma;
  }
  return StringTable::none;
}

void WordNet::synsets(std::string_view word, std::vector<uint32_t>& synsets) const {
  synsets.clear();
  const uint32_t irregular = irregular_.entries.find(word);
  if (irregular != StringTable::none) {
    const auto all = irregular_.of(irregular);
    synsets.assign(all.begin(), all.end());
    return;
  }
  const uint32_t lemma = lemmas_.entries.find(word);
  const uint32_t base = base_lemma(word);
  const auto own = lemma == StringTable::none ? std::span<const uint32_t>() : lemmas_.of(lemma);
  const auto of_base = base == StringTable::none ? std::span<const uint32_t>() : lemmas_.of(base);
  std::set_union(own.begin(), own.end(), of_base.begin(), of_base.end(), std::back_inserter(synsets));
}

}  // namespace spidercap
