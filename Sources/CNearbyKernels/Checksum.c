#include "CNearbyKernels.h"

// Processors have an instruction for this one checksum: eight bytes in three cycles.

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

bool nearby_checksum(uint32_t *state, const void *bytes, size_t count) {
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("sse4.2")) return false;
  *state = nearby_checksum_sse42(*state, (const char *)bytes, count);
  return true;
}

#elif defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>

bool nearby_checksum(uint32_t *state, const void *bytes, size_t count) {
  const char *rest = (const char *)bytes;
  uint32_t value = *state;
  for (; count >= 8; count -= 8, rest += 8) {
    uint64_t eight;
    memcpy(&eight, rest, sizeof eight);
    value = __crc32cd(value, eight);
  }
  for (; count > 0; count--, rest++) value = __crc32cb(value, (uint8_t)*rest);
  *state = value;
  return true;
}

#else

bool nearby_checksum(uint32_t *state, const void *bytes, size_t count) {
  (void)state, (void)bytes, (void)count;
  return false;
}

#endif
