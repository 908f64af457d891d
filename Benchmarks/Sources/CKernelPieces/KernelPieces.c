#include "CKernelPieces.h"

#include <math.h>
#include <stdlib.h>

#include "../../../Sources/CNearbyKernels/include/CNearbyKernels.h"

enum { LANES = 16 };

struct kernel_pieces {
  nearby_metric metric;
  int64_t groups;
  /// Half of the way to the farthest position, squared.
  float limit;
  /// 64 edges for each group.
  float *edges;
  /// 32 coordinates for each leaf.
  int32_t *decimal_leaves;
  double *degrees_leaves;
};

kernel_pieces *kernel_pieces_make(
    double latitude, double longitude, const double *latitudes, const double *longitudes,
    int64_t groups) {
  kernel_pieces *pieces = calloc(1, sizeof *pieces);
  nearby_local local;
  nearby_local_at(latitude, longitude, &local);
  pieces->metric = local.metric;
  pieces->groups = groups;
  pieces->edges = aligned_alloc(64, (size_t)groups * 4 * LANES * sizeof(float));
  pieces->decimal_leaves = aligned_alloc(64, (size_t)groups * LANES * 2 * LANES * sizeof(int32_t));
  pieces->degrees_leaves = aligned_alloc(64, (size_t)groups * LANES * 2 * LANES * sizeof(double));
  for (int64_t leaf = 0; leaf < groups * LANES; leaf++) {
    int32_t *decimal = pieces->decimal_leaves + leaf * 2 * LANES;
    double *degrees = pieces->degrees_leaves + leaf * 2 * LANES;
    double south = INFINITY, west = INFINITY, north = -INFINITY, east = -INFINITY;
    for (int lane = 0; lane < LANES; lane++) {
      const double y = latitudes[leaf * LANES + lane], x = longitudes[leaf * LANES + lane];
      decimal[lane] = (int32_t)lround(y * 1e7);
      decimal[LANES + lane] = (int32_t)lround(x * 1e7);
      degrees[lane] = y;
      degrees[LANES + lane] = x;
      south = fmin(south, y);
      north = fmax(north, y);
      west = fmin(west, x);
      east = fmax(east, x);
    }
    float *edges = pieces->edges + leaf / LANES * 4 * LANES + leaf % LANES;
    edges[0] = nearby_rounded_down(south);
    edges[LANES] = nearby_rounded_down(west);
    edges[2 * LANES] = nearby_rounded_up(north);
    edges[3 * LANES] = nearby_rounded_up(east);
  }
  float farthest = 0;
  for (int64_t leaf = 0; leaf < groups * LANES; leaf++) {
    float squares[LANES];
    nearby_leaf_squares(
        &pieces->metric, false, pieces->degrees_leaves + leaf * 2 * LANES, INFINITY, squares);
    for (int lane = 0; lane < LANES; lane++) farthest = fmaxf(farthest, squares[lane]);
  }
  pieces->limit = farthest / 4;
  return pieces;
}

void kernel_pieces_free(kernel_pieces *pieces) {
  free(pieces->edges);
  free(pieces->decimal_leaves);
  free(pieces->degrees_leaves);
  free(pieces);
}

static uint32_t read_leaf(
    const kernel_pieces *pieces, bool is_decimal, int64_t leaf, float limit, float *squares) {
  return is_decimal
      ? nearby_leaf_squares(
            &pieces->metric, true, pieces->decimal_leaves + leaf * 2 * LANES, limit, squares)
      : nearby_leaf_squares(
            &pieces->metric, false, pieces->degrees_leaves + leaf * 2 * LANES, limit, squares);
}

void kernel_pieces_distances(const kernel_pieces *pieces, bool is_decimal, double *distances) {
  for (int64_t leaf = 0; leaf < pieces->groups * LANES; leaf++) {
    float squares[LANES];
    read_leaf(pieces, is_decimal, leaf, INFINITY, squares);
    for (int lane = 0; lane < LANES; lane++) {
      distances[leaf * LANES + lane] = sqrt(squares[lane]);
    }
  }
}

void kernel_pieces_gaps(const kernel_pieces *pieces, double *gaps) {
  for (int64_t group = 0; group < pieces->groups; group++) {
    float squares[LANES];
    nearby_squared_gaps(&pieces->metric, pieces->edges + group * 4 * LANES, squares);
    for (int lane = 0; lane < LANES; lane++) gaps[group * LANES + lane] = sqrt(squares[lane]);
  }
}

double kernel_pieces_test_nodes(const kernel_pieces *pieces, int64_t repetitions) {
  double sum = 0;
  for (int64_t repetition = 0; repetition < repetitions; repetition++) {
    for (int64_t group = 0; group < pieces->groups; group++) {
      float gaps[LANES];
      nearby_squared_gaps(&pieces->metric, pieces->edges + group * 4 * LANES, gaps);
      sum += nearby_least(gaps);
    }
  }
  return sum;
}

double kernel_pieces_read_leaves(
    const kernel_pieces *pieces, bool is_decimal, int64_t repetitions) {
  int64_t count = 0;
  for (int64_t repetition = 0; repetition < repetitions; repetition++) {
    for (int64_t leaf = 0; leaf < pieces->groups * LANES; leaf++) {
      float squares[LANES];
      count += __builtin_popcount(
          read_leaf(pieces, is_decimal, leaf, pieces->limit, squares));
    }
  }
  return (double)count;
}
