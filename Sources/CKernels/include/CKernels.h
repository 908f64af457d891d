// The inner loops of SpatialIndexing, sixteen lanes at a time.
//
// They are here and not in Swift because Swift's SIMD types are loops over lanes until the optimizer
// puts them together again, and for these it does not: the node test below took 570 instructions a
// group as Swift and takes 75 as this. All are `static inline`, so a call costs nothing.
//
// One text for all processors, in clang's vector types: SSE2 on x86-64, NEON on arm64, whatever
// the target has elsewhere. Each kernel has a plain twin in NearbyPlainKernels.h that the tests
// compare it with. SpatialIndexing/Kernels.swift is the one file that calls them.

#ifndef NEARBY_KERNELS_H
#define NEARBY_KERNELS_H

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

typedef float nearby_float4 __attribute__((ext_vector_type(4)));
typedef int32_t nearby_int4 __attribute__((ext_vector_type(4)));
typedef double nearby_double2 __attribute__((ext_vector_type(2)));
typedef int64_t nearby_long2 __attribute__((ext_vector_type(2)));

#define NEARBY_INLINE static inline __attribute__((always_inline))

/// The flat Earth round an origin; LocalMetric.swift says what it means.
typedef struct {
  /// The origin in 1e-7 degrees, whole and rest, and in degrees.
  int32_t latitude, longitude;
  float latitude_rest, longitude_rest;
  double degrees_latitude, degrees_longitude;
  /// The origin in degrees, rounded down and up.
  float south, north, west, east;
  /// Square meters per squared degree, and what they change by per degree north.
  float meridian, parallel, meridian_term, parallel_term;
} nearby_metric;

/// A box in degrees, as floats rounded outward and inward.
typedef struct {
  float south, west, north, east;
  float inner_south, inner_west, inner_north, inner_east;
} nearby_box;

NEARBY_INLINE nearby_float4 nearby_load(const void *memory) {
  nearby_float4 value;
  memcpy(&value, memory, sizeof value);
  return value;
}

NEARBY_INLINE nearby_int4 nearby_load_ints(const void *memory) {
  nearby_int4 value;
  memcpy(&value, memory, sizeof value);
  return value;
}

NEARBY_INLINE nearby_double2 nearby_load_doubles(const void *memory) {
  nearby_double2 value;
  memcpy(&value, memory, sizeof value);
  return value;
}

NEARBY_INLINE nearby_float4 nearby_greater(nearby_float4 a, nearby_float4 b) {
#if defined(__SSE2__)
  return (nearby_float4)_mm_max_ps((__m128)a, (__m128)b);
#elif defined(__ARM_NEON)
  return (nearby_float4)vmaxq_f32((float32x4_t)a, (float32x4_t)b);
#else
  return a > b ? a : b;
#endif
}

NEARBY_INLINE nearby_float4 nearby_lesser(nearby_float4 a, nearby_float4 b) {
#if defined(__SSE2__)
  return (nearby_float4)_mm_min_ps((__m128)a, (__m128)b);
#elif defined(__ARM_NEON)
  return (nearby_float4)vminq_f32((float32x4_t)a, (float32x4_t)b);
#else
  return a < b ? a : b;
#endif
}

/// One bit for each lane whose comparison holds.
NEARBY_INLINE uint32_t nearby_bits(nearby_int4 lanes) {
#if defined(__SSE2__)
  return (uint32_t)_mm_movemask_ps((__m128)lanes);
#elif defined(__ARM_NEON)
  const uint32x4_t weights = {1, 2, 4, 8};
  return vaddvq_u32(vandq_u32((uint32x4_t)lanes, weights));
#else
  return (lanes.x & 1) | (lanes.y & 2) | (lanes.z & 4) | (lanes.w & 8);
#endif
}

/// Four lanes of 64-bit comparisons as lanes of 32 bits.
NEARBY_INLINE nearby_int4 nearby_narrow(nearby_long2 low, nearby_long2 high) {
  return __builtin_shufflevector((nearby_int4)low, (nearby_int4)high, 0, 2, 4, 6);
}

NEARBY_INLINE float nearby_least_of_four(nearby_float4 v) {
  v = nearby_lesser(v, v.zwxy);
  return v.y < v.x ? v.y : v.x;
}

NEARBY_INLINE float nearby_greatest_of_four(nearby_float4 v) {
  v = nearby_greater(v, v.zwxy);
  return v.y > v.x ? v.y : v.x;
}

/// Asks for the cache line that will be read soon.
NEARBY_INLINE void nearby_prefetch(const void *memory) { __builtin_prefetch(memory); }

/// The squared gaps from an origin to the boxes of sixteen nodes, in square meters, with the number
/// of the lane in the lowest four bits.
NEARBY_INLINE void nearby_squared_gaps(
    const nearby_metric *metric, const void *group, void *gaps) {
  const nearby_metric m = *metric;  // What is written below cannot change it then.
  const char *bytes = (const char *)group;
  const nearby_float4 zero = 0, far = 3e38f;
  nearby_int4 names = {0, 1, 2, 3};
#pragma clang loop unroll(full)
  for (int quad = 0; quad < 4; quad++) {
    nearby_float4 south = nearby_load(bytes + 16 * quad);
    nearby_float4 west = nearby_load(bytes + 64 + 16 * quad);
    nearby_float4 north = nearby_load(bytes + 128 + 16 * quad);
    nearby_float4 east = nearby_load(bytes + 192 + 16 * quad);
    nearby_float4 y =
        nearby_greater(nearby_greater(south - m.north, m.south - north), zero);
    nearby_float4 x =
        nearby_greater(nearby_greater(west - m.east, m.west - east), zero);
    // Infinity with a name would be a NaN.
    nearby_float4 squared =
        nearby_lesser(y * y * m.meridian + x * x * m.parallel, far);
    nearby_int4 named = ((nearby_int4)squared & ~15) | names;
    memcpy((char *)gaps + 16 * quad, &named, sizeof named);
    names += 4;
  }
}

/// The least of sixteen floats.
NEARBY_INLINE float nearby_least(const void *lanes) {
  const char *bytes = (const char *)lanes;
  return nearby_least_of_four(nearby_lesser(
      nearby_lesser(nearby_load(bytes), nearby_load(bytes + 16)),
      nearby_lesser(nearby_load(bytes + 32), nearby_load(bytes + 48))));
}

/// Puts `replacement` where `value` stands in the first `quads` fours of lanes.
///
/// Returns the greatest of those lanes.
NEARBY_INLINE float nearby_replace(void *lanes, int quads, float value, float replacement) {
  char *bytes = (char *)lanes;
  nearby_float4 greatest = -__builtin_inff();
  for (int quad = 0; quad < quads; quad++) {
    nearby_float4 four = nearby_load(bytes + 16 * quad);
    four = four == value ? (nearby_float4)replacement : four;
    memcpy(bytes + 16 * quad, &four, sizeof four);
    greatest = nearby_greater(greatest, four);
  }
  return nearby_greatest_of_four(greatest);
}

NEARBY_INLINE nearby_float4 nearby_flat_squares(
    nearby_metric m, nearby_float4 north, nearby_float4 east) {
  const nearby_float4 zero = 0;
  nearby_float4 parallel = nearby_greater(m.parallel - north * m.parallel_term, zero);
  return north * north * (m.meridian + north * m.meridian_term)
      + east * east * parallel;
}

/// The flat squared chords from an origin to the sixteen positions of a leaf that holds multiples of
/// 1e-7 degrees, in square meters.
///
/// Returns a bit for each that is at most `limit`.
NEARBY_INLINE uint32_t nearby_decimal_leaf(
    const nearby_metric *metric, const void *leaf, float limit, void *squares) {
  const nearby_metric m = *metric;
  const char *bytes = (const char *)leaf;
  uint32_t bits = 0;
#pragma clang loop unroll(full)
  for (int quad = 0; quad < 4; quad++) {
    nearby_int4 latitudes = nearby_load_ints(bytes + 16 * quad) - m.latitude;
    // A difference beyond 214 degrees comes out as one beyond 69 degrees on the other side: more
    // than the way across the antimeridian, and out of reach.
    nearby_int4 longitudes = nearby_load_ints(bytes + 64 + 16 * quad) - m.longitude;
    nearby_float4 north =
        (__builtin_convertvector(latitudes, nearby_float4) - m.latitude_rest) * 1e-7f;
    nearby_float4 east =
        (__builtin_convertvector(longitudes, nearby_float4) - m.longitude_rest) * 1e-7f;
    nearby_float4 squared = nearby_flat_squares(m, north, east);
    memcpy((char *)squares + 16 * quad, &squared, sizeof squared);
    bits |= nearby_bits(squared <= limit) << (4 * quad);
  }
  return bits;
}

/// The same for a leaf that holds degrees as doubles.
NEARBY_INLINE uint32_t nearby_degrees_leaf(
    const nearby_metric *metric, const void *leaf, float limit, void *squares) {
  const nearby_metric m = *metric;
  const char *bytes = (const char *)leaf;
  uint32_t bits = 0;
#pragma clang loop unroll(full)
  for (int quad = 0; quad < 4; quad++) {
    typedef float float2 __attribute__((ext_vector_type(2)));
    nearby_float4 north, east;
    north.xy = __builtin_convertvector(
        nearby_load_doubles(bytes + 32 * quad) - m.degrees_latitude, float2);
    north.zw = __builtin_convertvector(
        nearby_load_doubles(bytes + 32 * quad + 16) - m.degrees_latitude, float2);
    east.xy = __builtin_convertvector(
        nearby_load_doubles(bytes + 128 + 32 * quad) - m.degrees_longitude, float2);
    east.zw = __builtin_convertvector(
        nearby_load_doubles(bytes + 128 + 32 * quad + 16) - m.degrees_longitude, float2);
    // No square is negative then, whatever a file may hold; what is no number is beyond every limit.
    north = nearby_lesser(nearby_greater(north, -400), 400);
    nearby_float4 squared = nearby_flat_squares(m, north, east);
    memcpy((char *)squares + 16 * quad, &squared, sizeof squared);
    bits |= nearby_bits(squared <= limit) << (4 * quad);
  }
  return bits;
}

/// Which of sixteen squares are at most a limit, as bits.
NEARBY_INLINE uint32_t nearby_at_most(const void *squares, float limit) {
  const char *bytes = (const char *)squares;
  uint32_t bits = 0;
#pragma clang loop unroll(full)
  for (int quad = 0; quad < 4; quad++) {
    bits |= nearby_bits(nearby_load(bytes + 16 * quad) <= limit) << (4 * quad);
  }
  return bits;
}

/// Which of sixteen nodes have a squared gap of at most `outer`, as bits, and which reach no farther
/// than the square `inner`, sixteen bits farther up.
NEARBY_INLINE uint32_t nearby_nodes_in_circle(
    const nearby_metric *metric, const void *group, float outer, float inner) {
  const nearby_metric m = *metric;
  const char *bytes = (const char *)group;
  const nearby_float4 zero = 0;
  uint32_t bits = 0;
#pragma clang loop unroll(full)
  for (int quad = 0; quad < 4; quad++) {
    nearby_float4 south = nearby_load(bytes + 16 * quad);
    nearby_float4 west = nearby_load(bytes + 64 + 16 * quad);
    nearby_float4 north = nearby_load(bytes + 128 + 16 * quad);
    nearby_float4 east = nearby_load(bytes + 192 + 16 * quad);
    nearby_float4 y = nearby_greater(nearby_greater(south - m.north, m.south - north), zero);
    nearby_float4 x = nearby_greater(nearby_greater(west - m.east, m.west - east), zero);
    nearby_float4 gap = y * y * m.meridian + x * x * m.parallel;
    y = nearby_greater(m.north - south, north - m.south);
    x = nearby_greater(m.east - west, east - m.west);
    nearby_float4 far = y * y * m.meridian + x * x * m.parallel;
    bits |= nearby_bits(gap <= outer) << (4 * quad)
        | nearby_bits((gap <= outer) & (far <= inner)) << (16 + 4 * quad);
  }
  return bits;
}

/// Which of sixteen nodes meet a box, as bits, and which lie in it whole, sixteen bits farther up.
NEARBY_INLINE uint32_t nearby_nodes_in_box(const nearby_box *box, const void *group) {
  const char *bytes = (const char *)group;
  uint32_t bits = 0;
#pragma clang loop unroll(full)
  for (int quad = 0; quad < 4; quad++) {
    nearby_float4 south = nearby_load(bytes + 16 * quad);
    nearby_float4 west = nearby_load(bytes + 64 + 16 * quad);
    nearby_float4 north = nearby_load(bytes + 128 + 16 * quad);
    nearby_float4 east = nearby_load(bytes + 192 + 16 * quad);
    nearby_int4 meets = (south <= box->north) & (north >= box->south) & (west <= box->east)
        & (east >= box->west);
    nearby_int4 inside = (south >= box->inner_south) & (north <= box->inner_north)
        & (west >= box->inner_west) & (east <= box->inner_east);
    bits |= nearby_bits(meets) << (4 * quad) | nearby_bits(meets & inside) << (16 + 4 * quad);
  }
  return bits;
}

/// Which of the sixteen positions of a leaf lie in a box of whole 1e-7 degrees, edges included.
NEARBY_INLINE uint32_t nearby_decimal_leaf_in_box(
    int32_t south, int32_t west, int32_t north, int32_t east, const void *leaf) {
  const char *bytes = (const char *)leaf;
  uint32_t bits = 0;
#pragma clang loop unroll(full)
  for (int quad = 0; quad < 4; quad++) {
    nearby_int4 latitudes = nearby_load_ints(bytes + 16 * quad);
    nearby_int4 longitudes = nearby_load_ints(bytes + 64 + 16 * quad);
    nearby_int4 outside = (latitudes < south) | (latitudes > north) | (longitudes < west)
        | (longitudes > east);
    bits |= nearby_bits(~outside) << (4 * quad);
  }
  return bits;
}

/// Which of the sixteen positions of a leaf of doubles lie in a box of degrees, edges included.
NEARBY_INLINE uint32_t nearby_degrees_leaf_in_box(
    double south, double west, double north, double east, const void *leaf) {
  const char *bytes = (const char *)leaf;
  uint32_t bits = 0;
#pragma clang loop unroll(full)
  for (int quad = 0; quad < 4; quad++) {
    nearby_long2 inside[2];
    for (int half = 0; half < 2; half++) {
      nearby_double2 latitudes = nearby_load_doubles(bytes + 32 * quad + 16 * half);
      nearby_double2 longitudes = nearby_load_doubles(bytes + 128 + 32 * quad + 16 * half);
      inside[half] = (latitudes >= south) & (latitudes <= north) & (longitudes >= west)
          & (longitudes <= east);
    }
    bits |= nearby_bits(nearby_narrow(inside[0], inside[1])) << (4 * quad);
  }
  return bits;
}

#endif
