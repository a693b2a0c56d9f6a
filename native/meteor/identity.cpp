#include "meteor/identity.h"

namespace spidercap {
uint32_t polynomial_hash(std::u32string_view text) {
  uint32_t hash = 0;
  for (const char32_t character : text) {
    if (character < 0x10000) {
      hash = hash * 31 + static_cast<uint32_t>(character);
    } else {
      const uint32_t offset = static_cast<uint32_t>(character) - 0x10000;
      hash = hash * 31 + (0xD800 + (offset >> 10));
      hash = hash * 31 + (0xDC00 + (offset & 0x3FF));
    }
  }
  return hash;
}

}  // namespace spidercap
