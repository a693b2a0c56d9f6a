// The parts of the Python module; each room that Python calls has its file here.
#pragma once

#include <nanobind/nanobind.h>

namespace spidercap {

void bind_words(nanobind::module_& m);
void bind_ngram(nanobind::module_& m);
void bind_meteor(nanobind::module_& m);
void bind_spice(nanobind::module_& m);
void bind_parser(nanobind::module_& m);

}  // namespace spidercap
