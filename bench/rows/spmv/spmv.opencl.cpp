// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A group of 32 work items a row, and a work item a row.
#include "bench/harness/opencl.h"

namespace hel::bench {
namespace {

constexpr char kSource[] = R"(
__kernel void by_group(int rows, __global const int *starts, __global const int *columns, __global const float *values,
                       __global const float *x, __global float *y) {
  __local float partial[32];
  int row = get_group_id(0), lane = get_local_id(0);
  float sum = 0;
  for (int i = starts[row] + lane; i < starts[row + 1]; i += 32) sum += values[i] * x[columns[i]];
  partial[lane] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 16; step > 0; step /= 2) {
    if (lane < step) partial[lane] += partial[lane + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0) y[row] = partial[0];
}
__kernel void by_item(int rows, __global const int *starts, __global const int *columns, __global const float *values,
                      __global const float *x, __global float *y) {
  int row = get_global_id(0);
  if (row < rows) {
    float sum = 0;
    for (int i = starts[row]; i < starts[row + 1]; i++) sum += values[i] * x[columns[i]];
    y[row] = sum;
  }
}
)";

void launch(opencl::Kernel &kernel, size_t global, size_t local, const Problem &problem, const Memory &memory) {
  kernel.run({global}, {local}, problem.sizes[0], opencl::buffer(memory.inputs[0]), opencl::buffer(memory.inputs[1]),
             opencl::buffer(memory.inputs[2]), opencl::buffer(memory.inputs[3]), opencl::buffer(memory.output));
}

void run_by_group(const Problem &problem, const Memory &memory) {
  static opencl::Kernel kernel(kSource, "by_group");
  launch(kernel, static_cast<size_t>(problem.sizes[0]) * 32, 32, problem, memory);
}

void run_by_item(const Problem &problem, const Memory &memory) {
  static opencl::Kernel kernel(kSource, "by_item");
  const size_t groups = static_cast<size_t>(problem.sizes[0] + 255) / 256;
  launch(kernel, groups * 256, 256, problem, memory);
}

const Side by_warp("spmv_warp_a_row", Who::OpenCl, run_by_group);
const Side by_thread("spmv_thread_a_row", Who::OpenCl, run_by_item);

}  // namespace
}  // namespace hel::bench
