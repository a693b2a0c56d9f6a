#include "python_captions.h"

namespace nb = nanobind;

namespace spidercap {

PythonCaptions::PythonCaptions(nb::handle captions) { add(captions); }

void PythonCaptions::add(nb::handle captions) {
  if (nb::isinstance<nb::str>(captions)) throw nb::type_error("expected a list of captions, found one str");
  const nb::object sequence = nb::steal(PySequence_Fast(captions.ptr(), "expected a list of captions"));
  if (!sequence.is_valid()) throw nb::python_error();
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(sequence.ptr()); ++i) {
    nb::object item = nb::borrow(PySequence_Fast_GET_ITEM(sequence.ptr(), i));
    if (!nb::isinstance<nb::str>(item)) {
      const std::string type = nb::cast<std::string>(nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(item.ptr()))).attr("__name__"));
      throw nb::type_error(("caption " + std::to_string(texts_.size()) + ": expected str, found " + type).c_str());
    }
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
