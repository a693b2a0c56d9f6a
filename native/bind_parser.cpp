// Python's view of the parser: captions in, trees out, in batches and without the GIL.
#include "bind_parser.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "dependencies.h"
#include "grammar.h"
#include "parse_captions.h"
#include "parser.h"
#include "python_captions.h"

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

class CaptionParser {
 public:
  CaptionParser(const std::string& path, float tag_beam, float label_beam, float remainder_beam, bool neighbours)
      : grammar_(path), limits_{tag_beam, label_beam, remainder_beam, neighbours} {}

  std::vector<std::tuple<std::string, float, bool>> trees(const std::vector<std::string_view>& captions,
                                                          bool marks) const {
    nb::gil_scoped_release release;
    Parser parser(grammar_, limits_);
    std::vector<std::tuple<std::string, float, bool>> result;
    for (const std::string_view caption : captions) {
      const auto words = split_at_blanks(caption);
      const Tree& tree = parser.parse(words);
      std::string text;
      print_node(grammar_, tree, words, 0, marks, text);
      result.emplace_back(std::move(text), tree.score, tree.whole);
    }
    return result;
  }

  // Words, tags, heads (from 1, 0 is the root) and labels of each caption.
  std::vector<std::tuple<std::vector<std::string>, std::vector<std::string>, std::vector<int32_t>, std::vector<std::string>>>
  dependencies(const std::vector<std::string_view>& captions) const {
    nb::gil_scoped_release release;
    Parser parser(grammar_, limits_);
    DependencyConverter converter(grammar_);
    std::vector<std::tuple<std::vector<std::string>, std::vector<std::string>, std::vector<int32_t>, std::vector<std::string>>>
        result;
    std::vector<uint8_t> numbers;
    for (const std::string_view caption : captions) {
      const auto words = split_at_blanks(caption);
      const Tree& tree = parser.parse(words);
      auto& [texts, tags, heads, labels] = result.emplace_back();
      converter.convert(tree, words, heads, numbers);
      texts.assign(words.begin(), words.end());
      tags.resize(words.size());
      for (const Node& node : tree.nodes)
        if (node.label < grammar_.tags) tags[node.begin] = grammar_.plain_names[node.label];
      for (const uint8_t number : numbers) labels.emplace_back(converter.label_names()[number]);
    }
    return result;
  }

  ParsedCaptions parse(nb::handle captions, size_t threads) const {
    const PythonCaptions held(captions);
    nb::gil_scoped_release release;
    return parse_captions(grammar_, limits_, held.texts(), threads);
  }

  const std::string& hash() const { return grammar_.hash(); }

 private:
  Grammar grammar_;
  Limits limits_;
};

}  // namespace

void bind_parser(nb::module_& m) {
  const Limits limits;
  nb::class_<CaptionParser>(m, "CaptionParser", "The parser behind SPICE, with its grammar read from a model file.")
      .def(nb::init<const std::string&, float, float, float, bool>(), "path"_a,
           "tag_beam"_a = limits.tag_beam, "label_beam"_a = limits.label_beam,
           "remainder_beam"_a = limits.remainder_beam, "neighbours"_a = limits.neighbours)
      .def("trees", &CaptionParser::trees, "captions"_a, "marks"_a = false,
           "For each caption its bracketed tree, log-probability, and whether the grammar covers it whole.")
      .def("dependencies", &CaptionParser::dependencies, "captions"_a,
           "For each caption its words, tags, heads (counted from 1, 0 is the root) and basic labels.")
      .def("parse", &CaptionParser::parse, "captions"_a, "threads"_a = 0,
           nb::sig("def parse(self, captions: Sequence[str], threads: int = 0) -> ParsedCaptions"),
           "The parses of token strings; `threads` 0 means all cores.")
      .def_prop_ro("hash", &CaptionParser::hash, "SHA-256 of the model file's content.");
}

}  // namespace spidercap
