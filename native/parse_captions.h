// Captions to parses, on several threads: words split at blanks, tree by the parser, heads and labels by the converter.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "parsed_captions.h"
#include "parser.h"
#include "search_tables.h"

namespace spidercap {

std::vector<std::string_view> split_at_blanks(std::string_view text);

// One sentence a caption; a caption without words has none. `threads` 0 means all cores; the result does not depend on it.
ParsedCaptions parse_captions(const SearchTables& tables, const Limits& limits, std::span<const std::string_view> captions,
                              size_t threads);

}  // namespace spidercap
