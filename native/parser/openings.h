// What begins at each position of a caption, whatever its end: items by a label, for a chart that is filled from right
// to left.
//
// The items of one label lie side by side; where, is found by counting the labels before it. Cost: a sort by counting
// of all items that begin at a position.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/bits.h"

namespace spidercap {

struct Opening {
  float score;
  uint32_t entry;
  uint16_t state, end;
};

class Openings {
 public:
  explicit Openings(size_t labels) : width_((labels + 63) / 64), counts_(labels) {}
  void clear(size_t positions);
  // An item that begins at the position being filled, which `close` ends.
  struct Added {
    Opening item;
    uint32_t label;
  };
  // Room for as many items behind those of the position being filled; `added` tells where those written there end.
  Added* room(size_t most) {
    if (added_.size() < count_ + most) added_.resize(2 * (count_ + most));
    return added_.data() + count_;
  }
  void added(const Added* end) { count_ = static_cast<size_t>(end - added_.data()); }
  void close(size_t position);
  // Labels with an item.
  const uint64_t* labels(size_t position) const { return bits_.data() + position * width_; }
  // The items of a label that has some.
  std::span<const Opening> operator()(size_t position, uint32_t label) const {
    const size_t word = position * width_ + (label >> 6);
    const uint32_t* start = starts_.data() + firsts_[word] + bits_before(bits_[word], label);
    return {items_.data() + start[0], start[1] - start[0]};
  }

 private:
  size_t width_;
  std::vector<Added> added_;
  size_t count_ = 0;
  std::vector<uint32_t> counts_;  // by label, of the position being filled
  std::vector<uint64_t> bits_;    // by position: labels with an item
  std::vector<uint32_t> firsts_;  // by word of these bits: the number, among all labels with items, of its first
  std::vector<uint32_t> starts_;  // by that number: the first item; one more for each position's end
  std::vector<Opening> items_;    // with room behind them
  uint32_t item_count_ = 0;
};

}  // namespace spidercap
