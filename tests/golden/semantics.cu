// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mcc %s -o %t && %run %t > %t.out && diff %S/semantics.expected %t.out
// covers: C-2.1.2-01
// Prints what the device computes where C++ leaves it open or where CPUs differ: division by zero, conversions out of
// range, shuffles at the edge, votes, printf formats. The expected lines were recorded on an NVIDIA H200.
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

// The operands come from memory, so that nothing is folded.
__global__ void division(const int *a, const int *b, const long long *c, const long long *d, int n, long long *out) {
  int i = threadIdx.x;
  if (i >= n) return;
  out[i * 8 + 0] = a[i] / b[i];
  out[i * 8 + 1] = a[i] % b[i];
  out[i * 8 + 2] = (unsigned)a[i] / (unsigned)b[i];
  out[i * 8 + 3] = (unsigned)a[i] % (unsigned)b[i];
  out[i * 8 + 4] = c[i] / d[i];
  out[i * 8 + 5] = c[i] % d[i];
  out[i * 8 + 6] = (long long)((unsigned long long)c[i] / (unsigned long long)d[i]);
  out[i * 8 + 7] = (long long)((unsigned long long)c[i] % (unsigned long long)d[i]);
}

__global__ void narrow_division(const signed char *a, const signed char *b, const short *c, const short *d, int n, int *out) {
  int i = threadIdx.x;
  if (i >= n) return;
  out[i * 4 + 0] = a[i] / b[i];
  out[i * 4 + 1] = b[i] == 0 ? -1 : (unsigned char)a[i] % (unsigned char)b[i];
  out[i * 4 + 2] = c[i] / d[i];
  out[i * 4 + 3] = d[i] == 0 ? -1 : (unsigned short)c[i] % (unsigned short)d[i];
}

__global__ void conversions(const float *x, const double *y, int n, long long *out) {
  int i = threadIdx.x;
  if (i >= n) return;
  long long *o = out + i * 12;
  o[0] = (int)x[i];
  o[1] = (unsigned)x[i];
  o[2] = (long long)x[i];
  o[3] = (long long)(unsigned long long)x[i];
  o[4] = (int)y[i];
  o[5] = (unsigned)y[i];
  o[6] = (long long)y[i];
  o[7] = (long long)(unsigned long long)y[i];
  o[8] = (short)x[i];
  o[9] = (unsigned char)x[i];
  o[10] = __float2int_rn(x[i]);
  o[11] = __double2ll_ru(y[i]);
}

// Not-a-number has many encodings; one stands for all.
__device__ unsigned bits_of(float x) { return x != x ? 0x7fffffffu : __float_as_uint(x); }

__global__ void float_bits(const float *a, const float *b, int n, unsigned *out) {
  int i = threadIdx.x;
  if (i >= n) return;
  unsigned *o = out + i * 10;
  o[0] = bits_of(a[i] / b[i]);
  o[1] = bits_of(sqrtf(a[i]));
  o[2] = bits_of(fminf(a[i], b[i]));
  o[3] = bits_of(fmaxf(a[i], b[i]));
  o[4] = bits_of(__fadd_rz(a[i], b[i]));
  o[5] = bits_of(__fmul_ru(a[i], b[i]));
  o[6] = bits_of(rintf(a[i]));
  o[7] = bits_of(roundf(a[i]));
  o[8] = bits_of(__saturatef(a[i]));
  o[9] = bits_of(a[i] * b[i] + 1.0f);
}

__global__ void integers(const unsigned *a, const unsigned *b, int n, unsigned *out) {
  int i = threadIdx.x;
  if (i >= n) return;
  unsigned *o = out + i * 16;
  o[0] = __clz(a[i]);
  o[1] = __ffs(a[i]);
  o[2] = __popc(a[i]);
  o[3] = __brev(a[i]);
  o[4] = __byte_perm(a[i], b[i], 0x3715);
  o[5] = __byte_perm(a[i], b[i], b[i]);
  o[6] = __mulhi((int)a[i], (int)b[i]);
  o[7] = __umulhi(a[i], b[i]);
  o[8] = __mul24((int)a[i], (int)b[i]);
  o[9] = __sad((int)a[i], (int)b[i], 7u);
  o[10] = __usad(a[i], b[i], 7u);
  o[11] = __hadd((int)a[i], (int)b[i]);
  o[12] = __urhadd(a[i], b[i]);
  o[13] = __funnelshift_l(a[i], b[i], b[i]);
  o[14] = __funnelshift_rc(a[i], b[i], b[i]);
  o[15] = __vadd4(a[i], b[i]) ^ __vabsdiffs2(a[i], b[i]);
}

__global__ void shuffles(int *out) {
  int lane = threadIdx.x;
  int v = lane * 10;
  int r = 0;
  r = __shfl_sync(~0u, v, lane + 5, 8);
  out[0 * 32 + lane] = r;
  out[1 * 32 + lane] = __shfl_sync(~0u, v, -1);
  out[2 * 32 + lane] = __shfl_up_sync(~0u, v, 3, 16);
  out[3 * 32 + lane] = __shfl_down_sync(~0u, v, 20);
  out[4 * 32 + lane] = __shfl_xor_sync(~0u, v, 9, 8);
  out[5 * 32 + lane] = __shfl_down_sync(~0u, v, 33);
  out[6 * 32 + lane] = __match_any_sync(~0u, lane % 5);
  int pred = -1;
  out[7 * 32 + lane] = __match_all_sync(~0u, 4, &pred) + pred;
  out[8 * 32 + lane] = __reduce_add_sync(~0u, lane) + __reduce_max_sync(~0u, -lane);
  out[9 * 32 + lane] = __ballot_sync(~0u, lane & 2) + __all_sync(~0u, lane < 31) + __any_sync(~0u, lane == 3);
  if (lane < 12) {
    out[10 * 32 + lane] = __activemask();
    int down = __shfl_down_sync(0xfffu, v, 4);
    out[11 * 32 + lane] = lane < 8 ? down : -1;
  } else {
    out[10 * 32 + lane] = __activemask();
    out[11 * 32 + lane] = __shfl_xor_sync(0xfffff000u, v, 1);
  }
  out[12 * 32 + lane] = __activemask();
  if (lane % 2) out[13 * 32 + lane] = __activemask();
  else out[13 * 32 + lane] = -1;
  if (lane >= 20) return;
  out[14 * 32 + lane] = __shfl_sync(0xfffffu, v, 19) + __popc(__activemask());
}

__global__ void counts(int *out) {
  out[threadIdx.x * 3 + 0] = __syncthreads_count(threadIdx.x % 3 == 0);
  out[threadIdx.x * 3 + 1] = __syncthreads_and(threadIdx.x < 100);
  out[threadIdx.x * 3 + 2] = __syncthreads_or(threadIdx.x == 57);
}

__global__ void prints(const char *s) {
  int r0 = printf("%d %i %u %o %x %X %c|\n", -5, 6, 7u, 8, 255, 255, 'z');
  int r1 = printf("%5d|%-5d|%05d|%+d|% d|%#x|%#o\n", 42, 42, 42, 42, 42, 42, 42);
  int r2 = printf("%f %e %g %G %a %.3f %10.2f|%-10.1e|\n", 1.5, 1.5, 1.5, 1e-10, 1.5, 3.14159, 2.5, 1e5);
  int r3 = printf("%lld %llu %llx %ld %lu\n", -1LL, 1ULL << 63, 1ULL << 40, 5L, 9ul);
  int r4 = printf("%s|%10s|%-10s|%.2s|%%\n", s, s, s, s);
  int r5 = printf("nothing to say\n");
  int r6 = printf("%f %f %d\n", INFINITY, -INFINITY, 1);
  printf("returns %d %d %d %d %d %d %d\n", r0, r1, r2, r3, r4, r5, r6);
}

__global__ void atomics(unsigned *u, int *s, float *f, unsigned long long *ull, unsigned *old) {
  old[0] = atomicInc(u + 0, 5);
  old[1] = atomicInc(u + 1, 5);
  old[2] = atomicDec(u + 2, 5);
  old[3] = atomicDec(u + 3, 5);
  old[4] = atomicDec(u + 4, 5);
  old[5] = atomicMin(s + 0, -3);
  old[6] = atomicMax(u + 5, 0x80000000u);
  old[7] = atomicCAS(u + 6, 7, 9);
  old[8] = atomicCAS(u + 6, 7, 11);
  old[9] = atomicExch(u + 7, 99);
  old[10] = atomicAnd(u + 8, 0xf0u);
  old[11] = atomicOr(u + 9, 0x0fu);
  old[12] = atomicXor(u + 10, 0xffu);
  old[13] = atomicSub(u + 11, 5);
  old[14] = __float_as_uint(atomicAdd(f, 2.5f));
  old[15] = (unsigned)atomicAdd(ull, 1ull << 40);
}

template <typename T> static T *device_copy(const T *h, size_t n) {
  T *d;
  cudaMalloc(&d, n * sizeof(T));
  cudaMemcpy(d, h, n * sizeof(T), cudaMemcpyHostToDevice);
  return d;
}

template <typename T> static void print(const char *name, const T *d, int rows, int columns) {
  T *h = new T[rows * columns];
  cudaError_t e = cudaMemcpy(h, d, sizeof(T) * rows * columns, cudaMemcpyDeviceToHost);
  std::printf("[%s] %s\n", name, cudaGetErrorName(e));
  for (int r = 0; r < rows; r++) {
    for (int c = 0; c < columns; c++) {
      if (sizeof(T) == 8) std::printf(" %lld", (long long)h[r * columns + c]);
      else std::printf(" %x", (unsigned)h[r * columns + c]);
    }
    std::puts("");
  }
  delete[] h;
}

template <typename T> static T *device_zeros(size_t n) {
  T *d;
  cudaMalloc(&d, n * sizeof(T));
  cudaMemset(d, 0, n * sizeof(T));
  return d;
}

int main() {
  const int a[] = {7, -7, 7, INT_MIN, 0, INT_MIN, 100, -1};
  const int b[] = {2, 2, 0, -1, 0, 0, -7, 0};
  const long long c[] = {7, -7, 7, LLONG_MIN, 0, LLONG_MIN, 1ll << 40, -1};
  const long long d[] = {2, 2, 3, -1, 5, 7, -7, 9};  // no zero: the GPU's answer depends on its fast path
  long long *wide = device_zeros<long long>(8 * 16);
  division<<<1, 32>>>(device_copy(a, 8), device_copy(b, 8), device_copy(c, 8), device_copy(d, 8), 8, wide);
  print("division", wide, 8, 8);

  const signed char na[] = {7, -7, 7, -128, 0, -128}, nb[] = {2, 2, 0, -1, 0, 0};
  const short nc[] = {7, -7, 7, -32768, 0, -32768}, nd[] = {2, 2, 0, -1, 0, 0};
  int *narrow = device_zeros<int>(6 * 4);
  narrow_division<<<1, 32>>>(device_copy(na, 6), device_copy(nb, 6), device_copy(nc, 6), device_copy(nd, 6), 6, narrow);
  print("narrow division", narrow, 6, 4);

  const float x[] = {1.5f, -1.5f, 3e9f, -3e9f, 1e20f, -1e20f, NAN, INFINITY, -INFINITY, 2147483648.0f, 0.5f, 300.0f};
  double y[12];
  for (int i = 0; i < 12; i++) y[i] = x[i];
  long long *converted = device_zeros<long long>(12 * 12);
  conversions<<<1, 32>>>(device_copy(x, 12), device_copy(y, 12), 12, converted);
  print("conversions", converted, 12, 12);

  const float fa[] = {1.0f, -0.0f, NAN, 1e-40f, 3.0f, -1.0f, INFINITY, 2.5f, -2.5f, 1e38f, 0.1f};
  const float fb[] = {3.0f, 0.0f, 1.0f, 2.0f, 1e-30f, 0.0f, INFINITY, -0.5f, 7.0f, 1e38f, 0.2f};
  unsigned *bits = device_zeros<unsigned>(11 * 10);
  float_bits<<<1, 32>>>(device_copy(fa, 11), device_copy(fb, 11), 11, bits);
  print("float bits", bits, 11, 10);

  const unsigned ia[] = {0u, 1u, 0x80000000u, 0xffffffffu, 0x12345678u, 0x00ff00ffu, 0xdeadbeefu};
  const unsigned ib[] = {0u, 31u, 33u, 0xffffffffu, 0x9abcdef0u, 0x7fff8000u, 0x00000008u};
  unsigned *ints = device_zeros<unsigned>(7 * 16);
  integers<<<1, 32>>>(device_copy(ia, 7), device_copy(ib, 7), 7, ints);
  print("integers", ints, 7, 16);

  int *lanes = device_zeros<int>(15 * 32);
  shuffles<<<1, 32>>>(lanes);
  print("warp", lanes, 15, 32);

  int *count = device_zeros<int>(3 * 128);
  counts<<<1, 128>>>(count);
  print("counts", count, 1, 3);

  const unsigned u[12] = {4, 5, 0, 3, 9, 1, 7, 1, 0xff, 0xf0, 0x0f, 3};
  const int s[1] = {5};
  const float f[1] = {1.25f};
  const unsigned long long q[1] = {3};
  unsigned *du = device_copy(u, 12), *old = device_zeros<unsigned>(16);
  atomics<<<1, 1>>>(du, device_copy(s, 1), device_copy(f, 1), device_copy(q, 1), old);
  print("atomic old", old, 1, 16);
  print("atomic new", du, 1, 12);

  std::fflush(stdout);
  prints<<<1, 1>>>(device_copy("text", 5));
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
