#include "ngrams.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#if defined(_MSC_VER) && (defined(_M_X64) || defined(_M_IX86))
#include <intrin.h>
#endif

namespace spidercap {
namespace {

constexpr uint64_t multiplier = 0x9E3779B97F4A7C15;

uint64_t mix(uint64_t value) {
  value ^= value >> 32;
  value *= multiplier;
  return value ^ value >> 29;
}

uint64_t hash_bytes(std::string_view text) {
  uint64_t hash = text.size();
  const char* data = text.data();
  size_t left = text.size();
  for (; left >= 8; data += 8, left -= 8) {
    uint64_t part;
    std::memcpy(&part, data, 8);
    hash = mix(hash * multiplier ^ part);
  }
  uint64_t part = 0;
  for (size_t i = 0; i < left; ++i) part |= static_cast<uint64_t>(static_cast<unsigned char>(data[i])) << (8 * i);
  return mix(mix(hash * multiplier ^ part));
}

uint64_t key_of(uint32_t prefix, uint32_t word) { return static_cast<uint64_t>(prefix) << 32 | word; }
size_t hash_key(uint64_t key) { return static_cast<size_t>(mix(mix(key * multiplier))); }

void prefetch_address(const void* address) {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(address);
#elif defined(_MSC_VER) && (defined(_M_X64) || defined(_M_IX86))
  _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T0);
#else
  (void)address;
#endif
}

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

Vocabulary::Vocabulary() : slots_(64, Slot{0, unknown}) {}

size_t Vocabulary::slot_of(std::string_view word, uint64_t hash) const {
  const size_t mask = slots_.size() - 1;
  for (size_t i = hash & mask;; i = (i + 1) & mask) {
    const Slot& slot = slots_[i];
    if (slot.id == unknown || (slot.hash == static_cast<uint32_t>(hash >> 32) && this->word(slot.id) == word)) return i;
  }
}

uint32_t Vocabulary::find(std::string_view word) const { return slots_[slot_of(word, hash_bytes(word))].id; }

uint32_t Vocabulary::intern(std::string_view word) {
  const uint64_t hash = hash_bytes(word);
  const size_t found = slot_of(word, hash);
  if (slots_[found].id != unknown) return slots_[found].id;
  const size_t id = size();
  if (id >= 0x7FFFFFFF) throw std::length_error("more than 2^31 distinct words");
  bytes_.insert(bytes_.end(), word.begin(), word.end());
  starts_.push_back(bytes_.size());
  slots_[found] = {static_cast<uint32_t>(hash >> 32), static_cast<uint32_t>(id)};
  if (2 * size() > slots_.size()) grow();
  return static_cast<uint32_t>(id);
}

void Vocabulary::grow() {
  slots_.assign(2 * slots_.size(), Slot{0, unknown});
  for (uint32_t id = 0; id < size(); ++id) {
    const uint64_t hash = hash_bytes(word(id));
    slots_[slot_of(word(id), hash)] = {static_cast<uint32_t>(hash >> 32), id};
  }
}

NgramTable::NgramTable() : slots_(1024, Slot{0, 0, 0}) {}

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

void CaptionNgrams::clear_slots(size_t words) {
  size_t wanted = 64;
  while (wanted < 2 * ngram_orders * words) wanted *= 2;
  if (slots_.size() < wanted || ++stamp_ == 0) {
    slots_.assign(std::max(wanted, slots_.size()), Slot{});
    stamp_ = 1;
  }
}

uint32_t CaptionNgrams::index_of(uint64_t key, const Entry& fresh) {
  const size_t mask = slots_.size() - 1;
  for (size_t i = hash_key(key) & mask;; i = (i + 1) & mask) {
    Slot& slot = slots_[i];
    if (slot.stamp != stamp_) {
      slot = {key, static_cast<uint32_t>(entries.size()), stamp_};
      entries.push_back(fresh);
      return slot.index;
    }
    if (slot.key == key) {
      ++entries[slot.index].count;
      return slot.index;
    }
  }
}

// An n-gram whose prefix occurs once occurs once itself, so only repeated prefixes need the hash table.
void CaptionNgrams::count(const std::vector<uint32_t>& words) {
  entries.clear();
  clear_slots(words.size());
  at_position_.resize(words.size());
  for (size_t i = 0; i < words.size(); ++i)
    at_position_[i] = index_of(words[i], {0, words[i], 1, 0, 0});
  order_starts[0] = 0;
  order_starts[1] = entries.size();
  for (size_t order = 2; order <= ngram_orders; ++order) {
    for (size_t i = 0; i + order <= words.size(); ++i) {
      const uint32_t prefix = at_position_[i], word = words[i + order - 1];
      const Entry fresh{prefix, word, 1, 0, 0};
      if (entries[prefix].count == 1) {
        at_position_[i] = static_cast<uint32_t>(entries.size());
        entries.push_back(fresh);
      } else {
        at_position_[i] = index_of(key_of(prefix + 1, word), fresh);
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

void DocumentFrequencies::add_image(std::span<const std::vector<uint32_t>> references) {
  ++images_;
  for (const std::vector<uint32_t>& words : references) {
    ngrams_.count(words);
    ngrams_.intern(index.ngrams, [&](NgramTable::Slot& slot) {
      if (slot.id >= last_image_.size()) last_image_.resize(std::max<size_t>(1024, 2 * static_cast<size_t>(slot.id)));
      if (last_image_[slot.id] == images_) return;
      last_image_[slot.id] = images_;
      ++slot.df;
    });
  }
}

void DocumentFrequencies::add_count(std::string_view ngram, uint32_t df) {
  words_.read_and_intern(ngram, index.words);
  uint32_t prefix = 0;
  NgramTable::Slot* slot = nullptr;
  if (words_.words.empty() || words_.words.size() > ngram_orders)
    throw std::invalid_argument("an n-gram of a frequency table must have 1 to 4 words, found \"" + std::string(ngram) + "\"");
  for (uint32_t word : words_.words) {
    slot = &index.ngrams.intern(prefix, word);
    prefix = slot->id;
  }
  slot->df += df;
}

uint32_t DocumentFrequencies::largest() const {
  uint32_t largest = 0;
  for (const NgramTable::Slot& slot : index.ngrams.slots()) largest = std::max(largest, slot.df);
  return largest;
}

}  // namespace spidercap
