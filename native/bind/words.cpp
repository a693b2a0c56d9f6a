// The Python face of the words of vocabularies.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unordered_map.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bind/arrays.h"
#include "bind/captions.h"
#include "bind/module.h"
#include "text/words.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace spidercap {
namespace {

std::vector<std::string> split_words(const PythonText& caption) {
  std::vector<std::string> words;
  std::string word;
  for (size_t position = 0; next_word(caption.view(), position, word);) words.push_back(word);
  return words;
}

std::unordered_map<std::string, int64_t> count_words(nb::handle captions) {
  const PythonCaptions held(captions);
  nb::gil_scoped_release release;
  std::unordered_map<std::string, int64_t> counts;
  std::string word;
  for (const std::string_view caption : held.texts())
    for (size_t position = 0; next_word(caption, position, word);) ++counts[word];
  return counts;
}

// Word → id of a vocabulary, and captions → ids: all captions' ids end to end, and where each caption starts.
class WordIndex {
 public:
  WordIndex(const std::vector<PythonText>& words, int32_t first_id, int32_t unknown_id) : unknown_id_(unknown_id) {
    for (size_t i = 0; i < words.size(); ++i) ids_.emplace(words[i].view(), first_id + static_cast<int32_t>(i));
  }

  std::pair<Column<int32_t>, Column<int64_t>> encode(nb::handle captions) const {
    std::vector<int32_t> ids;
    std::vector<int64_t> starts{0};
    const PythonCaptions held(captions);
    {
      nb::gil_scoped_release release;
      append_ids(held.texts(), ids, starts);
    }
    return {to_numpy(std::move(ids)), to_numpy(std::move(starts))};
  }

 private:
  void append_ids(std::span<const std::string_view> captions, std::vector<int32_t>& ids,
                  std::vector<int64_t>& starts) const {
    std::string word;
    for (const std::string_view caption : captions) {
      for (size_t position = 0; next_word(caption, position, word);) {
        const auto found = ids_.find(word);
        ids.push_back(found == ids_.end() ? unknown_id_ : found->second);
      }
      starts.push_back(static_cast<int64_t>(ids.size()));
    }
  }

  std::unordered_map<std::string, int32_t> ids_;
  int32_t unknown_id_;
};

}  // namespace

void bind_words(nb::module_& m) {
  m.def("split_words", &split_words, "caption"_a, "The matches of [a-z0-9']+ in the lower-cased caption.");
  m.def("count_words", &count_words, "captions"_a,
        nb::sig("def count_words(captions: Sequence[str]) -> dict[str, int]"),
        "How often each word occurs in all the captions together.");
  nb::class_<WordIndex>(m, "WordIndex", "Words of a vocabulary to ids.")
      .def(nb::init<const std::vector<PythonText>&, int32_t, int32_t>(), "words"_a, "first_id"_a, "unknown_id"_a)
      .def("encode", &WordIndex::encode, "captions"_a,
           nb::sig("def encode(self, captions: Sequence[str]) -> tuple[NDArray[numpy.int32], NDArray[numpy.int64]]"),
           "All captions' word ids end to end, and the N + 1 positions where captions start and the last ends.");
}

}  // namespace spidercap
