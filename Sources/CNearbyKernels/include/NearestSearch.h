// The search for up to sixteen nearest, as a whole: one text, compiled for several sets of
// instructions, of which the processor chooses when the program runs.
//
// A call of a kernel that looks at sixteen lanes costs as much as wider vectors save. A call of a
// search does not: NearestSearch.inc says how it goes, LocalSearch.swift why its
// answer is right. Every set of instructions gives the same answer bit for bit: nothing is fused.

#ifndef NEARBY_NEAREST_SEARCH_H
#define NEARBY_NEAREST_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Sets of instructions that the search is compiled for.
enum {
  /// What the target has: SSE2 on x86-64, NEON on arm64.
  NEARBY_LEVEL_TARGET = 0,
  NEARBY_LEVEL_AVX2 = 1,
  /// AVX-512 of Ice Lake, Zen 4 and later; processors before them slow down for it.
  NEARBY_LEVEL_AVX512 = 2,
};

/// The greatest level this processor has; all below it are there, too.
int32_t nearby_greatest_level(void);

/// Asked to look at memory before it is read for the first time.
typedef void (*nearby_check)(const void *context, const void *memory, size_t size);

/// Where a tree lies; `TreeSections` says how.
typedef struct {
  const void *groups, *leaves;
  /// The first geohash of 64 bits below each node, sixteen a group, where positions stand in their
  /// order; null otherwise.
  const uint64_t *node_codes;
  /// Where the groups of each level begin among all groups.
  int32_t group_offsets[8];
  /// Where walks begin.
  int32_t first_level;
  /// Whether leaves hold whole 1e-7 degrees; otherwise doubles.
  bool is_decimal;
  /// No position that is handed out is greater.
  uint32_t greatest_position;
  /// How many slots hold a position; all of them do but the last ones.
  uint32_t position_count;
  /// None for memory that needs no look.
  nearby_check check;
  const void *context;
} nearby_tree;

/// Asked whether a position counts.
typedef bool (*nearby_ask)(const void *context, uint32_t position);

/// Which positions of a tree count: those of some categories, those that somebody says, or both.
typedef struct {
  /// None where nobody is asked.
  nearby_ask ask;
  const void *context;
  /// Null, all of what follows, where categories do not matter.
  uint64_t categories;
  /// The union of the categories below each node, 8 bytes each, sixteen a group.
  const void *node_sets;
  /// What each slot belongs to: a code of one byte, or the set itself, of eight.
  const void *slot_sets;
  bool is_coded;
  /// The codes of sets with one of the categories: all as bits, and the first eight for themselves.
  uint64_t coded[4];
  int32_t code_count;
  uint8_t codes[8];
} nearby_filter;

/// Finds the codes that stand for sets with one of the filter's categories.
///
/// - Parameters:
///   - table: The sets, 8 bytes each.
///   - count: How many, at most 256.
void nearby_code(nearby_filter *filter, const void *table, int32_t count);

/// A flat Earth and what it may be wrong by.
typedef struct {
  nearby_metric metric;
  float position_error, node_slope, node_error, squared_reach;
} nearby_local;

/// What is farther than 400 km is found sooner by distances on the ground, unless there is little of it;
/// in square meters.
static const float nearby_nearest_reach = 1.6e11f;

enum { NEARBY_LENT_BYTES = 40960 };

/// Calls `body` with `NEARBY_LENT_BYTES` of the stack, aligned to 64 bytes, of which nothing is touched: a search
/// needs little of what it must be ready for, and asking the system for all of it takes longer than some answers.
void nearby_lend(void (*body)(void *memory, void *context), void *context);

/// How a search ended.
typedef enum {
  /// In order: positions were written.
  NEARBY_FOUND = 0,
  /// The candidates hold the answer, but some of them have yet to be told apart.
  NEARBY_TIED = 1,
  /// More were too close to the last one to be kept.
  NEARBY_LOST = 2,
  /// The answer lies beyond what the metric can judge, or there is none.
  NEARBY_BEYOND = 3,
  /// All questions of a batch are answered, or everything in an area is found.
  NEARBY_DONE = 4,
  /// There is no room for what comes next.
  NEARBY_FULL = 5,
} nearby_outcome;

enum { NEARBY_MOST_LANES = 24, NEARBY_WALKS = 8 };

/// A part of the order of geohashes, ends included.
typedef struct {
  uint64_t least, greatest;
} nearby_stretch;

/// One walk down the tree, best aligned to 64 bytes.
typedef struct {
  /// Bits of flat squares above slots, ascending: the nearest so far. For the caller once the walk has
  /// ended well, `count` of them.
  uint64_t keys[NEARBY_MOST_LANES + 8];
  /// For each level the gaps to sixteen siblings, naming their lanes; infinite once visited.
  float gaps[8][16];
  nearby_local local;
  /// Nodes and positions beyond these have no part in the answer.
  float node_limit, position_limit;
  /// By what part of themselves squares may differ and yet tie, per square meter.
  float growth;
  /// For each level the group whose gaps stand there.
  int32_t groups[8];
  int32_t level, next;
  bool is_at_leaf;
  /// Whether the walk goes down to the origin's place in the order of geohashes, which that is, and
  /// between which places the answer lies.
  bool is_descending;
  uint64_t code;
  nearby_stretch stretch;
  /// The node limit that the stretch was made for; infinite before that.
  float stretch_limit;
  /// The least key that was dropped.
  uint64_t lost;
  /// For the caller: which question of a batch this is; how many candidates; what was done.
  uint32_t question, count;
  uint32_t node_groups_tested, leaves_read, candidates;
  /// By how much more than positions gaps may be wrong up to the limits.
  float bend;
  /// Whether that is so much that gaps are made sharp, and for which levels they are, as bits.
  uint32_t is_far, sharp;
  /// Up to whole cache lines.
  uint64_t room[4];
} nearby_walk;

/// Finds the nearest positions.
///
/// - Parameters:
///   - walk: Its `local` is set, nothing else.
///   - limit: How many, 1 to 16.
///   - filter: Null where every position counts.
///   - positions: Room for `limit`; null where candidates are wanted and their order does not matter.
nearby_outcome nearby_find(
    int32_t level, const nearby_tree *tree, nearby_walk *walk, int32_t limit,
    const nearby_filter *filter, uint32_t *positions);

/// Writes the keys of all positions that may be in the answer of a walk that lost some.
///
/// - Parameters:
///   - walk: One that ended as `NEARBY_LOST`.
///   - filter: The walk's.
///   - keys: Room for `capacity`; in no particular order.
/// - Returns: How many; -1 where there is no room for them.
int32_t nearby_collect(
    int32_t level, const nearby_tree *tree, const nearby_walk *walk, const nearby_filter *filter,
    uint64_t *keys, int32_t capacity);

/// Those of some slots of a leaf, given as bits, that count by their categories.
uint32_t nearby_slots_in_categories(
    const nearby_tree *tree, const nearby_filter *filter, size_t leaf, uint32_t bits);

/// Asked whether the object in a slot of a live leaf counts.
typedef bool (*nearby_live_ask)(const void *context, const void *leaf, int64_t slot);

/// A question to a live tree.
typedef struct {
  double latitude, longitude;
  /// How many, 1 to 16.
  int32_t limit;
  /// Whether objects must belong to one of some categories, and to which.
  bool has_categories;
  uint64_t categories;
  /// What expires at this instant or before does not count.
  double now;
  /// What is farther, in square meters, is not wanted.
  float squared_reach;
  /// None where nobody is asked.
  nearby_live_ask ask;
  const void *context;
} nearby_live_question;

/// A slot of a leaf that may be in the answer.
typedef struct {
  const void *leaf;
  int64_t slot;
} nearby_live_candidate;

/// How many candidates a search of a live tree wrote, and what it did.
typedef struct {
  int32_t count;
  uint32_t node_groups_tested, leaves_read, candidates;
} nearby_live_report;

/// Finds the nearest objects of a live tree.
///
/// - Parameters:
///   - root: A block.
///   - ids: Room for as many as are asked for; null where candidates are wanted.
///   - candidates: Room for `NEARBY_MOST_LANES`; written when they are wanted, and when they tie.
///   - report: Gets how many of them there are, and what the search did.
/// - Returns: `NEARBY_LOST`, too, for a tree that is too high or an answer from too many leaves.
nearby_outcome nearby_find_live(
    int32_t level, const void *root, const nearby_live_question *question, uint64_t *ids,
    nearby_live_candidate *candidates, nearby_live_report *report);

/// Questions answered eight at a time, so that each waits for its memory while the others work.
typedef struct {
  nearby_walk walks[NEARBY_WALKS];
  /// The flat Earths of the questions that come next, and how many of them were taken.
  nearby_local locals[NEARBY_WALKS];
  int32_t taken;
  const nearby_tree *tree;
  /// Null where every position counts.
  const nearby_filter *filter;
  /// Latitudes and longitudes of all questions.
  const double *origins;
  /// Which questions to ask, in this order.
  const uint32_t *next, *end;
  /// Room for `limit` positions for each of all questions.
  uint32_t *positions;
  int32_t limit;
  /// The walks under way, and whose turn it is.
  uint8_t active[NEARBY_WALKS];
  int32_t walking, turn;
  bool has_begun;
} nearby_batch;

/// Begins with a batch.
///
/// - Parameters:
///   - tree: Stays where it is.
///   - filter: Stays where it is; null where every position counts.
///   - origins: Latitudes and longitudes of all questions.
///   - order: Which questions to ask, one after another, and how many.
///   - positions: Room for `limit` positions for each of all questions.
void nearby_begin(
    nearby_batch *batch, const nearby_tree *tree, const nearby_filter *filter, const double *origins,
    const uint32_t *order, size_t count, int32_t limit, uint32_t *positions);

/// Answers questions until one of them needs the caller, or all are answered.
///
/// - Parameter walk: Gets the walk that needs the caller and ended as the result says; it stays as it
///   is until the next call.
nearby_outcome nearby_next(int32_t level, nearby_batch *batch, const nearby_walk **walk);

/// The flat Earths round eight origins; LocalSearch.swift has the formulas.
void nearby_locals(
    int32_t level, const double *latitudes, const double *longitudes, nearby_local *locals);

/// The flat Earth round one.
void nearby_local_at(double latitude, double longitude, nearby_local *local);

#endif
