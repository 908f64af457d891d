#ifndef C_SAMPLE_DATA_H
#define C_SAMPLE_DATA_H

#include <stddef.h>
#include <stdint.h>

/// The bytes of one file, constant for as long as the program runs.
struct sample_bytes {
  const uint8_t *_Nonnull start;
  size_t count;
};

struct sample_bytes sample_cinemas(void);
struct sample_bytes sample_marts(void);
struct sample_bytes sample_deals(void);

#endif
