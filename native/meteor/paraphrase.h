// The compiled paraphrase table, read in place from a memory-mapped file.
// All phrases of the table are the nodes of one trie over word ids, in level order: node 0 is the empty phrase, the
// children of a node stand together, ascending by word id. A phrase's id is its node. A source's targets stand together
// in the order of the original file. Finding one more word of a phrase is a binary search among its node's children.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace spidercap {

struct ParaphraseHeader {
  char magic[8];
  uint32_t version;
  uint32_t byte_order;
  uint8_t source_sha256[32];
  uint64_t checksum;
  uint64_t file_bytes;
  uint32_t words;
  uint32_t word_bytes;
  uint32_t nodes;
  uint32_t targets;

  static constexpr char expected_magic[9] = "SPCPARA\n";
  static constexpr uint32_t current_version = 1;
  static constexpr uint32_t native_byte_order = 0x01020304;
};
static_assert(sizeof(ParaphraseHeader) == 80);

class ParaphraseIndex {
 public:
  static constexpr uint32_t none = 0xFFFFFFFFu;
  static constexpr size_t longest_phrase = 7;

  // Checks the whole file; throws std::invalid_argument when it is damaged or of another version.
  explicit ParaphraseIndex(std::span<const uint8_t> file);

  uint32_t word(std::string_view text) const;
  // The phrase of `node` followed by the word, or none. Node 0 is the empty phrase.
  uint32_t extend(uint32_t node, uint32_t word) const {
    if (node == 0) return root_children_[word];
    return extend_longer(node, word);
  }
  bool is_source(uint32_t node) const { return target_starts_[node] != target_starts_[node + 1]; }
  std::span<const uint32_t> targets(uint32_t node) const {
    return targets_.subspan(target_starts_[node], target_starts_[node + 1] - target_starts_[node]);
  }
  // Tells apart indices of different content.
  uint64_t fingerprint() const { return fingerprint_; }
  std::span<const uint8_t> source_sha256() const { return source_sha256_; }

 private:
  uint32_t extend_longer(uint32_t node, uint32_t word) const;

  std::span<const uint32_t> word_starts_;
  std::span<const char> word_text_;
  std::span<const uint32_t> root_children_;
  std::span<const uint16_t> node_words_;
  std::span<const uint32_t> child_starts_;
  std::span<const uint32_t> target_starts_;
  std::span<const uint32_t> targets_;
  std::span<const uint8_t> source_sha256_;
  uint64_t fingerprint_;
};

}  // namespace spidercap
