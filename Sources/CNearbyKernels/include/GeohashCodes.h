// Leaves as they are built by the million: their edges, and geohashes of 64 bits of positions in whole 1e-7 degrees.
//
// Processors of x86-64 since 2013 take the bits of two numbers in turn by one instruction each; they must be asked
// whether they can, and the plain text is compiled in beside it.

#ifndef NEARBY_GEOHASH_CODES_H
#define NEARBY_GEOHASH_CODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static const uint64_t nearby_every_second_bit = 0x5555555555555555;

/// Puts a zero above each bit.
///
/// Source: "Interleave bits by Binary Magic Numbers", S. E. Anderson, Bit Twiddling Hacks.
static inline uint64_t nearby_spread_bits(uint64_t bits) {
  bits = (bits | bits << 16) & 0x0000FFFF0000FFFF;
  bits = (bits | bits << 8) & 0x00FF00FF00FF00FF;
  bits = (bits | bits << 4) & 0x0F0F0F0F0F0F0F0F;
  bits = (bits | bits << 2) & 0x3333333333333333;
  return (bits | bits << 1) & nearby_every_second_bit;
}

/// What reading positions has found out.
typedef struct {
  /// The codes of the first position and of the last one.
  uint64_t first, last;
  /// The bits in which any two codes differ.
  uint64_t differing;
  /// Whether a code is below the one before it.
  bool descends;
  /// Whether every coordinate is the double nearest to a multiple of 1e-7 degrees.
  bool is_decimal;
} nearby_codes;

/// Reads positions.
///
/// The codes are those of the nearest multiples of 1e-7 degrees.
///
/// - Parameters:
///   - degrees: Latitude and longitude of all positions.
///   - start, count: Which of them, one at least.
///   - counts: How many codes have each value of the eight bits from `shift` on: these are added.
nearby_codes nearby_count_codes(
    const double *degrees, size_t start, size_t count, int32_t shift, uint32_t *counts);

/// Writes entries of positions, those with the same digit of their codes one after another: the code's lower half, its
/// upper half, the position's offset.
///
/// - Parameters:
///   - degrees: Latitude and longitude of each.
///   - shift, mask: The digit.
///   - ends: Where the next entry of each digit goes.
void nearby_scatter_codes(
    const double *degrees, size_t count, int32_t shift, uint32_t mask, uint32_t *ends,
    uint32_t *entries);

/// Writes latitudes, longitudes and offsets of sixteen entries into a decimal leaf, which may lie where they do, and sets
/// its edges.
void nearby_fill_decimal_leaf(const uint32_t *entries, int32_t *leaf, float *edges);

/// Sets the edges of a decimal leaf of sixteen positions: floats of degrees, rounded outward, the southern one at 0,
/// the western at 16, the northern at 32, the eastern at 48.
void nearby_set_decimal_edges(const int32_t *leaf, float *edges);

/// The geohash of a position.
///
/// A cell of the finest grid is narrower than 1e-7 degrees, so it holds at most one such position, which the geohash
/// identifies exactly.
///
/// The double nearest to a multiple of 1e-7 lies in the same cell as the multiple itself. Borders of cells are multiples
/// of 45/2^30 degrees for latitudes and of 45/2^29 for longitudes. So a multiple of 1e-7 is either on a border or at least
/// 2^7 / (10^7 2^30) = 1.2e-14 degrees away from it, for longitudes twice that. Rounding to a double moves latitudes by at
/// most 0.7e-14 degrees and longitudes by at most 1.4e-14, which is less.
uint64_t nearby_decimal_code(int32_t latitude, int32_t longitude);

/// The position with a geohash: the only one in its cell.
void nearby_decimal_site(uint64_t code, int32_t *latitude, int32_t *longitude);

#endif
