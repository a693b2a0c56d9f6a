#include "meteor/strings.h"

#include <cstring>

namespace spidercap {
namespace {

constexpr size_t smallest_table = 64;

uint32_t hash_bytes(std::string_view text) {
  uint64_t hash = 0x9E3779B97F4A7C15u ^ text.size();
  const char* data = text.data();
  size_t left = text.size();
  while (left > 0) {
    const size_t taken = left < 8 ? left : 8;
    uint64_t block = 0;
    std::memcpy(&block, data, taken);
    hash = (hash ^ block) * 0xD6E8FEB86659FD93u;
    hash ^= hash >> 32;
    data += taken;
    left -= taken;
  }
  return static_cast<uint32_t>(hash ^ (hash >> 29));
}

}  // namespace

uint32_t polynomial_hash(std::u32string_view text) {
  uint32_t hash = 0;
  for (const char32_t character : text) {
    if (character < 0x10000) {
      hash = hash * 31 + static_cast<uint32_t>(character);
    } else {
      const uint32_t offset = static_cast<uint32_t>(character) - 0x10000;
      hash = hash * 31 + (0xD800 + (offset >> 10));
      hash = hash * 31 + (0xDC00 + (offset & 0x3FF));
    }
  }
  return hash;
}

void StringTable::clear() {
  pool_.clear();
  starts_.assign(1, 0);
  slots_.assign(smallest_table, Slot{0, none});
}

void StringTable::reserve(size_t strings, size_t bytes) {
  pool_.reserve(bytes);
  starts_.reserve(strings + 1);
  size_t slots = slots_.size();
  while (slots < 2 * strings) slots *= 2;
  if (slots > slots_.size()) grow(slots);
}

size_t StringTable::slot_of(std::string_view text, uint32_t hash) const {
  const size_t mask = slots_.size() - 1;
  size_t slot = hash & mask;
  while (slots_[slot].id != none && (slots_[slot].hash != hash || (*this)[slots_[slot].id] != text))
    slot = (slot + 1) & mask;
  return slot;
}

uint32_t StringTable::find(std::string_view text) const { return slots_[slot_of(text, hash_bytes(text))].id; }

uint32_t StringTable::insert(std::string_view text) {
  const uint32_t hash = hash_bytes(text);
  size_t slot = slot_of(text, hash);
  if (slots_[slot].id != none) return slots_[slot].id;
  if (2 * (size() + 1) > slots_.size()) {
    grow(2 * slots_.size());
    slot = slot_of(text, hash);
  }
  const uint32_t id = static_cast<uint32_t>(size());
  pool_.insert(pool_.end(), text.begin(), text.end());
  starts_.push_back(static_cast<uint32_t>(pool_.size()));
  slots_[slot] = {hash, id};
  return id;
}

void StringTable::grow(size_t slots) {
  std::vector<Slot> old(slots, Slot{0, none});
  old.swap(slots_);
  const size_t mask = slots - 1;
  for (const Slot& entry : old) {
    if (entry.id == none) continue;
    size_t slot = entry.hash & mask;
    while (slots_[slot].id != none) slot = (slot + 1) & mask;
    slots_[slot] = entry;
  }
}

}  // namespace spidercap
