// Strings to ids 0, 1, 2, … in the order of insertion: a hash table over one pool of text.
// A look-up costs one hash; a string of up to 8 bytes lies in its slot, so that its text need not be read again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "core/hash.h"
#include "core/open_table.h"

namespace spidercap {

class StringTable {
 public:
  static constexpr uint32_t none = 0xFFFFFFFF;

  void clear() {
    pool_.clear();
    starts_.assign(1, 0);
    table_ = {};
  }

  void reserve(size_t strings, size_t bytes) {
    pool_.reserve(bytes);
    starts_.reserve(strings + 1);
    table_.reserve(strings);
  }

  // The id of the string, or `none`.
  uint32_t find(std::string_view text) const { return table_[place_of(text, text_key(text))].id; }

  // The id of the string, which is added when it is new.
  uint32_t insert(std::string_view text) {
    const uint64_t key = text_key(text);
    const size_t place = place_of(text, key);
    return table_[place].id != none ? table_[place].id : add(text, key, place);
  }

  size_t size() const { return starts_.size() - 1; }
  std::string_view operator[](uint32_t id) const {
    return {pool_.data() + starts_[id], static_cast<size_t>(starts_[id + 1] - starts_[id])};
  }
  // Of all strings together, and of the whole table.
  size_t text_bytes() const { return pool_.size(); }
  size_t bytes() const { return pool_.size() + sizeof(uint32_t) * starts_.size() + table_.bytes(); }

  // For saving and loading: every part in a fixed order.
  template <typename Archive>
  void visit(Archive& archive) {
    archive(pool_), archive(starts_), table_.visit(archive);
  }

 private:
  struct Slot {
    uint64_t key = 0;
    uint32_t id = none, length = 0;

    bool empty() const { return id == none; }
    uint64_t hash() const { return hash_number(key + length); }
  };

  size_t place_of(std::string_view text, uint64_t key) const {
    return table_.find(hash_number(key + text.size()), [&](const Slot& slot) {
      return slot.key == key && slot.length == text.size() &&
             (text.size() <= longest_exact_key || (*this)[slot.id] == text);
    });
  }

  uint32_t add(std::string_view text, uint64_t key, size_t place);

  std::vector<char> pool_;
  std::vector<uint32_t> starts_{0};
  OpenTable<Slot> table_;
};

}  // namespace spidercap
