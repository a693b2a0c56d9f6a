// Captions from Python lists, held so that they can be read while the GIL is released.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace spidercap {

// The UTF-8 texts of a sequence of str. The object keeps the strings alive; create and destroy it with the GIL.
// Lone surrogates, which UTF-8 does not have, arrive as three invalid bytes each.
class PythonCaptions {
 public:
  explicit PythonCaptions(nanobind::handle captions);

  // Appends the strings of one more sequence.
  void add(nanobind::handle captions);

  std::span<const std::string_view> texts() const { return texts_; }

 private:
  std::vector<nanobind::object> owners_;
  std::vector<std::string_view> texts_;
};

}  // namespace spidercap
