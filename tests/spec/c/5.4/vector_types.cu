// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Built-in vector types: sizes, alignments, members, make_ functions, on both sides; dim3.
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// covers: C-5.4.2.3-01 B-5-01
#include "check.h"

#include <cuda_runtime.h>

#include <type_traits>

#define SHAPE(type, element, count, bytes, alignment)                                                             \
  static_assert(sizeof(type) == bytes && alignof(type) == alignment && sizeof(type::x) == sizeof(element), #type); \
  static_assert(std::is_same<decltype(type::x), element>::value && std::is_trivially_copyable<type>::value, #type);

SHAPE(char1, signed char, 1, 1, 1)
SHAPE(uchar1, unsigned char, 1, 1, 1)
SHAPE(char2, signed char, 2, 2, 2)
SHAPE(uchar2, unsigned char, 2, 2, 2)
SHAPE(char3, signed char, 3, 3, 1)
SHAPE(uchar3, unsigned char, 3, 3, 1)
SHAPE(char4, signed char, 4, 4, 4)
SHAPE(uchar4, unsigned char, 4, 4, 4)
SHAPE(short1, short, 1, 2, 2)
SHAPE(ushort1, unsigned short, 1, 2, 2)
SHAPE(short2, short, 2, 4, 4)
SHAPE(ushort2, unsigned short, 2, 4, 4)
SHAPE(short3, short, 3, 6, 2)
SHAPE(ushort3, unsigned short, 3, 6, 2)
SHAPE(short4, short, 4, 8, 8)
SHAPE(ushort4, unsigned short, 4, 8, 8)
SHAPE(int1, int, 1, 4, 4)
SHAPE(uint1, unsigned, 1, 4, 4)
SHAPE(int2, int, 2, 8, 8)
SHAPE(uint2, unsigned, 2, 8, 8)
SHAPE(int3, int, 3, 12, 4)
SHAPE(uint3, unsigned, 3, 12, 4)
SHAPE(int4, int, 4, 16, 16)
SHAPE(uint4, unsigned, 4, 16, 16)
SHAPE(long1, long, 1, 8, 8)
SHAPE(ulong1, unsigned long, 1, 8, 8)
SHAPE(long2, long, 2, 16, 16)
SHAPE(ulong2, unsigned long, 2, 16, 16)
SHAPE(long3, long, 3, 24, 8)
SHAPE(ulong3, unsigned long, 3, 24, 8)
SHAPE(long4_16a, long, 4, 32, 16)
SHAPE(ulong4_16a, unsigned long, 4, 32, 16)
SHAPE(long4_32a, long, 4, 32, 32)
SHAPE(ulong4_32a, unsigned long, 4, 32, 32)
SHAPE(longlong1, long long, 1, 8, 8)
SHAPE(ulonglong1, unsigned long long, 1, 8, 8)
SHAPE(longlong2, long long, 2, 16, 16)
SHAPE(ulonglong2, unsigned long long, 2, 16, 16)
SHAPE(longlong3, long long, 3, 24, 8)
SHAPE(ulonglong3, unsigned long long, 3, 24, 8)
SHAPE(longlong4_16a, long long, 4, 32, 16)
SHAPE(ulonglong4_16a, unsigned long long, 4, 32, 16)
SHAPE(longlong4_32a, long long, 4, 32, 32)
SHAPE(ulonglong4_32a, unsigned long long, 4, 32, 32)
SHAPE(float1, float, 1, 4, 4)
SHAPE(float2, float, 2, 8, 8)
SHAPE(float3, float, 3, 12, 4)
SHAPE(float4, float, 4, 16, 16)
SHAPE(double1, double, 1, 8, 8)
SHAPE(double2, double, 2, 16, 16)
SHAPE(double3, double, 3, 24, 8)
SHAPE(double4_16a, double, 4, 32, 16)
SHAPE(double4_32a, double, 4, 32, 32)
// The names without an alignment are deprecated; they are aligned to 16 bytes.
#pragma nv_diag_suppress 1215
SHAPE(long4, long, 4, 32, 16)
SHAPE(ulong4, unsigned long, 4, 32, 16)
SHAPE(longlong4, long long, 4, 32, 16)
SHAPE(ulonglong4, unsigned long long, 4, 32, 16)
SHAPE(double4, double, 4, 32, 16)

template <typename V> __host__ __device__ double spread(V v) { return v.x + 10.0 * v.y + 100.0 * v.z + 1000.0 * v.w; }

__host__ __device__ void make_all(double *out) {
  *out++ = make_char1(1).x + make_uchar1(2).x + make_short1(3).x + make_ushort1(4).x + make_int1(5).x + make_uint1(6).x;
  *out++ = make_long1(1).x + make_ulong1(2).x + make_longlong1(3).x + make_ulonglong1(4).x + make_float1(5).x + make_double1(6).x;
  *out++ = make_char2(1, -2).y + make_uchar2(3, 4).y + make_short2(5, -6).y + make_ushort2(7, 8).y + make_int2(9, -1).y;
  *out++ = make_uint2(1, 2).y + make_long2(3, 4).y + make_ulong2(5, 6).y + make_longlong2(7, 8).y + make_ulonglong2(9, 1).y;
  *out++ = make_float2(1, 2).y + make_double2(3, 4).y;
  *out++ = make_char3(1, 2, 3).z + make_uchar3(1, 2, 4).z + make_short3(1, 2, 5).z + make_ushort3(1, 2, 6).z + make_int3(1, 2, 7).z;
  *out++ = make_uint3(1, 2, 3).z + make_long3(1, 2, 4).z + make_ulong3(1, 2, 5).z + make_longlong3(1, 2, 6).z + make_ulonglong3(1, 2, 7).z;
  *out++ = make_float3(1, 2, 3).z + make_double3(1, 2, 4).z;
  *out++ = spread(make_char4(1, 2, 3, 4));
  *out++ = spread(make_uchar4(1, 2, 3, 4));
  *out++ = spread(make_short4(1, 2, 3, 4));
  *out++ = spread(make_ushort4(1, 2, 3, 4));
  *out++ = spread(make_int4(1, 2, 3, 4));
  *out++ = spread(make_uint4(1, 2, 3, 4));
  *out++ = spread(make_long4_16a(1, 2, 3, 4));
  *out++ = spread(make_ulong4_32a(1, 2, 3, 4));
  *out++ = spread(make_longlong4_32a(1, 2, 3, 4));
  *out++ = spread(make_ulonglong4_16a(1, 2, 3, 4));
  *out++ = spread(make_float4(1, 2, 3, 4));
  *out++ = spread(make_double4_16a(1, 2, 3, 4));
  *out++ = spread(make_double4_32a(1, 2, 3, 4));
}
static const int kMade = 21;

struct Mixed {
  char first;
  float4 four;
  char3 three;
  double2 two;
};
static_assert(sizeof(Mixed) == 64 && offsetof(Mixed, four) == 16 && offsetof(Mixed, two) == 48, "records");

__global__ void kernel(double *out, const Mixed *in, Mixed *copies, float3 *threes) {
  make_all(out + kMade * threadIdx.x);
  Mixed one = in[threadIdx.x];
  one.four.w += one.two.y;
  one.three.y = threadIdx.x;
  copies[threadIdx.x] = one;
  threes[threadIdx.x] = make_float3(one.four.x, one.four.y, one.four.z);
}

int main() {
  double *out, host[kMade];
  Mixed *in, *copies;
  float3 *threes;
  CHECK_CUDA(cudaMallocManaged(&out, 33 * sizeof host));
  CHECK_CUDA(cudaMallocManaged(&in, 33 * sizeof(Mixed)));
  CHECK_CUDA(cudaMallocManaged(&copies, 33 * sizeof(Mixed)));
  CHECK_CUDA(cudaMallocManaged(&threes, 33 * sizeof(float3)));
  for (int i = 0; i < 33; ++i) {
    in[i] = Mixed{char(i), make_float4(i, i + 1, i + 2, i + 3), make_char3(1, 2, 3), make_double2(i * 0.5, i * 2)};
  }
  kernel<<<1, 33>>>(out, in, copies, threes);
  CHECK_CUDA(cudaDeviceSynchronize());
  make_all(host);
  const double expected[kMade] = {21, 21, 3, 21, 6, 25, 25, 7, 4321, 4321, 4321, 4321, 4321, 4321, 4321, 4321, 4321, 4321, 4321, 4321, 4321};
  for (int k = 0; k < kMade; ++k) {
    double right = expected[k];
    CHECK_EQ(host[k], right);
    CHECK_EQ(out[k], right);
    CHECK_EQ(out[32 * kMade + k], right);
  }
  for (int i = 0; i < 33; ++i) {
    CHECK_EQ(copies[i].first, i);
    CHECK_EQ(copies[i].four.w, 3 * i + 3.0f);
    CHECK_EQ(copies[i].three.y, i);
    CHECK_EQ(copies[i].three.z, 3);
    CHECK_EQ(copies[i].two.x, i * 0.5);
    CHECK_EQ(threes[i].z, i + 2.0f);
  }
  dim3 none, one(5), two(6, 7), all(8, 9, 10), from(make_uint3(1, 2, 3));
  CHECK_EQ(none.x * none.y * none.z, 1u);
  CHECK_EQ(one.x * 100 + one.y * 10 + one.z, 511u);
  CHECK_EQ(two.x * 100 + two.y * 10 + two.z, 671u);
  CHECK_EQ(all.z, 10u);
  CHECK_EQ(from.y, 2u);
  uint3 plain = all;
  CHECK_EQ(plain.y, 9u);
  return check_report();
}
