// Leaves as they are built by the million: their edges, and geohashes of 64 bits of positions in whole 1e-7 degrees.
//
// Processors of x86-64 since 2013 take the bits of two numbers in turn by one instruction each; they must be asked
// whether they can, and the plain text is compiled in beside it.

#ifndef NEARBY_GEOHASH_CODES_H
#define NEARBY_GEOHASH_CODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/// Makes entries of positions: the code's lower half, its upper half, the position's offset.
///
/// The codes are those of the nearest multiples of 1e-7 degrees.
///
/// - Parameters:
///   - degrees: Latitude and longitude of all positions.
///   - start, count: Which of them, one at least.
///   - entries: Three words for each of all positions.
///   - counts: How many codes have each value of the eight bits from `shift` on: these are added.
nearby_codes nearby_read_codes(
    const double *degrees, uint32_t start, uint32_t count, uint32_t *entries, int32_t shift,
    uint32_t *counts);

/// Writes latitudes, longitudes and offsets of sixteen entries into a decimal leaf, and sets its edges.
void nearby_fill_decimal_leaf(const uint32_t *entries, int32_t *leaf, float *edges);

/// Sets the edges of a decimal leaf of sixteen positions: floats of degrees, rounded outward, the southern one at 0,
/// the western at 16, the northern at 32, the eastern at 48.
void nearby_set_decimal_edges(const int32_t *leaf, float *edges);

/// The same of edges in degrees.
void nearby_set_edges(double south, double west, double north, double east, float *edges);

/// The geohash of a position.
uint64_t nearby_decimal_code(int32_t latitude, int32_t longitude);

/// The position with a geohash: the only one in its cell.
void nearby_decimal_site(uint64_t code, int32_t *latitude, int32_t *longitude);

#endif
