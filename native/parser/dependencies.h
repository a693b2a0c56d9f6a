// Tree to dependencies: head and basic UD-v1 label of each word, by rules.
//
// head_rules.h finds the head word of every phrase, label_rules.h says how the other children depend on it. Nothing
// here is learnt: of a grammar only the names of its labels are needed. Cost: a few comparisons for each child of a
// phrase.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "parser/grammar.h"
#include "parser/parser.h"
#include "parser/phrase_tree.h"

namespace spidercap {

// Heads and labels of the words of a tree. Heads count words from 1, 0 is the root.
void find_dependencies(PhraseTree& tree, std::vector<int32_t>& heads, std::vector<Label>& labels);

// Workspace for one thread; keeps its memory from caption to caption.
class DependencyConverter {
 public:
  explicit DependencyConverter(const Grammar& grammar);
  void convert(const Tree& tree, std::span<const std::string_view> words, std::vector<int32_t>& heads,
               std::vector<Label>& labels);

 private:
  uint32_t tags_;
  std::vector<Category> categories_;  // by label of the grammar
  PhraseTree tree_;
};

// The tree of a bracketed text, with or without category marks. The words are views of the text, and the tree refers to
// them. Throws std::invalid_argument if the brackets do not make one tree over words.
void read_bracketed(std::string_view text, std::vector<std::string_view>& words, PhraseTree& tree);

}  // namespace spidercap
