// The Python face of SPICE downstream of the parse.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/arrays.h"
#include "bind/captions.h"
#include "bind/module.h"
#include "parser/parsed_captions.h"
#include "spice/references.h"
#include "spice/tuples.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace spidercap {
namespace {

using Strings = std::vector<std::string_view>;
using PythonTexts = std::vector<PythonText>;
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

void add_sentence(ParsedCaptions& captions, const PythonTexts& words, const Strings& tags,
                  const std::vector<int32_t>& heads, const Strings& labels) {
  Strings texts;
  for (const PythonText& word : words) texts.push_back(word.view());
  std::vector<Tag> tag_numbers;
  for (std::string_view name : tags) tag_numbers.push_back(tag_or_throw(name));
  std::vector<Label> label_numbers;
  for (std::string_view name : labels) label_numbers.push_back(label_or_throw(name));
  captions.add_sentence({texts, tag_numbers, heads, label_numbers});
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

nb::list tuples_of_caption(const ParsedCaptions& captions, size_t caption, const SpiceLexicon& lexicon) {
  TupleMaker maker(lexicon.lemmas);
  Tuples tuples;
  Strings words;
  captions.for_sentences(checked(captions, caption), words,
                         [&](const ParsedSentence& sentence) { maker.tuples_of(sentence, tuples); });
  return to_python(tuples);
}

std::vector<std::vector<GraphEdge>> graphs_of_caption(const ParsedCaptions& captions, size_t caption,
                                                      const SpiceLexicon& lexicon, bool enhanced) {
  TupleMaker maker(lexicon.lemmas);
  std::vector<std::vector<GraphEdge>> graphs;
  Strings buffer;
  captions.for_sentences(checked(captions, caption), buffer, [&](const ParsedSentence& sentence) {
    Graph& graph = enhanced ? maker.enhanced(sentence) : maker.collapsed(sentence);
    const SentenceWords& words = graph.words();
    std::vector<GraphEdge>& edges = graphs.emplace_back();
    for (int32_t root : graph.roots()) edges.emplace_back("root", 0, 0, words.position(root), words.vertex(root).copy);
    for (int32_t e = 0; e < graph.edge_slots(); ++e) {
      const Graph::Edge& edge = graph.edge(e);
      if (edge.alive)
        edges.emplace_back(words.label_text(edge.label), words.position(edge.governor),
                           words.vertex(edge.governor).copy, words.position(edge.dependent),
                           words.vertex(edge.dependent).copy);
    }
  });
  return graphs;
}

std::string lemma_of_word(const SpiceLexicon& lexicon, const PythonText& word, std::string_view tag) {
  std::string lowered, buffer;
  return std::string(
      lexicon.lemmas.lemma_of(word.view(), lower_case_of(word.view(), lowered), tag_or_throw(tag), buffer));
}

std::vector<uint32_t> synsets_of(const SpiceLexicon& lexicon, const PythonText& text) {
  std::vector<uint32_t> numbers;
  lexicon.synsets.find(text.view(), numbers);
  return numbers;
}

using PythonTuples = std::vector<PythonTexts>;

Tuples from_python(const PythonTuples& tuples) {
  Tuples result;
  for (const PythonTexts& strings : tuples) {
    std::vector<uint32_t> numbers;
    for (const PythonText& text : strings) numbers.push_back(result.add_string(text.view()));
    if (numbers.size() == 1) result.add({numbers[0]});
    if (numbers.size() == 2) result.add({numbers[0], numbers[1]});
    if (numbers.size() == 3) result.add({numbers[0], numbers[1], numbers[2]});
    if (numbers.empty() || numbers.size() > 3)
      throw std::invalid_argument("a tuple has one to three strings, not " + std::to_string(numbers.size()));
  }
  return result;
}

size_t add_parsed(SpiceReferences& references, const ParsedCaptions& captions, size_t first, size_t last) {
  if (first > last || last > captions.size()) throw nb::index_error("there are no such captions");
  TupleMaker maker(references.lexicon().lemmas);
  Tuples tuples;
  Strings words;
  for (size_t caption = first; caption < last; ++caption)
    captions.for_sentences(caption, words, [&](const ParsedSentence& sentence) { maker.tuples_of(sentence, tuples); });
  return references.add_image(tuples);
}

using Rows = nb::ndarray<nb::numpy, double, nb::ndim<2>>;
constexpr size_t row_width = 3;
static_assert(sizeof(SpiceRow) == row_width * sizeof(double));

Rows score_captions(const SpiceReferences& references, const ImageNumbers& images, const ParsedCaptions& captions,
                    size_t threads) {
  if (images.shape(0) != captions.size())
    throw std::invalid_argument("there are " + std::to_string(captions.size()) + " captions but " +
                                std::to_string(images.shape(0)) + " images");
  std::vector<SpiceRow> rows(images.shape(0));
  {
    const nb::gil_scoped_release released;
    references.score({images.data(), images.shape(0)}, captions, std::max<size_t>(threads, 1), rows);
  }
  return to_numpy<Rows>(std::move(rows), {images.shape(0), row_width});
}

nb::list to_python(const std::vector<ListedTuple>& listing) {
  nb::list list;
  for (const ListedTuple& tuple : listing)
    list.append(nb::make_tuple(nb::tuple(nb::cast(tuple.elements)), tuple.matched));
  return list;
}

nb::dict to_python(const std::array<CategoryScore, category_names.size()>& scores) {
  nb::dict categories;
  for (size_t i = 0; i < scores.size(); ++i) {
    const CategoryScore& score = scores[i];
    nb::dict values;
    values["tp"] = score.true_positives;
    values["fp"] = score.false_positives;
    values["fn"] = score.false_negatives;
    values["pr"] = score.precision;
    values["re"] = score.recall;
    values["f"] = score.f;
    categories[nb::str(category_names[i].data(), category_names[i].size())] = values;
  }
  return categories;
}

nb::tuple details_of_tuples(const SpiceReferences& references, size_t image, const PythonTuples& tuples) {
  std::unique_ptr<SpiceWorker> worker = references.borrow();
  const SpiceDetails details = references.details(image, from_python(tuples), *worker);
  references.give_back(std::move(worker));
  return nb::make_tuple(to_python(details.scores), to_python(details.candidate), to_python(details.references));
}

}  // namespace

void bind_spice(nb::module_& m) {
  nb::class_<SpiceLexicon>(m, "SpiceLexicon", "Lemmas and WordNet synsets, from the contents of the two shipped files.")
      .def(
          "__init__",
          [](SpiceLexicon* self, const nb::bytes& lemmas, const nb::bytes& synsets) {
            new (self) SpiceLexicon(text_of(lemmas), text_of(synsets));
          },
          "lemmas"_a, "synsets"_a)
      .def("lemma", &lemma_of_word, "word"_a, "tag"_a, "The lemma of a word with a Penn tag.")
      .def("synsets", &synsets_of, "text"_a, "Numbers of the synsets of a word or phrase.");
  nb::class_<ParsedCaptions>(m, "ParsedCaptions", "Parses of captions: words, Penn tags, heads and labels.")
      .def(nb::init<>())
      .def("__len__", &ParsedCaptions::size)
      .def("start_caption", &ParsedCaptions::start_caption, "Begin the next caption.")
      .def("add_sentence", &add_sentence, "words"_a, "tags"_a, "heads"_a, "labels"_a,
           "Add a sentence to the caption begun last; heads count from 1, 0 is the root.")
      .def("tuples", &tuples_of_caption, "caption"_a, "lexicon"_a,
           nb::sig("def tuples(self, caption: int, lexicon: SpiceLexicon) -> list[tuple[str, ...]]"),
           "Raw SPICE tuples of a caption.")
      .def("graphs", &graphs_of_caption, "caption"_a, "lexicon"_a, "enhanced"_a,
           "Edges (label, governor, copy, dependent, copy) of each sentence, collapsed or also enhanced.");
  nb::class_<SpiceReferences>(m, "SpiceReferences", "References of images, digested once, to score candidates against.")
      .def(nb::init<const SpiceLexicon&>(), "lexicon"_a, nb::keep_alive<1, 2>())
      .def("__len__", &SpiceReferences::size)
      .def(
          "add", [](SpiceReferences& self, const PythonTuples& tuples) { return self.add_image(from_python(tuples)); },
          "tuples"_a, "Add an image by the raw tuples of all its references in order; returns its number.")
      .def("add_parsed", &add_parsed, "captions"_a, "first"_a, "last"_a,
           "Add an image whose references are the parsed captions from first to last - 1; returns its number.")
      .def("score", &score_captions, "images"_a, "captions"_a, "threads"_a = 1,
           "Of each parsed caption against the image of the same place: F, its raw tuples, how many of them repeat.")
      .def("save", &SpiceReferences::save, "path"_a, "key"_a = "", nb::call_guard<nb::gil_scoped_release>(),
           nb::sig("def save(self, path: str | os.PathLike[str], key: str = \"\") -> None"),
           "Writes all images to a file; `key` names what they were made from.")
      .def_static(
          "load",
          [](const SpiceLexicon& lexicon, const std::filesystem::path& path, std::string_view key) {
            return SpiceReferences::load(lexicon, path, key).release();
          },
          "lexicon"_a, "path"_a, "key"_a = "", nb::rv_policy::take_ownership, nb::keep_alive<0, 1>(),
          nb::sig("def load(lexicon: SpiceLexicon, path: str | os.PathLike[str], key: str = \"\") -> SpiceReferences"),
          "Reads a saved digest; a damaged file or one with another key raises FlatFileError.")
      .def("details", &details_of_tuples, "image"_a, "tuples"_a,
           nb::sig("def details(self, image: int, tuples: Sequence[Sequence[str]]) -> "
                   "tuple[dict[str, dict[str, float]], "
                   "list[tuple[tuple[str, ...], bool]], list[tuple[tuple[str, ...], bool]]]"),
           "Scores by category, and the merged tuples of candidate and references, each with whether it was matched.");
}

}  // namespace spidercap
