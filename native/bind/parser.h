// Adds the parser to the Python module.
#pragma once

#include <nanobind/nanobind.h>

namespace spidercap {

void bind_parser(nanobind::module_& m);

}  // namespace spidercap
