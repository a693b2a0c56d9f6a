#include "parser/openings.h"

namespace spidercap {

void Openings::clear(size_t positions) {
  bits_.assign(positions * width_, 0);
  firsts_.resize(bits_.size());
  starts_.clear();
  item_count_ = 0;
}

void Openings::close(size_t position) {
  uint64_t* bits = bits_.data() + position * width_;
  const std::span<const Added> all(added_.data(), count_);
  for (const Added& added : all) {
    counts_[added.label] = has_bit(bits, added.label) ? counts_[added.label] + 1 : 1;
    set_bit(bits, added.label);
  }
  for (size_t w = 0; w < width_; ++w) {
    firsts_[position * width_ + w] = static_cast<uint32_t>(starts_.size());
    for (const uint32_t label : BitsOf(bits[w], w * 64)) {
      starts_.push_back(item_count_);
      item_count_ += counts_[label];
      counts_[label] = starts_.back();
    }
  }
  starts_.push_back(item_count_);
  if (items_.size() < item_count_) items_.resize(2 * item_count_);
  for (const Added& added : all) items_[counts_[added.label]++] = added.item;
  count_ = 0;
}

}  // namespace spidercap
