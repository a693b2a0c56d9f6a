#include "core/checksum.h"

#include <array>
#include <bit>
#include <cstring>

namespace spidercap {
namespace {

constexpr uint64_t prime = 0x9E3779B185EBCA87u;
constexpr size_t lanes = 4;

uint64_t mix(uint64_t state, uint64_t block) { return std::rotl((state ^ block) * prime, 31); }

}  // namespace

uint64_t checksum(std::span<const uint8_t> data) {
  std::array<uint64_t, lanes> state = {1, 2, 3, 4};
  const uint64_t size = data.size();
  while (data.size() >= 8 * lanes) {
    std::array<uint64_t, lanes> blocks;
    std::memcpy(blocks.data(), data.data(), sizeof blocks);
    for (size_t lane = 0; lane < lanes; ++lane) state[lane] = mix(state[lane], blocks[lane]);
    data = data.subspan(8 * lanes);
  }
  uint64_t result = size;
  for (const uint64_t lane : state) result = mix(result, lane);
  for (const uint8_t byte : data) result = mix(result, byte);
  return result ^ (result >> 32);
}

}  // namespace spidercap
