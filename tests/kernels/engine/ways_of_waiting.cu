// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs' usual ways to wait that went to the thread engine: tables filled by exchanges that try the next place, two locks in a
// loop, warps with roles that hand over by flags, warps that work off what each of their lanes has to insert.
// RUN: %mcc %s -o %t && timeout 120 %run %t
// RUN: %mcc -O0 %s -o %t.O0 && timeout 120 %run %t.O0
// RUN: env HELICON_ENGINE= HELICON_LOG=engine timeout 120 %t 2>&1 | %FileCheck %s
// CHECK-NOT: engine=thread
// CHECK: passed
// covers: C-5.8-01
#include "check.h"

#include <algorithm>
#include <vector>

constexpr unsigned kFree = ~0u;
constexpr int kKeys = 1000, kTable = 2048, kAccounts = 8, kRounds = 9;

__device__ unsigned table[kTable];
__device__ int locks[kAccounts], accounts[kAccounts];

__device__ __host__ unsigned key(int i) { return i * 7919u % 701; }

// Linear probing, in steps of the grid.
__global__ void insert() {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kKeys; i += gridDim.x * blockDim.x) {
    unsigned place = key(i) * 2654435761u % kTable;
    while (true) {
      const unsigned seen = atomicCAS(&table[place], kFree, key(i));
      if (seen == kFree || seen == key(i)) {
        break;
      }
      place = (place + 1) % kTable;
    }
  }
}

// Buckets of 32: the warp looks for a place together, for one lane after the other.
__global__ void insert_by_warps() {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  bool waits = i < kKeys;
  const unsigned own = waits ? key(i) : 0;
  while (unsigned lanes = __ballot_sync(~0u, waits)) {
    const int served = __ffs(lanes) - 1;
    const unsigned wanted = __shfl_sync(~0u, own, served);
    unsigned bucket = wanted % (kTable / 32);
    while (true) {
      unsigned *place = &table[bucket * 32 + lane];
      const unsigned seen = atomicAdd(place, 0u);
      if (__any_sync(~0u, seen == wanted)) {
        break;
      }
      const unsigned free = __ballot_sync(~0u, seen == kFree);
      if (free == 0) {
        bucket = (bucket + 1) % (kTable / 32);
        continue;
      }
      unsigned before = 0;
      if (lane == __ffs(free) - 1) {
        before = atomicCAS(place, kFree, wanted);
      }
      before = __shfl_sync(~0u, before, __ffs(free) - 1);
      if (before == kFree || before == wanted) {
        break;
      }
    }
    waits &= lane != served;
  }
}

// Two locks in the order of their numbers, again and again.
__global__ void move(int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int from = i % kAccounts, to = (i * 5 + 3) % kAccounts;
    if (from == to) {
      continue;
    }
    while (atomicCAS(&locks[min(from, to)], 0, 1) != 0) {
    }
    while (atomicCAS(&locks[max(from, to)], 0, 1) != 0) {
    }
    volatile int *all = accounts;
    all[from] -= i;
    all[to] += i;
    __threadfence();
    atomicExch(&locks[max(from, to)], 0);
    atomicExch(&locks[min(from, to)], 0);
  }
}

// One warp fills the box, another one empties it.
__global__ void in_roles(int *out) {
  __shared__ volatile int full, box[32];
  const int thread = threadIdx.x, lane = thread % 32;
  if (thread == 0) {
    full = 0;
  }
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < kRounds; round++) {
    if (thread < 32) {
      while (full) {
      }
      box[lane] = round * 100 + lane;
      __threadfence_block();
      __syncwarp();
      if (lane == 0) {
        full = 1;
      }
    } else {
      while (!full) {
      }
      sum += box[(lane + round) % 32];
      __syncwarp();
      if (lane == 0) {
        full = 0;
      }
    }
    __syncwarp();
  }
  if (thread >= 32) {
    out[lane] = sum;
  }
}

void check_table(void (*kernel)()) {
  std::vector<unsigned> filled(kTable, kFree), wanted;
  CHECK_CUDA(cudaMemcpyToSymbol(table, filled.data(), sizeof table));
  kernel<<<8, 128>>>();
  CHECK_CUDA(cudaMemcpyFromSymbol(filled.data(), table, sizeof table));
  for (int i = 0; i < kKeys; i++) {
    wanted.push_back(key(i));
  }
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  std::sort(filled.begin(), filled.end());
  CHECK(std::equal(wanted.begin(), wanted.end(), filled.begin()));
  CHECK_EQ(filled[wanted.size()], kFree);
}

int main() {
  check_table(insert);
  check_table(insert_by_warps);

  move<<<3, 96>>>(700);
  int sums[kAccounts], wanted[kAccounts] = {};
  CHECK_CUDA(cudaMemcpyFromSymbol(sums, accounts, sizeof sums));
  for (int i = 0; i < 700; i++) {
    wanted[i % kAccounts] -= i;
    wanted[(i * 5 + 3) % kAccounts] += i;
  }
  for (int i = 0; i < kAccounts; i++) {
    CHECK_EQ(sums[i], wanted[i]);
  }

  int *out, host[32];
  CHECK_CUDA(cudaMalloc(&out, sizeof host));
  in_roles<<<1, 64>>>(out);
  CHECK_CUDA(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  for (int lane = 0; lane < 32; lane++) {
    int sum = 0;
    for (int round = 0; round < kRounds; round++) {
      sum += round * 100 + (lane + round) % 32;
    }
    CHECK_EQ(host[lane], sum);
  }
  return check_report();
}
