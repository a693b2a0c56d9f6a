// The one hash table of the core: open addressing with linear probing over a power of two of slots, at most 5/8 of them
// full, so that a look-up reads one or two neighbouring slots. What a slot holds is its user's to say: StringTable and
// PairTable are made of it.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/prefetch.h"

namespace spidercap {

// A slot as it is made is empty; one in use knows the hash of what it holds.
template <typename Slot>
concept OpenSlot = std::default_initializable<Slot> && requires(const Slot& slot) {
  { slot.empty() } -> std::same_as<bool>;
  { slot.hash() } -> std::same_as<uint64_t>;
};

template <typename Slot>
class OpenTable {
 public:
  OpenTable() : slots_(fewest_slots) {}

  // The first slot from the hash's own on at which `ends` is true. There must be one.
  template <typename Ends>
  size_t probe(uint64_t hash, const Ends& ends) const {
    const size_t mask = slots_.size() - 1;
    size_t i = static_cast<size_t>(hash) & mask;
    while (!ends(slots_[i])) i = (i + 1) & mask;
    return i;
  }

  // The slot whose content is `same`, or the empty one where it belongs.
  template <typename Same>
  size_t find(uint64_t hash, const Same& same) const {
    return probe(hash, [&](const Slot& slot) { return slot.empty() || same(slot); });
  }

  // Makes room for this many entries in all; places change.
  void reserve(size_t entries)
    requires OpenSlot<Slot>
  {
    if (slots_for(entries) <= slots_.size()) return;
    std::vector<Slot> old(slots_for(entries));
    old.swap(slots_);
    for (const Slot& slot : old)
      if (!slot.empty()) slots_[probe(slot.hash(), [](const Slot& other) { return other.empty(); })] = slot;
  }

  // Empty slots, with room for this many entries and no less than before.
  void clear(size_t entries = 0) { slots_.assign(std::max(slots_.size(), slots_for(entries)), Slot{}); }

  bool has_room_for(size_t entries) const { return 8 * entries <= 5 * slots_.size(); }
  Slot& operator[](size_t place) { return slots_[place]; }
  const Slot& operator[](size_t place) const { return slots_[place]; }
  const std::vector<Slot>& slots() const { return slots_; }
  size_t bytes() const { return sizeof(Slot) * slots_.size(); }
  void prefetch(uint64_t hash) const { prefetch_address(&slots_[static_cast<size_t>(hash) & (slots_.size() - 1)]); }

  // For saving and loading.
  template <typename Archive>
  void visit(Archive& archive) {
    archive(slots_);
  }

 private:
  static constexpr size_t fewest_slots = 64;

  static size_t slots_for(size_t entries) {
    size_t slots = fewest_slots;
    while (8 * entries > 5 * slots) slots *= 2;
    return slots;
  }

  std::vector<Slot> slots_;
};

}  // namespace spidercap
