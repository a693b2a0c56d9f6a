#include "ngram/frequency_text.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace spidercap {

std::vector<NamedNgram> named_ngrams(const NgramIndex& index) {
  std::vector<const PairTable::Slot*> by_id(static_cast<size_t>(index.ngrams.size()) + 1);
  for (const PairTable::Slot& slot : index.ngrams.slots())
    if (slot.id != 0) by_id[slot.id] = &slot;
  std::vector<NamedNgram> named(by_id.size());
  // A prefix was interned before what follows it, so its name is there already.
  for (size_t id = 1; id < by_id.size(); ++id) {
    const auto prefix = static_cast<size_t>(by_id[id]->first());
    named[id].name = named[prefix].name;
    if (prefix != 0) named[id].name += ' ';
    named[id].name += index.words[by_id[id]->second()];
    named[id].df = by_id[id]->count;
  }
  return named;
}

void add_frequency_lines(DocumentFrequencies& frequencies, std::string_view text) {
  for (size_t number = 1, start = 0; start < text.size(); ++number) {
    const size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = text.substr(start, end - start);
    const size_t tab = line.find('\t');
    const std::string_view digits = tab == line.npos ? std::string_view() : line.substr(tab + 1);
    uint32_t df = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), df);
    if (digits.empty() || read.ec != std::errc() || read.ptr != digits.data() + digits.size() || df < 1 ||
        df > 0x7FFFFFFF)
      throw std::invalid_argument("entry " + std::to_string(number) + " is not an n-gram, a tab and a count");
    frequencies.add_count(line.substr(0, tab), df);
    start = end + 1;
  }
}

std::string frequency_lines(const DocumentFrequencies& frequencies, uint32_t minimum) {
  std::vector<NamedNgram> named = named_ngrams(frequencies.index);
  std::erase_if(named, [&](const NamedNgram& ngram) { return ngram.df < std::max(1u, minimum); });
  std::ranges::sort(named, {}, &NamedNgram::name);
  std::string lines;
  for (const NamedNgram& ngram : named) {
    lines += ngram.name;
    lines += '\t';
    lines += std::to_string(ngram.df);
    lines += '\n';
  }
  return lines;
}

}  // namespace spidercap
