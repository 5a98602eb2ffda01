// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables of counters in shared and global memory, over data in which lanes seldom, often and always name one counter:
// every operation whose result nobody reads, indices of every size, guards, tables of a block and of each warp.
// RUN: %mcc %s -o %t && %run %t
// covers: C-5.4.5-01 C-5.4.5.1-01
#include <algorithm>
#include <cstring>
#include <vector>

#include "check.h"

constexpr int kBins = 256, kCount = 5000, kBlocks = 3;

enum Data { Equal, Two, Few, Runs, Alternating, Random, kKinds };

unsigned byte_of(Data kind, int i) {
  const unsigned mixed = (i + 1) * 2654435761u, noise = mixed >> 19 & 0xff;
  switch (kind) {
    case Equal: return 200;
    case Two: return noise & 1 ? 7 : 131;
    case Few: return noise % 5;
    case Runs: return i / 11 * 37 & 0xff;
    case Alternating: return i / 256 % 2 ? noise : 3;  // warps of either kind
    default: return noise;
  }
}

enum Op { Add, Sub, Or, And, Xor, Max, Min, Inc };

template <class T> __host__ __device__ T first_value(Op op) { return op == And || op == Min ? T(~T(0)) : T(0); }

template <Op kOp, class T> __device__ void update(T *at, T value) {
  if constexpr (kOp == Add) atomicAdd(at, value);
  if constexpr (kOp == Sub) atomicSub(at, value);
  if constexpr (kOp == Or) atomicOr(at, value);
  if constexpr (kOp == And) atomicAnd(at, value);
  if constexpr (kOp == Xor) atomicXor(at, value);
  if constexpr (kOp == Max) atomicMax(at, value);
  if constexpr (kOp == Min) atomicMin(at, value);
  if constexpr (kOp == Inc) atomicInc(at, value);
}

template <class T> void update(Op op, T &at, T value) {
  switch (op) {
    case Add: at += value; break;
    case Sub: at -= value; break;
    case Or: at |= value; break;
    case And: at &= value; break;
    case Xor: at ^= value; break;
    case Max: at = std::max(at, value); break;
    case Min: at = std::min(at, value); break;
    default: at = at >= value ? 0 : at + 1;
  }
}

__host__ __device__ unsigned operand(Op op, int i) { return op == Inc ? 1000000u : (i * 40503u) >> 7 & 0x1ffff; }

template <Op kOp, class T> __global__ void operations(int n, const unsigned char *bytes, T *out) {
  __shared__ T bins[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) bins[b] = first_value<T>(kOp);
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) update<kOp, T>(&bins[bytes[i]], operand(kOp, i));
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) out[b] = bins[b];
}

/// One value for all: a count times the value.
template <class T> __global__ void ones(int n, const unsigned char *bytes, T *out, T value) {
  extern __shared__ unsigned char memory[];
  T *bins = reinterpret_cast<T *>(memory);
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&bins[bytes[i]], value);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) atomicAdd(&out[b], bins[b]);
}

/// A table for each warp, small signed indices around its middle, and a guard.
__global__ void tables(int n, const signed char *bytes, int low, int high, unsigned *out) {
  __shared__ unsigned bins[8 * kBins];
  for (int b = threadIdx.x; b < 8 * kBins; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  unsigned *middle = bins + threadIdx.x / 32 * kBins + kBins / 2;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const signed char value = bytes[i];
    if (value >= low && value < high) atomicAdd_block(&middle[value], 2u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) {
    unsigned sum = 0;
    for (int w = 0; w < 8; w++) sum += bins[w * kBins + b];
    out[b] = sum;
  }
}

/// Indices of 32 and 64 bits that come from a calculation; results that are read, too.
__global__ void wide(int n, const unsigned char *bytes, unsigned *out, unsigned *seen) {
  __shared__ unsigned bins[4 * kBins];
  for (int b = threadIdx.x; b < 4 * kBins; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  unsigned sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const unsigned byte = bytes[i];
    atomicAdd(&bins[byte * 3 + 1], 1u);
    atomicAdd(bins + (static_cast<size_t>(byte) * 1023 % 4 * kBins + byte % 10), 1u);
    if (i % 7 == 3) sum += atomicAdd(&bins[byte], 1u) & 1;
  }
  __syncthreads();
  for (int b = threadIdx.x; b < 4 * kBins; b += blockDim.x) out[b] = bins[b];
  atomicAdd(seen, sum);
}

__global__ void everywhere(int n, const unsigned char *bytes, unsigned *out, unsigned long long *totals) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&out[bytes[i]], 1u);
    if (bytes[i] % 3 != 0) atomicMax(&totals[bytes[i]], static_cast<unsigned long long>(i) << 20);
  }
}

template <class T> T *managed(size_t count) {
  T *made = nullptr;
  CHECK_CUDA(cudaMallocManaged(&made, count * sizeof(T)));
  CHECK_CUDA(cudaMemset(made, 0, count * sizeof(T)));
  return made;
}

unsigned char *bytes;

template <Op kOp, class T> void check_operation(int threads) {
  T *out = managed<T>(kBins);
  operations<kOp, T><<<1, threads>>>(kCount, bytes, out);
  CHECK_CUDA(cudaDeviceSynchronize());
  std::vector<T> expected(kBins, first_value<T>(kOp));
  for (int i = 0; i < kCount; i++) update<T>(kOp, expected[bytes[i]], operand(kOp, i));
  for (int b = 0; b < kBins; b++) CHECK_EQ(out[b], expected[b]);
  cudaFree(out);
}

template <class T> void check_ones(int threads, T value) {
  T *out = managed<T>(kBins);
  ones<T><<<kBlocks, threads, kBins * sizeof(T)>>>(kCount, bytes, out, value);
  CHECK_CUDA(cudaDeviceSynchronize());
  std::vector<T> expected(kBins);
  for (int i = 0; i < kCount; i++) expected[bytes[i]] += value;
  for (int b = 0; b < kBins; b++) CHECK_EQ(out[b], expected[b]);
  cudaFree(out);
}

void check_tables(int threads, int low, int high) {
  unsigned *out = managed<unsigned>(kBins), expected[kBins] = {};
  auto *values = reinterpret_cast<signed char *>(bytes);
  tables<<<1, threads>>>(kCount, values, low, high, out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kCount; i++) {
    if (values[i] >= low && values[i] < high) expected[kBins / 2 + values[i]] += 2;
  }
  for (int b = 0; b < kBins; b++) CHECK_EQ(out[b], expected[b]);
  cudaFree(out);
}

void check_wide(int threads) {
  unsigned *out = managed<unsigned>(4 * kBins + 1), expected[4 * kBins] = {};
  wide<<<1, threads>>>(kCount, bytes, out, &out[4 * kBins]);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kCount; i++) {
    const unsigned byte = bytes[i];
    expected[byte * 3 + 1]++, expected[byte * 1023 % 4 * kBins + byte % 10]++, expected[byte] += i % 7 == 3;
  }
  for (int b = 0; b < 4 * kBins; b++) CHECK_EQ(out[b], expected[b]);
  cudaFree(out);
}

void check_everywhere(int threads) {
  unsigned *out = managed<unsigned>(kBins), expected[kBins] = {};
  auto *totals = managed<unsigned long long>(kBins);
  unsigned long long highest[kBins] = {};
  everywhere<<<kBlocks, threads>>>(kCount, bytes, out, totals);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kCount; i++) {
    expected[bytes[i]]++;
    if (bytes[i] % 3 != 0) highest[bytes[i]] = static_cast<unsigned long long>(i) << 20;
  }
  for (int b = 0; b < kBins; b++) {
    CHECK_EQ(out[b], expected[b]);
    CHECK_EQ(totals[b], highest[b]);
  }
  cudaFree(out), cudaFree(totals);
}

int main() {
  bytes = managed<unsigned char>(kCount);
  for (int kind = 0; kind < kKinds; kind++) {
    for (int i = 0; i < kCount; i++) bytes[i] = static_cast<unsigned char>(byte_of(Data(kind), i));
    for (int threads : {256, 72}) {
      check_operation<Add, int>(threads);
      check_operation<Add, unsigned long long>(threads);
      check_operation<Sub, unsigned>(threads);
      check_operation<Or, unsigned>(threads);
      check_operation<And, unsigned long long>(threads);
      check_operation<Xor, unsigned>(threads);
      check_operation<Max, int>(threads);
      check_operation<Min, unsigned>(threads);
      check_operation<Inc, unsigned>(threads);
      check_ones<unsigned>(threads, 1);
      check_ones<unsigned long long>(threads, 1ull << 33);
      check_ones<float>(threads, 0.5f);
      check_ones<double>(threads, 0.25);
      check_tables(threads, -128, 128);
      check_tables(threads, -60, 90);
      check_tables(threads, 1, 12);
      check_wide(threads);
      check_everywhere(threads);
    }
  }
  return check_report();
}
