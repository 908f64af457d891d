#include "CNearbyKernels.h"

// Processors have an instruction for this one checksum: eight bytes in three cycles.

uint32_t nearby_plain_checksum(uint32_t state, const void *bytes, size_t count) {
  // What four bits leave.
  static const uint32_t rests[16] = {
      0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
      0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9, 0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75};
  for (const uint8_t *byte = bytes; count > 0; count--, byte++) {
    state ^= *byte;
    state = state >> 4 ^ rests[state & 15];
    state = state >> 4 ^ rests[state & 15];
  }
  return state;
}

#if defined(__x86_64__) && !defined(_WIN32)
#include <nmmintrin.h>

__attribute__((target("sse4.2")))
static uint32_t nearby_checksum_sse42(uint32_t state, const char *bytes, size_t count) {
  uint64_t wide = state;
  for (; count >= 8; count -= 8, bytes += 8) {
    uint64_t eight;
    memcpy(&eight, bytes, sizeof eight);
    wide = _mm_crc32_u64(wide, eight);
  }
  state = (uint32_t)wide;
  for (; count > 0; count--, bytes++) state = _mm_crc32_u8(state, (uint8_t)*bytes);
  return state;
}

uint32_t nearby_checksum(uint32_t state, const void *bytes, size_t count) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("sse4.2") ? nearby_checksum_sse42(state, bytes, count)
                                          : nearby_plain_checksum(state, bytes, count);
}

#elif defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>

uint32_t nearby_checksum(uint32_t state, const void *bytes, size_t count) {
  const char *rest = bytes;
  for (; count >= 8; count -= 8, rest += 8) {
    uint64_t eight;
    memcpy(&eight, rest, sizeof eight);
    state = __crc32cd(state, eight);
  }
  for (; count > 0; count--, rest++) state = __crc32cb(state, (uint8_t)*rest);
  return state;
}

#else

uint32_t nearby_checksum(uint32_t state, const void *bytes, size_t count) {
  return nearby_plain_checksum(state, bytes, count);
}

#endif
