// The peers in the order of the tables, and the C interface to them.
#include "Peer.hpp"

#ifdef __linux__
#include <malloc.h>
#include <unistd.h>
#endif

static const Entry *const kinds[] = {
    &nanoflann10, &nanoflann16, &nanoflann32,     &cgal,        &boostSpace, &boostPlane,
    &geosTree,    &s2Index,     &boostGeographic, &sqliteSpace, &sqlitePlane,
};

size_t cpeer_kind_count(void) { return sizeof kinds / sizeof kinds[0]; }
const CPeerKind *cpeer_kind(size_t kind) { return &kinds[kind]->kind; }

CPeer *cpeer_build(size_t kind, const double *points, const uint32_t *categories, size_t count) {
  return kinds[kind]->build(Places{points, categories, count});
}

void cpeer_free(CPeer *peer) { delete peer; }

size_t cpeer_nearest(
    CPeer *peer, double longitude, double latitude, size_t k, int64_t category, uint32_t *ids) {
  return peer->nearest(longitude, latitude, k, category, ids);
}

size_t cpeer_box(CPeer *peer, const double *box, uint32_t *ids) { return peer->box(box, ids); }

size_t cpeer_radius(
    CPeer *peer, double longitude, double latitude, double meters, uint32_t *ids) {
  return peer->radius(longitude, latitude, meters, ids);
}

void cpeer_return_large_blocks(bool atOnce) {
#ifdef __GLIBC__
  // The limits glibc starts with, and those its own adjustment ends at.
  mallopt(M_MMAP_THRESHOLD, atOnce ? 128 << 10 : 32 << 20);
  mallopt(M_TRIM_THRESHOLD, atOnce ? 128 << 10 : 64 << 20);
#endif
}

size_t cpeer_resident_bytes(void) {
#ifdef __linux__
  malloc_trim(0);
  long total = 0, resident = 0;
  if (FILE *file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &total, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return size_t(resident) * size_t(sysconf(_SC_PAGESIZE));
#else
  return 0;
#endif
}
