// Python face of the tokenizer and the n-gram metrics.
#include <nanobind/nanobind.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "fork_join.h"
#include "python_captions.h"
#include "tokenizer.h"

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

}  // namespace

void bind_ngram(nb::module_& m) {
  m.def("tokenize", &tokenize, "captions"_a, "together"_a = false, "threads"_a = 1,
        nb::sig("def tokenize(captions: Sequence[str], together: bool = False, threads: int = 1) -> list[str]"),
        "PTB tokens of each caption, lower-cased, punctuation dropped, joined by blanks; `together` lexes all captions as "
        "one text as the reference does, on one thread. `threads` 0 means all cores.");
}

}  // namespace spidercap
