// Puts the page's files into the program; Data/README.md says why with #embed.

#include "CNearbyPageAssets.h"

#ifndef __has_embed
#error "this compiler has no #embed; use Swift 6.2 or later (clang 19, Xcode 26)"
#endif

// Embedding is C23; clang takes it in every C it knows, and says so.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t template[] = {
#embed "page.html"
};

static const uint8_t style[] = {
#embed "page.css"
};

// One script: the parts follow each other.
static const uint8_t script[] = {
#embed "words.js"
#embed "places.js" prefix(,)
#embed "tiles.js" prefix(,)
#embed "search.js" prefix(,)
#embed "land.js" prefix(,)
#embed "map.js" prefix(,)
#embed "page.js" prefix(,)
};

struct page_bytes page_template(void) { return (struct page_bytes){template, sizeof template}; }

struct page_bytes page_style(void) { return (struct page_bytes){style, sizeof style}; }

struct page_bytes page_script(void) { return (struct page_bytes){script, sizeof script}; }
