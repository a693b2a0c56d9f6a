// Word lists of the PTB tokenizer: abbreviations, sentence starters, file extensions, words that split in two.
// All look-ups take lower-case ASCII and cost one hash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace spidercap::ptb {

enum WordKind : uint8_t {
  abbreviation_a = 1,          // list A: keeps its period and reaches two characters further
  abbreviation_a_capital = 2,  // the same, only with a capital first letter
  abbreviation_b = 4,          // list B: keeps its period
  abbreviation_b_capital = 8,
  before_number = 16,  // keeps its period before a digit
  sentence_starter = 32,
  file_extension = 64,
};

constexpr size_t longest_listed_word = 12;

// The kinds of a word, 0 if it is in no list.
uint8_t word_kinds(std::string_view lower);

// Whether a period behind the word needs the rules: one letter, or an abbreviation of any kind.
bool may_keep_period(std::string_view lower);

// Letters of the first token of cannot, gonna, gotta, lemme, gimme, wanna; 0 for other words.
size_t assimilation_split(std::string_view lower);

}  // namespace spidercap::ptb
