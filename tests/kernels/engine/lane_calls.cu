// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that stay calls, of which each lane of a warp may call another one: by pointers, virtual, recursive, kept out
// of line; they ask who calls, use shared memory and atomics, take and give structs; lanes that must not call do not.
// RUN: %mcc %s -o %t && %run %t
// covers: C-2.1.8-01 M-3.2.13-01
#include "check.h"

constexpr int kThreads = 77, kBlocks = 3;

struct Pair {
  int a;
  long long b;
  float c;
};

__device__ int calls[4];
__shared__ int shared[128];

__device__ int identity(int x) { return x; }
__device__ int who(int x) { return x + 1000 * threadIdx.x + 100000 * blockIdx.x + (blockDim.x == kThreads); }
__device__ int counting(int x) { return atomicAdd(&calls[x & 3], 1) >= 0 ? x * 2 : -1; }
__device__ int neighbour(int x) { return shared[(threadIdx.x + x) % kThreads]; }
typedef int (*Function)(int);
__device__ Function functions[] = {identity, who, counting, neighbour, nullptr};

__global__ void by_pointer(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  shared[threadIdx.x] = 7 * threadIdx.x;
  __syncthreads();
  Function f = functions[i % 5];
  int result = -5;
  if (f != nullptr) {
    result = f(i);
  }
  __syncthreads();
  out[i] = result + shared[threadIdx.x];
}

__noinline__ __device__ Pair swing(Pair p, int by, bool up) {
  return {up ? p.a + by : p.a - by, p.b * by, p.c + threadIdx.x};
}

__global__ void out_of_line(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Pair p = {i, 1ll << 33, 0.5f};
  for (int turn = 0; turn < i % 3; turn++) {
    p = swing(p, turn + i, (i & 1) != 0);
  }
  out[i] = p.a + static_cast<int>(p.b >> 33) + static_cast<int>(2 * p.c);
}

__device__ int odd(int n);
__device__ int even(int n) { return n == 0 ? 1 : odd(n - 1) + 1; }
__device__ int odd(int n) { return n == 0 ? 0 : even(n - 1) + 2; }
__device__ unsigned ackermann(unsigned m, unsigned n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

__global__ void recursive(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 7 == 3) {
    return;
  }
  out[i] = even(i % 50) * 1000 + static_cast<int>(ackermann(i % 3, i % 5));
}

struct Animal {
  int legs;
  __device__ explicit Animal(int legs) : legs(legs) {}
  __device__ virtual Pair speak(const Pair &p) { return {p.a, p.b, legs + p.c}; }
  __device__ virtual ~Animal() {}
};
struct Dog : Animal {
  __device__ Dog() : Animal(4) {}
  __device__ Pair speak(const Pair &p) override { return {p.a + legs, p.b, p.c}; }
};
struct Bird : Animal {
  __device__ Bird() : Animal(2) {}
  __device__ Pair speak(const Pair &p) override { return {p.a, p.b * legs, p.c}; }
};

__global__ void virtually(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Dog dog;
  Bird bird;
  Animal other(6), *animals[] = {&dog, &bird, &other};
  Pair p = {i, i, 1};
  for (int k = 0; k <= i % 4; k++) {
    p = animals[(i + k) % 3]->speak(p);
  }
  out[i] = p.a * 10000 + static_cast<int>(p.b) + static_cast<int>(p.c);
}

// Which function it is shows late, and then it is inlined: it asks who calls all the same.
__device__ const Function latest[] = {who, who};
__noinline__ __device__ int my_number() { return threadIdx.x + 10 * (threadIdx.x % 32); }
__global__ void known_late(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int k = 0; k < n; k++) {
    sum += latest[k & 1](5);
  }
  out[i] = sum + my_number();
}

// These meet at the functions that they call: each lane has to be a thread.
__device__ int meets(int x, int distance) {
  __syncthreads();
  return shared[(threadIdx.x + distance) % kThreads] + x;
}
typedef int (*Meeting)(int, int);
__device__ Meeting meetings[] = {meets, meets};

__global__ void meeting(int *out, int which) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  shared[threadIdx.x] = 3 * i;
  out[i] = meetings[which](i, 1);
}

int odd_host(int n);
int even_host(int n) { return n == 0 ? 1 : odd_host(n - 1) + 1; }
int odd_host(int n) { return n == 0 ? 0 : even_host(n - 1) + 2; }
unsigned ackermann_host(unsigned m, unsigned n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann_host(m - 1, 1) : ackermann_host(m - 1, ackermann_host(m, n - 1));
}

int expected_by_pointer(int i, int thread, int block) {
  switch (i % 5) {
    case 0: return i;
    case 1: return i + 1000 * thread + 100000 * block + 1;
    case 2: return i * 2;
    case 3: return 7 * ((thread + i) % kThreads);
    default: return -5;
  }
}

int main() {
  constexpr int kAll = kThreads * kBlocks;
  int *out, counts[4], expected[4] = {};
  CHECK_CUDA(cudaMallocManaged(&out, kAll * sizeof(int)));
  by_pointer<<<kBlocks, kThreads>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kAll; i++) {
    CHECK_EQ(out[i], expected_by_pointer(i, i % kThreads, i / kThreads) + 7 * (i % kThreads));
    expected[i & 3] += i % 5 == 2;
  }
  CHECK_CUDA(cudaMemcpyFromSymbol(counts, calls, sizeof counts));
  for (int k = 0; k < 4; k++) {
    CHECK_EQ(counts[k], expected[k]);
  }
  out_of_line<<<kBlocks, kThreads>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kAll; i++) {
    int a = i;
    long long b = 1ll << 33;
    float c = 0.5f;
    for (int turn = 0; turn < i % 3; turn++) {
      a += (i & 1) != 0 ? turn + i : -(turn + i);
      b *= turn + i;
      c += static_cast<float>(i % kThreads);
    }
    CHECK_EQ(out[i], a + static_cast<int>(b >> 33) + static_cast<int>(2 * c));
    out[i] = -1;
  }
  recursive<<<kBlocks, kThreads>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kAll; i++) {
    CHECK_EQ(out[i], i % 7 == 3 ? -1 : even_host(i % 50) * 1000 + static_cast<int>(ackermann_host(i % 3, i % 5)));
  }
  virtually<<<kBlocks, kThreads>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kAll; i++) {
    int a = i, b = i, c = 1;
    for (int k = 0; k <= i % 4; k++) {
      int kind = (i + k) % 3;
      a += kind == 0 ? 4 : 0;
      b *= kind == 1 ? 2 : 1;
      c += kind == 2 ? 6 : 0;
    }
    CHECK_EQ(out[i], a * 10000 + b + c);
  }
  known_late<<<kBlocks, kThreads>>>(out, 3);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kAll; i++) {
    CHECK_EQ(out[i], 3 * (5 + 1000 * (i % kThreads) + 100000 * (i / kThreads) + 1) + i % kThreads + 10 * (i % kThreads % 32));
  }
  meeting<<<kBlocks, kThreads>>>(out, 1);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kAll; i++) {
    int first = i / kThreads * kThreads;
    CHECK_EQ(out[i], 3 * (first + (i % kThreads + 1) % kThreads) + i);
  }
  return check_report();
}
