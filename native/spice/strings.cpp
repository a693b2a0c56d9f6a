#include "spice/strings.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace spidercap {
namespace {

uint64_t mixed(uint64_t value) {
  value *= 0x9E3779B97F4A7C15u;
  return value ^ (value >> 29);
}

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

// Reads one UTF-8 character; bytes that are no UTF-8 stand for themselves.
uint32_t next_character(std::string_view text, size_t& position) {
  const auto byte = [&](size_t i) -> uint32_t { return static_cast<unsigned char>(text[i]); };
  const uint32_t first = byte(position++);
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
  if (more == 0 || position + more > text.size()) return first;
  uint32_t character = first & (0x3Fu >> more);
  for (int i = 0; i < more; ++i) character = character << 6 | (byte(position++) & 0x3F);
  return character;
}

// Characters beyond the basic plane sort as surrogates: between U+D7FF and U+E000.
std::pair<uint32_t, uint32_t> utf16_key(uint32_t character) {
  if (character < 0x10000) return {character, 0};
  return {0xD800 + ((character - 0x10000) >> 10), character};
}

}  // namespace

uint64_t hash_of(std::string_view text) {
  uint64_t hash = mixed(text.size() + 1);
  const char* data = text.data();
  size_t left = text.size();
  for (; left >= 8; left -= 8, data += 8) {
    uint64_t word;
    std::memcpy(&word, data, 8);
    hash = mixed(hash ^ word);
  }
  if (left > 0) {
    uint64_t word = 0;
    std::memcpy(&word, data, left);
    hash = mixed(hash ^ word);
  }
  return mixed(hash ^ (hash >> 32));
}

void SpiceStrings::reserve(size_t count) {
  keys_.reserve(count);
  size_t slots = 16;
  while (5 * slots < 8 * count) slots *= 2;
  if (slots > slots_.size()) resize(slots);
}

void SpiceStrings::resize(size_t slots) {
  slots_.assign(slots, Slot{});
  for (uint32_t i = 0; i < keys_.size(); ++i) {
    const std::string_view text(keys_[i].text, keys_[i].size);
    const uint64_t hash = hash_of(text);
    slots_[slot_of(text, hash)] = {static_cast<uint32_t>(hash >> 32), i};
  }
}

size_t SpiceStrings::slot_of(std::string_view text, uint64_t hash) const {
  const size_t mask = slots_.size() - 1;
  const auto check = static_cast<uint32_t>(hash >> 32);
  for (size_t i = hash & mask;; i = (i + 1) & mask) {
    const Slot& slot = slots_[i];
    if (slot.key == absent) return i;
    if (slot.check == check && std::string_view(keys_[slot.key].text, keys_[slot.key].size) == text) return i;
  }
}

uint32_t SpiceStrings::insert(std::string_view text, uint32_t value) {
  if (8 * (keys_.size() + 1) > 5 * slots_.size()) resize(std::max<size_t>(16, 2 * slots_.size()));
  const uint64_t hash = hash_of(text);
  Slot& slot = slots_[slot_of(text, hash)];
  if (slot.key == absent) {
    slot = {static_cast<uint32_t>(hash >> 32), static_cast<uint32_t>(keys_.size())};
    keys_.push_back({text.data(), static_cast<uint32_t>(text.size()), value});
  }
  return keys_[slot.key].value;
}

uint32_t SpiceStrings::find(std::string_view text) const {
  if (slots_.empty()) return absent;
  const Slot& slot = slots_[slot_of(text, hash_of(text))];
  return slot.key == absent ? absent : keys_[slot.key].value;
}

std::string_view lower_case_of(std::string_view text, std::string& buffer) {
  if (std::none_of(text.begin(), text.end(), is_upper)) return text;
  buffer.assign(text);
  for (char& c : buffer)
    if (is_upper(c)) c = static_cast<char>(c - 'A' + 'a');
  return buffer;
}

bool less_in_utf16(std::string_view a, std::string_view b) {
  for (size_t i = 0, j = 0; j < b.size();) {
    if (i >= a.size()) return true;
    const auto left = utf16_key(next_character(a, i));
    const auto right = utf16_key(next_character(b, j));
    if (left != right) return left < right;
  }
  return false;
}

uint32_t polynomial_hash(std::string_view text) {
  uint32_t hash = 0;
  for (size_t i = 0; i < text.size();) {
    const uint32_t character = next_character(text, i);
    if (character < 0x10000) {
      hash = hash * 31 + character;
    } else {
      hash = hash * 31 + 0xD800 + ((character - 0x10000) >> 10);
      hash = hash * 31 + 0xDC00 + (character & 0x3FF);
    }
  }
  return hash;
}

}  // namespace spidercap
