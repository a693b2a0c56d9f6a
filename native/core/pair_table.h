// Pairs of numbers to ids 1, 2, 3, … in the order of insertion, each with a count that its user keeps.
// A sequence is the pair (its beginning as a sequence, last element), and id 0 the empty one: with this table a trie of
// sequences is exact and needs no long keys. A look-up costs one hash, and memory is 16 bytes / 0.31 to 0.63 an entry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "core/hash.h"
#include "core/open_table.h"

namespace spidercap {

class PairTable {
 public:
  struct Slot {
    uint64_t key = 0;
    uint32_t id = 0, count = 0;

    bool empty() const { return id == 0; }
    uint64_t hash() const { return hash_number(key); }
    uint32_t first() const { return static_cast<uint32_t>(key >> 32); }
    uint32_t second() const { return static_cast<uint32_t>(key); }
  };

  PairTable() = default;
  explicit PairTable(size_t expected) { table_.reserve(expected); }

  // The entry of the pair, or nullptr.
  const Slot* find(uint32_t first, uint32_t second) const {
    const Slot& slot = table_[place_of(pair_key(first, second))];
    return slot.empty() ? nullptr : &slot;
  }

  // The entry, made with count 0 if new. The reference holds until the next insert.
  Slot& insert(uint32_t first, uint32_t second) {
    if (!table_.has_room_for(static_cast<size_t>(size()) + 1)) table_.reserve(static_cast<size_t>(size()) + 1);
    const uint64_t key = pair_key(first, second);
    Slot& slot = table_[place_of(key)];
    if (slot.empty()) {
      if (size() == 0xFFFFFFFE) throw std::length_error("more than 2^32 different pairs");
      slot = {key, ++size_[0], 0};
    }
    return slot;
  }

  void prefetch(uint32_t first, uint32_t second) const { table_.prefetch(hash_number(pair_key(first, second))); }
  uint32_t size() const { return size_[0]; }
  // In no order; those that are empty must be left out.
  const std::vector<Slot>& slots() const { return table_.slots(); }
  size_t bytes() const { return table_.bytes(); }

  // For saving and loading.
  template <typename Archive>
  void visit(Archive& archive) {
    table_.visit(archive), archive(size_);
  }

 private:
  size_t place_of(uint64_t key) const {
    return table_.find(hash_number(key), [&](const Slot& slot) { return slot.key == key; });
  }

  OpenTable<Slot> table_;
  std::vector<uint32_t> size_{0};  // one number, in a vector so that it is saved like the rest
};

}  // namespace spidercap
