#include "ngram/ngrams.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include "core/prefetch.h"

namespace spidercap {
namespace {

constexpr uint64_t multiplier = 0x9E3779B97F4A7C15;

uint64_t mix(uint64_t value) {
  value ^= value >> 32;
  value *= multiplier;
  return value ^ value >> 29;
}

// A number that, with the length, tells words of up to 8 bytes apart; a hash of longer ones.
uint64_t key_of_word(std::string_view word) {
  const char* data = word.data();
  const size_t size = word.size();
  if (size < 4) {
    if (size == 0) return 0;
    const auto byte = [&](size_t i) { return static_cast<uint64_t>(static_cast<unsigned char>(data[i])); };
    return byte(0) | byte(size / 2) << 8 | byte(size - 1) << 16;
  }
  if (size <= 8) {
    uint32_t head, tail;
    std::memcpy(&head, data, 4);
    std::memcpy(&tail, data + size - 4, 4);
    return head | static_cast<uint64_t>(tail) << 32;
  }
  uint64_t key = 0, part;
  for (size_t left = word.size(); left >= 8; data += 8, left -= 8) {
    std::memcpy(&part, data, 8);
    key = mix((key ^ part) * multiplier);
  }
  std::memcpy(&part, word.data() + word.size() - 8, 8);
  return mix((key ^ part) * multiplier);
}

uint64_t key_of(uint32_t prefix, uint32_t word) { return static_cast<uint64_t>(prefix) << 32 | word; }
size_t hash_key(uint64_t key) { return static_cast<size_t>(mix(mix(key * multiplier))); }

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

Vocabulary::Vocabulary() : slots_(64, Slot{0, unknown, 0}) {}

size_t Vocabulary::slot_of(std::string_view word, uint64_t key) const {
  const size_t mask = slots_.size() - 1;
  for (size_t i = hash_key(key + word.size()) & mask;; i = (i + 1) & mask) {
    const Slot& slot = slots_[i];
    if (slot.id == unknown) return i;
    if (slot.key == key && slot.length == static_cast<uint32_t>(word.size()) &&
        (word.size() <= 8 || this->word(slot.id) == word))
      return i;
  }
}

uint32_t Vocabulary::find(std::string_view word) const { return slots_[slot_of(word, key_of_word(word))].id; }

uint32_t Vocabulary::intern(std::string_view word) {
  const uint64_t key = key_of_word(word);
  const size_t found = slot_of(word, key);
  if (slots_[found].id != unknown) return slots_[found].id;
  const size_t id = size();
  if (id >= 0x7FFFFFFF) throw std::length_error("more than 2^31 distinct words");
  bytes_.insert(bytes_.end(), word.begin(), word.end());
  starts_.push_back(bytes_.size());
  slots_[found] = {key, static_cast<uint32_t>(id), static_cast<uint32_t>(word.size())};
  if (2 * size() > slots_.size()) grow();
  return static_cast<uint32_t>(id);
}

void Vocabulary::grow() {
  slots_.assign(2 * slots_.size(), Slot{0, unknown, 0});
  for (uint32_t id = 0; id < size(); ++id) {
    const uint64_t key = key_of_word(word(id));
    slots_[slot_of(word(id), key)] = {key, id, static_cast<uint32_t>(word(id).size())};
  }
}

NgramTable::NgramTable(size_t expected) {
  size_t wanted = 1024;
  while (10 * expected >= 7 * wanted) wanted *= 2;
  slots_.assign(wanted, Slot{0, 0, 0});
}

const NgramTable::Slot* NgramTable::find(uint32_t prefix, uint32_t word) const {
  const uint64_t key = key_of(prefix, word);
  const size_t mask = slots_.size() - 1;
  for (size_t i = hash_key(key) & mask;; i = (i + 1) & mask) {
    if (slots_[i].id == 0) return nullptr;
    if (slots_[i].key == key) return &slots_[i];
  }
}

void NgramTable::prefetch(uint32_t prefix, uint32_t word) const {
  prefetch_address(&slots_[hash_key(key_of(prefix, word)) & (slots_.size() - 1)]);
}

NgramTable::Slot& NgramTable::intern(uint32_t prefix, uint32_t word) {
  if (10 * static_cast<uint64_t>(size()) >= 7 * static_cast<uint64_t>(slots_.size())) grow();
  const uint64_t key = key_of(prefix, word);
  const size_t mask = slots_.size() - 1;
  size_t i = hash_key(key) & mask;
  while (slots_[i].id != 0 && slots_[i].key != key) i = (i + 1) & mask;
  if (slots_[i].id == 0) {
    if (size() == 0xFFFFFFFE) throw std::length_error("more than 2^32 distinct n-grams");
    slots_[i] = {key, ++size_[0], 0};
  }
  return slots_[i];
}

void NgramTable::grow() {
  std::vector<Slot> old(2 * slots_.size(), Slot{0, 0, 0});
  old.swap(slots_);
  const size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.id == 0) continue;
    size_t i = hash_key(slot.key) & mask;
    while (slots_[i].id != 0) i = (i + 1) & mask;
    slots_[i] = slot;
  }
}

uint32_t NgramTable::largest_df() const {
  uint32_t largest = 0;
  for (const Slot& slot : slots_) largest = std::max(largest, slot.df);
  return largest;
}

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

void CaptionWords::read(std::string_view caption, const Vocabulary& vocabulary) {
  if (!strangers_.empty()) strangers_.clear();
  split(caption, [&](std::string_view word) {
    const uint32_t id = vocabulary.find(word);
    if (id != Vocabulary::unknown) return id;
    const auto next = static_cast<uint32_t>(vocabulary.size() + strangers_.size());
    return strangers_.emplace(word, next).first->second;
  });
}

void CaptionWords::read_and_intern(std::string_view caption, Vocabulary& vocabulary) {
  split(caption, [&](std::string_view word) { return vocabulary.intern(word); });
}

void LocalIndex::clear(size_t most_pairs) {
  size_t wanted = 64;
  while (wanted < 2 * most_pairs) wanted *= 2;
  if (slots_.size() < wanted || ++stamp_ == 0) {
    slots_.assign(std::max(wanted, slots_.size()), Slot{});
    stamp_ = 1;
  }
}

uint32_t LocalIndex::insert(uint32_t prefix, uint32_t word, uint32_t next) {
  const uint64_t key = key_of(prefix, word);
  const size_t mask = slots_.size() - 1;
  for (size_t i = hash_key(key) & mask;; i = (i + 1) & mask) {
    Slot& slot = slots_[i];
    if (slot.stamp != stamp_) {
      slot = {key, next, stamp_};
      return next;
    }
    if (slot.key == key) return slot.index;
  }
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

void CaptionNgrams::look_up(const NgramTable& table, uint32_t known_words) {
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
      if (const NgramTable::Slot* slot = table.find(prefix_of(entries[i]), entries[i].word)) {
        entries[i].id = slot->id;
        entries[i].df = slot->df;
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
      NgramTable::Slot& slot = index.ngrams.intern(ids_[node.prefix], node.word);
      ids_[i + 1] = slot.id;
      ++slot.df;
    }
  }
}

void DocumentFrequencies::add_count(std::string_view ngram, uint32_t df) {
  words_.read_and_intern(ngram, index.words);
  uint32_t prefix = 0;
  NgramTable::Slot* slot = nullptr;
  if (words_.words.empty() || words_.words.size() > ngram_orders)
    throw std::invalid_argument("an n-gram of a frequency table must have 1 to 4 words, found \"" + std::string(ngram) +
                                "\"");
  for (uint32_t word : words_.words) {
    slot = &index.ngrams.intern(prefix, word);
    prefix = slot->id;
  }
  slot->df += df;
}

// A prefix is at least as frequent as what follows it when all were counted; a table from elsewhere may hold n-grams
// without their prefixes, so the prefixes of all that stay are kept as well.
NgramIndex DocumentFrequencies::release_frequent() {
  std::vector<const NgramTable::Slot*> by_id(static_cast<size_t>(index.ngrams.size()) + 1);
  for (const NgramTable::Slot& slot : index.ngrams.slots())
    if (slot.id != 0) by_id[slot.id] = &slot;
  std::vector<uint32_t> new_id(by_id.size());
  size_t kept = 0;
  for (size_t id = by_id.size(); id-- > 1;) {
    const bool keep = new_id[id] != 0 || by_id[id]->df >= 2;
    new_id[id] = keep;
    kept += keep;
    if (keep) new_id[by_id[id]->key >> 32] = 1;
  }
  NgramTable frequent(kept);
  new_id[0] = 0;
  for (size_t id = 1; id < by_id.size(); ++id) {
    if (new_id[id] == 0) continue;
    NgramTable::Slot& slot = frequent.intern(new_id[by_id[id]->key >> 32], static_cast<uint32_t>(by_id[id]->key));
    slot.df = by_id[id]->df;
    new_id[id] = slot.id;
  }
  NgramIndex released{std::move(index.words), std::move(frequent)};
  index = NgramIndex{};
  return released;
}

}  // namespace spidercap
