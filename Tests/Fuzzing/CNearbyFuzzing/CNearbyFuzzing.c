#include "CNearbyFuzzing.h"
