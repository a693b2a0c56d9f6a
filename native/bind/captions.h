// The one way by which texts come in from Python: as UTF-8, kept alive so that they can be read while the GIL is
// released. Half a surrogate pair is no character and becomes a blank.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace spidercap {

// One str. Create, move and destroy it with the GIL.
class PythonText {
 public:
  PythonText() = default;
  // Throws what Python raised; `text` must be a str.
  explicit PythonText(nanobind::handle text);

  std::string_view view() const { return text_; }

 private:
  nanobind::object owner_;
  std::string_view text_;
};

// A sequence of str. Create and destroy it with the GIL.
class PythonCaptions {
 public:
  explicit PythonCaptions(nanobind::handle captions) { add(captions); }

  std::span<const std::string_view> texts() const { return texts_; }

 private:
  friend class PythonReferences;
  static constexpr Py_ssize_t no_image = -1;

  PythonCaptions() = default;
  // Appends the strings of one more sequence; errors name the image it belongs to, if one is given.
  void add(nanobind::handle captions, Py_ssize_t image = no_image);

  std::vector<PythonText> owners_;
  std::vector<std::string_view> texts_;
};

// The references of all images end to end, from a sequence of sequences of str, and where each image's start.
class PythonReferences {
 public:
  enum class Empty : uint8_t { allowed, refused };
  PythonReferences(nanobind::handle images, Empty without_references);

  std::span<const std::string_view> texts() const { return captions_.texts(); }
  const std::vector<uint64_t>& starts() const { return starts_; }

 private:
  PythonCaptions captions_;
  std::vector<uint64_t> starts_{0};
};

}  // namespace spidercap

namespace nanobind::detail {

// So that functions may take a PythonText, or lists of them.
template <>
struct type_caster<spidercap::PythonText> {
  NB_TYPE_CASTER(spidercap::PythonText, const_name("str"))

  bool from_python(handle source, uint32_t, cleanup_list*) noexcept {
    if (!PyUnicode_Check(source.ptr())) return false;
    try {
      value = spidercap::PythonText(source);
      return true;
    } catch (...) {
      return false;
    }
  }
};

}  // namespace nanobind::detail
