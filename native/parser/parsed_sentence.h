// A parsed sentence as the parser hands it to SPICE: words, Penn tags, and a basic Universal Dependencies (version 1)
// tree. Tags and labels are small numbers; the tables here name them both ways.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace spidercap {

// clang-format off
enum class Tag : uint8_t {
  CC, CD, DT, EX, FW, IN, JJ, JJR, JJS, LS, MD, NN, NNS, NNP, NNPS, PDT, POS, PRP, PRPS, RB, RBR, RBS, RP, SYM, TO, UH,
  VB, VBD, VBG, VBN, VBP, VBZ, WDT, WP, WPS, WRB, number_sign, dollar, comma, period, colon, open_quote, close_quote,
  left_bracket, right_bracket, count
};
// clang-format on

inline constexpr std::array<std::string_view, static_cast<size_t>(Tag::count)> tag_names = {
    "CC",  "CD",  "DT",  "EX",   "FW",  "IN",  "JJ",  "JJR", "JJS", "LS", "MD", "NN", "NNS", "NNP",   "NNPS",
    "PDT", "POS", "PRP", "PRP$", "RB",  "RBR", "RBS", "RP",  "SYM", "TO", "UH", "VB", "VBD", "VBG",   "VBN",
    "VBP", "VBZ", "WDT", "WP",   "WP$", "WRB", "#",   "$",   ",",   ".",  ":",  "``", "''",  "-LRB-", "-RRB-"};

// clang-format off
enum class Label : uint8_t {
  none, root, acl, acl_relcl, advcl, advmod, amod, appos, aux, auxpass, case_, cc, cc_preconj, ccomp, compound,
  compound_prt, conj, cop, csubj, csubjpass, dep, det, det_predet, discourse, dislocated, dobj, expl, foreign, goeswith,
  iobj, list, mark, mwe, name, neg, nmod, nmod_npmod, nmod_poss, nmod_tmod, nsubj, nsubjpass, nummod, parataxis, punct,
  remnant, reparandum, vocative, xcomp,
  basic_count,
  // Labels that only the rewritten graph has.
  nmod_agent = basic_count, det_qmod, count
};
// clang-format on

inline constexpr std::array<std::string_view, static_cast<size_t>(Label::count)> label_names = {
    "_",          "root",      "acl",       "acl:relcl",  "advcl",      "advmod",    "amod",         "appos", "aux",
    "auxpass",    "case",      "cc",        "cc:preconj", "ccomp",      "compound",  "compound:prt", "conj",  "cop",
    "csubj",      "csubjpass", "dep",       "det",        "det:predet", "discourse", "dislocated",   "dobj",  "expl",
    "foreign",    "goeswith",  "iobj",      "list",       "mark",       "mwe",       "name",         "neg",   "nmod",
    "nmod:npmod", "nmod:poss", "nmod:tmod", "nsubj",      "nsubjpass",  "nummod",    "parataxis",    "punct", "remnant",
    "reparandum", "vocative",  "xcomp",     "nmod:agent", "det:qmod"};

// Sets of tags and of labels are 64-bit masks.
static_assert(tag_names.size() <= 64 && label_names.size() <= 64);

constexpr uint64_t bit(Tag tag) { return uint64_t{1} << static_cast<unsigned>(tag); }
constexpr uint64_t bit(Label label) { return uint64_t{1} << static_cast<unsigned>(label); }
constexpr std::string_view name_of(Tag tag) { return tag_names[static_cast<size_t>(tag)]; }
constexpr std::string_view name_of(Label label) { return label_names[static_cast<size_t>(label)]; }

constexpr std::optional<Tag> tag_named(std::string_view name) {
  for (size_t i = 0; i < tag_names.size(); ++i)
    if (tag_names[i] == name) return static_cast<Tag>(i);
  return std::nullopt;
}

// Only labels of a basic tree have a number here.
constexpr std::optional<Label> label_named(std::string_view name) {
  for (size_t i = 0; i < static_cast<size_t>(Label::basic_count); ++i)
    if (label_names[i] == name) return static_cast<Label>(i);
  return std::nullopt;
}

// One sentence; the four spans are of one length. A head is the position of the governor counted from 1, 0 for the
// root. A word with label `none` has no edge. Words may be in any case; nothing in it is owned.
struct ParsedSentence {
  std::span<const std::string_view> words;
  std::span<const Tag> tags;
  std::span<const int32_t> heads;
  std::span<const Label> labels;
  // Which sentence of its caption it is, counted from 0 (the order of tuples depends on it).
  int32_t number = 0;
};

}  // namespace spidercap
