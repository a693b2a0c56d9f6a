// Strings to consecutive ids: an open-addressing hash table over one pool of text.
// A lookup is one hash of the string and, at a load of at most one half, 1.5 probes on average; ids are in the order of
// insertion. Also the 32-bit polynomial hash by which METEOR tells words apart.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace spidercap {

// Σ c_i · 31^(length−1−i) modulo 2^32 over the UTF-16 code units c of the text.
uint32_t polynomial_hash(std::u32string_view text);

class StringTable {
 public:
  static constexpr uint32_t none = 0xFFFFFFFFu;

  StringTable() { clear(); }
  void clear();
  void reserve(size_t strings, size_t bytes);
  uint32_t find(std::string_view text) const;
  // The id of the string, which is added when it is new.
  uint32_t insert(std::string_view text);
  size_t size() const { return starts_.size() - 1; }
  size_t bytes() const { return pool_.size(); }
  std::string_view operator[](uint32_t id) const {
    return {pool_.data() + starts_[id], static_cast<size_t>(starts_[id + 1] - starts_[id])};
  }

 private:
  size_t slot_of(std::string_view text, uint32_t hash) const;
  void grow(size_t slots);

  struct Slot {
    uint32_t hash;
    uint32_t id;
  };

  std::vector<char> pool_;
  std::vector<uint32_t> starts_;
  std::vector<Slot> slots_;
};

}  // namespace spidercap
