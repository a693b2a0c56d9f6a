#include "parser/chart_items.h"

#include "parser/parse_captions.h"

namespace spidercap {
namespace {

// The entries of the best tree.
std::vector<bool> best_entries(const Chart& chart, uint32_t root) {
  std::vector<bool> is_best;
  std::vector<uint32_t> open;
  if (const uint32_t entry = chart.find(0, chart.size(), root); entry != Chart::kNone) open.push_back(entry);
  while (!open.empty()) {
    const uint32_t entry = open.back();
    open.pop_back();
    if (is_best.size() <= entry) is_best.resize(entry + 1);
    is_best[entry] = true;
    if (chart[entry].right == Chart::kWord) continue;
    open.push_back(chart[entry].left);
    if (chart[entry].right != Chart::kUnary) open.push_back(chart[entry].right);
  }
  return is_best;
}

void add_words(const Chart& chart, ChartItems& items) {
  for (const WordFeatures::Features& seen : chart.lattice().features())
    items.features.insert(items.features.end(), seen.begin(), seen.end());
  for (const TaggedWord& word : chart.lattice().likeliest()) items.likeliest.push_back(word.tag);
}

void add_items(const Chart& chart, const SearchTables& tables, ChartItems& items) {
  const std::vector<bool> is_best = best_entries(chart, tables.root);
  for (size_t j = 1; j <= chart.size(); ++j)
    for (size_t i = 0; i < j; ++i) {
      const auto [first, end] = chart.all_over(i, j);
      for (uint32_t entry = first; entry < end; ++entry) {
        if (chart[entry].state < tables.tags) continue;
        items.begin.push_back(static_cast<uint8_t>(i));
        items.end.push_back(static_cast<uint8_t>(j));
        items.state.push_back(chart[entry].state);
        items.estimate.push_back(chart.estimate(entry, i, j));
        items.is_best.push_back(entry < is_best.size() && is_best[entry] ? 1 : 0);
      }
    }
}

}  // namespace

ChartItems chart_items(const SearchTables& tables, const Limits& limits, std::span<const std::string_view> captions) {
  ChartItems items;
  Chart chart(tables, limits);
  for (const std::string_view caption : captions) {
    const std::vector<std::string_view> words = sentence_words(caption);
    if (!words.empty() && words.size() <= kLongestCaption) {
      chart.fill(words);
      add_words(chart, items);
      add_items(chart, tables, items);
    }
    items.caption_ends.push_back(static_cast<uint32_t>(items.state.size()));
  }
  return items;
}

}  // namespace spidercap
