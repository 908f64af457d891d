// The search for everything in a circle or a box, as a whole: compiled for the same sets of
// instructions as that for the nearest, with the same answer from each.

#ifndef NEARBY_AREA_SEARCH_H
#define NEARBY_AREA_SEARCH_H

#include "NearestSearch.h"

/// A circle as flat squares tell it; AreaQueries.swift says why they may.
typedef struct {
  nearby_metric metric;
  /// Nodes with a greater gap are outside, those that reach no farther than the second are inside.
  float outer_node, inner_node;
  /// Positions with a greater square are outside, those with one no greater than the second inside;
  /// those between have to be measured.
  float outer_position, inner_position;
} nearby_circle;

/// One span of latitudes and one of longitudes, edges included.
typedef struct {
  nearby_box box;
  /// The multiples of 1e-7 degrees that lie in it.
  int32_t least_latitude, least_longitude, greatest_latitude, greatest_longitude;
  /// Degrees.
  double south, west, north, east;
} nearby_span;

/// How many slots the leaves of a group have.
enum { NEARBY_GROUP_SLOTS = 256 };

/// What a search writes down.
typedef enum {
  /// How many positions there are.
  NEARBY_COUNT = 0,
  /// Their offsets in the input.
  NEARBY_POSITIONS = 1,
  /// Their slots.
  NEARBY_SLOTS = 2,
} nearby_answer;

/// One walk down the tree for everything in an area.
typedef struct {
  /// Where answers go, how many there are and for how many there is room; the caller sets all three
  /// before a call.
  uint32_t *numbers;
  size_t count, capacity;
  /// Slots on the edge of a circle, which the caller measures and takes away after a call; room for
  /// `NEARBY_GROUP_SLOTS`.
  uint32_t *undecided;
  int32_t undecided_count;
  nearby_answer answer;
  /// For each level the group, those of its nodes that are left, and which of these are inside.
  int32_t groups[8];
  uint32_t left[8], inside[8];
  /// The level and group that come next; no group where those that are left come next.
  int32_t level, group;
  /// The slots of a node that lies inside.
  size_t slot, end;
} nearby_area_walk;

/// Begins a walk that writes nothing yet.
void nearby_begin_area(nearby_area_walk *walk, const nearby_tree *tree, nearby_answer answer);

/// Goes on until all is found, or there is no room.
///
/// - Parameter filter: Null where every position counts.
/// - Returns: `NEARBY_DONE`; `NEARBY_FULL` where there is no room for a group's slots and sixteen
///   numbers more, or undecided slots are to be taken away first.
nearby_outcome nearby_find_in_circle(
    int32_t level, const nearby_tree *tree, const nearby_filter *filter, const nearby_circle *circle,
    nearby_area_walk *walk);

/// The same for a box.
nearby_outcome nearby_find_in_span(
    int32_t level, const nearby_tree *tree, const nearby_filter *filter, const nearby_span *span,
    nearby_area_walk *walk);

#endif
