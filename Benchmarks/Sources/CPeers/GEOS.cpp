// GEOS: its STR-tree over the plane of degrees, through the C interface.
#include <cstdint>

#include <geos_c.h>

#include "Peer.hpp"

namespace {

struct GEOSTree final : CPeer {
  const Places places;
  GEOSContextHandle_t geos = GEOS_init_r();
  GEOSSTRtree *tree = GEOSSTRtree_create_r(geos, 10);

  explicit GEOSTree(const Places &places) : places(places) {
    for (size_t id = 0; id < places.count; id++) {
      GEOSGeometry *point =
          GEOSGeom_createPointFromXY_r(geos, places.longitude(id), places.latitude(id));
      // The tree keeps the envelope and the item, an id from 1 here, but not the geometry.
      GEOSSTRtree_insert_r(geos, tree, point, item(id));
      GEOSGeom_destroy_r(geos, point);
    }
    // The tree would be built by the first query.
    const double nowhere[] = {400, 400, 401, 401};
    uint32_t none;
    box(nowhere, &none);
  }

  ~GEOSTree() override {
    GEOSSTRtree_destroy_r(geos, tree);
    GEOS_finish_r(geos);
  }

  static void *item(size_t id) { return reinterpret_cast<void *>(uintptr_t(id) + 1); }
  static size_t id(const void *item) { return size_t(reinterpret_cast<uintptr_t>(item)) - 1; }

  size_t box(const double *box, uint32_t *ids) override {
    GEOSGeometry *envelope =
        GEOSGeom_createRectangle_r(geos, box[0], box[1], box[2], box[3]);
    uint32_t *next = ids;
    GEOSSTRtree_query_r(
        geos, tree, envelope,
        [](void *item, void *next) { *(*static_cast<uint32_t **>(next))++ = uint32_t(id(item)); },
        &next);
    GEOSGeom_destroy_r(geos, envelope);
    return size_t(next - ids);
  }

  struct Origin {
    const Places &places;
    double longitude, latitude;
  };

  /// Measures from an item of the tree to the origin, which is no item; the order is not told.
  static int distance(const void *a, const void *b, double *distance, void *user) {
    const Origin &origin = *static_cast<Origin *>(user);
    const size_t place = id(a == &origin ? b : a);
    const double dx = origin.places.longitude(place) - origin.longitude;
    const double dy = origin.places.latitude(place) - origin.latitude;
    *distance = std::sqrt(dx * dx + dy * dy);
    return 1;
  }

  size_t nearest(double longitude, double latitude, size_t, int64_t, uint32_t *ids) override {
    Origin origin{places, longitude, latitude};
    GEOSGeometry *point = GEOSGeom_createPointFromXY_r(geos, longitude, latitude);
    const void *found =
        GEOSSTRtree_nearest_generic_r(geos, tree, &origin, point, distance, &origin);
    GEOSGeom_destroy_r(geos, point);
    if (!found) return 0;
    ids[0] = uint32_t(id(found));
    return 1;
  }
};

}  // namespace

const Entry geosTree = {
    {"geos-strtree", GEOS_VERSION, "degrees as a plane, nodes of 10, built before it is asked",
     CPeerMeasurePlane, 1, false, true, false},
    [](const Places &places) -> CPeer * { return new GEOSTree(places); }};
