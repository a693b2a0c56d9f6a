// The chart of a caption: for each span the best score of each state, filled by exact Viterbi search within limits.
//
//   best(i, j, A) = max over splits k and steps A → B C of weight + best(i, k, B) + best(k, j, C), then unary steps,
//
// filled from right to left (all spans that begin at i after all that begin behind i). An edge over the words i … k-1,
// once known, is joined at once with all that begins at k, whatever its end (edges_by_start.h), so that the steps of
// two states are looked up once for all these ends. What the loops test most is as good as random, so that they add and
// select instead of branching. What is hopeless is left out: tags (tag_lattice.h), then states over spans, which must
// reach the least score that their group has there (odds.h); limits can be switched off, which gives the exact maximum.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "parser/edges_by_start.h"
#include "parser/limits.h"
#include "parser/odds.h"
#include "parser/search_tables.h"
#include "parser/tag_lattice.h"

namespace spidercap {

inline constexpr size_t kLongestCaption = 60;  // words that a chart has room for

class Chart {
 public:
  static constexpr uint32_t kNone = 0xFFFFFFFF, kWord = 0xFFFFFFFE, kUnary = 0xFFFFFFFD;

  struct Entry {
    float score;
    // Entries of the children. A tag over its word has kWord as its right one; kUnary there means that a chain of
    // unary steps leads to this label from the left one.
    uint32_t left, right;
    uint16_t state;
  };

  Chart(const SearchTables& tables, const Limits& limits);
  // Words may have any tag, or those that are usual.
  void fill(std::span<const std::string_view> words, bool any_tag = false);
  size_t size() const { return lattice_.size(); }
  const Entry& operator[](uint32_t entry) const { return entries_[entry]; }
  const TagLattice& lattice() const { return lattice_; }
  // The label's entry over the words i … j-1, or kNone.
  uint32_t find(size_t i, size_t j, uint32_t label) const;
  // The first entry of a label over the words i … j-1, and the one behind the last.
  std::pair<uint32_t, uint32_t> labels_over(size_t i, size_t j) const;
  // The same for all its entries, actives too.
  std::pair<uint32_t, uint32_t> all_over(size_t i, size_t j) const;
  // Of the best tree with the entry, over the words i … j-1, below the score of the best tag sequence.
  float estimate(uint32_t entry, size_t i, size_t j) const;

 private:
  // A candidate's state takes the low bits of a word, the number of its join the others.
  static constexpr uint32_t kStateBits = 13, kStateMask = (1U << kStateBits) - 1;
  static_assert(kStateMask == Grammar::kMostStates);
  // Joins of one span that are tried; only a search without limits over dozens of words could find more.
  static constexpr uint32_t kMostJoins = (1U << (32 - kStateBits)) - 1;
  static constexpr uint32_t kNoJoin = 0xFFFFFFFF;
  struct StateList {
    // With room for all: each state once, and the least score that it must have; over the whole caption the same for
    // all.
    std::vector<uint16_t> states;
    std::vector<float> least;
    float least_of_whole;
    size_t count = 0;
    std::span<const uint16_t> all() const { return {states.data(), count}; }
  };
  struct Cell {
    uint32_t first = 0, labels_end = 0, end = 0;  // entries: labels, then actives
  };
  // A way to make a state over a span: its score, then its state and the number of the span's join in one word.
  struct Candidate {
    float score;
    uint32_t origin;
    uint32_t state() const { return origin & kStateMask; }
    uint32_t join() const { return origin >> kStateBits; }
    bool has_join() const { return origin != kNoJoin; }
  };
  static constexpr Candidate kUnmade{-std::numeric_limits<float>::infinity(), kNoJoin};
  // Two entries that stand side by side; or a label and kUnary.
  struct Join {
    uint32_t left, right;
  };
  // States that stand behind an entry and have steps with it.
  struct Met {
    uint64_t states;
    const Partners* partners;
    uint32_t entry;
  };
  // An entry, and a state behind it with all that it ends with, that have steps.
  struct Pair {
    const EdgesByStart::Edge* edges;
    const Steps* groups;
    uint32_t edge_count, group_count;
    float score;
    uint32_t entry;
  };
  // Steps that two entries side by side may take.
  struct Offer {
    float sum;
    uint32_t entry;
    const Steps* steps;
    const EdgesByStart::Edge* edge;
  };
  // The candidates for a span's labels, or for its actives.
  struct Pool {
    Candidate *next = nullptr, *limit = nullptr;
    uint32_t join_count = 0;
    std::vector<Candidate> candidates;
    std::vector<Join> joins;
    void clear() { next = candidates.data(), join_count = 0; }
    void add_room(size_t more);
  };
  // A span being filled, from `begin_` to one of its ends; its room is kept from caption to caption.
  struct Span {
    std::array<Pool, 2> pools;  // of labels, of actives
    Odds::Span odds{};
  };

  void open_word(size_t i);
  void open_span(size_t j);
  void close_span(size_t j);
  void choose_candidates(StateList& list, const Pool& pool, size_t first = 0);
  void set_least(StateList& list, size_t first);
  std::span<const uint16_t> made(const StateList& list);
  void add_unary();
  void store();
  void store_labels();
  uint32_t store_label(uint32_t label);
  void store_actives();
  void extend();
  void find_partners();
  void find_pairs();
  void find_offers();
  template <typename LeastOf>
  static void offer(Pool& pool, std::span<const Step> steps, float sum, LeastOf least_of, const Join& join);

  static size_t cell_number(size_t i, size_t j) { return j * (j - 1) / 2 + i; }
  bool is_whole() const { return begin_ == 0 && end_ == size(); }

  const SearchTables& tables_;
  bool limited_;
  float same_;
  TagLattice lattice_;
  Odds odds_;
  EdgesByStart edges_;  // of labels, and of actives that can take a child at their left
  std::vector<Entry> entries_;
  size_t entry_count_ = 0;
  std::vector<Cell> cells_;
  std::vector<Span> spans_;  // by end
  uint64_t open_ = 0;        // bits of the ends up to which something may stand
  // The span being closed: labels and actives that are offered, and the best candidate of each.
  size_t begin_ = 0, end_ = 0;
  StateList labels_, actives_;
  std::vector<Candidate> best_;  // kUnmade between two spans
  std::vector<uint16_t> made_;
  std::vector<uint32_t> entry_of_;  // by label: its entry over the span, or kNone
  EdgesByStart::Added* next_edge_ = nullptr;
  // Of the span that is extended, with room behind them.
  std::vector<Met> met_;
  std::vector<Pair> pairs_;
  std::vector<Offer> offers_;
  size_t met_count_ = 0, pair_count_ = 0, offer_count_ = 0;
};

}  // namespace spidercap
