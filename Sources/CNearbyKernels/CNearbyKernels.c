#include "CNearbyKernels.h"
