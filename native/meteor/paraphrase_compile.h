// Compiles the paraphrase table (records of three lines: a number, a source phrase, a target phrase) into the file that
// ParaphraseIndex reads. One hash-trie insertion a word: about 30 million for the English table, a few seconds, and
// some 150 MB while it runs. The result depends on the table alone.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/pair_table.h"
#include "core/string_table.h"

namespace spidercap {

class ParaphraseCompiler {
 public:
  ParaphraseCompiler();
  // The next piece of the table, cut anywhere. Throws std::invalid_argument when a record is malformed.
  void feed(std::string_view text);
  // The file. The compiler is spent afterwards.
  std::vector<uint8_t> finish(const std::array<uint8_t, 32>& source_sha256);
  uint64_t records() const { return targets_.size(); }

 private:
  struct Source {
    uint32_t node;
    uint32_t first_target;
  };

  // How the file numbers words and nodes: place of each in its order, and the order.
  struct Numbering {
    std::vector<uint32_t> order;
    std::vector<uint32_t> place;
  };

  void line(std::string_view text);
  uint32_t phrase(std::string_view text);
  uint32_t child(uint32_t parent, uint32_t word);
  Numbering number_words() const;
  Numbering number_nodes(const Numbering& words) const;
  void append_words(std::vector<uint8_t>& file, const Numbering& words) const;
  void append_tree(std::vector<uint8_t>& file, const Numbering& words, const Numbering& nodes) const;
  void append_targets(std::vector<uint8_t>& file, const Numbering& nodes) const;

  StringTable words_;
  PairTable nodes_;  // by parent and word
  std::vector<uint32_t> parents_;
  std::vector<uint16_t> node_words_;
  std::vector<uint8_t> depths_;
  std::vector<Source> sources_;
  std::vector<uint32_t> targets_;
  std::string unfinished_line_;
  std::string source_text_;
  uint64_t lines_ = 0;
};

}  // namespace spidercap
