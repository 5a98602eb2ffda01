// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics of a warp on one place, on few places and in shared memory: totals, and every thread's own result.
// RUN: %mcc %s -o %t && %run %t
#include <algorithm>
#include <vector>

#include "check.h"

constexpr int kThreads = 200, kBins = 24;

__host__ __device__ unsigned key(int i) { return (i * 2654435761u) >> 20; }

struct Totals {
  int sum, count, less, high, low;
  unsigned bits, odd, both, top, bottom;
  float real;
  double precise;
  unsigned long long wide;
};

__global__ void one_place(Totals *t, int *order, int *place) {
  int i = threadIdx.x, v = static_cast<int>(key(i));
  if (i % 3 != 1) {
    atomicAdd(&t->sum, v);
    atomicSub(&t->less, 2);
    atomicMax(&t->high, v - 2000);
    atomicMin(&t->low, v - 2000);
    atomicOr(&t->bits, v & 0x155);
    atomicXor(&t->odd, v);
    atomicAnd(&t->both, v | 0xf0);
    atomicMax(&t->top, static_cast<unsigned>(v));
    atomicMin(&t->bottom, static_cast<unsigned>(v));
    atomicAdd(&t->real, 0.5f * (v & 15));
    atomicAdd(&t->precise, 0.25);
    atomicAdd(&t->wide, 1ull << 33);
    order[i] = atomicAdd(&t->count, 1);
    place[i] = atomicAdd(&place[kThreads], i & 7);
  }
}

template <bool kDynamic> __global__ void bins(unsigned *out, unsigned *last) {
  __shared__ unsigned fixed[kBins * 4];
  extern __shared__ unsigned grown[];
  unsigned *count = kDynamic ? grown + 4 : fixed + 4;
  if (threadIdx.x == 0) {
    for (int i = -4; i < kBins * 3; i++) {
      count[i] = 0;
    }
  }
  __syncthreads();
  unsigned bin = key(threadIdx.x) % kBins;
  unsigned seen = atomicAdd(&count[bin], 1);
  atomicMax(&count[kBins + bin], threadIdx.x);
  atomicAdd(count - 1, 2);
  atomicAdd(&count[static_cast<int>(threadIdx.x % 3) - 3], 5);
  unsigned old = count[2 * kBins];
  while (threadIdx.x % 16 == 0) {  // a compare-and-swap loop
    unsigned now = atomicCAS(&count[2 * kBins], old, old + 3);
    if (now == old) {
      break;
    }
    old = now;
  }
  __syncthreads();
  if (threadIdx.x < kBins) {
    out[threadIdx.x] = count[threadIdx.x];
    last[threadIdx.x] = count[kBins + threadIdx.x];
  }
  if (threadIdx.x == 0) {
    out[kBins] = count[-1];
    out[kBins + 1] = count[-2];
    out[kBins + 2] = count[2 * kBins];
  }
  atomicAdd(&out[kBins + 3], seen);
}

template <class T> T *managed(size_t count) {
  T *made = nullptr;
  CHECK_CUDA(cudaMallocManaged(&made, count * sizeof(T)));
  CHECK_CUDA(cudaMemset(made, 0, count * sizeof(T)));
  return made;
}

void check_one_place() {
  auto *t = managed<Totals>(1);
  int *order = managed<int>(kThreads), *place = managed<int>(kThreads + 1);
  t->both = t->bottom = ~0u;
  Totals e = *t;
  std::vector<int> orders, places;
  one_place<<<1, kThreads>>>(t, order, place);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kThreads; i++) {
    int v = static_cast<int>(key(i));
    if (i % 3 != 1) {
      e.sum += v, e.less -= 2, e.high = std::max(e.high, v - 2000), e.low = std::min(e.low, v - 2000);
      e.bits |= v & 0x155, e.odd ^= v, e.both &= v | 0xf0;
      e.top = std::max(e.top, static_cast<unsigned>(v)), e.bottom = std::min(e.bottom, static_cast<unsigned>(v));
      e.real += 0.5f * (v & 15), e.precise += 0.25, e.wide += 1ull << 33, e.count++;
      orders.push_back(order[i]);
      places.push_back(place[i] + (i & 7));
    }
  }
  CHECK_EQ(t->sum, e.sum);
  CHECK_EQ(t->less, e.less);
  CHECK_EQ(t->high, e.high);
  CHECK_EQ(t->low, e.low);
  CHECK_EQ(t->bits, e.bits);
  CHECK_EQ(t->odd, e.odd);
  CHECK_EQ(t->both, e.both);
  CHECK_EQ(t->top, e.top);
  CHECK_EQ(t->bottom, e.bottom);
  CHECK_EQ(t->real, e.real);
  CHECK_EQ(t->precise, e.precise);
  CHECK_EQ(t->wide, e.wide);
  CHECK_EQ(t->count, e.count);
  std::sort(orders.begin(), orders.end());  // each number was given once
  for (int i = 0; i < e.count; i++) {
    CHECK_EQ(orders[i], i);
  }
  CHECK_EQ(*std::max_element(places.begin(), places.end()), place[kThreads]);
}

void check_bins(bool dynamic) {
  unsigned *out = managed<unsigned>(kBins + 4), *last = managed<unsigned>(kBins);
  if (dynamic) {
    bins<true><<<1, kThreads, kBins * 4 * sizeof(unsigned)>>>(out, last);
  } else {
    bins<false><<<1, kThreads>>>(out, last);
  }
  CHECK_CUDA(cudaDeviceSynchronize());
  unsigned count[kBins] = {}, highest[kBins] = {}, seen = 0;
  for (unsigned i = 0; i < kThreads; i++) {
    unsigned bin = key(i) % kBins;
    seen += count[bin]++;
    highest[bin] = std::max(highest[bin], i);
  }
  for (int i = 0; i < kBins; i++) {
    CHECK_EQ(out[i], count[i]);
    CHECK_EQ(last[i], highest[i]);
  }
  CHECK_EQ(out[kBins], 2u * kThreads + 5u * 66);
  CHECK_EQ(out[kBins + 1], 5u * 67);
  CHECK_EQ(out[kBins + 2], 3u * 13);
  CHECK_EQ(out[kBins + 3], seen);
}

int main() {
  check_one_place();
  check_bins(false);
  check_bins(true);
  return check_report();
}
