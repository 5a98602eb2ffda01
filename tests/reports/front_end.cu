// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sources that nvcc takes and that other compilers were reported to refuse.
// report: spectral-compute/scale-validation#34, spectral-compute/scale-validation#40, spectral-compute/scale-validation#48
// report: spectral-compute/scale-validation#28, spectral-compute/scale-validation#27, spectral-compute/scale-validation#69
// report: spectral-compute/scale-validation#47, llvm/llvm-project#117831, llvm/llvm-project#77359, flashinfer-ai/flashinfer#1400
// report: NVIDIA/cccl#7867, CHIP-SPV/chipStar#977, CHIP-SPV/chipStar#1051, CHIP-SPV/chipStar#370, conservation-laws/ryujin#351
// report: ggml-org/llama.cpp#6697
// RUN: %mcc -O2 -std=c++17 --extended-lambda %s -o %t && %run %t
// covers: C-5.3.8.1-01 C-5.3.8.2-01 C-5.3.11-03
#include "check.h"

#include <cuda_runtime.h>

// github.com/spectral-compute/scale-validation/issues/40
struct Box {
  int v;
  __host__ __device__ [[nodiscard]] int get() const { return v; }
};

// …/issues/27, and names of old headers
#ifndef __device_builtin__
#define HAS_NO_DEVICE_BUILTIN
#endif

// …/issues/69: glibc's names beside the device's, also those that came with C23
extern "C" {
double rsqrt(double) noexcept(true);
float rsqrtf(float) noexcept(true);
double cospi(double) noexcept(true);
float cospif(float) noexcept(true);
double sinpi(double) noexcept(true);
double tanpi(double) noexcept(true);
double acospi(double) noexcept(true);
double exp10(double) noexcept(true);
double rootn(double, long long) noexcept(true);
double compoundn(double, long long) noexcept(true);
}
#include <cmath>
__global__ void names(double *out) {
  out[0] = rsqrt(4.0);
  out[1] = cospi(1.0);
  out[2] = std::sqrt(9.0) + ::fabs(-1.0);
}

// github.com/llvm/llvm-project/issues/117831
#ifdef __CUDA_ARCH__
#define HD __host__ __device__
#else
#define HD
#endif
HD inline int twice(int x) { return 2 * x; }
__global__ void call_twice(int *out) {
#ifdef __CUDA_ARCH__
  *out = twice(21);
#endif
}

// github.com/llvm/llvm-project/pull/77359: the declaration says host, the definition device
int both_sides(int x);
__device__ int both_sides(int x) { return x + 1; }
__global__ void call_both(int *out) { *out = both_sides(4); }

// github.com/flashinfer-ai/flashinfer/issues/1400, github.com/NVIDIA/cccl/issues/7867: the strictest alignment counts
template <int kAlign> __global__ void aligned_dynamic(unsigned long long *out) {
  __shared__ char odd[3];
  extern __shared__ __align__(kAlign) unsigned char raw[];
  odd[threadIdx.x % 3] = 1;
  raw[threadIdx.x] = odd[0];
  *out = reinterpret_cast<unsigned long long>(raw);
}

// github.com/CHIP-SPV/chipStar/issues/977, pull/1051, pull/370
template <class T> __constant__ T mask[10];
__constant__ float initialised[3] = {1.1f, 2.2f, 3.3f};
struct Entry {
  int key;
  double value[2];
};
__device__ Entry table[3] = {{1, {1.5, 2.5}}, {2, {3.5, 4.5}}, {3, {5.5, 6.5}}};
__global__ void read_mask(double *out) { *out = mask<double>[3]; }
__global__ void read_table(double *out) {
  out[0] = table[2].value[1];
  out[1] = table[1].key;
}

// github.com/conservation-laws/ryujin/issues/351: lambdas as kernels' arguments
template <typename F, typename... Args> __global__ void call(F f, int *out, Args... args) { out[threadIdx.x] = f(threadIdx.x, args...); }

// github.com/ggml-org/llama.cpp/pull/6697
__noinline__ __device__ int outlined(int x) { return x * 3; }
__attribute__((__noinline__)) __device__ int outlined_too(int x) { return x * 5; }
__global__ void call_outlined(int *out) { *out = outlined(2) + outlined_too(2); }

// the order of `__global__` and `void`, and braces for the shape
void __global__ shaped(int *out) { atomicAdd(out, 1); }

__global__ void by_reference(const int &n, int *out);

__global__ void wide(unsigned __int128 *v) { v[2] = v[0] / v[1]; v[3] = v[0] % v[1]; }

// …/issues/48: a shared variable whose type has a constructor; it does not run
struct WithConstructor {
  int v;
  __device__ WithConstructor() : v(7) {}
  WithConstructor(const WithConstructor &) = default;
};

// …/issues/28: libraries that see __clang__ overload by execution space, although __NVCC__ is there too
__host__ int side() { return 1; }
__device__ int side() { return 2; }
__global__ void sides(int *out) { *out = side(); }

int main() {
  int *m;
  CHECK_CUDA(cudaMallocManaged(&m, 4096));
  double *d = reinterpret_cast<double *>(m) + 128;
  auto sync = [] { CHECK_CUDA(cudaDeviceSynchronize()); };

  Box box{3};
  CHECK_EQ(box.get(), 3);

  sides<<<1, 1>>>(m), sync();
  CHECK_EQ(m[0], 2);
  CHECK_EQ(side(), 1);

  names<<<1, 1>>>(d), sync();
  CHECK_EQ(d[0], 0.5);
  CHECK_EQ(d[1], -1.0);
  CHECK_EQ(d[2], 4.0);

  // …/issues/47: cuda_runtime.h brings the clock
  CHECK(time(0) > 0);

  call_twice<<<1, 1>>>(m), sync();
  CHECK_EQ(m[0], 42);
  call_both<<<1, 1>>>(m), sync();
  CHECK_EQ(m[0], 5);

  unsigned long long *rest = reinterpret_cast<unsigned long long *>(m);
  aligned_dynamic<4><<<1, 4, 64>>>(rest), sync();
  CHECK_EQ(*rest % 16, 0ull);
  aligned_dynamic<128><<<1, 4, 64>>>(rest), sync();
  CHECK_EQ(*rest % 128, 0ull);

  double values[10] = {0, 1, 2, 3.25};
  CHECK_CUDA(cudaMemcpyToSymbol(mask<double>, values, sizeof values));
  read_mask<<<1, 1>>>(d), sync();
  CHECK_EQ(d[0], 3.25);
  float back[3];
  CHECK_CUDA(cudaMemcpyFromSymbol(back, initialised, sizeof back));
  CHECK_EQ(back[1], 2.2f);
  read_table<<<1, 1>>>(d), sync();
  CHECK_EQ(d[0], 6.5);
  CHECK_EQ(d[1], 2.0);

  int factor = 10;
  call<<<1, 8>>>([=] __device__(int i, int extra) { return i * factor + extra; }, m, 5), sync();
  CHECK_EQ(m[7], 75);
  call<<<1, 8>>>([] __host__ __device__(int i) { return i + 1; }, m), sync();
  CHECK_EQ(m[7], 8);

  call_outlined<<<1, 1>>>(m), sync();
  CHECK_EQ(m[0], 16);

  m[0] = 0;
  shaped<<<2, {16, 16, 1}>>>(m), sync();
  CHECK_EQ(m[0], 512);

  unsigned __int128 *w = reinterpret_cast<unsigned __int128 *>(m);
  w[0] = ((unsigned __int128)0x123456789abcdefull << 64) | 987654321u;
  w[1] = ((unsigned __int128)3 << 40) | 12345;
  unsigned __int128 a = w[0], b = w[1];
  wide<<<1, 1>>>(w), sync();
  CHECK(w[2] == a / b);
  CHECK(w[3] == a % b);
  return check_report();
}
