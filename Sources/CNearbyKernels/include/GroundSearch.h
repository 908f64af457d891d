// How far boxes and positions anywhere on the Earth are from an origin, on the ground.
//
// GroundMetric.swift says why the bounds are right.

#ifndef NEARBY_GROUND_SEARCH_H
#define NEARBY_GROUND_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

/// What distances of GroundSearch.inc may be wrong by for each meter, and for each meter more the
/// farther they are; from what squared chord's complement on they say next to nothing, and up to how
/// many meters the sphere says enough. GroundMetric.swift says why.
#define NEARBY_GROUND_ERROR 4e-8
#define NEARBY_GROUND_BEND 6e-9
#define NEARBY_GROUND_VAGUE 0.0025
#define NEARBY_GROUND_NEAR 200000.0

/// The whole Earth seen from an origin.
typedef struct {
  /// Of the origin's reduced latitude; its longitude in degrees.
  double sine, cosine, longitude;
} nearby_globe;

/// Between which distances sixteen boxes or positions lie, in meters.
typedef struct {
  /// Infinite, both, in lanes that hold nothing.
  double least[16], greatest[16];
  /// No position in a box is farther from the middle of its edges; 0 for positions.
  double radius[16];
  /// Lanes near the other side of the Earth, as bits: their bounds say next to nothing.
  uint32_t vague;
} nearby_bounds;

void nearby_globe_at(double latitude, double longitude, nearby_globe *globe);

/// A lower bound of the distance between two images on the unit sphere, in meters.
///
/// - Parameters:
///   - squared_chord: Between the images.
///   - rise, sum: The difference and the sum of the sines of their latitudes.
double nearby_least_ground(double squared_chord, double rise, double sum);

/// Bounds of the distances to what lies in sixteen boxes.
///
/// - Parameters:
///   - group: The south, west, north and east edges in degrees, as floats rounded outward; boxes that
///     begin north of 91 degrees are none.
///   - reach: What is farther need not be told apart.
void nearby_bound_boxes(
    int32_t level, const nearby_globe *globe, const void *group, double reach,
    nearby_bounds *bounds);

/// Bounds of the distances to the sixteen positions of a leaf; those north of 91 degrees are none.
void nearby_bound_positions(
    int32_t level, const nearby_globe *globe, const void *leaf, bool is_decimal,
    nearby_bounds *bounds);

/// Makes what is farthest nearest: distances less than 0.
static inline void nearby_reverse(nearby_bounds *bounds) {
  for (int32_t lane = 0; lane < 16; lane++) {
    if (bounds->least[lane] == __builtin_inf()) continue;
    const double least = bounds->least[lane];
    bounds->least[lane] = -bounds->greatest[lane];
    bounds->greatest[lane] = -least;
  }
}

/// The lane that begins nearest, unless it begins beyond a limit; -1 for none.
static inline int32_t nearby_nearest_lane(const nearby_bounds *bounds, double limit) {
  int32_t nearest = -1;
  for (int32_t lane = 0; lane < 16; lane++) {
    if (bounds->least[lane] <= limit) {
      limit = bounds->least[lane];
      nearest = lane;
    }
  }
  return bounds->least[nearest < 0 ? 0 : nearest] < __builtin_inf() ? nearest : -1;
}

#endif
