// The inner loops of SpatialIndexing, sixteen lanes at a time.
//
// They are here and not in Swift because Swift's SIMD types are loops over lanes until the optimizer
// puts them together again, and for these it does not: the node test took 570 instructions a group as
// Swift and takes 75 as this. All are `static inline`, so a call costs nothing; what is long enough to
// be called, and compiled for several processors, is in NearestSearch.h and AreaSearch.h.
//
// One text for all processors, in clang's vector types: SSE2 on x86-64, NEON on arm64, whatever
// the target has elsewhere. KernelTests.swift compares each kernel with a plain twin that goes lane by
// lane.

#ifndef NEARBY_KERNELS_H
#define NEARBY_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__linux__) || defined(__APPLE__)
#include <sys/mman.h>
#include <unistd.h>
#endif

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

// A fused product is rounded once and not twice: answers would depend on the processor. It stands
// here for what Swift inlines, too.
#pragma STDC FP_CONTRACT OFF

/// A lane of what comparing doubles gives: `int64_t` on Linux, but not on Apple's systems.
#if __SIZEOF_LONG__ == 8
typedef long nearby_lane;
#else
typedef long long nearby_lane;
#endif

typedef float nearby_float4 __attribute__((ext_vector_type(4)));
typedef int32_t nearby_int4 __attribute__((ext_vector_type(4)));
typedef double nearby_double2 __attribute__((ext_vector_type(2)));
typedef nearby_lane nearby_long2 __attribute__((ext_vector_type(2)));

#define NEARBY_INLINE static inline __attribute__((always_inline))

/// A number for each of 64 categories; Categories.swift says why in C.
typedef struct {
  uint32_t numbers[64];
} nearby_category_counts;

/// The flat Earth round an origin; LocalSearch.swift says what it means.
typedef struct {
  /// The origin in 1e-7 degrees, whole and rest, and in degrees.
  int32_t latitude, longitude;
  float latitude_rest, longitude_rest;
  double degrees_latitude, degrees_longitude;
  /// The origin in degrees, rounded down and up.
  float south, north, west, east;
  /// Square meters per squared degree north and east.
  float meridian, parallel;
  /// What those change by per degree and per squared degree north.
  float meridian_slope, meridian_bend, parallel_slope, parallel_bend;
  /// What squared degrees east lose per squared degree.
  float turn_bend;
} nearby_metric;

/// A box in degrees, as floats rounded outward and inward.
typedef struct {
  float south, west, north, east;
  float inner_south, inner_west, inner_north, inner_east;
} nearby_box;

#include "NearestSearch.h"
#include "AreaSearch.h"
#include "LeastSearch.h"
#include "GroundSearch.h"
#include "GeohashCodes.h"

// What the searches do with their vectors, as `nearby_…` with four lanes, for what is inlined.
#define NEARBY_LANES 4
#define NEARBY_TARGET
#define NAME(name) nearby_##name
#include "../Lanes.inc"
#undef NAME
#undef NEARBY_TARGET
#undef NEARBY_LANES
#undef WIDE
#undef F
#undef I
#undef D
#undef L
#undef HF
#undef HI
#undef INNER
#undef UNROLLED

/// The float next to another: below it for a `step` of -1, above for 1, itself for 0.
NEARBY_INLINE float nearby_stepped(float value, int32_t step) {
  if (value == 0) return (float)step * 0x1p-149f;
  int32_t bits;
  memcpy(&bits, &value, sizeof bits);
  // The bits of negative floats ascend as the floats descend.
  bits += step * ((bits >> 31) | 1);
  memcpy(&value, &bits, sizeof value);
  return value;
}

/// The greatest float that is not above a finite double.
///
/// Without a branch: whether a conversion rounds up or down is nothing a processor can guess.
NEARBY_INLINE float nearby_rounded_down(double value) {
  float nearest = (float)value;
  return nearby_stepped(nearest, -((double)nearest > value));
}

/// The least float that is not below a finite double; infinite above all floats.
NEARBY_INLINE float nearby_rounded_up(double value) {
  float nearest = (float)value;
  return nearby_stepped(nearest, (double)nearest < value);
}

/// Asks for large pages under memory that is read all over; a hint and no more.
NEARBY_INLINE void nearby_prefer_large_pages(void *memory, size_t size) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  madvise(memory, size, MADV_HUGEPAGE);
#else
  (void)memory, (void)size;
#endif
}

/// Asks the system for pages of a file that will be read soon, those of several calls at once; a hint
/// and no more.
NEARBY_INLINE void nearby_will_read(const void *memory, size_t size) {
#if defined(MADV_WILLNEED)
  const uintptr_t page = (uintptr_t)memory & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
  madvise((void *)page, size + ((uintptr_t)memory - page), MADV_WILLNEED);
#else
  (void)memory, (void)size;
#endif
}

/// Adds bytes to a CRC-32C, by the processor's own instruction where it has one.
///
/// - Parameter state: The checksum so far, all its bits turned round; so is the one returned.
uint32_t nearby_checksum(uint32_t state, const void *bytes, size_t count);

/// The same without the instruction.
uint32_t nearby_plain_checksum(uint32_t state, const void *bytes, size_t count);

/// Asks for the cache line that will be read soon.
NEARBY_INLINE void nearby_prefetch(const void *memory) { __builtin_prefetch(memory); }

/// Asks for cache lines that will be read soon; `count` is to be a constant.
NEARBY_INLINE void nearby_prefetch_lines(const void *memory, int32_t count) {
#pragma clang loop unroll(full)
  for (int32_t line = 0; line < count; line++) nearby_prefetch((const char *)memory + 64 * line);
}

/// Asks for the cache line that will be read some time later, for the second cache, which has room.
NEARBY_INLINE void nearby_prefetch_later(const void *memory) { __builtin_prefetch(memory, 0, 2); }

/// The same for several; `count` is to be a constant.
NEARBY_INLINE void nearby_prefetch_lines_later(const void *memory, int32_t count) {
#pragma clang loop unroll(full)
  for (int32_t line = 0; line < count; line++) {
    nearby_prefetch_later((const char *)memory + 64 * line);
  }
}

/// Copies whole cache lines.
NEARBY_INLINE void nearby_copy_lines(void *to, const void *from, int32_t count) {
  for (int32_t line = 0; line < count; line++) {
    memcpy((char *)to + 64 * line, (const char *)from + 64 * line, 64);
  }
}

/// The greatest of the first fours of lanes.
NEARBY_INLINE float nearby_greatest(const void *lanes, int quads) {
  nearby_float4 greatest = nearby_load(lanes);
  for (int quad = 1; quad < quads; quad++) {
    greatest = nearby_greater(greatest, nearby_load((const char *)lanes + 16 * quad));
  }
  return nearby_greatest_of_four(greatest);
}

/// The flat squared chords from an origin to the sixteen positions of a leaf, in square meters.
///
/// Returns a bit for each that is at most `limit`; `is_decimal` is to be a constant.
NEARBY_INLINE uint32_t nearby_leaf_squares(
    const nearby_metric *metric, bool is_decimal, const void *leaf, float limit, void *squares) {
  const nearby_metric m = *metric;  // What is written below cannot change it then.
  uint32_t bits = 0;
#pragma clang loop unroll(full)
  for (int quad = 0; quad < 4; quad++) {
    nearby_float4 four = nearby_part_squares(m, is_decimal, leaf, quad);
    memcpy((char *)squares + 16 * quad, &four, sizeof four);
    bits |= nearby_at_most(four, limit) << (4 * quad);
  }
  return bits;
}

/// Writes the edges of sixteen boxes' union: south, west, north and east, 64 bytes from one to the
/// next, as those of the boxes stand, too.
NEARBY_INLINE void nearby_node_edges(const void *boxes, void *edges) {
  const char *bytes = (const char *)boxes;
  const float south = nearby_least(bytes), west = nearby_least(bytes + 64);
  const float north = nearby_greatest(bytes + 128, 4), east = nearby_greatest(bytes + 192, 4);
  memcpy(edges, &south, sizeof south);
  memcpy((char *)edges + 64, &west, sizeof west);
  memcpy((char *)edges + 128, &north, sizeof north);
  memcpy((char *)edges + 192, &east, sizeof east);
}

/// Writes the edges of the first of sixteen positions, as floats rounded outward: south, west, north
/// and east, 64 bytes from one to the next; infinite, the wrong way round, where there are none.
///
/// `positions` are sixteen latitudes and then sixteen longitudes, as doubles. The second eight of
/// either are not touched while the first are enough.
NEARBY_INLINE void nearby_leaf_edges(const void *positions, int32_t count, void *edges) {
  // All bits set are not a number, and of two such a number is neither less nor greater.
  static const int64_t not_numbers[32] = {
      0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,
      -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
  const char *bytes = (const char *)positions;
  const char *masks = (const char *)(not_numbers + 16 - count);
  const double infinity = __builtin_inf();
  nearby_double2 south = infinity, west = infinity, north = -infinity, east = -infinity;
  for (int eight = 0; eight < count; eight += 8) {
#pragma clang loop unroll(full)
    for (int pair = 0; pair < 4; pair++) {
      const int offset = 8 * eight + 16 * pair;
      nearby_long2 mask = (nearby_long2)nearby_load_doubles(masks + offset);
      nearby_double2 latitude =
          (nearby_double2)((nearby_long2)nearby_load_doubles(bytes + offset) | mask);
      nearby_double2 longitude =
          (nearby_double2)((nearby_long2)nearby_load_doubles(bytes + 128 + offset) | mask);
      south = latitude < south ? latitude : south;
      north = latitude > north ? latitude : north;
      west = longitude < west ? longitude : west;
      east = longitude > east ? longitude : east;
    }
  }
  const float outward[4] = {
      nearby_rounded_down(south.x < south.y ? south.x : south.y),
      nearby_rounded_down(west.x < west.y ? west.x : west.y),
      nearby_rounded_up(north.x > north.y ? north.x : north.y),
      nearby_rounded_up(east.x > east.y ? east.x : east.y)};
  for (int edge = 0; edge < 4; edge++) {
    memcpy((char *)edges + 64 * edge, outward + edge, sizeof(float));
  }
}

/// How many of `blocks` times sixteen floats are at most a limit.
NEARBY_INLINE int64_t nearby_count_at_most(const void *floats, int64_t blocks, float limit) {
  const char *bytes = (const char *)floats;
  nearby_int4 even = 0, odd = 0;
  for (int64_t block = 0; block < blocks; block++) {
    // Each comparison that holds is -1.
    even -= nearby_load(bytes) <= limit;
    odd -= nearby_load(bytes + 16) <= limit;
    even -= nearby_load(bytes + 32) <= limit;
    odd -= nearby_load(bytes + 48) <= limit;
    bytes += 64;
  }
  even += odd;
  return even.x + even.y + even.z + even.w;
}

/// Writes sixteen numbers that follow one another.
NEARBY_INLINE void nearby_number(void *numbers, uint32_t first) {
  nearby_int4 four = (int32_t)first + (nearby_int4){0, 1, 2, 3};
#pragma clang loop unroll(full)
  for (int quad = 0; quad < 4; quad++) {
    memcpy((char *)numbers + 16 * quad, &four, sizeof four);
    four += 4;
  }
}

/// The last of the first `quads` fours of floats than which none is less.
NEARBY_INLINE int64_t nearby_last_of_least(const void *floats, int64_t quads) {
  const char *bytes = (const char *)floats;
  nearby_float4 four = nearby_load(bytes);
  for (int64_t quad = 1; quad < quads; quad++) {
    four = nearby_lesser(four, nearby_load(bytes + 16 * quad));
  }
  const nearby_float4 least = nearby_least_of_four(four);
  for (int64_t quad = quads - 1; quad > 0; quad--) {
    uint32_t bits = nearby_held(nearby_load(bytes + 16 * quad) == least);
    if (bits != 0) return 4 * quad + 31 - __builtin_clz(bits);
  }
  return 31 - __builtin_clz(nearby_held(nearby_load(bytes) == least) | 1);
}

/// The upper halves of four 64-bit numbers, as floats.
NEARBY_INLINE nearby_float4 nearby_load_upper(const void *numbers) {
  nearby_float4 low = nearby_load(numbers), high = nearby_load((const char *)numbers + 16);
  return __builtin_shufflevector(low, high, 1, 3, 5, 7);
}

/// Hands out candidates, whose upper halves are squares, to `buckets` buckets by their squares.
///
/// Writes the number of each one's bucket into the lower sixteen bits of an entry; there must be room
/// for three entries more, and three candidates more to be read.
NEARBY_INLINE void nearby_share_out(
    const uint64_t *candidates, int64_t count, float buckets, uint32_t *entries) {
  nearby_float4 low = nearby_load_upper(candidates), high = low;
  for (int64_t index = 4; index + 4 <= count; index += 4) {
    nearby_float4 four = nearby_load_upper(candidates + index);
    low = nearby_lesser(low, four);
    high = nearby_greater(high, four);
  }
  nearby_float4 last = nearby_load_upper(candidates + count - 4);
  const float least = nearby_least_of_four(nearby_lesser(low, last));
  const float greatest = nearby_greatest_of_four(nearby_greater(high, last));
  const float scale = (buckets - 1.5f) / (greatest - least + 1e-30f);
  for (int64_t index = 0; index < count; index += 4) {
    // From 2^23 on, floats are whole numbers, which their lowest bits say.
    nearby_float4 four = (nearby_load_upper(candidates + index) - least) * scale + 0x1p23f;
    memcpy(entries + index, &four, sizeof four);
  }
}

/// The first of sorted candidates from one on whose follower is so near that d'² <= d² (factor +
/// d² slope) + offset, d² being the upper halves; `count` - 1 or more where there is none.
///
/// Four candidates past the last are read.
NEARBY_INLINE int64_t nearby_first_tie(
    const uint64_t *candidates, int64_t first, int64_t count, float factor, float slope,
    float offset) {
  for (int64_t index = first; index < count - 1; index += 4) {
    nearby_float4 nearer = nearby_load_upper(candidates + index);
    nearby_float4 farther = nearby_load_upper(candidates + index + 1);
    uint32_t bits = nearby_held(farther <= nearer * (nearer * slope + factor) + offset);
    if (bits != 0) return index + __builtin_ctz(bits);
  }
  return count;
}

/// Adds to each of `eights` times eight counts all that stand before it.
NEARBY_INLINE void nearby_running_sums(uint16_t *counts, int64_t eights) {
  typedef uint16_t short8 __attribute__((ext_vector_type(8)));
  const short8 zero = 0;
  short8 before = 0;
  for (int64_t eight = 0; eight < eights; eight++) {
    short8 v;
    memcpy(&v, counts + 8 * eight, sizeof v);
    v += __builtin_shufflevector(zero, v, 0, 8, 9, 10, 11, 12, 13, 14);
    v += __builtin_shufflevector(zero, v, 0, 1, 8, 9, 10, 11, 12, 13);
    v += __builtin_shufflevector(zero, v, 0, 1, 2, 3, 8, 9, 10, 11);
    v += before;
    memcpy(counts + 8 * eight, &v, sizeof v);
    before = __builtin_shufflevector(v, v, 7, 7, 7, 7, 7, 7, 7, 7);
  }
}

/// Which of sixteen bytes are equal to one, as bits.
NEARBY_INLINE uint32_t nearby_equal_bytes(const void *codes, uint8_t code) {
  typedef char byte16 __attribute__((ext_vector_type(16)));
  byte16 bytes;
  memcpy(&bytes, codes, sizeof bytes);
  byte16 equal = (byte16)(bytes == (byte16)(char)code);
#if defined(__SSE2__)
  return (uint32_t)_mm_movemask_epi8((__m128i)equal);
#else
  uint32_t bits = 0;
  for (int lane = 0; lane < 16; lane++) bits |= (uint32_t)(equal[lane] & 1) << lane;
  return bits;
#endif
}

NEARBY_INLINE nearby_float4 nearby_root(nearby_float4 v) { return __builtin_elementwise_sqrt(v); }

#endif
