// Document frequencies as lines of text: `n-gram⇥count`, sorted by bytes, n-grams as words joined by blanks.
// Cost: reading is linear in the text; writing sorts the n-grams.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ngram/ngrams.h"

namespace spidercap {

// The n-gram of each id with its document frequency; id 0 is the empty n-gram.
struct NamedNgram {
  std::string name;
  uint32_t df = 0;
};
std::vector<NamedNgram> named_ngrams(const NgramIndex& index);

// Adds the counts of all lines. Throws std::invalid_argument that names the first line that is not such a line.
void add_frequency_lines(DocumentFrequencies& frequencies, std::string_view text);

// The lines of all n-grams whose document frequency is at least `minimum`, each ended by LF.
std::string frequency_lines(const DocumentFrequencies& frequencies, uint32_t minimum);

}  // namespace spidercap
