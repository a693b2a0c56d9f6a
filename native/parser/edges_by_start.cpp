#include "parser/edges_by_start.h"

namespace spidercap {

void EdgesByStart::clear(size_t positions) {
  bits_.assign(positions * width_, 0);
  firsts_.resize(bits_.size());
  starts_.clear();
  edge_count_ = 0;
}

void EdgesByStart::close(size_t position) {
  uint64_t* bits = bits_.data() + position * width_;
  const std::span<const Added> all(added_.data(), count_);
  for (const Added& added : all) {
    counts_[added.state] = has_bit(bits, added.state) ? counts_[added.state] + 1 : 1;
    set_bit(bits, added.state);
  }
  for (size_t w = 0; w < width_; ++w) {
    firsts_[position * width_ + w] = static_cast<uint32_t>(starts_.size());
    for (const uint32_t state : BitsOf(bits[w], w * 64)) {
      starts_.push_back(edge_count_);
      edge_count_ += counts_[state];
      counts_[state] = starts_.back();
    }
  }
  starts_.push_back(edge_count_);
  if (edges_.size() < edge_count_) edges_.resize(2 * edge_count_);
  for (const Added& added : all) edges_[counts_[added.state]++] = added.edge;
  count_ = 0;
}

}  // namespace spidercap
