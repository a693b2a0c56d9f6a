// A 64-bit checksum that finds damaged files (not a defence against forgers): four multiply-and-rotate lanes of 8
// bytes, some gigabytes a second.
#pragma once

#include <cstdint>
#include <span>

namespace spidercap {

uint64_t checksum(std::span<const uint8_t> data);

}  // namespace spidercap
