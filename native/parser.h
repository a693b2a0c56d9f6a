// The most probable tree of a caption under the fitted grammar: exact Viterbi search, words to tags and tree.
//
//   best(i, j, A) = max over splits k and steps A → B C of weight + best(i, k, B) + best(k, j, C), then unary steps,
//
// filled from left to right (all spans that end at j after all that end before j), so that a remainder of a phrase is
// entered only where the child peeled off it last really ends. Cost: n³/6 splits, each a join of two short lists of
// states. A bigram model of tags first drops tags, and sets of tags that a state was seen beside drop states; both
// limits can be switched off, which gives the exact maximum (`Limits::none`).
// Captions of more than `kLongestCaption` words are cut into pieces of `kPieceWords`, and the pieces' trees stand side by
// side under the root: time grows in proportion to the length from there on, memory not at all.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grammar.h"

namespace spidercap {

// What may be left out of the search. Infinite beams and no neighbours give the exact maximum.
struct Limits {
  float tag_beam = 9.5F;         // nats below the best tag sequence of the bigram model
  float label_beam = 11.0F;      // nats below the best estimate for a tree through any label of the same span
  float remainder_beam = 12.0F;  // the same among remainders
  bool neighbours = true;        // only states seen beside the words' tags in the training trees
  static Limits none() { return {1e30F, 1e30F, 1e30F, false}; }
};

inline constexpr size_t kLongestCaption = 60, kPieceWords = 40;

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
  explicit Parser(const Grammar& grammar, Limits limits = {});
  // Words in lower case. Empty input gives a tree of the root alone.
  const Tree& parse(std::span<const std::string_view> words);

 private:
  struct Entry {
    uint16_t state;
    uint16_t split;  // 0: a tag over its word; kUnary: `left` is the child's state in the same cell
    uint32_t left, right;  // entries of the children
    float score;
  };
  struct TagScore {
    uint16_t tag;
    float word;            // term of the tag over the word
    float until, from;     // best tag sequence up to this word with it, and of the words after it
  };
  struct Cell {
    // Entries: labels by number, then remainders that need something to their left, then the others.
    uint32_t begin = 0, labels_end = 0, left_end = 0, end = 0;
    uint32_t words = 0;  // which of its words of label bits are not empty
  };

  void parse_piece(std::span<const std::string_view> words);
  void parse_pieces(std::span<const std::string_view> words);
  void choose_tags(std::span<const std::string_view> words);
  void try_tags(std::string_view word, std::vector<TagScore>& tried);
  void set_neighbours(size_t position);
  void set_estimates(size_t position);
  float estimate(const Entry& entry) const;
  void keep_promising();
  void open_span(size_t i, size_t j);
  void fill_word(size_t i);
  void fill_span(size_t i, size_t j);
  void join(size_t i, size_t k, size_t j);
  void join_labels(size_t i, size_t k, size_t j);
  void peel(uint32_t remainder, uint32_t peeled, uint32_t left, uint32_t right, size_t k);
  bool fits(Need side, uint32_t label) const;
  void offer(uint32_t state, float score, uint32_t split, uint32_t left, uint32_t right);
  void climb();
  void store(size_t i, size_t j);
  void read_tree(size_t words);
  uint32_t add_node(size_t i, size_t j, uint32_t entry);
  void collect(size_t i, size_t j, uint32_t entry, std::vector<uint32_t>& children);
  const Entry* find(const Cell& cell, uint32_t label) const;
  void side_by_side(size_t words);
  Cell& cell(size_t i, size_t j) { return cells_[i * (length_ + 1) + j]; }
  const uint64_t* label_bits(size_t i, size_t j) const { return &bits_[(i * (length_ + 1) + j) * label_words_]; }

  const Grammar& grammar_;
  Limits limits_;
  size_t length_ = 0, label_words_ = 0;
  size_t offset_ = 0;  // words before the piece being parsed
  std::vector<Entry> entries_;
  std::vector<Cell> cells_;
  std::vector<uint64_t> bits_;       // labels present in each cell
  std::vector<uint32_t> firsts_;     // for each 64 of them, the entry where they start
  std::vector<uint64_t> ending_;     // labels that end at each position
  std::vector<uint64_t> starting_;   // tags that start at each position
  std::vector<uint64_t> after_, before_;  // states allowed to begin, to end at each position
  std::vector<uint64_t> allowed_;         // states allowed over the span being filled
  std::vector<std::vector<TagScore>> tags_;
  std::vector<float> label_after_, label_before_;  // best score outside a label that begins, that ends at a position
  std::vector<float> best_until_, best_from_;      // best tag sequence of the words before, after a position
  std::vector<float> estimates_, word_scores_;
  std::vector<uint64_t> partners_;       // by label: the labels that some step joins to its right
  std::vector<uint32_t> partner_words_;  // which words of those bits are not empty
  // The span being filled: best entry by state, and which states have one.
  std::vector<Entry> best_;
  std::vector<uint32_t> touched_labels_, touched_remainders_;
  std::vector<float> best_score_;
  std::vector<uint8_t> is_kept_;
  size_t begin_ = 0, end_ = 0;
  Tree tree_;
};

}  // namespace spidercap
