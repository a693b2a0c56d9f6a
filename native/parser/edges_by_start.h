// The edges that begin at each position of a caption, whatever their end, by state: for a chart that is filled from
// right to left. Positions are less than 64.
//
// The edges of one state lie side by side; where, is found by counting the states before it. Cost: a sort by counting
// of all edges that begin at a position.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/bits.h"

namespace spidercap {

class EdgesByStart {
 public:
  struct Edge {
    float score;
    uint32_t entry;
    uint32_t end;
  };
  // An edge that begins at the position being filled, which `close` ends.
  struct Added {
    Edge edge;
    uint32_t state;
  };

  explicit EdgesByStart(size_t states) : width_((states + 63) / 64), counts_(states), words_((width_ + 63) / 64) {}
  size_t width() const { return width_; }
  void clear(size_t positions);
  // Room for as many edges behind those of the position being filled; `added` tells where those written there end.
  Added* room(size_t most) {
    if (added_.size() < count_ + most) added_.resize(2 * (count_ + most));
    return added_.data() + count_;
  }
  void added(const Added* end) { count_ = static_cast<size_t>(end - added_.data()); }
  void close(size_t position);
  // States with an edge.
  const uint64_t* states(size_t position) const { return bits_.data() + position * width_; }
  // Positions where edges end, as bits.
  uint64_t ends(size_t position) const { return ends_[position]; }
  // The edges of a state that has some.
  std::span<const Edge> operator()(size_t position, uint32_t state) const {
    const size_t word = position * width_ + (state >> 6);
    const uint32_t* start = starts_.data() + firsts_[word] + bits_before(bits_[word], state);
    return {edges_.data() + start[0], start[1] - start[0]};
  }

 private:
  size_t width_;
  std::vector<Added> added_;
  size_t count_ = 0;
  std::vector<uint32_t> counts_;  // by state, of the position being filled; all 0 between two of these
  std::vector<uint64_t> words_;   // words of bits that have one, of the position being filled
  std::vector<uint64_t> bits_;    // by position: states with an edge
  std::vector<uint64_t> ends_;    // by position: where its edges end
  std::vector<uint32_t> firsts_;  // by word of these bits: the number, among all states with edges, of its first
  std::vector<uint32_t> starts_;  // by that number: the first edge; one more for each position's end
  std::vector<Edge> edges_;       // with room behind them
  uint32_t edge_count_ = 0;
};

}  // namespace spidercap
