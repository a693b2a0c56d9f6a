// Character classes of the PTB tokenizer and Unicode lower-casing, as ranges (written by tools/unicode/make_tables.py).
// Readers unfold them once into tables; nothing here is fast.
#pragma once

#include <cstdint>
#include <span>

namespace spidercap::unicode {

// Inclusive range of code points.
struct CodeRange {
  uint32_t first, last;
};

// Every `step`-th code point from first to last has the lower case code point + difference.
struct LowerRun {
  uint32_t first, last, step;
  int32_t difference;
};

// The classes of the tokenizer hold code points of the basic plane only.
std::span<const CodeRange> letters();
std::span<const CodeRange> marks();
std::span<const CodeRange> digits();
std::span<const CodeRange> symbols();
std::span<const CodeRange> sentence_marks();

// Unicode properties Cased, and Case_Ignorable without Cased: they decide where a capital sigma is final.
std::span<const CodeRange> caseds();
std::span<const CodeRange> case_ignorables();

// Simple lower-casing. U+0130 (two code points) is not listed.
std::span<const LowerRun> lower_runs();

}  // namespace spidercap::unicode
