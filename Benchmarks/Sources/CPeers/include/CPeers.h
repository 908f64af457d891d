// The rivals behind one C interface: build an index from two arrays, ask it, copy ids out.
#ifndef CPEERS_H
#define CPEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An index that a peer has built.
typedef struct CPeer CPeer;

/// What a peer's "nearest" and "within" are measured in.
typedef enum {
  /// The sphere of radius 6,371,008.8 m; chords in three dimensions order alike.
  CPeerMeasureSphere,
  /// Degrees as if they were a plane.
  CPeerMeasurePlane,
  /// The peer's own approximation of the geodesic on WGS 84.
  CPeerMeasureGeographic,
  /// Straight lines through the earth between places on WGS 84.
  CPeerMeasureChord,
} CPeerMeasure;

/// What is known of a peer before it is built.
typedef struct {
  const char *name;
  const char *version;
  /// The settings that were found best, in words.
  const char *settings;
  CPeerMeasure measure;
  /// The greatest k of its k-nearest search; 0 where it has none.
  size_t greatestK;
  bool filters, boxes, radius;
} CPeerKind;

/// What a build of the peers can do.
typedef struct {
  size_t kindCount;
  const CPeerKind *_Nonnull (*_Nonnull kind)(size_t kind);

  /// Builds an index completely, also where the peer would put that off to the first query.
  ///
  /// `points` holds longitude and latitude in degrees; both arrays must outlive the index.
  CPeer *_Nullable (*_Nonnull build)(size_t kind, const double *points, const uint32_t *categories, size_t count);
  void (*_Nonnull free)(CPeer *_Nonnull peer);

  /// Each writes ids and returns how many; `ids` must have room for all points.
  /// A negative category means any.
  size_t (*_Nonnull nearest)(
      CPeer *peer, double longitude, double latitude, size_t k, int64_t category, uint32_t *ids);
  /// `box`: west, south, east, north; borders belong to it.
  size_t (*_Nonnull box)(CPeer *peer, const double *box, uint32_t *ids);
  size_t (*_Nonnull radius)(CPeer *peer, double longitude, double latitude, double meters, uint32_t *ids);
} CPeerTable;

/// The peers of this build. There are two builds of them: the one that the program is linked with, and a
/// library of its own with the compiler's best flags, where this function is looked up by its name.
__attribute__((visibility("default"))) const CPeerTable *cpeer_table(void);

/// The peers in a library; null where it is not there or is none of ours.
const CPeerTable *cpeer_open(const char *library);

/// Has large blocks come from the system and go back to it at once, so that the resident set tells
/// what is in use; or, with false, has them kept, as glibc does by itself once one was freed.
void cpeer_return_large_blocks(bool atOnce);

/// The resident set of the process after unused heap went back; 0 where the system does not say.
size_t cpeer_resident_bytes(void);

#ifdef __cplusplus
}
#endif
#endif
