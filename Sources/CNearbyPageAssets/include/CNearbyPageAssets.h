#ifndef C_PAGE_ASSETS_H
#define C_PAGE_ASSETS_H

#include <stddef.h>
#include <stdint.h>

// A file of the page, inside the program for as long as it runs.
struct page_bytes {
  const uint8_t *bytes;
  size_t count;
};

// The page with places for what is put in, as {{title}}.
struct page_bytes page_template(void);
// Its style sheet.
struct page_bytes page_style(void);
// Its script.
struct page_bytes page_script(void);

#endif
