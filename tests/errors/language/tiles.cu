// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tile kernels are refused by name, not run as other kernels.
// RUN: not %mcc -std=c++20 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: not %mcc -std=c++20 -DHEADER -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=HEADER
#ifdef HEADER
// HEADER: cuda_tile.h: tile kernels (__tile_global__, cuda::tiles) are not implemented
#include <cuda_tile.h>
#else
// CHECK: tiles.cu:[[@LINE+1]]:{{[0-9]+}}: error: unknown type name '__tile_global__'
__tile_global__ void kernel(float *out) { *out = 1; }
// CHECK: tiles.cu:[[@LINE+1]]:{{[0-9]+}}: error: unknown type name '__tile__'
__tile__ void function() {}
#endif
