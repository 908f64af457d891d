// Boost.Geometry: packed R-trees over unit vectors, over the plane of degrees, and over WGS 84.
#include <algorithm>
#include <utility>
#include <vector>

#include "BoostEnumerations.hpp"

#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/iterator/function_output_iterator.hpp>
#include <boost/version.hpp>

#include "Peer.hpp"

namespace bg = boost::geometry;
namespace bgi = boost::geometry::index;

namespace {

/// The category rides along in what would be padding.
struct Tag {
  uint32_t id, category;
};

inline bool operator==(const Tag &a, const Tag &b) { return a.id == b.id; }

template <class Point> struct PackedTree {
  typedef std::pair<Point, Tag> Value;
  typedef bgi::rtree<Value, bgi::linear<16>> Tree;
  Tree tree;
  std::vector<std::pair<double, uint32_t>> found;

  template <class MakePoint> PackedTree(const Places &places, MakePoint point) {
    std::vector<Value> values;
    values.reserve(places.count);
    for (size_t id = 0; id < places.count; id++)
      values.emplace_back(
          point(places.longitude(id), places.latitude(id)),
          Tag{uint32_t(id), places.categories[id]});
    // The range constructor packs.
    tree = Tree(values.begin(), values.end());
  }

  /// The search gives its answer in the order of a heap; sorting it is part of the time.
  size_t nearest(const Point &origin, size_t k, int64_t category, uint32_t *ids) {
    found.clear();
    auto keep = boost::make_function_output_iterator([&](const Value &value) {
      found.emplace_back(bg::comparable_distance(origin, value.first), value.second.id);
    });
    if (category < 0) {
      tree.query(bgi::nearest(origin, unsigned(k)), keep);
    } else {
      const uint32_t wanted = uint32_t(category);
      tree.query(
          bgi::nearest(origin, unsigned(k)) &&
              bgi::satisfies([=](const Value &value) { return value.second.category == wanted; }),
          keep);
    }
    if (found.size() > 1) std::sort(found.begin(), found.end());
    for (size_t i = 0; i < found.size(); i++) ids[i] = found[i].second;
    return found.size();
  }
};

typedef bg::model::point<double, 3, bg::cs::cartesian> SpacePoint;
typedef bg::model::point<double, 2, bg::cs::cartesian> PlanePoint;
typedef bg::model::point<double, 2, bg::cs::geographic<bg::degree>> GeographicPoint;

SpacePoint spacePoint(double longitude, double latitude) {
  const Vector place(longitude, latitude);
  return SpacePoint(place.x, place.y, place.z);
}

struct SpaceTree final : CPeer {
  PackedTree<SpacePoint> packed;

  explicit SpaceTree(const Places &places) : packed(places, spacePoint) {}

  size_t nearest(
      double longitude, double latitude, size_t k, int64_t category, uint32_t *ids) override {
    return packed.nearest(spacePoint(longitude, latitude), k, category, ids);
  }

  size_t radius(double longitude, double latitude, double meters, uint32_t *ids) override {
    const Vector o(longitude, latitude);
    const SpacePoint origin(o.x, o.y, o.z);
    const double r = chord(meters), limit = r * r;
    const bg::model::box<SpacePoint> box(
        SpacePoint(o.x - r, o.y - r, o.z - r), SpacePoint(o.x + r, o.y + r, o.z + r));
    uint32_t *next = ids;
    packed.tree.query(
        bgi::intersects(box) && bgi::satisfies([&](const PackedTree<SpacePoint>::Value &value) {
          return bg::comparable_distance(origin, value.first) <= limit;
        }),
        boost::make_function_output_iterator(
            [&](const PackedTree<SpacePoint>::Value &value) { *next++ = value.second.id; }));
    return size_t(next - ids);
  }
};

struct PlaneTree final : CPeer {
  PackedTree<PlanePoint> packed;

  explicit PlaneTree(const Places &places)
      : packed(places, [](double x, double y) { return PlanePoint(x, y); }) {}

  size_t nearest(
      double longitude, double latitude, size_t k, int64_t category, uint32_t *ids) override {
    return packed.nearest(PlanePoint(longitude, latitude), k, category, ids);
  }

  size_t box(const double *box, uint32_t *ids) override {
    uint32_t *next = ids;
    packed.tree.query(
        bgi::intersects(
            bg::model::box<PlanePoint>(PlanePoint(box[0], box[1]), PlanePoint(box[2], box[3]))),
        boost::make_function_output_iterator(
            [&](const PackedTree<PlanePoint>::Value &value) { *next++ = value.second.id; }));
    return size_t(next - ids);
  }
};

struct GeographicTree final : CPeer {
  PackedTree<GeographicPoint> packed;

  explicit GeographicTree(const Places &places)
      : packed(places, [](double x, double y) { return GeographicPoint(x, y); }) {}

  size_t nearest(
      double longitude, double latitude, size_t k, int64_t category, uint32_t *ids) override {
    return packed.nearest(GeographicPoint(longitude, latitude), k, category, ids);
  }
};

}  // namespace

const Entry boostSpace = {
    {"boost-3d", BOOST_LIB_VERSION, "unit vectors, doubles, packed, nodes of 16",
     CPeerMeasureSphere, anyK, true, false, true},
    [](const Places &places) -> CPeer * { return new SpaceTree(places); }};

const Entry boostPlane = {
    {"boost-2d", BOOST_LIB_VERSION, "degrees as a plane, doubles, packed, nodes of 16",
     CPeerMeasurePlane, anyK, true, true, false},
    [](const Places &places) -> CPeer * { return new PlaneTree(places); }};

const Entry boostGeographic = {
    {"boost-geographic", BOOST_LIB_VERSION,
     "geographic degrees, its default (Andoyer) distance, packed, nodes of 16",
     CPeerMeasureGeographic, anyK, true, false, false},
    [](const Places &places) -> CPeer * { return new GeographicTree(places); }};
