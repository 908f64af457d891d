// The one thing Swift cannot do quickly: put a file into the program. SwiftPM's `.embedInCode`
// writes an array literal, on which the compiler spends a minute or two for these 300 KB;
// `#embed` (C23) takes a tenth of a second. `../README.md` has the figures.

#include "CNearbySampleData.h"

#ifndef __has_embed
#error "this compiler has no #embed; use Swift 6.2 or later (clang 19, Xcode 26)"
#endif

// Embedding is C23; clang takes it in every C it knows, and says so.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t cinemas[] = {
#embed "../cinemas.csv"
};

static const uint8_t marts[] = {
#embed "../marts.csv"
};

static const uint8_t deals[] = {
#embed "../deals.csv"
};

struct sample_bytes sample_cinemas(void) {
  return (struct sample_bytes){cinemas, sizeof cinemas};
}

struct sample_bytes sample_marts(void) {
  return (struct sample_bytes){marts, sizeof marts};
}

struct sample_bytes sample_deals(void) {
  return (struct sample_bytes){deals, sizeof deals};
}
