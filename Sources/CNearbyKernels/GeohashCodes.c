#include "CNearbyKernels.h"

#if defined(__x86_64__) && !defined(_WIN32)
#include <immintrin.h>
#define NEARBY_HAS_BIT_DEPOSIT 1
#else
#define NEARBY_HAS_BIT_DEPOSIT 0
#endif

typedef uint64_t nearby_ulong4 __attribute__((ext_vector_type(4)));

/// Keeps every second bit of four codes, from one on.
NEARBY_INLINE void nearby_gather_bits(const nearby_ulong4 *codes, int32_t first, nearby_ulong4 *gathered) {
  nearby_ulong4 bits = *codes >> first & nearby_every_second_bit;
  bits = (bits | bits >> 1) & 0x3333333333333333;
  bits = (bits | bits >> 2) & 0x0F0F0F0F0F0F0F0F;
  bits = (bits | bits >> 4) & 0x00FF00FF00FF00FF;
  bits = (bits | bits >> 8) & 0x0000FFFF0000FFFF;
  *gathered = (bits | bits >> 16) & 0xFFFFFFFF;
}

#if NEARBY_HAS_BIT_DEPOSIT
#define NEARBY_BIT_DEPOSIT __attribute__((target("avx2,bmi2")))

NEARBY_BIT_DEPOSIT static inline uint64_t nearby_deposit_bits(uint64_t bits) {
  return _pdep_u64(bits, nearby_every_second_bit);
}
#endif

/// The row and the column of a position among 2^32 each; 90 and 180 degrees would open another.
NEARBY_INLINE uint64_t nearby_row(int32_t latitude) {
  const uint64_t row = ((uint64_t)((int64_t)latitude + 900000000) << 32) / 1800000000;
  return row - (row >> 32);
}

NEARBY_INLINE uint64_t nearby_column(int32_t longitude) {
  const uint64_t column = ((uint64_t)((int64_t)longitude + 1800000000) << 32) / 3600000000;
  return column - (column >> 32);
}

NEARBY_INLINE nearby_int4 nearby_latitudes(const nearby_ulong4 *codes) {
  nearby_ulong4 rows;
  nearby_gather_bits(codes, 0, &rows);
  return __builtin_convertvector((rows * 1800000000 + 0xFFFFFFFF) >> 32, nearby_int4) - 900000000;
}

NEARBY_INLINE nearby_int4 nearby_longitudes(const nearby_ulong4 *codes) {
  nearby_ulong4 columns;
  nearby_gather_bits(codes, 1, &columns);
  return __builtin_convertvector((columns * 3600000000 + 0xFFFFFFFF) >> 32, nearby_int4) - 1800000000;
}

NEARBY_INLINE uint64_t nearby_entry_code(const uint32_t *entry) {
  uint64_t code;
  memcpy(&code, entry, sizeof code);
  return code;
}

typedef int32_t nearby_int8 __attribute__((ext_vector_type(8)));
typedef int32_t nearby_int16 __attribute__((ext_vector_type(16)));
typedef double nearby_double4 __attribute__((ext_vector_type(4)));

/// Sets the edges of sixteen positions in whole 1e-7 degrees.
///
/// A float times 1e7 is a double without rounding, so that whether a float is above an edge is seen without dividing.
/// Then half its last bit and a little, or up to the whole and a little, are taken away: what is nearest to the
/// difference is the float below.
NEARBY_INLINE void nearby_set_whole_edges(
    const nearby_int16 *latitudes, const nearby_int16 *longitudes, float *edges) {
  // The greatest is the least of the negated ones.
  const nearby_int8 south = __builtin_elementwise_min(latitudes->lo, latitudes->hi);
  const nearby_int8 west = __builtin_elementwise_min(longitudes->lo, longitudes->hi);
  const nearby_int8 north = -__builtin_elementwise_max(latitudes->lo, latitudes->hi);
  const nearby_int8 east = -__builtin_elementwise_max(longitudes->lo, longitudes->hi);
  const nearby_int8 first = __builtin_elementwise_min(
      __builtin_shufflevector(south, west, 0, 8, 1, 9, 4, 12, 5, 13),
      __builtin_shufflevector(south, west, 2, 10, 3, 11, 6, 14, 7, 15));
  const nearby_int8 second = __builtin_elementwise_min(
      __builtin_shufflevector(north, east, 0, 8, 1, 9, 4, 12, 5, 13),
      __builtin_shufflevector(north, east, 2, 10, 3, 11, 6, 14, 7, 15));
  const nearby_int8 all = __builtin_elementwise_min(
      __builtin_shufflevector(first, second, 0, 1, 8, 9, 4, 5, 12, 13),
      __builtin_shufflevector(first, second, 2, 3, 10, 11, 6, 7, 14, 15));
  const nearby_double4 least =
      __builtin_convertvector(__builtin_elementwise_min(all.lo, all.hi), nearby_double4);
  nearby_float4 floats = __builtin_convertvector(least * 1e-7, nearby_float4);
  const nearby_int4 is_above = __builtin_convertvector(
      __builtin_convertvector(floats, nearby_double4) * 1e7 > least, nearby_int4);
  const nearby_float4 bit = __builtin_elementwise_abs(floats) * 0x1.000002p-24f;
  floats = is_above ? floats - bit : floats;
  edges[0] = floats[0];
  edges[16] = floats[1];
  edges[32] = 0 - floats[2];
  edges[48] = 0 - floats[3];
}

/// Reads four entries from one on.
#define NEARBY_FOUR(first)                                                                      \
  {                                                                                             \
    const uint32_t *four = entries + 3 * first;                                                 \
    const nearby_ulong4 codes = {                                                               \
        nearby_entry_code(four), nearby_entry_code(four + 3), nearby_entry_code(four + 6),      \
        nearby_entry_code(four + 9)};                                                           \
    const nearby_int4 latitude = nearby_latitudes(&codes), longitude = nearby_longitudes(&codes); \
    for (int32_t lane = 0; lane < 4; lane++) {                                                  \
      latitudes[first + lane] = latitude[lane];                                                 \
      longitudes[first + lane] = longitude[lane];                                               \
      numbers[first + lane] = (int32_t)four[3 * lane + 2];                                      \
    }                                                                                           \
  }

/// The nearest multiple of 1e-7 degrees in the low half of each lane; added to a number below 2^51, the constant leaves
/// the nearest integer in the last bits.
#define NEARBY_ROUNDING 0x1.8p52

/// The geohash of a position whose coordinates were rounded so.
#define NEARBY_CODE(shifted, spread, code)                                                      \
  int32_t whole[4];                                                                             \
  memcpy(whole, &shifted, sizeof whole);                                                        \
  const uint64_t code = spread(nearby_column(whole[2])) << 1 | spread(nearby_row(whole[0]));

/// The loops, with whatever takes bits in turn.
#define NEARBY_CODES(name, target, spread)                                                      \
  target static nearby_codes nearby_count_codes_##name(                                         \
      const double *degrees, size_t start, size_t count, int32_t shift, uint32_t *counts) {     \
    const nearby_double2 rounding = NEARBY_ROUNDING, grain = 1e7;                               \
    nearby_long2 is_decimal = {-1, -1};                                                         \
    nearby_codes codes = {0, 0, 0, false, false};                                               \
    for (size_t position = start; position < start + count; position++) {                       \
      const nearby_double2 place = nearby_load_doubles(degrees + 2 * position);                 \
      const nearby_double2 shifted = place * grain + rounding;                                  \
      is_decimal &= (shifted - rounding) / grain == place;                                      \
      NEARBY_CODE(shifted, spread, code)                                                        \
      if (position == start) codes.first = codes.last = code;                                   \
      codes.descends |= code < codes.last;                                                      \
      /* Wherever two codes differ, some neighbors do. */                                       \
      codes.differing |= code ^ codes.last;                                                     \
      codes.last = code;                                                                        \
      counts[code >> shift & 255]++;                                                            \
    }                                                                                           \
    codes.is_decimal = (is_decimal[0] & is_decimal[1]) != 0;                                    \
    return codes;                                                                               \
  }                                                                                             \
                                                                                                \
  target static void nearby_scatter_codes_##name(                                               \
      const double *degrees, size_t count, int32_t shift, uint32_t mask, uint32_t *ends,        \
      uint32_t *entries) {                                                                      \
    const nearby_double2 rounding = NEARBY_ROUNDING, grain = 1e7;                               \
    for (size_t position = 0; position < count; position++) {                                   \
      const nearby_double2 shifted =                                                            \
          nearby_load_doubles(degrees + 2 * position) * grain + rounding;                       \
      NEARBY_CODE(shifted, spread, code)                                                        \
      uint32_t *entry = entries + 3 * (size_t)ends[code >> shift & mask]++;                     \
      /* Stores are done one after another, so each would wait for its line. */                 \
      __builtin_prefetch(entry + 32, 1);                                                        \
      memcpy(entry, &code, sizeof code);                                                        \
      entry[2] = (uint32_t)position;                                                            \
    }                                                                                           \
  }                                                                                             \
                                                                                                \
  target static void nearby_fill_decimal_leaf_##name(                                           \
      const uint32_t *entries, int32_t *leaf, float *edges) {                                   \
    /* Edges are made of what is in registers: to read it from the leaf would wait until all is written. */\
    nearby_int16 latitudes, longitudes, numbers;                                                         \
    NEARBY_FOUR(0)                                                                              \
    NEARBY_FOUR(4)                                                                              \
    NEARBY_FOUR(8)                                                                              \
    NEARBY_FOUR(12)                                                                             \
    memcpy(leaf, &latitudes, sizeof latitudes);                                                 \
    memcpy(leaf + 16, &longitudes, sizeof longitudes);                                          \
    memcpy(leaf + 32, &numbers, sizeof numbers);                                                \
    nearby_set_whole_edges(&latitudes, &longitudes, edges);                                     \
  }                                                                                             \
                                                                                                \
  target static void nearby_set_decimal_edges_##name(const int32_t *leaf, float *edges) {       \
    nearby_int16 latitudes, longitudes;                                                         \
    memcpy(&latitudes, leaf, sizeof latitudes);                                                 \
    memcpy(&longitudes, leaf + 16, sizeof longitudes);                                          \
    nearby_set_whole_edges(&latitudes, &longitudes, edges);                                     \
  }

NEARBY_CODES(plain, , nearby_spread_bits)

#if NEARBY_HAS_BIT_DEPOSIT
NEARBY_CODES(deposit, NEARBY_BIT_DEPOSIT, nearby_deposit_bits)

/// AMD's before Zen 3 have the instructions, and take a hundred cycles for each.
static bool nearby_deposits_bits(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")
      && !__builtin_cpu_is("amdfam17h");
}
#endif

#if NEARBY_HAS_BIT_DEPOSIT
#define NEARBY_CHOOSE(name, ...) \
  return nearby_deposits_bits() ? name##_deposit(__VA_ARGS__) : name##_plain(__VA_ARGS__);
#else
#define NEARBY_CHOOSE(name, ...) return name##_plain(__VA_ARGS__);
#endif

nearby_codes nearby_count_codes(
    const double *degrees, size_t start, size_t count, int32_t shift, uint32_t *counts) {
  NEARBY_CHOOSE(nearby_count_codes, degrees, start, count, shift, counts)
}

void nearby_scatter_codes(
    const double *degrees, size_t count, int32_t shift, uint32_t mask, uint32_t *ends,
    uint32_t *entries) {
  NEARBY_CHOOSE(nearby_scatter_codes, degrees, count, shift, mask, ends, entries)
}

void nearby_fill_decimal_leaf(const uint32_t *entries, int32_t *leaf, float *edges) {
  NEARBY_CHOOSE(nearby_fill_decimal_leaf, entries, leaf, edges)
}

void nearby_set_decimal_edges(const int32_t *leaf, float *edges) {
  NEARBY_CHOOSE(nearby_set_decimal_edges, leaf, edges)
}

uint64_t nearby_decimal_code(int32_t latitude, int32_t longitude) {
  return nearby_spread_bits(nearby_column(longitude)) << 1
      | nearby_spread_bits(nearby_row(latitude));
}

void nearby_decimal_site(uint64_t code, int32_t *latitude, int32_t *longitude) {
  const nearby_ulong4 codes = {code, code, code, code};
  *latitude = nearby_latitudes(&codes)[0];
  *longitude = nearby_longitudes(&codes)[0];
}
