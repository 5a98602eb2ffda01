// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What people reported of barriers in other implementations: early returns, barriers in loops, partial blocks, values
// that must not be forwarded across a barrier.
// RUN: %mcc -O3 %s -o %t && %run %t
// covers: C-5.4.4.1-01
#include "check.h"

#include <cuda_runtime.h>

#include <cstdlib>

#include <algorithm>
#include <vector>

// report: ROCm/HIP-CPU#58
__global__ void counting(const int *in, int *out) {
  int v = in[threadIdx.x];
  int n = __syncthreads_count(v > 3), all = __syncthreads_and(v >= 0), any = __syncthreads_or(v == 7);
  out[threadIdx.x] = n * 100 + (all != 0) * 10 + (any != 0);
}

// report: CHIP-SPV/chipStar#379, m4rs-mt/ILGPU#90: who returned is not waited for
__global__ void halving(int *data) {
  __shared__ int s[256];
  unsigned t = threadIdx.x;
  s[t] = data[t];
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (t >= half) {
      return;
    }
    s[t] += s[t + half];
    __syncthreads();
  }
  data[0] = s[0];
}

// report: Can I use __syncthreads() after having dropped threads?
__global__ void surplus(int n, int *out) {
  __shared__ int s[128];
  if ((int)threadIdx.x >= n) {
    return;
  }
  s[threadIdx.x] = threadIdx.x + 1;
  __syncthreads();
  out[threadIdx.x] = s[n - 1 - threadIdx.x];
}

// report: numba/numba#9770
__global__ void loop_with_continue(int *rounds) {
  int round = 0;
  bool done = false;
  while (__syncthreads_or(!done)) {
    ++round;
    if (done) {
      continue;
    }
    if (round > (int)threadIdx.x % 5) {
      done = true;
    }
  }
  rounds[threadIdx.x] = round;
}

// report: pocl/pocl#1390
__global__ void extremes(const int *in, int *lowest, int *highest) {
  extern __shared__ int both[];
  int *low = both, *high = both + blockDim.x;
  unsigned id = threadIdx.x;
  low[id] = high[id] = in[id];
  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    __syncthreads();
    if (id % (2 * step) == 0 && id + step < blockDim.x) {
      low[id] = min(low[id], low[id + step]);
      high[id] = max(high[id], high[id + step]);
    }
  }
  if (id == 0) {
    *lowest = low[0];
    *highest = high[0];
  }
}

// report: pocl/pocl#1167: each thread has its own count, the barrier is met by all in every round
__global__ void own_trip_counts(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x, trips = t % 7;
  s[t] = 0;
  __syncthreads();
  for (int i = 0; i < 7; ++i) {
    int seen = s[(t + 1) % 64];
    __syncthreads();
    if (i < trips) {
      s[t] = seen + i;
    }
    __syncthreads();
  }
  out[t] = s[t];
}

// report: pocl/pocl#1977
__global__ void copied_id(int *count) {
  const int tid = threadIdx.x;
  int copy = tid;
  __syncthreads();
  if (copy == 0) {
    atomicAdd(count, 1);
  }
}

// report: JuliaGPU/OpenCL.jl#460
__global__ void reset_write_read(int n, int *out) {
  __shared__ int cell;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    cell = -1;
  }
  __syncthreads();
  if (i < n && i % 100 == 17) {
    cell = i;
  }
  __syncthreads();
  if (i < n) {
    out[i] = cell;
  }
}

// report: AdaptiveCpp/AdaptiveCpp#2177
__global__ void nested_loops(int *out) {
  __shared__ int s[96];
  int t = threadIdx.x;
  s[t] = t;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j <= i; ++j) {
      __syncthreads();
      int v = s[(t + j + 1) % 96];
      __syncthreads();
      s[t] += v;
    }
  }
  __syncthreads();
  out[t] = s[t];
}

// report: CHIP-SPV/chipStar#1334: global memory is ordered too
__global__ void through_global(int *scratch, int *out) {
  int t = threadIdx.x, base = blockIdx.x * blockDim.x;
  for (int i = 1; i < 5; ++i) {
    scratch[base + t] = t * i;
    __syncthreads();
    out[base + t] += scratch[base + (t + 37) % blockDim.x];
    __syncthreads();
  }
}

// report: llvm/llvm-project#58626
__global__ void no_forwarding(int *wrong) {
  __shared__ int s;
  s = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    s = 1234;
  }
  __syncthreads();
  if (s != 1234) {
    atomicAdd(wrong, 1);
  }
}

// report: gtcasl/gpuocelot#36
__global__ void butterfly(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t * t;
  for (int step = 1; step < 64; step *= 2) {
    __syncthreads();
    int sum = s[t] + s[t ^ step];
    __syncthreads();
    s[t] = sum;
  }
  out[t] = s[t];
}

// report: Possible bug in reduction routine from the CUDA 7 SDK, Run CUDA code assuming implict warp synchronization on
// Volta without modifying code: the last warp of a reduction without barriers, on volatile shared memory
__global__ void warp_synchronous(const int *in, int *out) {
  __shared__ volatile int s[128];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 64) {
    s[t] += s[t + 64];
  }
  __syncthreads();
  if (t < 32) {
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
  }
  if (t == 0) {
    *out = s[0];
  }
}

// report: Why syncwarp is necessary in undivergent warp reduction: with it the order of the lanes does not matter
__global__ void steps_of_a_warp(const int *in, int *out) {
  __shared__ volatile int s[64];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  for (unsigned step = 32; step > 0; step /= 2) {
    __syncthreads();
    int v = t < step ? s[t] + s[t + step] : 0;
    __syncwarp();
    if (t < step) {
      s[t] = v;
    }
    __syncwarp();
  }
  out[t] = s[0];
}

// report: agency-library/agency#435: threads of one block come to the barrier by two calls of it
__global__ void two_calls(int *out) {
  __shared__ int s[96];
  int t = threadIdx.x;
  s[t] = t;
  if (t % 64 < 32) {
    __syncthreads();
    s[(t + 1) % 96] += 100;
  } else {
    __syncthreads();
    s[(t + 1) % 96] += 1000;
  }
  __syncthreads();
  out[t] = s[t];
}

// report: AdaptiveCpp/AdaptiveCpp#90: as many blocks as a grid may have in y, full of threads that meet
__global__ void many_large_blocks(int *sums) {
  __shared__ int s[1024];
  int t = threadIdx.x;
  s[t] = t + blockIdx.y;
  __syncthreads();
  if (t == 0) {
    sums[blockIdx.y] = s[1023] - s[1];
  }
}

int main() {
  const char *engine = getenv("HELICON_ENGINE");
  const bool threads_of_their_own = engine != nullptr && engine[0] == 't';
  int *m;
  CHECK_CUDA(cudaMallocManaged(&m, 4096 * sizeof(int)));
  auto fill = [&](int n) { for (int i = 0; i < n; ++i) m[i] = i * 37 % 101; };

  for (int i = 0; i < 64; ++i) m[i] = i % 8;
  counting<<<1, 64>>>(m, m + 64);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) CHECK_EQ(m[64 + i], 3211);

  fill(256);
  int sum = 0;
  for (int i = 0; i < 256; ++i) sum += m[i];
  halving<<<1, 256>>>(m);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(m[0], sum);

  surplus<<<1, 128>>>(70, m);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 70; ++i) CHECK_EQ(m[i], 70 - i);

  loop_with_continue<<<1, 100>>>(m);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 100; ++i) CHECK_EQ(m[i], 5);

  for (int n : {1, 31, 32, 33, 100, 256, 1000}) {
    fill(n);
    extremes<<<1, n, 2 * n * sizeof(int)>>>(m, m + 2000, m + 2001);
    CHECK_CUDA(cudaDeviceSynchronize());
    CHECK_EQ(m[2000], *std::min_element(m, m + n));
    CHECK_EQ(m[2001], *std::max_element(m, m + n));
  }

  own_trip_counts<<<1, 64>>>(m);
  CHECK_CUDA(cudaDeviceSynchronize());
  std::vector<int> s(64, 0), seen(64);
  for (int i = 0; i < 7; ++i) {
    for (int t = 0; t < 64; ++t) seen[t] = s[(t + 1) % 64];
    for (int t = 0; t < 64; ++t) if (i < t % 7) s[t] = seen[t] + i;
  }
  for (int t = 0; t < 64; ++t) CHECK_EQ(m[t], s[t]);

  m[0] = 0;
  copied_id<<<3, 77>>>(m);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(m[0], 3);

  reset_write_read<<<4, 64>>>(230, m);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 230; ++i) {
    int expected = -1;
    for (int k = i / 64 * 64; k < std::min(230, i / 64 * 64 + 64); ++k) if (k % 100 == 17) expected = k;
    CHECK_EQ(m[i], expected);
  }

  nested_loops<<<1, 96>>>(m);
  CHECK_CUDA(cudaDeviceSynchronize());
  std::vector<int> v(96), next(96);
  for (int t = 0; t < 96; ++t) v[t] = t;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j <= i; ++j) {
      for (int t = 0; t < 96; ++t) next[t] = v[t] + v[(t + j + 1) % 96];
      v = next;
    }
  }
  for (int t = 0; t < 96; ++t) CHECK_EQ(m[t], v[t]);

  for (int i = 0; i < 1024; ++i) m[1024 + i] = 0;
  through_global<<<4, 256>>>(m, m + 1024);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 1024; ++i) CHECK_EQ(m[1024 + i], (i % 256 + 37) % 256 * 10);

  m[0] = 0;
  no_forwarding<<<8, 200>>>(m);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(m[0], 0);

  butterfly<<<1, 64>>>(m);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int t = 0; t < 64; ++t) CHECK_EQ(m[t], 63 * 64 * 127 / 6);

  fill(128);
  sum = 0;
  for (int i = 0; i < 128; ++i) sum += m[i];
  warp_synchronous<<<1, 128>>>(m, m + 128);
  CHECK_CUDA(cudaDeviceSynchronize());
  // The thread engine runs the lanes in another order: legacy code of this kind is right in the warp engine alone.
  if (!threads_of_their_own) {
    CHECK_EQ(m[128], sum);
  }

  fill(64);
  sum = 0;
  for (int i = 0; i < 64; ++i) sum += m[i];
  steps_of_a_warp<<<1, 64>>>(m, m + 64);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(m[64], sum);

  two_calls<<<1, 96>>>(m);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int t = 0; t < 96; ++t) CHECK_EQ(m[t], t + ((t + 95) % 96 % 64 < 32 ? 100 : 1000));

  // A fiber for each thread takes seconds for them all.
  const int blocks = threads_of_their_own ? 2000 : 65535;
  int *sums;
  CHECK_CUDA(cudaMallocManaged(&sums, blocks * sizeof(int)));
  many_large_blocks<<<dim3(1, blocks), 1024>>>(sums);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < blocks; ++i) CHECK_EQ(sums[i], 1022);
  return check_report();
}
