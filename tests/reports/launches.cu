// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What people reported of launches: empty ones, those at the limits and beyond, and what the next check then says. For
// shapes that are not possible CUDA 13 answers "invalid value" (an H200, tests/golden); earlier versions said
// "invalid configuration".
// report: NVIDIA/cuCollections#75
// report: CFD-GO/TCLB#430
// report: ml-explore/mlx#2267
// report: EnzymeAD/Enzyme-JAX#2789
// report: NVIDIA/thrust#1020
// report: JuliaGPU/CUDA.jl#3135
// report: ROCm/hip#3122
// report: NVIDIA/cccl#6532
// report: Kernel launch failed while number of threads per block smaller than largest number allowed (NVIDIA forum)
// RUN: %mcc -O2 -std=c++17 %s -o %t && %run %t
// RUN: %mcc -O0 -G -std=c++17 %s -o %t && %run %t
#include "check.h"

__global__ void nothing() {}
__global__ void count_up(unsigned long long *count) {
  if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
    atomicAdd(count, 1ull);
  }
}
__global__ void mark(int *blocks) {
  if (threadIdx.x == 0) {
    blocks[blockIdx.x] = blockIdx.x + gridDim.x;
  }
}
__global__ void __launch_bounds__(128) bounded(int *count) { atomicAdd(count, 1); }
/// The first and the last byte of the dynamic shared memory.
__global__ void both_ends(int bytes, int *sum) {
  extern __shared__ char window[];
  window[0] = 3;
  window[bytes - 1] = 4;
  *sum = window[0] + window[bytes - 1];
}

static int attribute(cudaDeviceAttr which) {
  int value = -1;
  CHECK_CUDA(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

/// An error that is told once, and leaves the device as it was.
#define CHECK_REFUSED(code)                    \
  do {                                         \
    CHECK_ERROR(cudaPeekAtLastError(), code);  \
    CHECK_ERROR(cudaGetLastError(), code);     \
    CHECK_CUDA(cudaGetLastError());            \
    CHECK_CUDA(cudaDeviceSynchronize());       \
  } while (0)

static void nothing_to_do(unsigned long long *count) {
  const dim3 one(1);
  const dim3 empty[] = {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {0, 0, 0}};
  *count = 0;
  for (dim3 shape : empty) {
    count_up<<<shape, one>>>(count);
    CHECK_REFUSED(cudaErrorInvalidValue);
    count_up<<<one, shape>>>(count);
    CHECK_REFUSED(cudaErrorInvalidValue);
  }
  CHECK_EQ(*count, 0u);
  count_up<<<1, 1>>>(count);
  CHECK_CUDA(cudaGetLastError());
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*count, 1u);
}

static void largest_shapes(unsigned long long *count) {
  CHECK_EQ(attribute(cudaDevAttrMaxGridDimX), 2147483647);
  CHECK_EQ(attribute(cudaDevAttrMaxGridDimY), 65535);
  CHECK_EQ(attribute(cudaDevAttrMaxGridDimZ), 65535);
  CHECK_EQ(attribute(cudaDevAttrMaxBlockDimX), 1024);
  CHECK_EQ(attribute(cudaDevAttrMaxBlockDimY), 1024);
  CHECK_EQ(attribute(cudaDevAttrMaxBlockDimZ), 64);
  CHECK_EQ(attribute(cudaDevAttrMaxThreadsPerBlock), 1024);
  cudaDeviceProp prop;
  CHECK_CUDA(cudaGetDeviceProperties(&prop, 0));
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(prop.maxGridSize[i], attribute((cudaDeviceAttr)(cudaDevAttrMaxGridDimX + i)));
    CHECK_EQ(prop.maxThreadsDim[i], attribute((cudaDeviceAttr)(cudaDevAttrMaxBlockDimX + i)));
  }
  const struct {
    dim3 grid, block;
    bool legal;
  } shapes[] = {{{1, 65535, 1}, {1}, true},      {{1, 65536, 1}, {1}, false},  {{1, 1, 65535}, {1}, true},
                {{1, 1, 65536}, {1}, false},     {{100000, 1, 1}, {1}, true},  {{2147483648u, 1, 1}, {1}, false},
                {{1}, {1024, 1, 1}, true},       {{1}, {1025, 1, 1}, false},   {{1}, {1, 1024, 1}, true},
                {{1}, {1, 1025, 1}, false},      {{1}, {1, 1, 64}, true},      {{1}, {1, 1, 65}, false},
                {{1}, {32, 32, 1}, true},        {{1}, {32, 33, 1}, false}};
  for (const auto &shape : shapes) {
    *count = 0;
    count_up<<<shape.grid, shape.block>>>(count);
    if (shape.legal) {
      CHECK_CUDA(cudaGetLastError());
      CHECK_CUDA(cudaDeviceSynchronize());
      CHECK_EQ(*count, (unsigned long long)shape.grid.x * shape.grid.y * shape.grid.z);
    } else {
      CHECK_REFUSED(cudaErrorInvalidValue);
      CHECK_EQ(*count, 0u);
    }
  }
  // The one-dimensional grid that a tool moved to y.
  constexpr int kBlocks = 318750;
  int *blocks = nullptr;
  CHECK_CUDA(cudaMallocManaged(&blocks, kBlocks * sizeof(int)));
  mark<<<kBlocks, 32>>>(blocks);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i : {0, 1, 65535, 65536, kBlocks - 1}) {
    CHECK_EQ(blocks[i], i + kBlocks);
  }
  CHECK_CUDA(cudaFree(blocks));
}

static void errors_of_others() {
  void *p = nullptr;
  CHECK_ERROR(cudaMalloc(&p, size_t{1} << 60), cudaErrorMemoryAllocation);
  nothing<<<1, 1>>>();  // a good launch does not hide it, nor make it its own
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_ERROR(cudaGetLastError(), cudaErrorMemoryAllocation);
  CHECK_CUDA(cudaGetLastError());
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  (void)cudaStreamQuery(stream);
  CHECK_CUDA(cudaGetLastError());  // "not ready" would not be an error either
  CHECK_CUDA(cudaStreamDestroy(stream));
}

static void shared_memory() {
  const int plain = attribute(cudaDevAttrMaxSharedMemoryPerBlock), most = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  cudaDeviceProp prop;
  CHECK_CUDA(cudaGetDeviceProperties(&prop, 0));
  CHECK_EQ((int)prop.sharedMemPerBlock, plain);
  CHECK_EQ((int)prop.sharedMemPerBlockOptin, most);
  CHECK(plain >= 48 << 10 && most >= plain && (int)prop.sharedMemPerMultiprocessor >= most);
  int *sum = nullptr;
  CHECK_CUDA(cudaMallocManaged(&sum, sizeof(int)));
  auto fits = [&](int bytes) {
    *sum = 0;
    both_ends<<<1, 1, bytes>>>(bytes, sum);
    const bool launched = cudaGetLastError() == cudaSuccess;
    CHECK_CUDA(cudaDeviceSynchronize());
    CHECK_EQ(*sum, launched ? 7 : 0);
    return launched;
  };
  CHECK(fits(plain));
  if (most > plain) {
    CHECK(!fits(plain + 1) && !fits(most));
  }
  CHECK_ERROR(cudaFuncSetAttribute(both_ends, cudaFuncAttributeMaxDynamicSharedMemorySize, most + 1), cudaErrorInvalidValue);
  CHECK_ERROR(cudaFuncSetAttribute(both_ends, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 30), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGetLastError(), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFuncSetAttribute(both_ends, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
  cudaFuncAttributes facts;
  CHECK_CUDA(cudaFuncGetAttributes(&facts, both_ends));
  CHECK_EQ(facts.maxDynamicSharedSizeBytes, most);
  CHECK(fits(most));
  CHECK(!fits(most + 1));
  CHECK_CUDA(cudaFree(sum));
}

static void bounds_of_kernels() {
  cudaFuncAttributes facts;
  CHECK_CUDA(cudaFuncGetAttributes(&facts, bounded));
  CHECK_EQ(facts.maxThreadsPerBlock, 128);
  int *count = nullptr;
  CHECK_CUDA(cudaMallocManaged(&count, sizeof(int)));
  *count = 0;
  bounded<<<1, 129>>>(count);
  CHECK(cudaGetLastError() != cudaSuccess);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*count, 0);
  bounded<<<1, 128>>>(count);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*count, 128);
  int grid = 0, block = 0;
  CHECK_CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded));
  CHECK(block > 0 && block <= 128);
  CHECK_CUDA(cudaFree(count));
  // Whatever a kernel says of itself can be launched, optimised or not.
  CHECK_CUDA(cudaFuncGetAttributes(&facts, both_ends));
  nothing<<<1, facts.maxThreadsPerBlock>>>();
  CHECK_CUDA(cudaGetLastError());
  CHECK_CUDA(cudaDeviceSynchronize());
}

int main() {
  unsigned long long *count = nullptr;
  REQUIRE_CUDA(cudaMallocManaged(&count, sizeof *count));
  nothing_to_do(count);
  largest_shapes(count);
  errors_of_others();
  shared_memory();
  bounds_of_kernels();
  return check_report();
}
