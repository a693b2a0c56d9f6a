// The Python face of METEOR.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bind/arrays.h"
#include "bind/captions.h"
#include "bind/module.h"
#include "meteor/normalize.h"
#include "meteor/paraphrase_compile.h"
#include "meteor/references.h"
#include "meteor/score.h"
#include "meteor/scorer.h"
#include "meteor/stem.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace spidercap {
namespace {

using Bytes = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using StatisticsIn = nb::ndarray<const int64_t, nb::shape<-1, meteor_statistics>, nb::c_contig, nb::device::cpu>;
template <typename T>
using StatisticsOut = nb::ndarray<nb::numpy, T, nb::shape<-1, meteor_statistics>>;

std::span<const uint8_t> span_of(const Bytes& bytes) { return {bytes.data(), bytes.size()}; }

// The resources, and the memory that the paraphrase index lives in.
struct Resources {
  Resources(const Bytes& wordnet, std::optional<Bytes> paraphrases)
      : mapped(std::move(paraphrases)), data{WordNet(span_of(wordnet)), std::nullopt} {
    if (mapped) data.paraphrases.emplace(span_of(*mapped));
  }

  std::optional<Bytes> mapped;
  MeteorResources data;
};

void check_images(const MeteorReferences& references, const ImageNumbers& images, size_t captions) {
  if (images.size() != captions)
    throw std::invalid_argument("expected one image index for each of the " + std::to_string(captions) +
                                " captions, found " + std::to_string(images.size()));
  for (size_t i = 0; i < captions; ++i)
    if (images.data()[i] < 0 || static_cast<size_t>(images.data()[i]) >= references.images())
      throw std::invalid_argument("caption " + std::to_string(i) + ": image index " + std::to_string(images.data()[i]) +
                                  " is not among the " + std::to_string(references.images()) + " images");
}

std::vector<MeteorResult> results(MeteorScorers& scorers, const ImageNumbers& images, nb::handle captions,
                                  size_t threads) {
  const PythonCaptions held(captions);
  check_images(scorers.references(), images, held.texts().size());
  nb::gil_scoped_release unlocked;
  return scorers.score({images.data(), images.size()}, held.texts(), threads);
}

StatisticsOut<int32_t> statistics(MeteorScorers& scorers, const ImageNumbers& images, nb::handle captions,
                                  size_t threads) {
  std::vector<int32_t> cells;
  for (const MeteorResult& result : results(scorers, images, captions, threads))
    cells.insert(cells.end(), result.statistics.begin(), result.statistics.end());
  const size_t rows = images.size();
  return to_numpy<StatisticsOut<int32_t>>(std::move(cells), {rows, meteor_statistics});
}

Column<double> score(MeteorScorers& scorers, const ImageNumbers& images, nb::handle captions, size_t threads) {
  std::vector<double> scores;
  for (const MeteorResult& result : results(scorers, images, captions, threads)) scores.push_back(result.score);
  return to_numpy(std::move(scores));
}

void create_references(MeteorScorers* place, const Resources& resources, nb::handle references) {
  const PythonReferences held(references, PythonReferences::Empty::refused);
  nb::gil_scoped_release unlocked;
  new (place) MeteorScorers(MeteorReferences(resources.data, held.texts(), held.starts()));
}

std::span<const int64_t, meteor_statistics> row(const StatisticsIn& statistics, size_t i) {
  return std::span<const int64_t, meteor_statistics>(statistics.data() + i * meteor_statistics, meteor_statistics);
}

Column<double> scores_of(const StatisticsIn& statistics) {
  std::vector<double> scores(statistics.shape(0));
  for (size_t i = 0; i < scores.size(); ++i) scores[i] = meteor_score(row(statistics, i));
  return to_numpy(std::move(scores));
}

StatisticsOut<int64_t> additive(const StatisticsIn& statistics) {
  std::vector<int64_t> cells(statistics.data(), statistics.data() + statistics.size());
  const size_t rows = statistics.shape(0);
  for (size_t i = 0; i < rows; ++i)
    if (meteor_is_perfect(row(statistics, i))) cells[i * meteor_statistics + cell::chunks] = 0;
  return to_numpy<StatisticsOut<int64_t>>(std::move(cells), {rows, meteor_statistics});
}

std::vector<std::string> tokens(const PythonText& caption) {
  MeteorNormalizer normalizer;
  const auto& views = normalizer.tokens(caption.view());
  return {views.begin(), views.end()};
}

std::string stem(const PythonText& word) {
  std::u32string characters;
  decode_utf8(word.view(), characters);
  stem_english(characters);
  std::string text;
  for (const char32_t character : characters) append_utf8(character, text);
  return text;
}

Column<uint8_t> finish(ParaphraseCompiler& compiler, const nb::bytes& source_sha256) {
  std::array<uint8_t, 32> hash{};
  if (source_sha256.size() != hash.size()) throw std::invalid_argument("a SHA-256 has 32 bytes");
  std::copy_n(static_cast<const uint8_t*>(source_sha256.data()), hash.size(), hash.begin());
  std::vector<uint8_t> file;
  {
    nb::gil_scoped_release unlocked;
    file = compiler.finish(hash);
  }
  return to_numpy(std::move(file));
}

}  // namespace

void bind_meteor(nb::module_& m) {
  m.def("meteor_tokens", &tokens, "caption"_a, "The lower-case tokens that METEOR sees in a caption.");
  m.def("meteor_stem", &stem, "word"_a, "The stem of a lower-case word: Snowball English before 3.0.");
  m.def("meteor_score", &scores_of, "statistics"_a, "The score of each row of 23 statistics.");
  m.def("meteor_additive", &additive, "statistics"_a,
        "The statistics in the form whose sum over captions has the corpus score as its score: perfect captions count "
        "no chunk.");

  nb::class_<ParaphraseCompiler>(m, "ParaphraseCompiler", "Compiles the text of METEOR's paraphrase table.")
      .def(nb::init<>())
      .def(
          "feed",
          [](ParaphraseCompiler& compiler, const nb::bytes& text) {
            const std::string_view view(text.c_str(), text.size());
            nb::gil_scoped_release unlocked;
            compiler.feed(view);
          },
          "text"_a, "The next piece of the table, cut anywhere.")
      .def("finish", &finish, "source_sha256"_a, "The content of the index file; the compiler is spent afterwards.")
      .def_prop_ro("records", &ParaphraseCompiler::records, "How many records were read so far.")
      .def_prop_ro_static(
          "version", [](nb::handle) { return ParaphraseHeader::current_version; }, "The version of the index file.");

  nb::class_<Resources>(m, "MeteorResources", "WordNet synsets and, if given, the paraphrase index.")
      .def(nb::init<const Bytes&, std::optional<Bytes>>(), "wordnet"_a, "paraphrases"_a.none())
      .def_prop_ro(
          "paraphrase_source",
          [](const Resources& resources) -> std::optional<nb::bytes> {
            if (!resources.mapped) return std::nullopt;
            const auto source = resources.data.paraphrases->source_sha256();
            return nb::bytes(source.data(), source.size());
          },
          "SHA-256 of the table that the paraphrase index was made from; None without paraphrases.");

  nb::class_<MeteorScorers>(m, "MeteorReferences", "The references of images, digested for METEOR.")
      .def("__init__", &create_references, "resources"_a, "references"_a, nb::keep_alive<1, 2>(),
           nb::sig("def __init__(self, resources: MeteorResources, references: Sequence[Sequence[str]]) -> None"))
      .def_prop_ro("images", [](const MeteorScorers& scorers) { return scorers.references().images(); })
      .def("statistics", &statistics, "images"_a, "captions"_a, "threads"_a = 1,
           nb::sig("def statistics(self, images: NDArray[numpy.int64], captions: Sequence[str], threads: int = 1) -> "
                   "NDArray[numpy.int32]"),
           "The 23 statistics of each caption against the references of its image.")
      .def("score", &score, "images"_a, "captions"_a, "threads"_a = 1,
           nb::sig("def score(self, images: NDArray[numpy.int64], captions: Sequence[str], threads: int = 1) -> "
                   "NDArray[numpy.float64]"),
           "The score of each caption against the references of its image.")
      .def(
          "save", [](const MeteorScorers& scorers) { return to_numpy(scorers.references().save()); },
          "The digest as bytes.")
      .def_static(
          "load",
          [](const Resources& resources, const Bytes& bytes) {
            return std::make_unique<MeteorScorers>(MeteorReferences::load(resources.data, span_of(bytes)));
          },
          "resources"_a, "digest"_a, nb::keep_alive<0, 1>(), "The digest that `save` gave.");
}

}  // namespace spidercap
