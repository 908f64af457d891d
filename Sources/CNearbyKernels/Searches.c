#include "CNearbyKernels.h"

// Windows has nobody to ask what the processor can do.
#if defined(__x86_64__) && !defined(_WIN32)
#define NEARBY_HAS_LEVELS 1
#else
#define NEARBY_HAS_LEVELS 0
#endif

_Static_assert(sizeof(nearby_walk) % 64 == 0, "walks lie in whole cache lines");

/// A key that is greater than all others. As a double it is a finite one.
static const uint64_t nearby_no_key = (uint64_t)0x7f800000 << 32;

/// How many degrees of latitude there are at most to a meter, for what is near.
static const float nearby_band = 1.1f / 6335439.0f * 57.29578f * 1.0001f;

/// From such a bend and so many leaves on, gaps are made sharp: before that, it costs more than a leaf.
static const float nearby_far = 1e-2f;
enum { nearby_many_leaves = 4 };

/// A search for what is farther than `nearby_nearest_reach` gives up after this many leaves.
enum { nearby_most_leaves = 32 };

/// The equatorial radius in meters, and the polar one for each meter of it.
static const double nearby_axis = 6378137.0, nearby_axis_ratio = 1 - 1 / 298.257223563;

/// What sharp gaps are compared with.
NEARBY_INLINE float nearby_sharp_limit(const nearby_walk *walk) {
  return walk->position_limit * (1 + 8e-6f) + 1e-6f;
}

/// The flat square of a key.
NEARBY_INLINE float nearby_square(uint64_t key) {
  uint32_t bits = (uint32_t)(key >> 32);
  float square;
  memcpy(&square, &bits, sizeof square);
  return square;
}

NEARBY_INLINE size_t nearby_leaf_size(const nearby_tree *tree) {
  return tree->is_decimal ? 192 : 320;
}

NEARBY_INLINE const char *nearby_leaf(const nearby_tree *tree, size_t leaf) {
  return (const char *)tree->leaves + leaf * nearby_leaf_size(tree);
}

/// Where in a leaf the offsets of its positions in the input begin.
NEARBY_INLINE size_t nearby_positions_offset(const nearby_tree *tree) {
  return tree->is_decimal ? 128 : 256;
}

/// Memory that is about to be read; that of a file is looked at before.
NEARBY_INLINE const void *nearby_checked(const nearby_tree *tree, const void *memory, size_t size) {
  if (__builtin_expect(tree->check != NULL, 0)) tree->check(tree->context, memory, size);
  return memory;
}

NEARBY_INLINE const char *nearby_checked_leaf(const nearby_tree *tree, size_t leaf) {
  return nearby_checked(tree, nearby_leaf(tree, leaf), nearby_leaf_size(tree));
}

/// The offset in the input of a slot's position.
NEARBY_INLINE uint32_t nearby_position(const nearby_tree *tree, uint32_t slot) {
  uint32_t position;
  memcpy(
      &position,
      nearby_leaf(tree, slot >> 4) + nearby_positions_offset(tree) + 4 * (slot & 15),
      sizeof position);
  return position < tree->greatest_position ? position : tree->greatest_position;
}

static bool nearby_same_place(const nearby_tree *tree, uint32_t slot, uint32_t other) {
  const char *a = nearby_leaf(tree, slot >> 4), *b = nearby_leaf(tree, other >> 4);
  if (tree->is_decimal) {
    const int32_t *x = (const int32_t *)a + (slot & 15), *y = (const int32_t *)b + (other & 15);
    return x[0] == y[0] && x[16] == y[16];
  }
  const double *x = (const double *)a + (slot & 15), *y = (const double *)b + (other & 15);
  return x[0] == y[0] && x[16] == y[16];
}

/// Orders runs of keys that tie by their positions, as far as each run lies at one place.
///
/// - Parameter ties: A bit for each of the wanted keys that ties with the next; or of all, as long
///   as runs that begin with the wanted ones are whole.
/// - Returns: Whether that settled all.
static bool nearby_settle(const nearby_tree *tree, uint64_t *keys, uint32_t ties, int32_t limit) {
  const uint32_t wanted = (1u << limit) - 1;
  while (ties & wanted) {
    const int first = __builtin_ctz(ties);
    const int count = __builtin_ctz(~(ties >> first));
    ties &= ~(((1u << count) - 1) << first);
    uint64_t *run = keys + first;
    for (int index = 1; index <= count; index++) {
      if (!nearby_same_place(tree, (uint32_t)run[0], (uint32_t)run[index])) return false;
    }
    for (int index = 1; index <= count; index++) {
      const uint64_t key = run[index];
      const uint32_t position = nearby_position(tree, (uint32_t)key);
      int place = index;
      while (place > 0 && nearby_position(tree, (uint32_t)run[place - 1]) > position) {
        run[place] = run[place - 1];
        place--;
      }
      run[place] = key;
    }
  }
  return true;
}

/// More positions at one place than a walk has lanes for, and the first of them that are wanted.
typedef struct {
  /// The place: as a decimal leaf has it, and as one of degrees.
  int32_t whole_latitude, whole_longitude;
  double latitude, longitude;
  /// Its flat square.
  float square;
  /// How many are wanted, and how many of these there are so far, ascending.
  int32_t wanted, count;
  uint32_t positions[16];
} nearby_coincident;

static void nearby_begin_coincident(
    nearby_coincident *same, const nearby_tree *tree, uint64_t key, int32_t wanted) {
  const uint32_t slot = (uint32_t)key;
  const char *leaf = nearby_leaf(tree, slot >> 4);
  same->square = nearby_square(key);
  same->wanted = wanted;
  same->count = 0;
  if (tree->is_decimal) {
    memcpy(&same->whole_latitude, leaf + 4 * (slot & 15), sizeof same->whole_latitude);
    memcpy(&same->whole_longitude, leaf + 64 + 4 * (slot & 15), sizeof same->whole_longitude);
  } else {
    memcpy(&same->latitude, leaf + 8 * (slot & 15), sizeof same->latitude);
    memcpy(&same->longitude, leaf + 128 + 8 * (slot & 15), sizeof same->longitude);
  }
}

/// Keeps a position if it is one of the first.
NEARBY_INLINE void nearby_join(nearby_coincident *same, uint32_t position) {
  if (same->count == same->wanted && position >= same->positions[same->count - 1]) return;
  int32_t place = same->count < same->wanted ? same->count++ : same->count - 1;
  while (place > 0 && same->positions[place - 1] > position) {
    same->positions[place] = same->positions[place - 1];
    place--;
  }
  same->positions[place] = position;
}

/// Asks for the memory of a leaf.
NEARBY_INLINE void nearby_prefetch_leaf(const nearby_tree *tree, size_t leaf) {
  const char *memory = nearby_leaf(tree, leaf);
  nearby_prefetch_lines(memory, 3);
  if (!tree->is_decimal) nearby_prefetch_lines(memory + 192, 2);
}

NEARBY_INLINE const char *nearby_group(const nearby_tree *tree, int32_t level, int32_t group) {
  return (const char *)tree->groups + ((size_t)(uint32_t)(tree->group_offsets[level] + group) << 8);
}

NEARBY_INLINE const char *nearby_checked_group(
    const nearby_tree *tree, int32_t level, int32_t group) {
  return nearby_checked(tree, nearby_group(tree, level, group), 256);
}

// MARK: Geohashes

/// The geohash of 64 bits of a position, or one beside it.
NEARBY_INLINE uint64_t nearby_geohash(double latitude, double longitude) {
  // A whole step less, so that 90 and 180 stay in the last row and column.
  const double row = (latitude + 90) * (4294967295.0 / 180);
  const double column = (longitude + 180) * (4294967295.0 / 360);
  return nearby_spread_bits((uint32_t)column) << 1 | nearby_spread_bits((uint32_t)row);
}

/// The first geohashes below sixteen siblings.
NEARBY_INLINE const uint64_t *nearby_node_codes(
    const nearby_tree *tree, int32_t level, int32_t group) {
  return tree->node_codes + ((size_t)(uint32_t)(tree->group_offsets[level] + group) << 4);
}

/// Has a walk go down first to where the origin stands in the order of geohashes.
///
/// Runs of that order that step from one great cell into the next have boxes as great, which hold many an
/// origin that is near none of their positions. A walk that begins at the nearest box may begin there, and
/// then looks at all that is no farther than what it found. At the origin's own place it finds what is near.
///
/// - Parameter gaps: Get one that is nearer than all others, for the child to begin with.
NEARBY_INLINE void nearby_lead(
    const nearby_tree *tree, int32_t level, int32_t group, uint64_t code, float *gaps) {
  const uint64_t *codes = nearby_checked(tree, nearby_node_codes(tree, level, group), 128);
  uint32_t lane = 0;
  for (int sibling = 1; sibling < 16; sibling++) lane += codes[sibling] <= code;
  if (!(gaps[lane] < __builtin_inff())) return;
  // Less than all squares, and as these names its lane.
  const uint32_t bits = 0xbf800000 | lane;
  memcpy(&gaps[lane], &bits, sizeof bits);
}

/// The part of the order of geohashes that holds all positions of a rectangle.
///
/// A geohash does not become less when a row or a column becomes greater, so those of the corners in the
/// southwest and in the northeast are the least and the greatest of all.
///
/// - Parameters: Degrees; beyond the ends of the Earth they end there.
NEARBY_INLINE nearby_stretch nearby_stretch_of(double south, double west, double north, double east) {
  // More than two rows and columns, for what is made of rounded positions or with other steps.
  const double margin = 4e-7;
  south -= margin, west -= margin, north += margin, east += margin;
  return (nearby_stretch){
      .least = nearby_geohash(south > -90 ? south : -90, west > -180 ? west : -180),
      .greatest = nearby_geohash(north < 90 ? north : 90, east < 180 ? east : 180)};
}

/// The stretch that holds all positions whose flat gap to an origin, squared, is at most a limit.
NEARBY_INLINE nearby_stretch nearby_stretch_round(const nearby_metric *metric, float limit) {
  const nearby_float4 rates = {metric->meridian, metric->parallel, 1, 1};
  const nearby_float4 root = nearby_root(limit / rates);
  // Gaps are made of floats of degrees, rounded to the side where they are less.
  const double north = root.x * 1.000001 + 4e-5, east = root.y * 1.000001 + 4e-5;
  return nearby_stretch_of(
      metric->degrees_latitude - north, metric->degrees_longitude - east,
      metric->degrees_latitude + north, metric->degrees_longitude + east);
}

/// Those of sixteen siblings that may have a part of a stretch below them, as bits.
NEARBY_INLINE uint32_t nearby_on_stretch(
    const nearby_tree *tree, const nearby_stretch *stretch, int32_t level, int32_t group) {
  const uint64_t *codes = nearby_checked(tree, nearby_node_codes(tree, level, group), 128);
  uint32_t begun = 0, before = 0;
  for (int sibling = 0; sibling < 16; sibling++) {
    begun += codes[sibling] <= stretch->greatest;
    before += codes[sibling] < stretch->least;
  }
  // Whatever is below a sibling lies before the first of the next one, or there.
  return ((1u << begun) - 1) & ~(((1u << before) - 1) >> 1);
}

// MARK: Categories

void nearby_code(nearby_filter *filter, const void *table, int32_t count) {
  int32_t found = 0;
  for (int32_t code = 0; code < count; code++) {
    uint64_t set;
    memcpy(&set, (const char *)table + 8 * code, sizeof set);
    if ((set & filter->categories) == 0) continue;
    filter->coded[code >> 6] |= (uint64_t)1 << (code & 63);
    if (found < 8) filter->codes[found] = (uint8_t)code;
    found++;
  }
  filter->code_count = found;
}

/// The unions of categories below sixteen siblings.
NEARBY_INLINE const char *nearby_node_sets(
    const nearby_tree *tree, const nearby_filter *filter, int32_t level, int32_t group) {
  return (const char *)filter->node_sets
      + ((size_t)(uint32_t)(tree->group_offsets[level] + group) << 7);
}

NEARBY_INLINE const char *nearby_checked_node_sets(
    const nearby_tree *tree, const nearby_filter *filter, int32_t level, int32_t group) {
  return nearby_checked(tree, nearby_node_sets(tree, filter, level, group), 128);
}

/// What the slots of a leaf belong to.
NEARBY_INLINE const char *nearby_slot_sets(const nearby_filter *filter, size_t leaf) {
  return (const char *)filter->slot_sets + (leaf << (filter->is_coded ? 4 : 7));
}

/// Those of some slots of a leaf, given as bits, that count by their categories.
NEARBY_INLINE uint32_t nearby_wanted(
    const nearby_tree *tree, const nearby_filter *filter, size_t leaf, uint32_t bits) {
  if (filter->slot_sets == NULL) return bits;
  const char *sets =
      nearby_checked(tree, nearby_slot_sets(filter, leaf), filter->is_coded ? 16 : 128);
  uint32_t wanted = 0;
  if (filter->is_coded && filter->code_count <= 8) {
    for (int32_t index = 0; index < filter->code_count; index++) {
      wanted |= nearby_equal_bytes(sets, filter->codes[index]);
    }
    return bits & wanted;
  }
  for (uint32_t left = bits; left != 0; left &= left - 1) {
    const int lane = __builtin_ctz(left);
    uint64_t set;
    if (filter->is_coded) {
      const uint8_t code = (uint8_t)sets[lane];
      set = filter->coded[code >> 6] >> (code & 63) & 1;
    } else {
      memcpy(&set, sets + 8 * lane, sizeof set);
      set &= filter->categories;
    }
    wanted |= (uint32_t)(set != 0) << lane;
  }
  return wanted;
}

/// The nearest of some keys, given as bits.
NEARBY_INLINE int nearby_nearest_key(const double *keys, uint32_t bits) {
  int nearest = __builtin_ctz(bits);
  for (bits &= bits - 1; bits != 0; bits &= bits - 1) {
    const int lane = __builtin_ctz(bits);
    if (keys[lane] < keys[nearest]) nearest = lane;
  }
  return nearest;
}

// MARK: Live trees

/// Where everything stands in a block; LiveBlock.swift says what it is.
enum {
  NEARBY_BLOCK_KIND = 16,
  NEARBY_BLOCK_BITS = 20,
  NEARBY_BLOCK_LANES = 64,
  NEARBY_LEAF_IDS = 320,
  NEARBY_LEAF_CATEGORIES = 448,
  NEARBY_LEAF_EXPIRIES = 576,
  NEARBY_NODE_CHILDREN = 320,
  NEARBY_NODE_CATEGORIES = 448,

  NEARBY_FULL_LEAF = 1,
  NEARBY_PLAIN_NODE = 2,
  NEARBY_FULL_NODE = 3,
};

NEARBY_INLINE int nearby_block_kind(const char *block) {
  return (uint8_t)block[NEARBY_BLOCK_KIND];
}

NEARBY_INLINE uint32_t nearby_block_bits(const char *block) {
  uint32_t bits;
  memcpy(&bits, block + NEARBY_BLOCK_BITS, sizeof bits);
  return bits;
}

NEARBY_INLINE const char *nearby_block_child(const char *node, uint32_t lane) {
  const char *child;
  memcpy(&child, node + NEARBY_NODE_CHILDREN + 8 * lane, sizeof child);
  return child;
}

/// Asks for the header and the lanes of a block.
NEARBY_INLINE void nearby_prefetch_block(const char *block) { nearby_prefetch_lines(block, 5); }

/// Those of some slots of a live leaf, given as bits, that count by what the leaf says.
NEARBY_INLINE uint32_t nearby_live_wanted(
    const char *leaf, const nearby_live_question *question, uint32_t bits) {
  if (nearby_block_kind(leaf) != NEARBY_FULL_LEAF) {
    return question->has_categories || !(question->now < __builtin_inf()) ? 0 : bits;
  }
  uint32_t wanted = 0;
  for (uint32_t left = bits; left != 0; left &= left - 1) {
    const int slot = __builtin_ctz(left);
    double expiry;
    uint64_t categories;
    memcpy(&expiry, leaf + NEARBY_LEAF_EXPIRIES + 8 * slot, sizeof expiry);
    memcpy(&categories, leaf + NEARBY_LEAF_CATEGORIES + 8 * slot, sizeof categories);
    const bool counts = expiry > question->now
        && (!question->has_categories || (categories & question->categories) != 0);
    wanted |= (uint32_t)counts << slot;
  }
  return wanted;
}

/// For each set of four lanes the bytes of those in it, to be moved to the front.
static const uint8_t nearby_packing_orders[16][16] __attribute__((aligned(16), unused)) = {
#define LANE(n) 4 * n, 4 * n + 1, 4 * n + 2, 4 * n + 3
    {0},
    {LANE(0)},
    {LANE(1)},
    {LANE(0), LANE(1)},
    {LANE(2)},
    {LANE(0), LANE(2)},
    {LANE(1), LANE(2)},
    {LANE(0), LANE(1), LANE(2)},
    {LANE(3)},
    {LANE(0), LANE(3)},
    {LANE(1), LANE(3)},
    {LANE(0), LANE(1), LANE(3)},
    {LANE(2), LANE(3)},
    {LANE(0), LANE(2), LANE(3)},
    {LANE(1), LANE(2), LANE(3)},
    {LANE(0), LANE(1), LANE(2), LANE(3)},
#undef LANE
};

#define NEARBY_GLUE(name, level) name##_##level
#define NEARBY_NAMED(name, level) NEARBY_GLUE(name, level)
#define NAME(name) NEARBY_NAMED(name, NEARBY_LEVEL)

#define NEARBY_LEVEL target
#define NEARBY_LANES 4
#define NEARBY_TARGET
#include "Level.inc"

#if NEARBY_HAS_LEVELS
#include <immintrin.h>

#define NEARBY_LEVEL avx2
#define NEARBY_LANES 8
#define NEARBY_TARGET __attribute__((target("avx2,bmi,popcnt")))
#include "Level.inc"

#define NEARBY_LEVEL avx512
#define NEARBY_LANES 16
#define NEARBY_TARGET \
  __attribute__((target("avx2,bmi,popcnt,avx512f,avx512vl,avx512dq,avx512bw,avx512vbmi2")))
#include "Level.inc"
#endif

int32_t nearby_greatest_level(void) {
#if NEARBY_HAS_LEVELS
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi")) return NEARBY_LEVEL_TARGET;
  return __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")
          && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi2")
      ? NEARBY_LEVEL_AVX512
      : NEARBY_LEVEL_AVX2;
#else
  return NEARBY_LEVEL_TARGET;
#endif
}

#if NEARBY_HAS_LEVELS
#define NEARBY_DISPATCH(name, ...) \
  switch (level) { \
  case NEARBY_LEVEL_AVX512: return name##_avx512(__VA_ARGS__); \
  case NEARBY_LEVEL_AVX2: return name##_avx2(__VA_ARGS__); \
  default: return name##_target(__VA_ARGS__); \
  }
#else
#define NEARBY_DISPATCH(name, ...) \
  (void)level; \
  return name##_target(__VA_ARGS__);
#endif

nearby_outcome nearby_find(
    int32_t level, const nearby_tree *tree, nearby_walk *walk, int32_t limit,
    const nearby_filter *filter, uint32_t *positions) {
  if (filter != NULL) {
    NEARBY_DISPATCH(nearby_find_some, tree, walk, limit, filter, positions)
  }
  NEARBY_DISPATCH(nearby_find_any, tree, walk, limit, positions)
}

int32_t nearby_collect(
    int32_t level, const nearby_tree *tree, const nearby_walk *walk, const nearby_filter *filter,
    uint64_t *keys, int32_t capacity) {
  NEARBY_DISPATCH(nearby_collect, tree, walk, filter, keys, capacity)
}

uint32_t nearby_slots_in_categories(
    const nearby_tree *tree, const nearby_filter *filter, size_t leaf, uint32_t bits) {
  return nearby_wanted(tree, filter, leaf, bits);
}

nearby_outcome nearby_find_live(
    int32_t level, const void *root, const nearby_live_question *question, uint64_t *ids,
    nearby_live_candidate *candidates, nearby_live_report *report) {
  NEARBY_DISPATCH(nearby_find_live, root, question, ids, candidates, report)
}

void nearby_begin(
    nearby_batch *batch, const nearby_tree *tree, const nearby_filter *filter, const double *origins,
    const uint32_t *order, size_t count, int32_t limit, uint32_t *positions) {
  batch->tree = tree;
  batch->filter = filter;
  batch->origins = origins;
  batch->next = order;
  batch->end = order + count;
  batch->limit = limit;
  batch->positions = positions;
  batch->taken = batch->walking = batch->turn = 0;
  batch->has_begun = false;
}

nearby_outcome nearby_next(int32_t level, nearby_batch *batch, const nearby_walk **walk) {
  if (batch->filter != NULL) {
    NEARBY_DISPATCH(nearby_next_of_some, batch, walk)
  }
  NEARBY_DISPATCH(nearby_next_of_any, batch, walk)
}

void nearby_locals(
    int32_t level, const double *latitudes, const double *longitudes, nearby_local *locals) {
  NEARBY_DISPATCH(nearby_locals, latitudes, longitudes, locals)
}

void nearby_local_at(double latitude, double longitude, nearby_local *local) {
  some_locals_target(&latitude, &longitude, 1, local);
}

void nearby_globe_at(double latitude, double longitude, nearby_globe *globe) {
  doubles_target sine, cosine;
  reduce_target((doubles_target)latitude, &sine, &cosine);
  *globe = (nearby_globe){.sine = sine[0], .cosine = cosine[0], .longitude = longitude};
}

double nearby_least_ground(double squared_chord, double rise, double sum) {
  doubles_target least, greatest;
  ground_over_target(
      (doubles_target)squared_chord, (doubles_target)rise, (doubles_target)sum, &least, &greatest);
  return least[0];
}

void nearby_bound_boxes(
    int32_t level, const nearby_globe *globe, const void *group, double reach,
    nearby_bounds *bounds) {
  NEARBY_DISPATCH(nearby_bound_boxes, globe, group, reach, bounds)
}

void nearby_bound_positions(
    int32_t level, const nearby_globe *globe, const void *leaf, bool is_decimal,
    nearby_bounds *bounds) {
  NEARBY_DISPATCH(nearby_bound_positions, globe, leaf, is_decimal, bounds)
}

void nearby_begin_area(nearby_area_walk *walk, const nearby_tree *tree, nearby_answer answer) {
  walk->answer = answer;
  walk->count = 0;
  walk->undecided_count = 0;
  walk->level = tree->first_level;
  walk->group = 0;
  walk->slot = walk->end = 0;
}

nearby_outcome nearby_find_in_circle(
    int32_t level, const nearby_tree *tree, const nearby_filter *filter, const nearby_circle *circle,
    nearby_area_walk *walk) {
  NEARBY_DISPATCH(nearby_find_in_circle, tree, filter, circle, walk)
}

nearby_outcome nearby_find_in_span(
    int32_t level, const nearby_tree *tree, const nearby_filter *filter, const nearby_span *span,
    nearby_area_walk *walk) {
  NEARBY_DISPATCH(nearby_find_in_span, tree, filter, span, walk)
}

nearby_outcome nearby_find_least(
    int32_t level, const nearby_tree *tree, const nearby_minima *minima,
    const nearby_circle *circle, nearby_least_found *found) {
  NEARBY_DISPATCH(nearby_find_least, tree, minima, circle, found)
}

void nearby_lend(void (*body)(void *memory, void *context), void *context) {
  _Alignas(64) char memory[NEARBY_LENT_BYTES];
  body(memory, context);
}
