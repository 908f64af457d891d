// Puts the land of the world into the program; Data/README.md says why with #embed.

#include "CNearbyLand.h"

#ifndef __has_embed
#error "this compiler has no #embed; use Swift 6.2 or later (clang 19, Xcode 26)"
#endif

// Embedding is C23; clang takes it in every C it knows, and says so.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t land[] = {
#embed "land.txt"
};

struct land_text land_text(void) { return (struct land_text){land, sizeof land}; }
