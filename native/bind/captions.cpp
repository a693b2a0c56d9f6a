#include "bind/captions.h"

#include <utility>

namespace nb = nanobind;

namespace spidercap {
namespace {

// UTF-8 in which surrogates are encoded too, each by the three bytes ED A0…BF xx, with blanks in their place.
std::string without_surrogates(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const bool surrogate = text[i] == '\xED' && static_cast<unsigned char>(text[i + 1]) >= 0xA0;
    clean.push_back(surrogate ? ' ' : text[i]);
    if (surrogate) i += 2;
  }
  return clean;
}

nb::bytes encode_without_surrogates(nb::handle text) {
  const nb::object encoded = nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass"));
  if (!encoded.is_valid()) throw nb::python_error();
  const std::string clean =
      without_surrogates({PyBytes_AS_STRING(encoded.ptr()), static_cast<size_t>(PyBytes_GET_SIZE(encoded.ptr()))});
  return nb::bytes(clean.data(), clean.size());
}

std::string name_of_type(nb::handle object) { return Py_TYPE(object.ptr())->tp_name; }

}  // namespace

PythonText::PythonText(nb::handle text) : owner_(nb::borrow(text)) {
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (data == nullptr) {
    PyErr_Clear();
    owner_ = encode_without_surrogates(text);
    data = PyBytes_AS_STRING(owner_.ptr());
    size = PyBytes_GET_SIZE(owner_.ptr());
  }
  text_ = {data, static_cast<size_t>(size)};
}

void PythonCaptions::add(nb::handle captions, Py_ssize_t image) {
  const auto refuse = [&](const std::string& rest) {
    const std::string where = image == no_image ? "" : "image " + std::to_string(image) + ", ";
    throw nb::type_error((where + rest).c_str());
  };
  if (nb::isinstance<nb::str>(captions)) refuse("expected a list of captions, found one str");
  const nb::object sequence = nb::steal(PySequence_Fast(captions.ptr(), "expected a list of captions"));
  if (!sequence.is_valid()) {
    PyErr_Clear();
    refuse("expected a list of captions, found " + name_of_type(captions));
  }
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(sequence.ptr()); ++i) {
    const nb::handle item = PySequence_Fast_GET_ITEM(sequence.ptr(), i);
    if (!nb::isinstance<nb::str>(item))
      refuse("caption " + std::to_string(i) + ": expected str, found " + name_of_type(item));
    texts_.push_back(owners_.emplace_back(item).view());
  }
}

PythonReferences::PythonReferences(nb::handle images, Empty without_references) {
  const nb::object sequence = nb::steal(PySequence_Fast(images.ptr(), "expected a list of lists of captions"));
  if (!sequence.is_valid()) throw nb::python_error();
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(sequence.ptr()); ++i) {
    captions_.add(PySequence_Fast_GET_ITEM(sequence.ptr(), i), i);
    if (without_references == Empty::refused && captions_.texts().size() == starts_.back())
      throw nb::value_error(("image " + std::to_string(i) + " has no references; expected one or more").c_str());
    starts_.push_back(captions_.texts().size());
  }
}

}  // namespace spidercap
