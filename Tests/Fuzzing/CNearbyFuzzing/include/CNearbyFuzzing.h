#ifndef CFUZZING_H
#define CFUZZING_H

#include <stddef.h>
#include <stdint.h>

// libFuzzer's own entry. SwiftPM gives `main` a name of its own, and so the program starts the fuzzer
// and not the fuzzer the program.
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*try_one)(const uint8_t *bytes, size_t length));

#endif
