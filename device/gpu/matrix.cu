// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix units of a GPU.
#include "device/lib/lib.h"

extern "C" __device__ __attribute__((const, nothrow)) int __hl_matrix_units(void) { return 1; }

extern "C" __device__ uint32 __hl_movmatrix(uint32 word) {
  uint32 transposed;
  asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(transposed) : "r"(word));
  return transposed;
}

#define HL_UNIT(name, types)                                                                                        \
  extern "C" __device__ void name(uint32 *d, const uint32 *a, const uint32 *b) {                                    \
    asm("mma.sync.aligned.m16n8k16.row.col.f32." types ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                                                  \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));                              \
  }

HL_UNIT(__hl_mma_16x8x16_f16, "f16.f16")
HL_UNIT(__hl_mma_16x8x16_bf16, "bf16.bf16")
