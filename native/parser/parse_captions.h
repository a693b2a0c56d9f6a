// Captions to parses, on several threads: words, tree by the parser, heads and labels by the converter.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "parser/parsed_captions.h"
#include "parser/parser.h"
#include "parser/search_tables.h"

namespace spidercap {

// The words of a caption, split at blanks. A period that ends the caption with the last word is a word of its own, as
// in the reference, which tokenises once more; "st." and "t.v." keep theirs, and "etc." keeps it and has the sentence's
// besides.
std::vector<std::string_view> sentence_words(std::string_view caption);

// As many parsers as threads have parsed at once: they keep what they have worked out of words from call to call.
class ParserPool {
 public:
  ParserPool(const SearchTables& tables, const Limits& limits);
  ~ParserPool();
  // A caption is one sentence, unless a word of it ends one (".", "!!", "?!"); a caption without words has none.
  // Captions that repeat are parsed once. `threads` 0 means all cores; the result does not depend on it.
  ParsedCaptions parse(std::span<const std::string_view> captions, size_t threads);

 private:
  struct BlockParser;

  std::unique_ptr<BlockParser> take();
  void give_back(std::unique_ptr<BlockParser> parser);

  const SearchTables& tables_;
  const Limits& limits_;
  std::mutex lock_;
  std::vector<std::unique_ptr<BlockParser>> idle_;
};

}  // namespace spidercap
