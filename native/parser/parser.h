// The most probable tree of a caption under the fitted grammar: words to tags and tree, by the chart of chart.h.
//
// Where no tree covers a caption within the limits, wider ones are tried; then, as in the reference, all tags over all
// words. Captions of more than `kLongestCaption` words are cut into pieces of `kPieceWords`, and the pieces' trees
// stand side by side under the root: time grows in proportion to the length from there on, memory not at all.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "parser/chart.h"
#include "parser/search_tables.h"

namespace spidercap {

inline constexpr size_t kPieceWords = 40;

struct Node {
  uint16_t label = 0;  // number of a tag or phrase
  uint32_t begin = 0, end = 0;
  std::vector<uint32_t> children;  // indices into the tree's nodes; none for a tag
};

struct Tree {
  std::vector<Node> nodes;  // parents before children; the first is the root
  float score = 0;
  bool whole = true;  // false if no tree of the grammar covers the caption and pieces were put side by side
};

// Workspace for one thread; keeps its memory from caption to caption.
class Parser {
 public:
  explicit Parser(const SearchTables& tables, const Limits& limits = {})
      : tables_(tables), limits_(limits), narrow_(tables, limits) {}
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  // Words in lower case. Empty input gives a tree of the root alone.
  const Tree& parse(std::span<const std::string_view> words);

 private:
  void parse_piece(std::span<const std::string_view> words);
  uint32_t search(std::span<const std::string_view> words);
  Chart& wide();
  void parse_pieces(std::span<const std::string_view> words);
  uint32_t add_node(uint32_t label, uint32_t entry);
  void add_children(uint32_t entry, std::vector<uint32_t>& children);
  void add_side_by_side();

  const SearchTables& tables_;
  Limits limits_;
  Chart narrow_;
  std::unique_ptr<Chart> wide_;    // made when first asked for
  const Chart* chart_ = &narrow_;  // the one that was searched last
  Tree tree_;
  uint32_t words_read_ = 0;  // by the tree being built: the next tag is that of this word
};

}  // namespace spidercap
