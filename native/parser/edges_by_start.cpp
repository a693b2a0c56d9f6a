#include "parser/edges_by_start.h"

namespace spidercap {

void EdgesByStart::clear(size_t positions) {
  bits_.assign(positions * width_, 0);
  ends_.assign(positions, 0);
  firsts_.resize(bits_.size());
  starts_.clear();
  edge_count_ = 0;
  count_ = 0;
}

void EdgesByStart::close(size_t position) {
  uint64_t* bits = bits_.data() + position * width_;
  const std::span<const Added> all(added_.data(), count_);
  for (const Added& added : all) {
    ++counts_[added.state];
    set_bit(bits, added.state);
    set_bit(words_.data(), added.state >> 6);
    set_bit(&ends_[position], added.edge.end);
  }
  for (size_t v = 0; v < words_.size(); ++v) {
    for (const uint32_t w : BitsOf(words_[v], v * 64)) {
      firsts_[position * width_ + w] = static_cast<uint32_t>(starts_.size());
      for (const uint32_t state : BitsOf(bits[w], size_t{w} * 64)) {
        starts_.push_back(edge_count_);
        edge_count_ += counts_[state];
        counts_[state] = starts_.back();
      }
    }
    words_[v] = 0;
  }
  starts_.push_back(edge_count_);
  if (edges_.size() < edge_count_) edges_.resize(2 * edge_count_);
  for (const Added& added : all) edges_[counts_[added.state]++] = added.edge;
  for (const Added& added : all) counts_[added.state] = 0;
  count_ = 0;
}

}  // namespace spidercap
