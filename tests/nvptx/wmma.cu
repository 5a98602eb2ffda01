// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp matrix functions use a GPU's matrix units: a product took hundreds of shuffles.
// RUN: %mcc -ptx %s -o - | %FileCheck %s
// CHECK-NOT: shfl.sync
// CHECK: movmatrix.sync.aligned.m8n8.trans.b16
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// CHECK-NOT: shfl.sync
#include <mma.h>
extern "C" __global__ void k(const half *a, const half *b, float *d) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, half, row_major> x;
  fragment<matrix_b, 16, 16, 16, half, row_major> y;
  fragment<accumulator, 16, 16, 16, float> sum;
  fill_fragment(sum, 0.0f);
  load_matrix_sync(x, a, 16);
  load_matrix_sync(y, b, 16);
  mma_sync(sum, x, y, sum);
  store_matrix_sync(d, sum, 16, mem_row_major);
}
