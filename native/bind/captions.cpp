#include "bind/captions.h"

namespace nb = nanobind;

namespace spidercap {

PythonCaptions::PythonCaptions(nb::handle captions) { add(captions); }

void PythonCaptions::add(nb::handle captions, Py_ssize_t image) {
  const std::string where = image == no_image ? "" : "image " + std::to_string(image) + ", ";
  const auto found = [](nb::handle object) { return std::string(Py_TYPE(object.ptr())->tp_name); };
  const auto refuse = [&](const std::string& rest) { throw nb::type_error((where + rest).c_str()); };
  if (nb::isinstance<nb::str>(captions)) refuse("expected a list of captions, found one str");
  const nb::object sequence = nb::steal(PySequence_Fast(captions.ptr(), "expected a list of captions"));
  if (!sequence.is_valid()) {
    PyErr_Clear();
    refuse("expected a list of captions, found " + found(captions));
  }
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(sequence.ptr()); ++i) {
    nb::object item = nb::borrow(PySequence_Fast_GET_ITEM(sequence.ptr(), i));
    if (!nb::isinstance<nb::str>(item)) refuse("caption " + std::to_string(i) + ": expected str, found " + found(item));
    Py_ssize_t size = 0;
    const char* text = PyUnicode_AsUTF8AndSize(item.ptr(), &size);
    if (text == nullptr) {
      PyErr_Clear();
      item = nb::steal(PyUnicode_AsEncodedString(item.ptr(), "utf-8", "surrogatepass"));
      if (!item.is_valid()) throw nb::python_error();
      text = PyBytes_AS_STRING(item.ptr());
      size = PyBytes_GET_SIZE(item.ptr());
    }
    texts_.emplace_back(text, static_cast<size_t>(size));
    owners_.push_back(std::move(item));
  }
}

}  // namespace spidercap
