// What stands in the charts of captions, and which of it is in their best trees: what the odds of states are learnt
// from.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "parser/chart.h"
#include "parser/search_tables.h"

namespace spidercap {

// Labels and actives, tags aside, of all captions one after the other.
struct ChartItems {
  std::vector<uint32_t> features;      // of every word, one after the other (word_features.h)
  std::vector<uint16_t> likeliest;     // tag of every word
  std::vector<uint32_t> caption_ends;  // how many items there are up to the end of each caption
  std::vector<uint8_t> begin, end;     // first word, and the one behind the last
  std::vector<uint16_t> state;
  std::vector<float> estimate;   // chart.h
  std::vector<uint8_t> is_best;  // whether the best tree has it
};

ChartItems chart_items(const SearchTables& tables, const Limits& limits, std::span<const std::string_view> captions);

}  // namespace spidercap
