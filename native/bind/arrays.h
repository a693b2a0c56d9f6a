// Arrays between Python and the core: numbers come in without a copy, and vectors go out without one.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace spidercap {

// For each caption, the number of its image.
using ImageNumbers = nanobind::ndarray<const int64_t, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

template <typename T>
using Column = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>;

// An array of this type and shape that takes over the vector and its memory.
template <typename Array, typename T>
Array to_numpy(std::vector<T>&& values, std::initializer_list<size_t> shape) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* const data = owned->data();
  nanobind::capsule owner(owned.get(), [](void* vector) noexcept { delete static_cast<std::vector<T>*>(vector); });
  owned.release();
  return Array(data, shape, owner);
}

template <typename T>
Column<T> to_numpy(std::vector<T>&& values) {
  const size_t size = values.size();
  return to_numpy<Column<T>>(std::move(values), {size});
}

}  // namespace spidercap
