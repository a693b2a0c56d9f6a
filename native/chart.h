// The chart of a caption: for each span the best score of each state, filled by exact Viterbi search within limits.
//
//   best(i, j, A) = max over splits k and steps A → B C of weight + best(i, k, B) + best(k, j, C), then unary steps,
//
// filled from right to left (all spans that begin at i after all that begin behind i), so that a remainder of a phrase
// that lacks a child at its right is entered only where such a child begins. Cost: n³/6 splits, each a join of two short lists of
// states by bit sets of their labels; then about 5 ns for each of some 1,000 steps a word. What the loops test most is
// as good as random, so that they add and select instead of branching.
// A bigram model of tags first drops tags, sets of tags that a state was seen beside drop states, and beams drop states
// that promise much less than the best of their span; all limits can be switched off, which gives the exact maximum.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "chart_context.h"
#include "search_tables.h"
#include "tag_lattice.h"

namespace spidercap {

// What may be left out of the search. Infinite beams and no neighbours give the exact maximum.
struct Limits {
  float tag_beam = 12.5F;        // nats below the best tag sequence of the bigram model
  float label_beam = 11.0F;      // nats below the best estimate for a tree through any label of the same span
  float remainder_beam = 15.0F;  // the same among remainders
  bool neighbours = true;        // only states seen beside the words' tags in the training trees
  float filter_beam = 11.0F;     // nats below the likeliest tag of the word by the filter
};

class Chart {
 public:
  static constexpr uint32_t kNone = 0xFFFFFFFF, kWord = 0xFFFFFFFE, kClimb = 0xFFFFFFFD;

  struct Entry {
    float score;
    // Entries of the children. A tag over its word has kWord as its right one; kClimb there means that a chain of
    // unary steps leads to this label from the left one.
    uint32_t left, right;
    uint16_t state;
  };

  Chart(const SearchTables& tables, const Limits& limits);
  void fill(std::span<const std::string_view> words);
  size_t size() const { return lattice_.size(); }
  const Entry& operator[](uint32_t entry) const { return entries_[entry]; }
  // The label's entry over the words i … j-1, or kNone.
  uint32_t find(size_t i, size_t j, uint32_t label) const;
  // The first entry of a label over the words i … j-1, and the one behind the last.
  std::pair<uint32_t, uint32_t> labels_over(size_t i, size_t j) const;

 private:
  // Of a span: labels with an entry, labels that its remainders need at their left and right, and labels that some step
  // joins to the left of one of its own.
  enum Set : size_t { own, left_needs, right_needs, wanted, set_count };
  struct Cell {
    uint32_t first = 0, labels_end = 0;
    std::array<uint32_t, set_count> words{};  // which words of each set are not empty
  };
  // A way to make a state over the span being filled.
  struct Offer {
    float score;
    uint32_t state, left, right;
  };
  struct Best {
    float score = -std::numeric_limits<float>::infinity();
    uint32_t offer = 0;
  };

  void fill_word(size_t i);
  void fill_span(size_t i, size_t j);
  void open_span(size_t i, size_t j);
  void close_span();
  void require_right_neighbours(size_t position);
  void join(size_t k);
  void reserve_offers(size_t more) {
    if (offers_.size() < offer_count_ + more + 1) [[unlikely]] add_room(more);
  }
  void add_room(size_t more);
  void choose_offers();
  const Offer& best_offer(uint32_t state) const { return offers_[best_[state].offer]; }
  void add_entry(uint32_t state);
  void climb();
  void keep_all();
  float estimate(std::span<const uint16_t> states);
  void keep_labels(float beam);
  void keep_remainders(float beam);
  void store();
  void store_labels(Cell& cell);
  void store_remainders(Cell& cell, Set set, uint32_t first, uint32_t end);
  void link_labels(Cell& cell);

  static size_t cell_number(size_t i, size_t j) { return j * (j - 1) / 2 + i; }
  size_t set_offset(size_t cell, Set set) const { return (cell * set_count + set) * label_words_; }
  bool is_whole() const { return begin_ == 0 && end_ == size(); }

  const SearchTables& tables_;
  Limits limits_;
  TagLattice lattice_;
  ChartContext context_;
  size_t label_words_, state_words_;
  std::vector<Entry> entries_;
  std::vector<Cell> cells_;
  std::vector<uint64_t> bits_;     // by cell and set
  std::vector<uint32_t> firsts_;   // for each word of these bits the entry, or the group of remainders, of its first bit
  std::vector<uint32_t> groups_;   // first entry of each group of remainders with the same need, cell by cell
  std::vector<uint64_t> beginnings_;  // labels that begin at each position
  // The span being filled: best score by state, and which states have one.
  size_t begin_ = 0, end_ = 0;
  std::vector<uint64_t> allowed_, kept_;
  std::vector<Best> best_;
  std::vector<Offer> offers_;
  size_t offer_count_ = 0;
  std::vector<uint16_t> labels_, remainders_;
  size_t label_count_ = 0, remainder_count_ = 0;
  std::vector<float> estimates_, base_scores_;
};

}  // namespace spidercap
