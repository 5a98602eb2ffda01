// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Litmus tests of the memory model, between lanes, warps and blocks: message passing, store buffering, load buffering, IRIW and
// coherence. Each outcome that is seen must be one that the model allows for the orders and the scope in use; many rounds are
// run at once, each on cells of its own, so that the threads meet at different moments.
// RUN: %mcc -std=c++17 -O3 %s -o %t && %run %t
// covers: C-5.7-01 C-3.2.2.2-01 C-5.4.4.3-01
#include "check.h"

#include <cuda_runtime.h>

constexpr int kRounds = 512;
constexpr int kApart = 32;  // cells of one round lie in lines of their own

struct Cells {
  int x[kRounds * kApart], y[kRounds * kApart];
  int results[4][kRounds];
};

enum class Place { Lanes, Warps, Blocks };

/// The number of this thread among those that act, -1: it does not. They are lanes 0 and 1 of a warp, lanes 0 of warps, or threads 0 of blocks.
template <Place kPlace> __device__ int actor(int actors) {
  int mine = kPlace == Place::Lanes ? threadIdx.x : kPlace == Place::Warps ? (threadIdx.x % 32 == 0 ? threadIdx.x / 32 : -1)
                                                                           : (threadIdx.x == 0 ? blockIdx.x : -1);
  return mine >= 0 && mine < actors ? mine : -1;
}

#define LOAD(p, order) __nv_atomic_load_n(p, order, kScope)
#define STORE(p, v, order) __nv_atomic_store_n(p, v, order, kScope)
#define FENCE(order) __nv_atomic_thread_fence(order, kScope)

/// Message passing: data, then flag; a reader that sees the flag must see the data. Release and acquire, or relaxed with fences.
template <Place kPlace, int kScope, bool kFences> __global__ void message_passing(Cells *c) {
  int me = actor<kPlace>(2);
  for (int i = 0; i < kRounds && me >= 0; ++i) {
    int *x = c->x + i * kApart, *y = c->y + i * kApart;
    if (me == 0) {
      STORE(x, i + 1, __NV_ATOMIC_RELAXED);
      if (kFences) FENCE(__NV_ATOMIC_ACQ_REL);
      STORE(y, 1, kFences ? __NV_ATOMIC_RELAXED : __NV_ATOMIC_RELEASE);
    } else {
      c->results[0][i] = LOAD(y, kFences ? __NV_ATOMIC_RELAXED : __NV_ATOMIC_ACQUIRE);
      if (kFences) FENCE(__NV_ATOMIC_ACQ_REL);
      c->results[1][i] = LOAD(x, __NV_ATOMIC_RELAXED);
    }
  }
}

/// Message passing where the reader waits: it must see the data, not a word less. Plain data of several words.
template <Place kPlace, int kScope> __global__ void handover(Cells *c) {
  int me = actor<kPlace>(2);
  for (int i = 0; i < kRounds && me >= 0; ++i) {
    int *x = c->x + i * kApart, *y = c->y + i * kApart;
    if (me == 0) {
      for (int k = 0; k < 8; ++k) {
        x[k] = i * 8 + k + 1;
      }
      STORE(y, 1, __NV_ATOMIC_RELEASE);
    } else {
      while (LOAD(y, __NV_ATOMIC_ACQUIRE) == 0) {
      }
      int wrong = 0;
      for (int k = 0; k < 8; ++k) {
        wrong += x[k] != i * 8 + k + 1;
      }
      c->results[0][i] = wrong;
    }
  }
}

/// Store buffering: with sequential consistency not both loads may miss the other's store.
template <Place kPlace, int kScope, bool kFences> __global__ void store_buffering(Cells *c) {
  int me = actor<kPlace>(2);
  for (int i = 0; i < kRounds && me >= 0; ++i) {
    int *mine = (me == 0 ? c->x : c->y) + i * kApart, *other = (me == 0 ? c->y : c->x) + i * kApart;
    STORE(mine, 1, kFences ? __NV_ATOMIC_RELAXED : __NV_ATOMIC_SEQ_CST);
    if (kFences) FENCE(__NV_ATOMIC_SEQ_CST);
    c->results[me][i] = LOAD(other, kFences ? __NV_ATOMIC_RELAXED : __NV_ATOMIC_SEQ_CST);
  }
}

/// Load buffering: with release and acquire not both loads may see the store that follows the other's load.
template <Place kPlace, int kScope> __global__ void load_buffering(Cells *c) {
  int me = actor<kPlace>(2);
  for (int i = 0; i < kRounds && me >= 0; ++i) {
    int *mine = (me == 0 ? c->x : c->y) + i * kApart, *other = (me == 0 ? c->y : c->x) + i * kApart;
    c->results[me][i] = LOAD(other, __NV_ATOMIC_ACQUIRE);
    STORE(mine, 1, __NV_ATOMIC_RELEASE);
  }
}

/// Independent reads of independent writes: two readers must not see the two stores in opposite orders.
template <Place kPlace, int kScope> __global__ void iriw(Cells *c) {
  int me = actor<kPlace>(4);
  for (int i = 0; i < kRounds && me >= 0; ++i) {
    int *x = c->x + i * kApart, *y = c->y + i * kApart;
    if (me < 2) {
      STORE(me == 0 ? x : y, 1, __NV_ATOMIC_SEQ_CST);
    } else {
      int first = LOAD(me == 2 ? x : y, __NV_ATOMIC_SEQ_CST);
      int second = LOAD(me == 2 ? y : x, __NV_ATOMIC_SEQ_CST);
      c->results[me][i] = first + 2 * second;
    }
  }
}

/// Coherence: reads of one cell, relaxed, never go back in its order of values; also with a plain write of a wider neighbour.
template <Place kPlace, int kScope> __global__ void coherence(Cells *c) {
  int me = actor<kPlace>(3);
  int last = 0, backwards = 0;
  for (int i = 0; i < 8 * kRounds && me >= 0; ++i) {
    if (me == 0) {
      STORE(c->x, i + 1, __NV_ATOMIC_RELAXED);
      c->x[1] = i;
    } else {
      int now = LOAD(c->x, __NV_ATOMIC_RELAXED);
      backwards += now < last;
      last = now;
    }
  }
  if (me > 0) {
    c->results[0][me] = backwards;
  }
}

/// Increments are never lost, and every old value is handed out once.
template <Place kPlace, int kScope> __global__ void tickets(Cells *c) {
  int me = actor<kPlace>(4);
  for (int i = 0; i < kRounds / 4 && me >= 0; ++i) {
    int mine = __nv_atomic_fetch_add(c->x, 1, __NV_ATOMIC_RELAXED, kScope);
    __nv_atomic_fetch_add(&c->results[0][mine], 1, __NV_ATOMIC_RELAXED, kScope);
  }
}

Cells *cells;
int seen[4][4];  ///< how often results 0 and 1 had these values

template <typename Kernel> void run(Kernel kernel, Place place, int actors) {
  CHECK_CUDA(cudaMemset(cells, 0, sizeof(Cells)));
  kernel<<<place == Place::Blocks ? actors : 1, place == Place::Warps ? 32 * actors : 32>>>(cells);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (auto &row : seen) {
    for (int &count : row) {
      count = 0;
    }
  }
}
void count(int a, int b) {
  for (int i = 0; i < kRounds; ++i) {
    int first = cells->results[a][i], second = cells->results[b][i];
    seen[first > 3 ? 3 : first][second > 3 ? 3 : second] += 1;
  }
}

template <Place kPlace, int kScope> void check_place() {
  for (int again = 0; again < 3; ++again) {
    run(message_passing<kPlace, kScope, false>, kPlace, 2);
    for (int i = 0; i < kRounds; ++i) {
      CHECK(cells->results[0][i] == 0 || cells->results[1][i] == i + 1);
      CHECK(cells->results[1][i] == 0 || cells->results[1][i] == i + 1);
    }
    run(message_passing<kPlace, kScope, true>, kPlace, 2);
    for (int i = 0; i < kRounds; ++i) {
      CHECK(cells->results[0][i] == 0 || cells->results[1][i] == i + 1);
    }
    run(handover<kPlace, kScope>, kPlace, 2);
    for (int i = 0; i < kRounds; ++i) {
      CHECK_EQ(cells->results[0][i], 0);
      CHECK_EQ(cells->y[i * kApart], 1);
    }
    run(store_buffering<kPlace, kScope, false>, kPlace, 2), count(0, 1);
    CHECK_EQ(seen[0][0], 0);
    CHECK_EQ(seen[0][1] + seen[1][0] + seen[1][1], kRounds);
    run(store_buffering<kPlace, kScope, true>, kPlace, 2), count(0, 1);
    CHECK_EQ(seen[0][0], 0);
    CHECK_EQ(seen[0][1] + seen[1][0] + seen[1][1], kRounds);
    run(load_buffering<kPlace, kScope>, kPlace, 2), count(0, 1);
    CHECK_EQ(seen[1][1], 0);
    CHECK_EQ(seen[0][0] + seen[0][1] + seen[1][0], kRounds);
    run(iriw<kPlace, kScope>, kPlace, 4), count(2, 3);
    CHECK_EQ(seen[1][1], 0);
    run(coherence<kPlace, kScope>, kPlace, 3);
    CHECK_EQ(cells->results[0][1], 0);
    CHECK_EQ(cells->results[0][2], 0);
    CHECK_EQ(cells->x[0], 8 * kRounds);
    run(tickets<kPlace, kScope>, kPlace, 4);
    CHECK_EQ(cells->x[0], kRounds);
    for (int i = 0; i < kRounds; ++i) {
      CHECK_EQ(cells->results[0][i], 1);
    }
  }
}

int main() {
  CHECK_CUDA(cudaMallocManaged(&cells, sizeof(Cells)));
  check_place<Place::Lanes, __NV_THREAD_SCOPE_BLOCK>();
  check_place<Place::Warps, __NV_THREAD_SCOPE_BLOCK>();
  check_place<Place::Warps, __NV_THREAD_SCOPE_DEVICE>();
  check_place<Place::Blocks, __NV_THREAD_SCOPE_DEVICE>();
  check_place<Place::Blocks, __NV_THREAD_SCOPE_SYSTEM>();
  return check_report();
}
