// Python face of the tokenizer and the n-gram metrics.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bind/arrays.h"
#include "bind/captions.h"
#include "bind/module.h"
#include "core/flat_file.h"
#include "core/fork_join.h"
#include "ngram/bleu.h"
#include "ngram/frequency_text.h"
#include "ngram/ngrams.h"
#include "ngram/references.h"
#include "text/tokenizer.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace spidercap {
namespace {

constexpr size_t captions_per_block = 512;

// Token strings end to end in blocks, with the end of each caption.
struct TokenBlock {
  std::string tokens;
  std::vector<size_t> ends;
};

nb::list to_list(const std::vector<TokenBlock>& blocks, size_t count) {
  nb::list result = nb::steal<nb::list>(PyList_New(static_cast<Py_ssize_t>(count)));
  Py_ssize_t index = 0;
  for (const TokenBlock& block : blocks) {
    size_t start = 0;
    for (size_t end : block.ends) {
      PyObject* text = PyUnicode_DecodeUTF8(block.tokens.data() + start, static_cast<Py_ssize_t>(end - start), nullptr);
      if (text == nullptr) throw nb::python_error();
      PyList_SET_ITEM(result.ptr(), index++, text);
      start = end;
    }
  }
  return result;
}

nb::list tokenize(nb::handle captions, bool together, size_t threads) {
  const PythonCaptions held(captions);
  const auto texts = held.texts();
  std::vector<TokenBlock> blocks((texts.size() + captions_per_block - 1) / captions_per_block);
  {
    nb::gil_scoped_release unlocked;
    if (together) {
      size_t index = 0;
      tokenize_together(texts, [&](std::string_view tokens) {
        TokenBlock& block = blocks[index++ / captions_per_block];
        block.tokens += tokens;
        block.ends.push_back(block.tokens.size());
      });
    } else {
      fork_join(texts.size(), threads, captions_per_block, [&](size_t first, size_t last) {
        for (size_t i = first; i < last; ++i) {
          TokenBlock& block = blocks[i / captions_per_block];
          tokenize_alone(texts[i], block.tokens);
          block.ends.push_back(block.tokens.size());
        }
      });
    }
  }
  return to_list(blocks, texts.size());
}

using Counts = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using CountMatrix = nb::ndarray<const int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// An array of new memory, and where to write its values; without columns it has one dimension.
template <typename T>
nb::object new_array(size_t rows, size_t columns, T*& values) {
  std::vector<T> cells(rows * std::max<size_t>(1, columns));
  values = cells.data();
  if (columns == 0) return nb::cast(to_numpy(std::move(cells)));
  return nb::cast(to_numpy<nb::ndarray<nb::numpy, T, nb::ndim<2>>>(std::move(cells), {rows, columns}));
}

void add_references(DocumentFrequencies& frequencies, nb::handle references) {
  const PythonReferences held(references, PythonReferences::Empty::allowed);
  nb::gil_scoped_release unlocked;
  CaptionWords caption;
  std::vector<std::vector<uint32_t>> words;
  std::vector<std::span<const uint32_t>> spans;
  for (size_t image = 0; image + 1 < held.starts().size(); ++image) {
    words.clear();
    for (uint64_t r = held.starts()[image]; r < held.starts()[image + 1]; ++r) {
      caption.read_and_intern(held.texts()[r], frequencies.index.words);
      words.push_back(caption.words);
    }
    spans.assign(words.begin(), words.end());
    frequencies.add_image(spans);
  }
}

void add_counts(DocumentFrequencies& frequencies, nb::handle ngrams, const Counts& counts, uint64_t images) {
  const PythonCaptions held(ngrams);
  if (held.texts().size() != counts.shape(0))
    throw nb::value_error(("expected as many counts as n-grams, found " + std::to_string(counts.shape(0)) +
                           " counts and " + std::to_string(held.texts().size()) + " n-grams")
                              .c_str());
  for (size_t i = 0; i < counts.shape(0); ++i)
    if (counts(i) < 1 || counts(i) > 0x7FFFFFFF)
      throw nb::value_error(
          ("a document frequency must be in 1 to 2147483647, found " + std::to_string(counts(i))).c_str());
  nb::gil_scoped_release unlocked;
  for (size_t i = 0; i < counts.shape(0); ++i) frequencies.add_count(held.texts()[i], static_cast<uint32_t>(counts(i)));
  frequencies.add_images(images);
}

nb::tuple list_counts(const DocumentFrequencies& frequencies, uint32_t minimum) {
  std::vector<NamedNgram> named = named_ngrams(frequencies.index);
  std::erase_if(named, [&](const NamedNgram& ngram) { return ngram.df < std::max(1u, minimum); });
  nb::list ngrams;
  int64_t* counts = nullptr;
  nb::object array = new_array(named.size(), 0, counts);
  for (size_t i = 0; i < named.size(); ++i) {
    ngrams.append(nb::str(named[i].name.data(), named[i].name.size()));
    counts[i] = named[i].df;
  }
  return nb::make_tuple(ngrams, array);
}

void add_lines(DocumentFrequencies& frequencies, const nb::bytes& text, uint64_t images) {
  const std::string_view lines(text.c_str(), text.size());
  nb::gil_scoped_release unlocked;
  add_frequency_lines(frequencies, lines);
  frequencies.add_images(images);
}

nb::bytes lines(const DocumentFrequencies& frequencies, uint32_t minimum) {
  std::string text;
  {
    nb::gil_scoped_release unlocked;
    text = frequency_lines(frequencies, minimum);
  }
  return nb::bytes(text.data(), text.size());
}

void check_frequencies(const DocumentFrequencies& frequencies, std::optional<double> log_images) {
  const double most = log_images ? std::exp(*log_images) : static_cast<double>(frequencies.images());
  const uint32_t largest = frequencies.index.largest_df();
  // A logarithm stored in a file may have been rounded to single precision.
  if (largest > most * (1 + 1e-6))
    throw nb::value_error(("the number of images must be at least the largest document frequency " +
                           std::to_string(largest) + ", found " + std::to_string(most))
                              .c_str());
}

void create_references(NgramReferences* self, nb::handle references, const DocumentFrequencies* frequencies,
                       std::optional<double> log_images, size_t threads) {
  const PythonReferences held(references, PythonReferences::Empty::refused);
  if (frequencies) check_frequencies(*frequencies, log_images);
  nb::gil_scoped_release unlocked;
  new (self) NgramReferences(held.texts(), held.starts(), frequencies, log_images, threads);
}

void check_pairs(const NgramReferences& references, const ImageNumbers& images, size_t captions) {
  if (images.shape(0) != captions)
    throw nb::value_error(("expected as many image indices as captions, found " + std::to_string(images.shape(0)) +
                           " indices and " + std::to_string(captions) + " captions")
                              .c_str());
  for (size_t i = 0; i < captions; ++i)
    if (images(i) < 0 || static_cast<size_t>(images(i)) >= references.images())
      throw nb::index_error(("image index " + std::to_string(images(i)) + " is out of range: the references have " +
                             std::to_string(references.images()) + " images")
                                .c_str());
}

nb::dict score(const NgramReferences& references, const ImageNumbers& images, nb::handle captions,
               const nb::sequence& metrics, size_t threads) {
  const PythonCaptions held(captions);
  const size_t pairs = held.texts().size();
  check_pairs(references, images, pairs);
  NgramRequest request;
  request.images = {images.data(), pairs};
  request.captions = held.texts();
  nb::dict results;
  for (nb::handle metric : metrics) {
    const auto name = nb::cast<std::string>(metric);
    if (name == "bleu") {
      results["bleu_statistics"] = new_array(pairs, bleu_statistics_size, request.bleu_statistics);
      results["bleu"] = new_array(pairs, ngram_orders, request.bleu);
    } else if (name == "rouge_l") {
      results["rouge_l"] = new_array(pairs, 0, request.rouge_l);
    } else if (name == "cider_d") {
      results["cider_d"] = new_array(pairs, 0, request.cider_d);
    } else if (name == "cider") {
      results["cider"] = new_array(pairs, 0, request.cider);
    } else {
      throw nb::value_error(("unknown metric \"" + name + "\"; expected bleu, rouge_l, cider_d or cider").c_str());
    }
  }
  nb::gil_scoped_release unlocked;
  references.score(request, threads);
  return results;
}

nb::object bleu_from_statistics(const CountMatrix& statistics) {
  if (statistics.shape(1) != bleu_statistics_size)
    throw nb::value_error(
        ("expected 10 columns of BLEU statistics, found " + std::to_string(statistics.shape(1))).c_str());
  double* scores = nullptr;
  nb::object array = new_array(statistics.shape(0), ngram_orders, scores);
  for (size_t i = 0; i < statistics.shape(0); ++i) {
    const int64_t* row = statistics.data() + i * bleu_statistics_size;
    std::ranges::copy(bleu_scores(std::span<const int64_t, bleu_statistics_size>(row, bleu_statistics_size)),
                      scores + i * ngram_orders);
  }
  return array;
}

}  // namespace

void bind_ngram(nb::module_& m) {
  m.def("tokenize", &tokenize, "captions"_a, "together"_a = false, "threads"_a = 1,
        nb::sig("def tokenize(captions: Sequence[str], together: bool = False, threads: int = 1) -> list[str]"),
        "PTB tokens of each caption, lower-cased, punctuation dropped, joined by blanks; `together` lexes all captions "
        "as one text as the reference does, on one thread. `threads` 0 means all cores.");

  nb::class_<DocumentFrequencies>(m, "DocumentFrequencies", "In how many images' references each n-gram occurs.")
      .def(nb::init<>())
      .def("add", &add_references, "references"_a,
           nb::sig("def add(self, references: Sequence[Sequence[str]]) -> None"),
           "Counts more images, given the token strings of each image's references.")
      .def("add_counts", &add_counts, "ngrams"_a, "counts"_a, "images"_a,
           nb::sig("def add_counts(self, ngrams: Sequence[str], counts: NDArray[numpy.int64], images: int) -> None"),
           "Adds the counts of a table, n-grams as words joined by blanks, and its number of images.")
      .def("counts", &list_counts, "minimum"_a = 1,
           nb::sig("def counts(self, minimum: int = 1) -> tuple[list[str], NDArray[numpy.int64]]"),
           "The n-grams whose document frequency is at least `minimum`, by first occurrence, and their frequencies.")
      .def("add_lines", &add_lines, "text"_a, "images"_a,
           "Adds the counts of lines of an n-gram, a tab and its count, and the number of images they come from.")
      .def("lines", &lines, "minimum"_a = 1,
           "The n-grams whose document frequency is at least `minimum`, as such lines, sorted by bytes.")
      .def(
          "forget_single", [](DocumentFrequencies& self) { self.index = self.release_frequent(); },
          nb::call_guard<nb::gil_scoped_release>(),
          "Forgets the n-grams of one image, which weigh as much as unknown ones, once all images are counted.")
      .def_prop_ro(
          "largest", [](const DocumentFrequencies& self) { return self.index.largest_df(); },
          "The largest document frequency.")
      .def_prop_ro("images", &DocumentFrequencies::images, "Number of images counted.");

  const nb::exception<FlatFileError> flat_file_error(m, "FlatFileError", PyExc_OSError);

  nb::class_<NgramReferences>(
      m, "NgramReferences", "References digested for BLEU, ROUGE-L, CIDEr-D (`cider_d`) and original CIDEr (`cider`).")
      .def(
          "__init__", &create_references, "references"_a, "frequencies"_a = nb::none(), "log_images"_a = nb::none(),
          "threads"_a = 1,
          nb::sig(
              "def __init__(self, references: Sequence[Sequence[str]], frequencies: DocumentFrequencies | None = None, "
              "log_images: float | None = None, threads: int = 1) -> None"),
          "Digests the token strings of each image's references. Without `frequencies` they are counted in the "
          "references; `log_images` replaces the logarithm of the number of images.")
      .def("score", &score, "images"_a, "captions"_a, "metrics"_a, "threads"_a = 0,
           nb::sig("def score(self, images: NDArray[numpy.int64], captions: Sequence[str], metrics: Sequence[str], "
                   "threads: int = 0) -> dict[str, NDArray[numpy.float64] | NDArray[numpy.int64]]"),
           "Scores of token strings against the references of the images with these indices: n values per metric, for "
           "`bleu` n x 4 and `bleu_statistics` n x 10 (correct 1-4, guessed 1-4, candidate and reference length). "
           "`threads` 0 means all cores; the results do not depend on it.")
      .def("save", &NgramReferences::save, "path"_a, "key"_a = "", nb::call_guard<nb::gil_scoped_release>(),
           nb::sig("def save(self, path: str | os.PathLike[str], key: str = \"\") -> None"),
           "Writes the digest to a file; `key` says what it was made from.")
      .def_static("load", &NgramReferences::load, "path"_a, "key"_a = "", nb::call_guard<nb::gil_scoped_release>(),
                  nb::sig("def load(path: str | os.PathLike[str], key: str = \"\") -> NgramReferences"),
                  "Reads a saved digest; a damaged file or one with another key raises FlatFileError.")
      .def_prop_ro("images", &NgramReferences::images, "Number of images.")
      .def_prop_ro("references", &NgramReferences::references, "Number of references of all images.")
      .def_prop_ro("nbytes", &NgramReferences::bytes, "Memory of the digest in bytes.");

  m.def("bleu_from_statistics", &bleu_from_statistics, "statistics"_a,
        nb::sig("def bleu_from_statistics(statistics: NDArray[numpy.int64]) -> NDArray[numpy.float64]"),
        "BLEU-1..4 (n x 4) from rows of statistics (n x 10); rows of several captions may be summed.");
}

}  // namespace spidercap
