#ifndef C_NEARBY_LAND_H
#define C_NEARBY_LAND_H

#include <stddef.h>
#include <stdint.h>

// land.txt, inside the program for as long as it runs; Data/make_land.py says what is in it.
struct land_text {
  const uint8_t *bytes;
  size_t count;
};

struct land_text land_text(void);

#endif
