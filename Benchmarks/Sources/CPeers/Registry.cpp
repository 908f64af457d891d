// The peers in the order of the tables, and the C interface to them.
#include "Peer.hpp"

#include <dlfcn.h>

#ifdef __linux__
#include <malloc.h>
#include <unistd.h>
#endif

static const Entry *const kinds[] = {
    &nanoflann10,   &nanoflann16, &nanoflann32,    &nanoflannChord10, &nanoflannChord32,
    &nanoflannEach, &cgal,        &cgalEach,       &boostSpace,       &boostSpaceEach,
    &boostPlane,    &geosTree,    &s2Index,        &s2Each,           &boostGeographic,
    &sqliteSpace,   &sqlitePlane,
};

static const CPeerKind *kind(size_t number) { return &kinds[number]->kind; }

static CPeer *build(
    size_t kind, const double *points, const uint32_t *categories, size_t count) {
  return kinds[kind]->build(Places{points, categories, count});
}

static void release(CPeer *peer) { delete peer; }

static size_t nearest(
    CPeer *peer, double longitude, double latitude, size_t k, int64_t category, uint32_t *ids) {
  return peer->nearest(longitude, latitude, k, category, ids);
}

static size_t box(CPeer *peer, const double *box, uint32_t *ids) { return peer->box(box, ids); }

static size_t radius(
    CPeer *peer, double longitude, double latitude, double meters, uint32_t *ids) {
  return peer->radius(longitude, latitude, meters, ids);
}

const CPeerTable *cpeer_table(void) {
  static const CPeerTable table = {
      sizeof kinds / sizeof kinds[0], kind, build, release, nearest, box, radius};
  return &table;
}

const CPeerTable *cpeer_open(const char *library) {
  // Its own copies of inline functions come first, or both builds would run the same ones.
  void *opened = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (!opened) return nullptr;
  auto table = reinterpret_cast<const CPeerTable *(*)()>(dlsym(opened, "cpeer_table"));
  return table ? table() : nullptr;
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
