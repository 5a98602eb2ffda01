// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cp.reduce.async.bulk of inline PTX: arrays of shared memory update arrays of global memory; cp.async.bulk.prefetch changes
// nothing.
// RUN: %mcc -arch=sm_90 -std=c++17 %s -o %t && %run %t
// covers: C-3.2.1-01
#include "check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <vector>

typedef unsigned int u32;
typedef unsigned long long u64;

__device__ u32 shared_address(const void *p) { return static_cast<u32>(__cvta_generic_to_shared(p)); }

constexpr int kBlocks = 4, kBytes = 256;

/// Every block updates `out` with its own part of `in`.
#define BULK(name, operation, T)                                                                                              \
  __global__ void name(T *out, const T *in) {                                                                                 \
    __shared__ __align__(16) T box[kBytes / sizeof(T)];                                                                       \
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(in), "r"(kBytes) : "memory");                             \
    for (int i = threadIdx.x; i < kBytes / static_cast<int>(sizeof(T)); i += blockDim.x) {                                    \
      box[i] = in[blockIdx.x * (kBytes / sizeof(T)) + i];                                                                     \
    }                                                                                                                         \
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");                                                              \
    __syncthreads();                                                                                                          \
    if (threadIdx.x == 0) {                                                                                                   \
      asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." operation " [%0], [%1], %2;" ::"l"(out),             \
                   "r"(shared_address(box)), "r"(kBytes)                                                                      \
                   : "memory");                                                                                               \
      asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");                                   \
    }                                                                                                                         \
  }
BULK(add_u32, "add.u32", u32)
BULK(add_u64, "add.u64", u64)
BULK(add_f32, "add.f32", float)
BULK(add_f64, "add.f64", double)
BULK(add_f16, "add.noftz.f16", __half)
BULK(add_bf16, "add.noftz.bf16", __nv_bfloat16)
BULK(min_s32, "min.s32", int)
BULK(max_s32, "max.s32", int)
BULK(max_u32, "max.u32", u32)
BULK(min_f16, "min.f16", __half)
BULK(max_s64, "max.s64", long long)
BULK(and_b32, "and.b32", u32)
BULK(or_b64, "or.b64", u64)
BULK(xor_b32, "xor.b32", u32)

template <typename T> T of_int(long long x) { return static_cast<T>(static_cast<float>(x)); }
template <> u64 of_int(long long x) { return x; }
template <> long long of_int(long long x) { return x; }
template <> u32 of_int(long long x) { return static_cast<u32>(x); }
template <> int of_int(long long x) { return static_cast<int>(x); }
long long number(int i) { return i * 37 % 101 - 50; }

template <typename T, typename Operation> void compare(void (*kernel)(T *, const T *), Operation operation) {
  constexpr int kN = kBytes / static_cast<int>(sizeof(T));
  T *in, *out;
  CHECK_CUDA(cudaMallocManaged(&in, kBlocks * kBytes));
  CHECK_CUDA(cudaMallocManaged(&out, kBytes + 16));
  std::vector<T> expected(kN);
  for (int i = 0; i < kBlocks * kN; ++i) in[i] = of_int<T>(number(i));
  for (int i = 0; i < kN; ++i) expected[i] = out[i] = of_int<T>(number(1000 + i));
  out[kN] = of_int<T>(7);
  for (int i = 0; i < kBlocks * kN; ++i) expected[i % kN] = operation(expected[i % kN], in[i]);
  kernel<<<kBlocks, 32>>>(out, in);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kN; ++i) CHECK(out[i] == expected[i]);
  CHECK(out[kN] == of_int<T>(7));
  CHECK_CUDA(cudaFree(in));
  CHECK_CUDA(cudaFree(out));
}

int main() {
  auto add = [](auto a, auto b) { return static_cast<decltype(a)>(a + b); };
  auto add_small = [](auto a, auto b) { return decltype(a)(static_cast<float>(a) + static_cast<float>(b)); };
  auto least = [](auto a, auto b) { return static_cast<float>(b) < static_cast<float>(a) ? b : a; };
  auto most = [](auto a, auto b) { return a < b ? b : a; };
  compare(add_u32, add);
  compare(add_u64, add);
  compare(add_f32, add);
  compare(add_f64, add);
  compare(add_f16, add_small);
  compare(add_bf16, add_small);
  compare(min_s32, least);
  compare(max_s32, most);
  compare(max_u32, most);
  compare(min_f16, least);
  compare(max_s64, most);
  compare(and_b32, [](u32 a, u32 b) { return a & b; });
  compare(or_b64, [](u64 a, u64 b) { return a | b; });
  compare(xor_b32, [](u32 a, u32 b) { return a ^ b; });
  return check_report();
}
