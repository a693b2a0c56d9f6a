// The Python face of SPICE downstream of the parse.
#include "bind_spice.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "parsed_captions.h"
#include "spice_tuples.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace spidercap {
namespace {

using Strings = std::vector<std::string_view>;
// label, governor, copy of the governor, dependent, copy of the dependent
using GraphEdge = std::tuple<std::string, int32_t, int32_t, int32_t, int32_t>;

std::string text_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

Tag tag_or_throw(std::string_view name) {
  if (const auto tag = tag_named(name)) return *tag;
  throw std::invalid_argument("unknown part-of-speech tag '" + std::string(name) + "'");
}

Label label_or_throw(std::string_view name) {
  if (const auto label = label_named(name)) return *label;
  throw std::invalid_argument("unknown dependency label '" + std::string(name) + "'");
}

void add_sentence(ParsedCaptions& captions, const Strings& words, const Strings& tags,
                  const std::vector<int32_t>& heads, const Strings& labels) {
  std::vector<Tag> tag_numbers;
  for (std::string_view name : tags) tag_numbers.push_back(tag_or_throw(name));
  std::vector<Label> label_numbers;
  for (std::string_view name : labels) label_numbers.push_back(label_or_throw(name));
  captions.add_sentence({words, tag_numbers, heads, label_numbers});
}

nb::list to_python(const Tuples& tuples) {
  nb::list list;
  for (const Tuples::Tuple& tuple : tuples.tuples()) {
    nb::list strings;
    for (uint32_t i = 0; i < tuple.size; ++i) {
      const std::string_view text = tuples.string(tuple.strings[i]);
      strings.append(nb::str(text.data(), text.size()));
    }
    list.append(nb::tuple(strings));
  }
  return list;
}

size_t checked(const ParsedCaptions& captions, size_t caption) {
  if (caption >= captions.size()) throw nb::index_error("there is no such caption");
  return caption;
}

nb::list tuples_of_caption(const ParsedCaptions& captions, size_t caption, const Lemmas& lemmas) {
  TupleMaker maker(lemmas);
  Tuples tuples;
  Strings words;
  captions.for_sentences(checked(captions, caption), words,
                         [&](const ParsedSentence& sentence) { maker.tuples_of(sentence, tuples); });
  return to_python(tuples);
}

std::vector<std::vector<GraphEdge>> graphs_of_caption(const ParsedCaptions& captions, size_t caption,
                                                      const Lemmas& lemmas, bool enhanced) {
  TupleMaker maker(lemmas);
  std::vector<std::vector<GraphEdge>> graphs;
  Strings buffer;
  captions.for_sentences(checked(captions, caption), buffer, [&](const ParsedSentence& sentence) {
    Graph& graph = enhanced ? maker.enhanced(sentence) : maker.collapsed(sentence);
    const SentenceWords& words = graph.words();
    std::vector<GraphEdge>& edges = graphs.emplace_back();
    for (int32_t root : graph.roots())
      edges.emplace_back("root", 0, 0, words.position(root), words.vertex(root).copy);
    for (int32_t e = 0; e < graph.edge_slots(); ++e) {
      const Graph::Edge& edge = graph.edge(e);
      if (edge.alive)
        edges.emplace_back(words.label_text(edge.label), words.position(edge.governor), words.vertex(edge.governor).copy,
                           words.position(edge.dependent), words.vertex(edge.dependent).copy);
    }
  });
  return graphs;
}

std::string lemma_of_word(const Lemmas& lemmas, std::string_view word, std::string_view tag) {
  std::string lowered, buffer;
  return std::string(lemmas.lemma_of(word, lower_case_of(word, lowered), tag_or_throw(tag), buffer));
}

}  // namespace

void bind_spice(nb::module_& m) {
  nb::class_<Lemmas>(m, "SpiceLemmas", "Lemmas by word and tag.")
      .def("__init__", [](Lemmas* self, const nb::bytes& content) { new (self) Lemmas(text_of(content)); }, "content"_a)
      .def("lemma", &lemma_of_word, "word"_a, "tag"_a, "The lemma of a word with a Penn tag.");
  nb::class_<ParsedCaptions>(m, "ParsedCaptions", "Parses of captions: words, Penn tags, heads and labels.")
      .def(nb::init<>())
      .def("__len__", &ParsedCaptions::size)
      .def("start_caption", &ParsedCaptions::start_caption, "Begin the next caption.")
      .def("add_sentence", &add_sentence, "words"_a, "tags"_a, "heads"_a, "labels"_a,
           "Add a sentence to the caption begun last; heads count from 1, 0 is the root.")
      .def("tuples", &tuples_of_caption, "caption"_a, "lemmas"_a, "Raw SPICE tuples of a caption.")
      .def("graphs", &graphs_of_caption, "caption"_a, "lemmas"_a, "enhanced"_a,
           "Edges (label, governor, copy, dependent, copy) of each sentence, collapsed or also enhanced.");
}

}  // namespace spidercap
