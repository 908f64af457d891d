// The search for the least of the numbers that positions in a circle have, as a whole: compiled for
// the same sets of instructions as that for the nearest, with the same answer from each.

#ifndef NEARBY_LEAST_SEARCH_H
#define NEARBY_LEAST_SEARCH_H

#include "AreaSearch.h"

/// Numbers beside a tree; PositionMinima.swift says how they stand.
typedef struct {
  /// By slot, sixteen a leaf; the greatest number where there is no position.
  const void *slots;
  /// The least below each node, sixteen a group.
  const void *nodes;
} nearby_minima;

/// How many slots on the edge of a circle are kept.
enum { NEARBY_MOST_UNDECIDED = 32 };

/// What is looked for and found.
typedef struct {
  /// Before: only less than this is looked for. Afterwards: the least of all that lie inside.
  uint32_t least;
  /// Slots on the edge whose numbers were less than what was known when they were met; the caller
  /// measures them.
  uint32_t undecided_count;
  uint32_t undecided[NEARBY_MOST_UNDECIDED];
} nearby_least_found;

/// Finds the least number in a circle.
///
/// - Parameter found: Its `least` is set, and nothing undecided.
/// - Returns: `NEARBY_DONE`; `NEARBY_FULL` where more are on the edge than there is room for, and
///   nothing is known.
nearby_outcome nearby_find_least(
    int32_t level, const nearby_tree *tree, const nearby_minima *minima,
    const nearby_circle *circle, nearby_least_found *found);

#endif
