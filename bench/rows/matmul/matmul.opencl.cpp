// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/opencl.h"

namespace hel::bench {
namespace {

constexpr char kSource[] = R"(
#define TILED(TILE) \
__kernel void tiled_##TILE(int n, __global const float *a, __global const float *b, __global float *c) { \
  __local float as[TILE][TILE], bs[TILE][TILE]; \
  int tx = get_local_id(0), ty = get_local_id(1); \
  int row = get_group_id(1) * TILE + ty, column = get_group_id(0) * TILE + tx; \
  float sum = 0; \
  for (int t = 0; t < n / TILE; t++) { \
    as[ty][tx] = a[row * n + t * TILE + tx]; \
    bs[ty][tx] = b[(t * TILE + ty) * n + column]; \
    barrier(CLK_LOCAL_MEM_FENCE); \
    for (int k = 0; k < TILE; k++) sum += as[ty][k] * bs[k][tx]; \
    barrier(CLK_LOCAL_MEM_FENCE); \
  } \
  c[row * n + column] = sum; \
}
TILED(32)
TILED(16)
__kernel void naive(int n, __global const float *a, __global const float *b, __global float *c) {
  int row = get_global_id(1), column = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}
)";

void launch(opencl::Kernel &kernel, const Problem &problem, const Memory &memory, size_t width, size_t height) {
  const int n = problem.sizes[0];
  const auto size = static_cast<size_t>(n);
  kernel.run({size, size}, {width, height}, n, opencl::buffer(memory.inputs[0]), opencl::buffer(memory.inputs[1]),
             opencl::buffer(memory.output));
}

void run_tiled32(const Problem &problem, const Memory &memory) {
  static opencl::Kernel kernel(kSource, "tiled_32");
  launch(kernel, problem, memory, 32, 32);
}

void run_tiled16(const Problem &problem, const Memory &memory) {
  static opencl::Kernel kernel(kSource, "tiled_16");
  launch(kernel, problem, memory, 16, 16);
}

void run_naive(const Problem &problem, const Memory &memory) {
  static opencl::Kernel kernel(kSource, "naive");
  launch(kernel, problem, memory, 32, 8);
}

const Side tiled32("matmul_tiled_32", Who::OpenCl, run_tiled32);
const Side tiled16("matmul_tiled_16", Who::OpenCl, run_tiled16);
const Side naive("matmul_naive", Who::OpenCl, run_naive);

}  // namespace
}  // namespace hel::bench
