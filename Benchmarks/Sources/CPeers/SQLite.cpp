// SQLite: its R*Tree in memory, over degrees for boxes and over unit vectors for the rest.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <sqlite3.h>

#include "Peer.hpp"

namespace {

/// An R*Tree table in memory. It holds floats, rounded outward: what it finds is a little more
/// than what was asked for, and the caller tells by the doubles.
struct Table {
  sqlite3 *database = nullptr;
  sqlite3_stmt *query = nullptr;

  explicit Table(const char *columns) {
    check(sqlite3_open_v2(
        ":memory:", &database,
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr));
    run("PRAGMA journal_mode = OFF");
    run("PRAGMA page_size = 4096");
    run((std::string("CREATE VIRTUAL TABLE places USING rtree(id, ") + columns + ")").c_str());
  }

  ~Table() {
    sqlite3_finalize(query);
    sqlite3_close(database);
  }

  void check(int status) {
    if (status == SQLITE_OK || status == SQLITE_DONE || status == SQLITE_ROW) return;
    std::fprintf(stderr, "SQLite: %s\n", sqlite3_errmsg(database));
    std::abort();
  }

  void run(const char *sql) { check(sqlite3_exec(database, sql, nullptr, nullptr, nullptr)); }

  sqlite3_stmt *prepared(const char *sql) {
    sqlite3_stmt *statement = nullptr;
    check(sqlite3_prepare_v2(database, sql, -1, &statement, nullptr));
    return statement;
  }

  /// Inserts everything in one transaction; `bind` binds parameters from the second on.
  template <class Bind> void fill(const std::vector<uint32_t> &order, const char *sql, Bind bind) {
    run("BEGIN");
    sqlite3_stmt *insert = prepared(sql);
    for (const uint32_t id : order) {
      sqlite3_bind_int64(insert, 1, sqlite3_int64(id));
      bind(insert, id);
      check(sqlite3_step(insert));
      sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    run("COMMIT");
  }

  /// Calls `body` with each id of the prepared query until it says false.
  template <class Body> void forEachRow(Body body) {
    int status;
    while ((status = sqlite3_step(query)) == SQLITE_ROW)
      if (!body(uint32_t(sqlite3_column_int64(query, 0)))) break;
    check(status);
    sqlite3_reset(query);
  }
};

/// The ids along a Z-order curve over degrees: filled in this order, a table answers boxes in three
/// quarters of the time.
std::vector<uint32_t> alongCurve(const Places &places) {
  const auto spread = [](double part) {
    uint64_t bits = uint64_t(std::min(std::max(part, 0.0), 1.0) * double(UINT32_MAX));
    bits = (bits | bits << 16) & 0x0000ffff0000ffff;
    bits = (bits | bits << 8) & 0x00ff00ff00ff00ff;
    bits = (bits | bits << 4) & 0x0f0f0f0f0f0f0f0f;
    bits = (bits | bits << 2) & 0x3333333333333333;
    return (bits | bits << 1) & 0x5555555555555555;
  };
  std::vector<std::pair<uint64_t, uint32_t>> codes;
  codes.reserve(places.count);
  for (size_t id = 0; id < places.count; id++) {
    const uint64_t x = spread((places.longitude(id) + 180) / 360);
    const uint64_t y = spread((places.latitude(id) + 90) / 180);
    codes.emplace_back(x << 1 | y, uint32_t(id));
  }
  std::sort(codes.begin(), codes.end());
  std::vector<uint32_t> order;
  order.reserve(codes.size());
  for (const auto &code : codes) order.push_back(code.second);
  return order;
}

struct PlaneTable final : CPeer {
  const Places places;
  Table table{"west, east, south, north"};

  explicit PlaneTable(const Places &places) : places(places) {
    table.fill(
        alongCurve(places), "INSERT INTO places VALUES (?1, ?2, ?2, ?3, ?3)",
        [&](sqlite3_stmt *insert, size_t id) {
          sqlite3_bind_double(insert, 2, places.longitude(id));
          sqlite3_bind_double(insert, 3, places.latitude(id));
        });
    table.query = table.prepared(
        "SELECT id FROM places WHERE east >= ?1 AND north >= ?2 AND west <= ?3 AND south <= ?4");
  }

  size_t box(const double *box, uint32_t *ids) override {
    for (int side = 0; side < 4; side++) sqlite3_bind_double(table.query, side + 1, box[side]);
    size_t count = 0;
    table.forEachRow([&](uint32_t id) {
      const double longitude = places.longitude(id), latitude = places.latitude(id);
      ids[count] = id;
      count += longitude >= box[0] && longitude <= box[2] && latitude >= box[1] &&
               latitude <= box[3];
      return true;
    });
    return count;
  }
};

struct SpaceTable final : CPeer {
  const Places places;
  std::vector<Vector> vectors;
  std::vector<std::pair<double, uint32_t>> found;
  Table table{"x0, x1, y0, y1, z0, z1"};

  /// What the callback measures by: boxes beyond the limit are passed over.
  struct Origin {
    Vector place;
    double limit;
    bool inOrder;
  } origin;

  /// More than the floats of a unit vector may be off.
  static constexpr double rounding = 4e-7;

  explicit SpaceTable(const Places &places) : places(places) {
    vectors.reserve(places.count);
    for (size_t id = 0; id < places.count; id++)
      vectors.emplace_back(places.longitude(id), places.latitude(id));
    table.check(
        sqlite3_rtree_query_callback(table.database, "near", measure, &origin, nullptr));
    table.fill(
        alongCurve(places), "INSERT INTO places VALUES (?1, ?2, ?2, ?3, ?3, ?4, ?4)",
        [&](sqlite3_stmt *insert, size_t id) {
          sqlite3_bind_double(insert, 2, vectors[id].x);
          sqlite3_bind_double(insert, 3, vectors[id].y);
          sqlite3_bind_double(insert, 4, vectors[id].z);
        });
    table.query = table.prepared("SELECT id FROM places WHERE id MATCH near()");
  }

  /// Scores a box by its least squared chord, so that rows come nearest first.
  static int measure(sqlite3_rtree_query_info *info) {
    const Origin &origin = *static_cast<Origin *>(info->pContext);
    const sqlite3_rtree_dbl *box = info->aCoord;
    const double dx = std::max({box[0] - origin.place.x, origin.place.x - box[1], 0.0});
    const double dy = std::max({box[2] - origin.place.y, origin.place.y - box[3], 0.0});
    const double dz = std::max({box[4] - origin.place.z, origin.place.z - box[5], 0.0});
    const double least = dx * dx + dy * dy + dz * dz;
    info->eWithin = least <= origin.limit ? PARTLY_WITHIN : NOT_WITHIN;
    // Where no order is asked for, depth first keeps the queue short.
    info->rScore = origin.inOrder ? least : info->iLevel;
    return SQLITE_OK;
  }

  size_t nearest(
      double longitude, double latitude, size_t k, int64_t category, uint32_t *ids) override {
    origin = Origin{Vector(longitude, latitude), 5, true};
    found.clear();
    table.forEachRow([&](uint32_t id) {
      const double measure = vectors[id].squaredChord(origin.place);
      if (found.size() == k && std::sqrt(measure) - rounding > std::sqrt(found[0].first))
        return false;
      if (category >= 0 && places.categories[id] != uint32_t(category)) return true;
      if (found.size() == k) {
        if (measure >= found[0].first) return true;
        std::pop_heap(found.begin(), found.end());
        found.back() = {measure, id};
      } else {
        found.emplace_back(measure, id);
      }
      std::push_heap(found.begin(), found.end());
      if (found.size() == k) origin.limit = found[0].first;
      return true;
    });
    std::sort_heap(found.begin(), found.end());
    for (size_t i = 0; i < found.size(); i++) ids[i] = found[i].second;
    return found.size();
  }

  size_t radius(double longitude, double latitude, double meters, uint32_t *ids) override {
    const double limit = chord(meters) * chord(meters);
    origin = Origin{Vector(longitude, latitude), limit, false};
    size_t count = 0;
    table.forEachRow([&](uint32_t id) {
      ids[count] = id;
      count += vectors[id].squaredChord(origin.place) <= limit;
      return true;
    });
    return count;
  }
};

}  // namespace

const Entry sqlitePlane = {
    {"sqlite-rtree-2d", SQLITE_VERSION,
     "in memory, degrees, filled along a Z-order curve, told apart by the doubles",
     CPeerMeasurePlane, 0, false, true, false},
    [](const Places &places) -> CPeer * { return new PlaneTable(places); }};

const Entry sqliteSpace = {
    {"sqlite-rtree-3d", SQLITE_VERSION,
     "in memory, unit vectors, filled along a Z-order curve, rows in order of a query callback, "
     "told apart by the doubles",
     CPeerMeasureSphere, anyK, true, false, true},
    [](const Places &places) -> CPeer * { return new SpaceTable(places); }};
