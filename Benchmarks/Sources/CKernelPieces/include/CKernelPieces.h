// The kernels of the tree's nodes and leaves, one at a time, so that they can be timed.
//
// They are `static inline` in a header of the package beside this one, which no other package can
// import; KernelPieces.c includes that file where it lies, so what is timed is the very text.

#ifndef NEARBY_KERNEL_PIECES_H
#define NEARBY_KERNEL_PIECES_H

#include <stdbool.h>
#include <stdint.h>

/// Sixteen positions a leaf, sixteen leaves a group of nodes, seen from one origin.
typedef struct kernel_pieces kernel_pieces;

/// Makes leaves of positions that follow one another, and the groups above them.
///
/// - Parameters:
///   - latitude: Where distances are measured from.
///   - latitudes: Of 256 positions for each group.
kernel_pieces *kernel_pieces_make(
    double latitude, double longitude, const double *latitudes, const double *longitudes,
    int64_t groups);

void kernel_pieces_free(kernel_pieces *pieces);

/// Writes how far all positions are in meters, by the kernel of the leaves.
///
/// - Parameter is_decimal: Whether leaves hold 1e-7 degrees, or doubles.
void kernel_pieces_distances(const kernel_pieces *pieces, bool is_decimal, double *distances);

/// Writes how far the boxes of all leaves are in meters, by the kernel of the nodes.
void kernel_pieces_gaps(const kernel_pieces *pieces, double *gaps);

/// Tests all groups so many times and finds the nearest node of each: the sum of its gaps.
double kernel_pieces_test_nodes(const kernel_pieces *pieces, int64_t repetitions);

/// Reads all leaves so many times: how many positions are within half of the farthest distance.
double kernel_pieces_read_leaves(
    const kernel_pieces *pieces, bool is_decimal, int64_t repetitions);

#endif
