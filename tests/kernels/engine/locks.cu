// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks between the lanes of a warp, in the shapes in which programs write them. A warp whose lanes do not let each other go on never
// ends: the time limit of the test makes that a failure.
// RUN: %mcc %s -o %t && timeout 120 %run %t
// RUN: %mcc -O0 %s -o %t.O0 && timeout 120 %run %t.O0
// RUN: env HELICON_ENGINE= HELICON_LOG=engine timeout 120 %t 2>&1 | %FileCheck %s
// CHECK-NOT: engine=thread
// CHECK: passed
// covers: C-5.8-01
#include "check.h"

#include <algorithm>

constexpr int kPlaces = 16;
__device__ int locks[kPlaces];
__device__ int counts[kPlaces];
__device__ int gains[kPlaces];

__device__ void take(int *lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
}

__device__ void release(int *lock) {
  __threadfence();
  atomicExch(lock, 0);
}

__device__ void add(int place, int n) { *(volatile int *)&counts[place] = *(volatile int *)&counts[place] + n; }

__device__ int id() { return blockIdx.x * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x; }

// One lock for all; what follows is seen by others too.
__global__ void one_lock(int *out) {
  take(&locks[0]);
  add(0, 1);
  release(&locks[0]);
  out[id()] = id() * 3;
}

// One lock for each place: some lanes wait for one another, others do not.
__global__ void lock_of_place(int *out) {
  const int place = id() * 7 % kPlaces;
  take(&locks[place]);
  add(place, 1);
  release(&locks[place]);
  out[id()] = place;
}

// Again and again, so that a lane that has released a lock comes back to it while others wait.
__global__ void in_a_loop(int *out, int turns) {
  int sum = 0;
  for (int i = 0; i < turns + (id() & 1); i++) {
    const int place = (id() + i) % 3;
    take(&locks[place]);
    add(place, 1);
    sum += place;
    release(&locks[place]);
  }
  out[id()] = sum;
}

// Two locks at a time, in the order of their numbers.
__global__ void two_locks(int *out) {
  const int a = id() % kPlaces, b = (id() * 5 + 3) % kPlaces, first = min(a, b), second = max(a, b);
  take(&locks[first]);
  if (first != second) {
    take(&locks[second]);
  }
  add(first, 1);
  add(second, 1);
  if (first != second) {
    release(&locks[second]);
  }
  release(&locks[first]);
  out[id()] = first;
}

// Only some lanes; the others go on to what follows.
__global__ void some_take_it(int *out) {
  int mine = 1;
  if (id() % 3 == 0) {
    take(&locks[1]);
    add(1, 1);
    release(&locks[1]);
    mine = 5;
  }
  out[id()] = mine;
}

// A value of before is needed afterwards, and one of within after that.
__global__ void values_live_on(int *out, int n) {
  const int before = (id() * 2654435761u >> 7) % 100;
  int inside = n;
  take(&locks[2]);
  inside += before;
  add(2, 1);
  release(&locks[2]);
  __syncthreads();
  out[id()] = inside * 2 + before;
}

// The lock is tried a few times, and left alone if it cannot be had.
__global__ void try_some_times(int *out) {
  int got = 0;
  for (int attempt = 0; attempt < 1000 && !got; attempt++) {
    if (atomicCAS(&locks[3], 0, 1) == 0) {
      add(3, 1);
      release(&locks[3]);
      got = 1;
    }
  }
  if (!got) {
    atomicAdd(&gains[3], 1);
  }
  out[id()] = got;
}

__global__ void until_done(int *out) {
  bool done = false;
  int turns = 0;
  while (!done) {
    turns++;
    if (atomicCAS(&locks[4], 0, 1) == 0) {
      add(4, 1);
      release(&locks[4]);
      done = true;
    }
  }
  out[id()] = turns > 0;
}

__device__ unsigned next_ticket;
__device__ volatile unsigned now_serving;

__global__ void by_tickets(int *out) {
  const unsigned mine = atomicAdd(&next_ticket, 1);
  while (now_serving != mine) {
  }
  add(5, 1);
  __threadfence();
  now_serving = mine + 1;
  out[id()] = 1;
}

// The last lane starts, each lane waits for the next higher one.
__global__ void from_lane_to_lane(int *out) {
  __shared__ volatile int turn;
  if (threadIdx.x == 0) {
    turn = blockDim.x - 1;
  }
  __syncthreads();
  while (turn != threadIdx.x) {
    __nanosleep(20);
  }
  out[id()] = turn;
  __threadfence_block();
  turn = threadIdx.x - 1;
}

// One lane makes what the others wait for; which side the compiler puts first is its business.
__global__ void one_makes(int *out) {
  __shared__ volatile int made[2];
  if (threadIdx.x < 2) {
    made[threadIdx.x] = 0;
  }
  __syncthreads();
  if (threadIdx.x == 17) {
    made[1] = 42;
    __threadfence_block();
    made[0] = 1;
  } else {
    while (made[0] == 0) {
    }
  }
  out[id()] = made[1];
}

__global__ void one_makes_last(int *out) {
  __shared__ volatile int made;
  if (threadIdx.x == 0) {
    made = 0;
  }
  __syncthreads();
  if (threadIdx.x != 17) {
    while (made == 0) {
    }
  } else {
    made = 9;
  }
  out[id()] = made;
}

struct Node {
  int key, next;
};
__device__ int heads[kPlaces], used;
__device__ Node nodes[4096];

// A table of chains, each with its lock, into which a key is put once.
__global__ void put(int *out, int keys) {
  const int key = id() % keys, place = key % kPlaces;
  bool found = false;
  take(&locks[place]);
  for (int node = *(volatile int *)&heads[place]; node != 0 && !found; node = nodes[node].next) {
    found = *(volatile int *)&nodes[node].key == key;
  }
  if (!found) {
    const int node = atomicAdd(&used, 1) + 1;
    nodes[node].key = key;
    nodes[node].next = *(volatile int *)&heads[place];
    *(volatile int *)&heads[place] = node;
  }
  release(&locks[place]);
  out[id()] = found;
}

int total(int *counted) {
  int values[kPlaces], sum = 0;
  CHECK_CUDA(cudaMemcpyFromSymbol(values, counts, sizeof values));
  for (int i = 0; i < kPlaces; i++) {
    sum += values[i];
    if (counted != nullptr) {
      counted[i] = values[i];
    }
  }
  const int zeros[kPlaces] = {};
  CHECK_CUDA(cudaMemcpyToSymbol(counts, zeros, sizeof zeros));
  return sum;
}

void run(int *out, int *host, dim3 block) {
  const int blocks = 3, n = blocks * block.x * block.y;
  auto result = [&] { CHECK_CUDA(cudaMemcpy(host, out, n * sizeof(int), cudaMemcpyDeviceToHost)); };
  auto all = [&](auto expected) {
    result();
    for (int i = 0; i < n; i++) {
      CHECK_EQ(host[i], expected(i));
    }
  };
  one_lock<<<blocks, block>>>(out);
  all([](int i) { return i * 3; });
  CHECK_EQ(total(nullptr), n);

  int counted[kPlaces], expected[kPlaces] = {};
  lock_of_place<<<blocks, block>>>(out);
  all([](int i) { return i * 7 % kPlaces; });
  CHECK_EQ(total(counted), n);
  for (int i = 0; i < n; i++) {
    expected[i * 7 % kPlaces]++;
  }
  for (int i = 0; i < kPlaces; i++) {
    CHECK_EQ(counted[i], expected[i]);
  }

  in_a_loop<<<blocks, block>>>(out, 4);
  all([](int i) {
    int sum = 0;
    for (int turn = 0; turn < 4 + (i & 1); turn++) {
      sum += (i + turn) % 3;
    }
    return sum;
  });
  CHECK_EQ(total(nullptr), 4 * n + n / 2);

  two_locks<<<blocks, block>>>(out);
  all([](int i) { return std::min(i % kPlaces, (i * 5 + 3) % kPlaces); });
  CHECK_EQ(total(nullptr), 2 * n);

  some_take_it<<<blocks, block>>>(out);
  all([](int i) { return i % 3 == 0 ? 5 : 1; });
  CHECK_EQ(total(nullptr), (n + 2) / 3);

  values_live_on<<<blocks, block>>>(out, 11);
  all([](int i) {
    const int before = (i * 2654435761u >> 7) % 100;
    return (11 + before) * 2 + before;
  });
  CHECK_EQ(total(nullptr), n);

  int missed = 0;
  try_some_times<<<blocks, block>>>(out);
  result();
  CHECK_CUDA(cudaMemcpyFromSymbol(&missed, gains, sizeof missed, 3 * sizeof(int)));
  CHECK_EQ(total(nullptr) + missed, n);
  const int zero = 0;
  CHECK_CUDA(cudaMemcpyToSymbol(gains, &zero, sizeof zero, 3 * sizeof(int)));

  until_done<<<blocks, block>>>(out);
  all([](int) { return 1; });
  CHECK_EQ(total(nullptr), n);

  by_tickets<<<blocks, block>>>(out);
  all([](int) { return 1; });
  CHECK_EQ(total(nullptr), n);
  CHECK_CUDA(cudaMemcpyToSymbol(next_ticket, &zero, sizeof zero));
  CHECK_CUDA(cudaMemcpyToSymbol(now_serving, &zero, sizeof zero));

  const int keys = 50, none[kPlaces] = {};
  put<<<blocks, block>>>(out, keys);
  result();
  int fresh = 0;
  for (int i = 0; i < n; i++) {
    fresh += host[i] == 0;
  }
  CHECK_EQ(fresh, std::min(n, keys));
  CHECK_CUDA(cudaMemcpyToSymbol(heads, none, sizeof none));
  CHECK_CUDA(cudaMemcpyToSymbol(used, &zero, sizeof zero));

  if (block.y == 1) {
    const int width = static_cast<int>(block.x);
    from_lane_to_lane<<<blocks, block>>>(out);
    all([=](int i) { return i % width; });
    if (width > 17) {
      one_makes<<<blocks, block>>>(out);
      all([](int) { return 42; });
      one_makes_last<<<blocks, block>>>(out);
      all([](int) { return 9; });
    }
  }
}

int main() {
  int *out, host[4096];
  CHECK_CUDA(cudaMalloc(&out, sizeof host));
  for (dim3 block : {dim3(32), dim3(64), dim3(7), dim3(100), dim3(16, 8), dim3(8, 5), dim3(33, 2)}) {
    run(out, host, block);
  }
  return check_report();
}
