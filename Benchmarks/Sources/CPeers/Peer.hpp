// What every peer implements, and what they share.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "CPeers.h"

/// The two arrays an index is built from; they belong to the caller and stay.
struct Places {
  const double *degrees;
  const uint32_t *categories;
  size_t count;

  double longitude(size_t id) const { return degrees[2 * id]; }
  double latitude(size_t id) const { return degrees[2 * id + 1]; }
};

/// A peer answers what its kind says it can; anything else ends the program.
struct CPeer {
  virtual ~CPeer() {}

  virtual size_t nearest(double, double, size_t, int64_t, uint32_t *) { unsupported("nearest"); }
  virtual size_t box(const double *, uint32_t *) { unsupported("box"); }
  virtual size_t radius(double, double, double, uint32_t *) { unsupported("radius"); }

  [[noreturn]] static void unsupported(const char *operation) {
    std::fprintf(stderr, "a peer was asked for %s, which it has not\n", operation);
    std::abort();
  }
};

/// The radius of the sphere that all peers use, in meters.
constexpr double earthRadius = 6371008.8;

/// A place on the unit sphere.
struct Vector {
  double x, y, z;

  Vector() : x(0), y(0), z(0) {}

  Vector(double longitude, double latitude) {
    constexpr double degree = M_PI / 180;
    const double lambda = longitude * degree, phi = latitude * degree;
    x = std::cos(phi) * std::cos(lambda);
    y = std::cos(phi) * std::sin(lambda);
    z = std::sin(phi);
  }

  /// A place on WGS 84, in meters from the middle of the earth.
  static Vector onEllipsoid(double longitude, double latitude) {
    constexpr double degree = M_PI / 180, flattening = 1 / 298.257223563;
    constexpr double squaredEccentricity = flattening * (2 - flattening);
    const double lambda = longitude * degree, phi = latitude * degree;
    const double normal =
        6378137.0 / std::sqrt(1 - squaredEccentricity * std::sin(phi) * std::sin(phi));
    Vector vector;
    vector.x = normal * std::cos(phi) * std::cos(lambda);
    vector.y = normal * std::cos(phi) * std::sin(lambda);
    vector.z = normal * (1 - squaredEccentricity) * std::sin(phi);
    return vector;
  }

  double squaredChord(const Vector &other) const {
    const double dx = x - other.x, dy = y - other.y, dz = z - other.z;
    return dx * dx + dy * dy + dz * dz;
  }
};

/// The chord, on the unit sphere, of a distance along the earth.
inline double chord(double meters) { return 2 * std::sin(meters / earthRadius / 2); }

/// Where k-nearest searches have no limit.
constexpr size_t anyK = size_t(1) << 32;

/// A peer's kind and how to build it. Every file registers its own in `kinds` of Registry.cpp.
struct Entry {
  CPeerKind kind;
  CPeer *(*build)(const Places &);
};

extern const Entry nanoflann10, nanoflann16, nanoflann32, nanoflannChord10, nanoflannChord32;
extern const Entry nanoflannEach, cgalEach, boostSpaceEach, s2Each;
extern const Entry cgal;
extern const Entry boostSpace, boostPlane, boostGeographic;
extern const Entry geosTree;
extern const Entry s2Index;
extern const Entry sqlitePlane, sqliteSpace;
