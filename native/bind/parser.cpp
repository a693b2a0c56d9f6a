// Python's view of the parser: captions in, trees out, in batches and without the GIL.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "bind/arrays.h"
#include "bind/captions.h"
#include "bind/module.h"
#include "parser/chart_items.h"
#include "parser/dependencies.h"
#include "parser/grammar.h"
#include "parser/parse_captions.h"
#include "parser/parser.h"
#include "parser/search_tables.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace spidercap {
namespace {

void print_node(const Grammar& grammar, const Tree& tree, std::span<const std::string_view> words, uint32_t index,
                bool marks, std::string& out) {
  const Node& node = tree.nodes[index];
  out += '(';
  out += (marks ? grammar.label_names : grammar.plain_names)[node.label];
  if (node.label < grammar.tags) {
    out += ' ';
    out += words[node.begin];
  }
  for (const uint32_t child : node.children) {
    out += ' ';
    print_node(grammar, tree, words, child, marks, out);
  }
  out += ')';
}

// Words, tags, heads (from 1, 0 is the root) and labels of a sentence.
using Dependencies =
    std::tuple<std::vector<std::string>, std::vector<std::string>, std::vector<int32_t>, std::vector<std::string>>;

std::vector<Dependencies> tree_dependencies(nb::handle trees) {
  const PythonCaptions held(trees);
  nb::gil_scoped_release release;
  std::vector<Dependencies> result;
  std::vector<std::string_view> words;
  std::vector<Label> found;
  PhraseTree tree;
  for (const std::string_view text : held.texts()) {
    read_bracketed(text, words, tree);
    auto& [texts, tags, heads, labels] = result.emplace_back();
    find_dependencies(tree, heads, found);
    texts.assign(words.begin(), words.end());
    for (const Category tag : tree.tags) tags.emplace_back(name_of(tag_of(tag)));
    for (const Label label : found) labels.emplace_back(name_of(label));
  }
  return result;
}

class CaptionParser {
 public:
  CaptionParser(const std::string& path, float tag_beam, float tag_odds, float label_odds, float active_odds,
                float class_odds, float odder, float same)
      : grammar_(path),
        tables_(grammar_),
        limits_{tag_beam, tag_odds, label_odds, active_odds, class_odds, odder, same},
        pool_(tables_, limits_) {}

  std::vector<std::tuple<std::string, float, bool>> trees(nb::handle captions, bool marks) const {
    const PythonCaptions held(captions);
    nb::gil_scoped_release release;
    Parser parser(tables_, limits_);
    std::vector<std::tuple<std::string, float, bool>> result;
    for (const std::string_view caption : held.texts()) {
      const auto words = sentence_words(caption);
      const Tree& tree = parser.parse(words);
      std::string text;
      print_node(grammar_, tree, words, 0, marks, text);
      result.emplace_back(std::move(text), tree.score, tree.whole);
    }
    return result;
  }

  std::vector<Dependencies> dependencies(nb::handle captions) const {
    const PythonCaptions held(captions);
    nb::gil_scoped_release release;
    Parser parser(tables_, limits_);
    DependencyConverter converter(grammar_);
    std::vector<Dependencies> result;
    std::vector<Label> found;
    for (const std::string_view caption : held.texts()) {
      const auto words = sentence_words(caption);
      const Tree& tree = parser.parse(words);
      auto& [texts, tags, heads, labels] = result.emplace_back();
      converter.convert(tree, words, heads, found);
      texts.assign(words.begin(), words.end());
      tags.resize(words.size());
      for (const Node& node : tree.nodes)
        if (node.label < grammar_.tags) tags[node.begin] = grammar_.plain_names[node.label];
      for (const Label label : found) labels.emplace_back(name_of(label));
    }
    return result;
  }

  ParsedCaptions parse(nb::handle captions, size_t threads) {
    const PythonCaptions held(captions);
    nb::gil_scoped_release release;
    return pool_.parse(held.texts(), threads);
  }

  // The tags that the lattice leaves to each word, and what the filter sees of it: where each word's tags end, the tags
  // by number, the scores of their best sequences below the caption's best, and the features word by word.
  std::tuple<Column<uint32_t>, Column<uint16_t>, Column<float>, Column<uint32_t>> tag_choices(
      nb::handle captions) const {
    const PythonCaptions held(captions);
    TagLattice lattice(tables_, limits_);
    Odds odds(tables_, limits_);
    std::vector<uint32_t> ends, features;
    std::vector<uint16_t> tags;
    std::vector<float> margins;
    for (const std::string_view caption : held.texts()) {
      lattice.read(sentence_words(caption), false, odds);
      for (size_t i = 0; i < lattice.size(); ++i) {
        for (const TagScore& t : lattice[i])
          tags.push_back(t.tag), margins.push_back(t.until + t.from - lattice.best());
        ends.push_back(static_cast<uint32_t>(tags.size()));
      }
      for (const WordFeatures::Features& seen : lattice.features())
        features.insert(features.end(), seen.begin(), seen.end());
    }
    return {to_numpy(std::move(ends)), to_numpy(std::move(tags)), to_numpy(std::move(margins)),
            to_numpy(std::move(features))};
  }

  // What the captions' words look like, and what stands in their charts (chart_items.h).
  std::tuple<Column<uint32_t>, Column<uint16_t>, Column<uint32_t>, Column<uint8_t>, Column<uint8_t>, Column<uint16_t>,
             Column<float>, Column<uint8_t>>
  chart_items(nb::handle captions) const {
    const PythonCaptions held(captions);
    ChartItems items;
    {
      nb::gil_scoped_release release;
      items = spidercap::chart_items(tables_, limits_, held.texts());
    }
    return {to_numpy(std::move(items.features)),     to_numpy(std::move(items.likeliest)),
            to_numpy(std::move(items.caption_ends)), to_numpy(std::move(items.begin)),
            to_numpy(std::move(items.end)),          to_numpy(std::move(items.state)),
            to_numpy(std::move(items.estimate)),     to_numpy(std::move(items.is_best))};
  }

  const std::string& hash() const { return grammar_.hash(); }

 private:
  Grammar grammar_;
  SearchTables tables_;
  Limits limits_;
  ParserPool pool_;
};

}  // namespace

void bind_parser(nb::module_& m) {
  const Limits limits;
  m.def(
      "tree_dependencies", &tree_dependencies, "trees"_a,
      nb::sig("def tree_dependencies(trees: Sequence[str]) -> list[tuple[list[str], list[str], list[int], list[str]]]"),
      "For each bracketed tree, with or without category marks, its words, tags, heads (counted from 1, 0 is the root) "
      "and basic labels.");
  nb::class_<CaptionParser>(m, "CaptionParser", "The parser behind SPICE, with its grammar read from a model file.")
      .def(nb::init<const std::string&, float, float, float, float, float, float, float>(), "path"_a,
           "tag_beam"_a = limits.tag_beam, "tag_odds"_a = limits.tag_odds, "label_odds"_a = limits.label_odds,
           "active_odds"_a = limits.active_odds, "class_odds"_a = limits.class_odds, "odder"_a = limits.odder,
           "same"_a = limits.same)
      .def("trees", &CaptionParser::trees, "captions"_a, "marks"_a = false,
           nb::sig("def trees(self, captions: Sequence[str], marks: bool = False) -> list[tuple[str, float, bool]]"),
           "For each caption its bracketed tree, log-probability, and whether the grammar covers it whole.")
      .def("dependencies", &CaptionParser::dependencies, "captions"_a,
           nb::sig("def dependencies(self, captions: Sequence[str]) -> list[tuple[list[str], list[str], list[int], "
                   "list[str]]]"),
           "For each caption its words, tags, heads (counted from 1, 0 is the root) and basic labels.")
      .def("parse", &CaptionParser::parse, "captions"_a, "threads"_a = 0,
           nb::sig("def parse(self, captions: Sequence[str], threads: int = 0) -> ParsedCaptions"),
           "The parses of token strings, one sentence each or several; `threads` 0 means all cores.")
      .def(
          "tag_choices", &CaptionParser::tag_choices, "captions"_a,
          nb::sig("def tag_choices(self, captions: Sequence[str]) -> tuple[NDArray[numpy.uint32], "
                  "NDArray[numpy.uint16], NDArray[numpy.float32], NDArray[numpy.uint32]]"),
          "What the odds of tags are learnt from, for all words of the captions: where each word's tags end, the tags' "
          "numbers, the "
          "scores of their best sequences below the caption's best, and the word's features.")
      .def("chart_items", &CaptionParser::chart_items, "captions"_a,
           nb::sig("def chart_items(self, captions: Sequence[str]) -> tuple[NDArray[numpy.uint32], "
                   "NDArray[numpy.uint16], NDArray[numpy.uint32], NDArray[numpy.uint8], NDArray[numpy.uint8], "
                   "NDArray[numpy.uint16], NDArray[numpy.float32], NDArray[numpy.uint8]]"),
           "What the odds of states are learnt from: the features and the likeliest tag of every word; of the labels "
           "and actives in the captions' charts where each caption's end, then of each its first word, the word behind "
           "its last, its state, its estimate, and whether the best tree has it.")
      .def_prop_ro("hash", &CaptionParser::hash, "SHA-256 of the model file's content.");
}

}  // namespace spidercap
