// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libcu++, as the package has it: atomics, waiting, barriers and copies in shared memory, parts of cuda::std.
// REQUIRES: cccl
// RUN: %mcc -Werror all-warnings %s -o %t && %run %t
#include "check.h"

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/optional>
#include <cuda/std/tuple>

#include <cuda_runtime.h>

__global__ void count(int *a, float *f, unsigned long long *most, int *evens) {
  cuda::atomic_ref<int, cuda::thread_scope_device>(*a).fetch_add(1, cuda::memory_order_relaxed);
  cuda::atomic_ref<float, cuda::thread_scope_system>(*f).fetch_add(0.5f);
  cuda::atomic_ref<unsigned long long>(*most).fetch_max(threadIdx.x * 3ull);
  cuda::atomic_ref<int> cell(*evens);
  int seen = 0;
  while (!cell.compare_exchange_weak(seen, seen + 2)) {
  }
}

__device__ cuda::atomic<int, cuda::thread_scope_device> flag{0};

// The first block sets the flag, all wait for it.
__global__ void wait_for_flag(int *out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    flag.store(5, cuda::memory_order_release);
    flag.notify_all();
  }
  flag.wait(0);
  out[blockIdx.x * blockDim.x + threadIdx.x] = flag.load();
}

__global__ void meet(int *wrong, const int *in) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ alignas(16) int box[128], copied[128];
  int t = threadIdx.x, bad = 0;
  if (t == 0) init(&barrier, blockDim.x);
  __syncthreads();
  for (int round = 0; round < 4; ++round) {
    box[t] = t + round;
    barrier.arrive_and_wait();
    bad += box[(t + 65) % 128] != (t + 65) % 128 + round;
    barrier.wait(barrier.arrive());
  }
  cuda::memcpy_async(&copied[t], &in[t], sizeof(int), barrier);
  barrier.arrive_and_wait();
  wrong[t] = bad + (copied[127 - t] != in[127 - t]);
}

__global__ void standard(float *out) {
  cuda::std::complex<float> z(1, 2);
  z *= z;
  cuda::std::tuple<int, float> pair(3, 4.f);
  cuda::std::array<int, 4> four{1, 2, 3, 4};
  cuda::std::optional<int> maybe(7);
  out[0] = z.real();
  out[1] = z.imag();
  out[2] = cuda::std::get<0>(pair) + cuda::std::get<1>(pair);
  out[3] = float(*maybe);
  for (int x : four) out[3] += float(x);
}

int main() {
  int *ints;
  float *floats;
  unsigned long long *most;
  cudaMallocManaged(&ints, 512 * sizeof(int));
  cudaMallocManaged(&floats, 16);
  cudaMallocManaged(&most, 8);
  ints[0] = ints[1] = 0;
  floats[0] = 0;
  *most = 0;
  count<<<4, 64>>>(ints, floats, most, ints + 1);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(ints[0], 256);
  CHECK_EQ(floats[0], 128.f);
  CHECK_EQ(*most, 189ull);
  CHECK_EQ(ints[1], 512);

  wait_for_flag<<<4, 64>>>(ints);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 256; ++i) CHECK_EQ(ints[i], 5);

  for (int i = 0; i < 128; ++i) ints[256 + i] = i * i;
  meet<<<1, 128>>>(ints, ints + 256);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 128; ++i) CHECK_EQ(ints[i], 0);

  standard<<<1, 1>>>(floats);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK(floats[0] == -3 && floats[1] == 4 && floats[2] == 7 && floats[3] == 17);
  return check_report();
}
