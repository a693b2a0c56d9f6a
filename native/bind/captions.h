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

  // Appends the strings of one more sequence; errors name the image it belongs to, if one is given.
  void add(nanobind::handle captions, Py_ssize_t image = no_image);

  std::span<const std::string_view> texts() const { return texts_; }

 private:
  static constexpr Py_ssize_t no_image = -1;

  std::vector<nanobind::object> owners_;
  std::vector<std::string_view> texts_;
};

}  // namespace spidercap
