// nanoflann: a kd-tree over unit vectors, whose chords order as distances on the sphere do, or over
// places on WGS 84.
#include <memory>
#include <vector>

#include <nanoflann.hpp>

#include "Peer.hpp"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

namespace {

struct Cloud {
  std::vector<Vector> places;

  size_t kdtree_get_point_count() const { return places.size(); }
  double kdtree_get_pt(size_t id, size_t axis) const { return (&places[id].x)[axis]; }
  template <class Box> bool kdtree_get_bbox(Box &) const { return false; }
};

typedef nanoflann::KDTreeSingleIndexAdaptor<
    nanoflann::L2_Simple_Adaptor<double, Cloud, double, uint32_t>, Cloud, 3, uint32_t>
    Tree;

/// The library's own result set, behind a test of the category.
struct OneCategory {
  nanoflann::KNNResultSet<double, uint32_t, size_t> &set;
  const uint32_t *categories;
  uint32_t category;

  size_t size() const { return set.size(); }
  bool full() const { return set.full(); }
  double worstDist() const { return set.worstDist(); }
  bool addPoint(double distance, uint32_t id) {
    return categories[id] != category || set.addPoint(distance, id);
  }
};

/// Ids within a squared chord, straight into the caller's array.
struct Within {
  double limit;
  uint32_t *ids;
  size_t count = 0;

  size_t size() const { return count; }
  bool full() const { return true; }
  double worstDist() const { return limit; }
  bool addPoint(double, uint32_t id) {
    ids[count++] = id;
    return true;
  }
};

/// The place of a longitude and a latitude in space.
typedef Vector MakeVector(double longitude, double latitude);

Vector onSphere(double longitude, double latitude) { return Vector(longitude, latitude); }

template <MakeVector vector> struct Nanoflann final : CPeer {
  const Places places;
  Cloud cloud;
  std::unique_ptr<Tree> tree;
  std::vector<double> distances;

  Nanoflann(const Places &places, size_t leafSize) : places(places) {
    cloud.places.reserve(places.count);
    for (size_t id = 0; id < places.count; id++)
      cloud.places.push_back(vector(places.longitude(id), places.latitude(id)));
    tree.reset(new Tree(3, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(leafSize)));
    tree->buildIndex();
  }

  size_t nearest(
      double longitude, double latitude, size_t k, int64_t category, uint32_t *ids) override {
    const Vector origin = vector(longitude, latitude);
    distances.resize(k);
    nanoflann::KNNResultSet<double, uint32_t, size_t> set(k);
    set.init(ids, distances.data());
    if (category < 0) {
      tree->findNeighbors(set, &origin.x, nanoflann::SearchParams());
    } else {
      OneCategory filtered{set, places.categories, uint32_t(category)};
      tree->findNeighbors(filtered, &origin.x, nanoflann::SearchParams());
    }
    return set.size();
  }

  size_t radius(double longitude, double latitude, double meters, uint32_t *ids) override {
    const Vector origin = vector(longitude, latitude);
    const double limit = chord(meters);
    // The tree takes what lies below the limit; the limit itself belongs to the circle.
    Within within{std::nextafter(limit * limit, 5.0), ids};
    tree->findNeighbors(within, &origin.x, nanoflann::SearchParams(32, 0, false));
    return within.count;
  }
};

template <size_t leafSize, MakeVector vector = onSphere> CPeer *build(const Places &places) {
  return new Nanoflann<vector>(places, leafSize);
}

constexpr CPeerKind kind(const char *name, const char *settings) {
  return {name, TEXT(NANOFLANN_VERSION), settings, CPeerMeasureSphere, anyK, true, false, true};
}

/// A distance on the ground is no chord of one length, so circles are left out.
constexpr CPeerKind chordKind(const char *name, const char *settings) {
  return {name, TEXT(NANOFLANN_VERSION), settings, CPeerMeasureChord, anyK, true, false, false};
}

}  // namespace

#define SETTINGS "doubles, L2_Simple, 32-bit ids, leaf "
const Entry nanoflann10 = {kind("nanoflann-3d-10", "unit vectors, " SETTINGS "10"), build<10>};
const Entry nanoflann16 = {kind("nanoflann-3d-16", "unit vectors, " SETTINGS "16"), build<16>};
const Entry nanoflann32 = {kind("nanoflann-3d-32", "unit vectors, " SETTINGS "32"), build<32>};
const Entry nanoflannChord10 = {
    chordKind("nanoflann-ecef-10", "meters on WGS 84, " SETTINGS "10"),
    build<10, Vector::onEllipsoid>};
const Entry nanoflannChord32 = {
    chordKind("nanoflann-ecef-32", "meters on WGS 84, " SETTINGS "32"),
    build<32, Vector::onEllipsoid>};
