// The Python face of the native core: thin, and all of it here.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unordered_map.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bind/parser.h"
#include "bind/spice.h"
#include "text/words.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace spidercap {

void bind_ngram(nb::module_& m);
void bind_meteor(nb::module_& m);

namespace {

template <typename T>
using Vector = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

template <typename T>
Vector<T> to_numpy(std::vector<T>&& values) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* data = owned->data();
  const size_t size = owned->size();
  nb::capsule owner(owned.get(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  owned.release();
  return Vector<T>(data, {size}, owner);
}

std::vector<std::string> split_words(std::string_view caption) {
  std::vector<std::string> words;
  std::string word;
  for (size_t position = 0; next_word(caption, position, word);) words.push_back(word);
  return words;
}

// The UTF-8 bytes of Python strings, valid while `texts` holds them: also where the GIL is released.
std::vector<std::string_view> views_of(const std::vector<nb::str>& texts) {
  std::vector<std::string_view> views;
  views.reserve(texts.size());
  for (const nb::str& text : texts) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (data == nullptr) throw nb::python_error();
    views.emplace_back(data, static_cast<size_t>(size));
  }
  return views;
}

std::unordered_map<std::string, int64_t> count_words(const std::vector<nb::str>& captions) {
  const std::vector<std::string_view> views = views_of(captions);
  nb::gil_scoped_release release;
  std::unordered_map<std::string, int64_t> counts;
  std::string word;
  for (std::string_view caption : views)
    for (size_t position = 0; next_word(caption, position, word);) ++counts[word];
  return counts;
}

// Word → id of a vocabulary, and captions → ids: all captions' ids end to end, and where each caption starts.
class WordIndex {
 public:
  WordIndex(const std::vector<std::string>& words, int32_t first_id, int32_t unknown_id) : unknown_id_(unknown_id) {
    for (size_t i = 0; i < words.size(); ++i) ids_.emplace(words[i], first_id + static_cast<int32_t>(i));
  }

  std::pair<Vector<int32_t>, Vector<int64_t>> encode(const std::vector<nb::str>& captions) const {
    std::vector<int32_t> ids;
    std::vector<int64_t> starts{0};
    const std::vector<std::string_view> views = views_of(captions);
    {
      nb::gil_scoped_release release;
      append_ids(views, ids, starts);
    }
    return {to_numpy(std::move(ids)), to_numpy(std::move(starts))};
  }

 private:
  void append_ids(const std::vector<std::string_view>& captions, std::vector<int32_t>& ids,
                  std::vector<int64_t>& starts) const {
    std::string word;
    for (std::string_view caption : captions) {
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
}  // namespace spidercap

NB_MODULE(_native, m) {
  using namespace spidercap;
  m.doc() = "Native core of spidercap.";
  m.def("split_words", &split_words, "caption"_a, "The matches of [a-z0-9']+ in the lower-cased caption.");
  m.def("count_words", &count_words, "captions"_a, "How often each word occurs in all the captions together.");
  nb::class_<WordIndex>(m, "WordIndex", "Words of a vocabulary to ids.")
      .def(nb::init<const std::vector<std::string>&, int32_t, int32_t>(), "words"_a, "first_id"_a, "unknown_id"_a)
      .def("encode", &WordIndex::encode, "captions"_a,
           "All captions' word ids end to end, and the N + 1 positions where captions start and the last ends.");
  bind_ngram(m);
  bind_meteor(m);
  bind_spice(m);
  bind_parser(m);
}
