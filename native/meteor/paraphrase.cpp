#include "meteor/paraphrase.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <stdexcept>

#include "core/checksum.h"

namespace spidercap {
namespace {

// Hands out the sections of the file one after another, each starting at a multiple of 8 bytes.
class Sections {
 public:
  explicit Sections(std::span<const uint8_t> payload) : left_(payload) {}

  template <typename T>
  std::span<const T> take(size_t count) {
    const size_t bytes = count * sizeof(T);
    const size_t padded = (bytes + 7) / 8 * 8;
    if (padded > left_.size()) throw std::invalid_argument("the paraphrase index is cut short");
    const auto section = std::span(reinterpret_cast<const T*>(left_.data()), count);
    left_ = left_.subspan(padded);
    return section;
  }

  bool empty() const { return left_.empty(); }

 private:
  std::span<const uint8_t> left_;
};

ParaphraseHeader checked_header(std::span<const uint8_t> file) {
  ParaphraseHeader header;
  if (file.size() < sizeof header) throw std::invalid_argument("the paraphrase index is cut short");
  std::memcpy(&header, file.data(), sizeof header);
  if (std::memcmp(header.magic, ParaphraseHeader::expected_magic, sizeof header.magic) != 0)
    throw std::invalid_argument("the file is no paraphrase index");
  if (header.version != ParaphraseHeader::current_version || header.byte_order != ParaphraseHeader::native_byte_order)
    throw std::invalid_argument("the paraphrase index is of another version or byte order");
  if (header.file_bytes != file.size()) throw std::invalid_argument("the paraphrase index is cut short");
  if (header.checksum != checksum(file.subspan(sizeof header)))
    throw std::invalid_argument("the paraphrase index is damaged: its checksum is wrong");
  if (reinterpret_cast<uintptr_t>(file.data()) % 8 != 0)
    throw std::invalid_argument("the paraphrase index must start at a multiple of 8 bytes in memory");
  return header;
}

}  // namespace

ParaphraseIndex::ParaphraseIndex(std::span<const uint8_t> file) {
  const ParaphraseHeader header = checked_header(file);
  Sections sections(file.subspan(sizeof header));
  word_starts_ = sections.take<uint32_t>(size_t{header.words} + 1);
  word_text_ = sections.take<char>(header.word_bytes);
  root_children_ = sections.take<uint32_t>(header.words);
  node_words_ = sections.take<uint16_t>(header.nodes);
  child_starts_ = sections.take<uint32_t>(size_t{header.nodes} + 1);
  target_starts_ = sections.take<uint32_t>(size_t{header.nodes} + 1);
  targets_ = sections.take<uint32_t>(header.targets);
  if (!sections.empty()) throw std::invalid_argument("the paraphrase index has bytes behind its end");
  source_sha256_ = file.subspan(offsetof(ParaphraseHeader, source_sha256), sizeof header.source_sha256);
  fingerprint_ = header.checksum;
}

uint32_t ParaphraseIndex::word(std::string_view text) const {
  const auto word_at = [&](size_t i) {
    return std::string_view(word_text_.data() + word_starts_[i], word_starts_[i + 1] - word_starts_[i]);
  };
  size_t low = 0;
  size_t high = word_starts_.size() - 1;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (word_at(middle) < text)
      low = middle + 1;
    else
      high = middle;
  }
  return low < word_starts_.size() - 1 && word_at(low) == text ? static_cast<uint32_t>(low) : none;
}

uint32_t ParaphraseIndex::extend_longer(uint32_t node, uint32_t word) const {
  size_t first = child_starts_[node];
  size_t count = child_starts_[node + 1] - first;
  if (count == 0) return none;
  // Halving without branches: the processor cannot guess the way of a binary search.
  while (count > 1) {
    const size_t half = count / 2;
    first += node_words_[first + half - 1] < word ? half : 0;
    count -= half;
  }
  return node_words_[first] == word ? static_cast<uint32_t>(first) : none;
}

}  // namespace spidercap
