// CGAL: a kd-tree over unit vectors, built before it is asked.
#include <vector>

#include <CGAL/Dimension.h>
#include <CGAL/Fuzzy_sphere.h>
#include <CGAL/Kd_tree.h>
#include <CGAL/Orthogonal_k_neighbor_search.h>
#include <CGAL/Search_traits.h>
#include <CGAL/version.h>

#include "Peer.hpp"

namespace {

struct Site {
  Vector place;
  uint32_t id = 0;
};

struct Coordinates {
  typedef const double *result_type;
  const double *operator()(const Site &site) const { return &site.place.x; }
  const double *operator()(const Site &site, int) const { return &site.place.x + 3; }
};

typedef CGAL::Search_traits<double, Site, const double *, Coordinates, CGAL::Dimension_tag<3>>
    Traits;
typedef CGAL::Euclidean_distance<Traits> Distance;
typedef CGAL::Sliding_midpoint<Traits> Splitter;
/// Extended nodes, and the coordinates copied leaf by leaf.
typedef CGAL::Kd_tree<Traits, Splitter, CGAL::Tag_true, CGAL::Tag_true> Tree;
typedef CGAL::Orthogonal_k_neighbor_search<Traits, Distance, Splitter, Tree> Search;
typedef CGAL::Fuzzy_sphere<Traits> Sphere;

/// An output iterator that keeps the ids of what it is given.
struct IDs {
  typedef std::output_iterator_tag iterator_category;
  typedef void value_type, difference_type, pointer, reference;
  uint32_t *next;

  IDs &operator*() { return *this; }
  IDs &operator++() { return *this; }
  IDs &operator++(int) { return *this; }
  IDs &operator=(const Site &site) {
    *next++ = site.id;
    return *this;
  }
};

struct CGALTree final : CPeer {
  Tree tree{Splitter(32)};

  explicit CGALTree(const Places &places) {
    tree.reserve(places.count);
    for (size_t id = 0; id < places.count; id++)
      tree.insert(Site{Vector(places.longitude(id), places.latitude(id)), uint32_t(id)});
    tree.build();
  }

  size_t nearest(double longitude, double latitude, size_t k, int64_t, uint32_t *ids) override {
    Search search(tree, Site{Vector(longitude, latitude)}, unsigned(k));
    size_t count = 0;
    for (const auto &found : search) ids[count++] = found.first.id;
    return count;
  }

  size_t radius(double longitude, double latitude, double meters, uint32_t *ids) override {
    const IDs end =
        tree.search(IDs{ids}, Sphere(Site{Vector(longitude, latitude)}, chord(meters), 0));
    return size_t(end.next - ids);
  }
};

}  // namespace

const Entry cgal = {
    {"cgal-3d", CGAL_VERSION_STR,
     "unit vectors, doubles, sliding midpoint, buckets of 32, points cached", CPeerMeasureSphere,
     anyK, false, false, true},
    [](const Places &places) -> CPeer * { return new CGALTree(places); }};
