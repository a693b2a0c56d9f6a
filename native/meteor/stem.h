// The English stemmer of METEOR: Snowball "english" (Porter2) as published before Snowball 3.0.
// Suffix removal in eight steps, O(length of the word) with small constants. Y stands for a y that acts as a consonant
// while the steps run.
#pragma once

#include <string>

namespace spidercap {

// Replaces the lower-case word by its stem.
void stem_english(std::u32string& word);

}  // namespace spidercap
