#include "core/string_table.h"

namespace spidercap {

uint32_t StringTable::add(std::string_view text, uint64_t key, size_t place) {
  const size_t id = size();
  if (text.size() > none - pool_.size() || id + 1 >= none) throw std::length_error("more than 4 GB of different words");
  pool_.insert(pool_.end(), text.begin(), text.end());
  starts_.push_back(static_cast<uint32_t>(pool_.size()));
  if (!table_.has_room_for(id + 1)) {
    table_.reserve(id + 1);
    place = place_of(text, key);
  }
  table_[place] = {key, static_cast<uint32_t>(id), static_cast<uint32_t>(text.size())};
  return static_cast<uint32_t>(id);
}

}  // namespace spidercap
