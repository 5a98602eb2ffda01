// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of the CMake test project "separable": a device function and variable that another file uses.
#include "ops.h"

__device__ int offset = 40;
__device__ int shifted(int value) { return value + offset; }
