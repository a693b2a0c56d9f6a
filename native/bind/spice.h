// Puts SPICE into the Python module.
#pragma once

#include <nanobind/nanobind.h>

namespace spidercap {

void bind_spice(nanobind::module_& m);

}  // namespace spidercap
