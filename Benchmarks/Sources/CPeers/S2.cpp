// S2: its point index, asked by closest-point queries, and by coverings for boxes.
#include <algorithm>
#include <utility>
#include <vector>

#include <s2/s2closest_point_query.h>
#include <s2/s2latlng_rect.h>
#include <s2/s2point_index.h>
#include <s2/s2region_coverer.h>

#include "Peer.hpp"

namespace {

typedef S2PointIndex<uint32_t> Index;
typedef S2ClosestPointQuery<uint32_t> Query;

S2Point point(double longitude, double latitude) {
  return S2LatLng::FromDegrees(latitude, longitude).ToPoint();
}

struct S2Peer final : CPeer {
  const Places places;
  Index index;
  Query query;
  std::vector<Query::Result> results;
  std::vector<S2CellId> covering;

  explicit S2Peer(const Places &places) : places(places) {
    // In the order of its cells, which spares the B-tree most of its work.
    std::vector<std::pair<S2CellId, uint32_t>> order;
    order.reserve(places.count);
    for (size_t id = 0; id < places.count; id++)
      order.emplace_back(
          S2CellId(point(places.longitude(id), places.latitude(id))), uint32_t(id));
    std::sort(order.begin(), order.end());
    for (const auto &entry : order)
      index.Add(point(places.longitude(entry.second), places.latitude(entry.second)), entry.second);
    query.Init(&index);
  }

  size_t nearest(double longitude, double latitude, size_t k, int64_t, uint32_t *ids) override {
    query.mutable_options()->set_max_results(int(k));
    query.mutable_options()->set_max_distance(S1ChordAngle::Infinity());
    return ask(longitude, latitude, ids);
  }

  size_t radius(double longitude, double latitude, double meters, uint32_t *ids) override {
    query.mutable_options()->set_max_results(Query::Options::kMaxMaxResults);
    query.mutable_options()->set_inclusive_max_distance(
        S1ChordAngle(S1Angle::Radians(meters / earthRadius)));
    return ask(longitude, latitude, ids);
  }

  size_t ask(double longitude, double latitude, uint32_t *ids) {
    Query::PointTarget target(point(longitude, latitude));
    query.FindClosestPoints(&target, &results);
    size_t count = 0;
    for (const auto &result : results) ids[count++] = result.data();
    return count;
  }

  /// Points in the cells of a covering; which lie in the box is told by their degrees.
  size_t box(const double *box, uint32_t *ids) override {
    // Wider by a tenth of a millimeter, for the way from degrees to cells rounds.
    constexpr double margin = 1e-9;
    const S2LatLngRect rect(
        S2LatLng::FromDegrees(std::max(box[1] - margin, -90.0), std::max(box[0] - margin, -180.0)),
        S2LatLng::FromDegrees(std::min(box[3] + margin, 90.0), std::min(box[2] + margin, 180.0)));
    S2RegionCoverer coverer;
    coverer.mutable_options()->set_max_cells(8);
    coverer.GetCovering(rect, &covering);
    Index::Iterator place(&index);
    size_t count = 0;
    for (const S2CellId cell : covering) {
      const S2CellId last = cell.range_max();
      for (place.Seek(cell.range_min()); !place.done() && place.id() <= last; place.Next()) {
        const uint32_t id = place.data();
        const double longitude = places.longitude(id), latitude = places.latitude(id);
        ids[count] = id;
        count += longitude >= box[0] && longitude <= box[2] && latitude >= box[1] &&
                 latitude <= box[3];
      }
    }
    return count;
  }
};

}  // namespace

const Entry s2Index = {
    {"s2", "0.10.0", "S2PointIndex filled in cell order; boxes by coverings of 8 cells",
     CPeerMeasureSphere, anyK, false, true, true},
    [](const Places &places) -> CPeer * { return new S2Peer(places); }};
