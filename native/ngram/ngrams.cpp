#include "ngram/ngrams.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "core/hash.h"

namespace spidercap {
namespace {

// Length in bytes of the Unicode white space at a position, as Python's str.split() knows it; 0 for other characters.
size_t white_space_at(std::string_view text, size_t i) {
  const auto byte = [&](size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char first = byte(i);
  if (first < 0x80) return (first >= 0x09 && first <= 0x0D) || (first >= 0x1C && first <= 0x20) ? 1 : 0;
  const size_t left = text.size() - i;
  if (first == 0xC2) return left >= 2 && (byte(i + 1) == 0x85 || byte(i + 1) == 0xA0) ? 2 : 0;
  if (first < 0xE1 || first > 0xE3 || left < 3) return 0;
  const unsigned second = byte(i + 1), third = byte(i + 2);
  bool white = false;
  if (first == 0xE1) white = second == 0x9A && third == 0x80;
  if (first == 0xE2 && second == 0x80) white = third <= 0x8A || third == 0xA8 || third == 0xA9 || third == 0xAF;
  if (first == 0xE2 && second == 0x81) white = third == 0x9F;
  if (first == 0xE3) white = second == 0x80 && third == 0x80;
  return white ? 3 : 0;
}

template <typename Receive>
void split_at_white_space(std::string_view text, const Receive& receive) {
  size_t start = 0;
  for (size_t i = 0; i < text.size();) {
    const size_t white = white_space_at(text, i);
    if (white && i > start) receive(text.substr(start, i - start));
    i += white ? white : 1;
    if (white) start = i;
  }
  if (text.size() > start) receive(text.substr(start));
}

// Whether a byte can belong to white space other than U+0020.
bool may_be_white(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  return value < 0x20 || value == 0xC2 || (value >= 0xE1 && value <= 0xE3);
}

}  // namespace

template <typename Lookup>
void CaptionWords::split(std::string_view caption, const Lookup& id_of) {
  words.clear();
  pieces.clear();
  for (size_t start = 0; start <= caption.size();) {
    bool suspicious = false;
    size_t end = start;
    for (; end < caption.size() && caption[end] != ' '; ++end) suspicious |= may_be_white(caption[end]);
    const std::string_view piece = caption.substr(start, end - start);
    const uint32_t id = id_of(piece);
    pieces.push_back(id);
    if (suspicious) {
      split_at_white_space(piece, [&](std::string_view word) { words.push_back(id_of(word)); });
    } else if (!piece.empty()) {
      words.push_back(id);
    }
    start = end + 1;
  }
}

void CaptionWords::read(std::string_view caption, const StringTable& vocabulary) {
  if (!strangers_.empty()) strangers_.clear();
  split(caption, [&](std::string_view word) {
    const uint32_t id = vocabulary.find(word);
    if (id != StringTable::none) return id;
    const auto next = static_cast<uint32_t>(vocabulary.size() + strangers_.size());
    return strangers_.emplace(word, next).first->second;
  });
}

void CaptionWords::read_and_intern(std::string_view caption, StringTable& vocabulary) {
  split(caption, [&](std::string_view word) { return vocabulary.insert(word); });
}

void LocalIndex::clear(size_t most_pairs) {
  if (table_.has_room_for(most_pairs) && ++stamp_ != 0) return;
  table_.clear(most_pairs);
  stamp_ = 1;
}

uint32_t LocalIndex::insert(uint32_t prefix, uint32_t word, uint32_t next) {
  const uint64_t key = pair_key(prefix, word);
  const auto ends = [&](const Slot& slot) { return slot.stamp != stamp_ || slot.key == key; };
  Slot& slot = table_[table_.probe(hash_number(key), ends)];
  if (slot.stamp != stamp_) slot = {key, next, stamp_};
  return slot.index;
}

uint32_t NgramIndex::largest_df() const {
  uint32_t largest = 0;
  for (const PairTable::Slot& slot : ngrams.slots()) largest = std::max(largest, slot.count);
  return largest;
}

uint32_t CaptionNgrams::entry_of(uint32_t prefix, uint32_t word) {
  const auto next = static_cast<uint32_t>(entries.size());
  const uint32_t found = index_.insert(prefix, word, next);
  if (found == next) entries.push_back({prefix - 1, word, 0, 0, 0});
  ++entries[found].count;
  return found;
}

// An n-gram whose prefix occurs once occurs once itself, so only repeated prefixes need the index.
void CaptionNgrams::count(std::span<const uint32_t> words) {
  entries.clear();
  index_.clear(ngram_orders * words.size());
  at_position_.resize(words.size());
  for (size_t i = 0; i < words.size(); ++i) at_position_[i] = entry_of(0, words[i]);
  order_starts[0] = 0;
  order_starts[1] = entries.size();
  for (size_t order = 2; order <= ngram_orders; ++order) {
    for (size_t i = 0; i + order <= words.size(); ++i) {
      const uint32_t prefix = at_position_[i], word = words[i + order - 1];
      if (entries[prefix].count == 1) {
        at_position_[i] = static_cast<uint32_t>(entries.size());
        entries.push_back({prefix, word, 1, 0, 0});
      } else {
        at_position_[i] = entry_of(prefix + 1, word);
      }
    }
    order_starts[order] = entries.size();
  }
}

void CaptionNgrams::look_up(const PairTable& table, uint32_t known_words) {
  for (size_t order = 0; order < ngram_orders; ++order) {
    const size_t first = order_starts[order], last = order_starts[order + 1];
    const auto prefix_of = [&](const Entry& entry) { return order == 0 ? 0 : entries[entry.prefix].id; };
    const auto possible = [&](const Entry& entry) {
      return entry.word < known_words && (order == 0 || prefix_of(entry) != 0);
    };
    for (size_t i = first; i < last; ++i)
      if (possible(entries[i])) table.prefetch(prefix_of(entries[i]), entries[i].word);
    for (size_t i = first; i < last; ++i) {
      if (!possible(entries[i])) continue;
      if (const PairTable::Slot* slot = table.find(prefix_of(entries[i]), entries[i].word)) {
        entries[i].id = slot->id;
        entries[i].df = slot->count;
      }
    }
  }
}

void DistinctNgrams::collect(std::span<const std::span<const uint32_t>> captions) {
  size_t words = 0;
  for (const std::span<const uint32_t> caption : captions) words += caption.size();
  index_.clear(ngram_orders * words);
  nodes.clear();
  occurrences.clear();
  for (uint32_t c = 0; c < captions.size(); ++c) {
    ngrams_.count(captions[c]);
    node_of_entry_.resize(ngrams_.entries.size());
    for (uint32_t order = 0; order < ngram_orders; ++order)
      for (size_t i = ngrams_.order_starts[order]; i < ngrams_.order_starts[order + 1]; ++i) {
        const CaptionNgrams::Entry& entry = ngrams_.entries[i];
        const uint32_t prefix = order == 0 ? 0 : node_of_entry_[entry.prefix] + 1;
        const auto next = static_cast<uint32_t>(nodes.size());
        const uint32_t node = index_.insert(prefix, entry.word, next);
        if (node == next) nodes.push_back({prefix, entry.word, order});
        node_of_entry_[i] = node;
        occurrences.push_back({node, c, entry.count});
      }
  }
}

void DocumentFrequencies::add_image(std::span<const std::span<const uint32_t>> references) {
  ++images_;
  ngrams_.collect(references);
  ids_.assign(ngrams_.nodes.size() + 1, 0);
  for (uint32_t order = 0; order < ngram_orders; ++order) {
    for (const DistinctNgrams::Node& node : ngrams_.nodes)
      if (node.order == order) index.ngrams.prefetch(ids_[node.prefix], node.word);
    for (size_t i = 0; i < ngrams_.nodes.size(); ++i) {
      const DistinctNgrams::Node& node = ngrams_.nodes[i];
      if (node.order != order) continue;
      PairTable::Slot& slot = index.ngrams.insert(ids_[node.prefix], node.word);
      ids_[i + 1] = slot.id;
      ++slot.count;
    }
  }
}

void DocumentFrequencies::add_count(std::string_view ngram, uint32_t df) {
  words_.read_and_intern(ngram, index.words);
  if (words_.words.empty() || words_.words.size() > ngram_orders)
    throw std::invalid_argument("an n-gram of a frequency table must have 1 to 4 words, found \"" + std::string(ngram) +
                                "\"");
  PairTable::Slot* slot = &index.ngrams.insert(0, words_.words.front());
  for (size_t i = 1; i < words_.words.size(); ++i) slot = &index.ngrams.insert(slot->id, words_.words[i]);
  slot->count += df;
}

// A prefix is at least as frequent as what follows it when all were counted; a table from elsewhere may hold n-grams
// without their prefixes, so the prefixes of all that stay are kept as well.
NgramIndex DocumentFrequencies::release_frequent() {
  std::vector<const PairTable::Slot*> by_id(static_cast<size_t>(index.ngrams.size()) + 1);
  for (const PairTable::Slot& slot : index.ngrams.slots())
    if (!slot.empty()) by_id[slot.id] = &slot;
  std::vector<uint32_t> new_id(by_id.size());
  size_t kept = 0;
  for (size_t id = by_id.size(); id-- > 1;) {
    const bool keep = new_id[id] != 0 || by_id[id]->count >= 2;
    new_id[id] = keep;
    kept += keep;
    if (keep) new_id[by_id[id]->first()] = 1;
  }
  PairTable frequent(kept);
  new_id[0] = 0;
  for (size_t id = 1; id < by_id.size(); ++id) {
    if (new_id[id] == 0) continue;
    PairTable::Slot& slot = frequent.insert(new_id[by_id[id]->first()], by_id[id]->second());
    slot.count = by_id[id]->count;
    new_id[id] = slot.id;
  }
  NgramIndex released{std::move(index.words), std::move(frequent)};
  index = NgramIndex{};
  return released;
}

}  // namespace spidercap
