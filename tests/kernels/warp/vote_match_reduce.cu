// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Votes, matches and reductions over whole warps and over parts of them, checked lane by lane on the host.
// RUN: %mcc %s -o %t && %run %t
// RUN: env HELICON_ENGINE= HELICON_LOG=engine %t 2>&1 | %FileCheck %s
// CHECK-NOT: engine=thread
// CHECK: passed
// covers: C-5.4.6.2-01 C-5.4.6.3-01 C-5.4.6.4-01 C-5.4.6.6-01
#include "check.h"

struct Row {
  unsigned ballot, all, any, uni, match_int, match_double, match_all, match_all_64;
  int equal, equal_64;
  int sum, least, greatest;
  unsigned usum, uleast, ugreatest, conjunction, disjunction, parity;
};

__host__ __device__ int key(int lane) { return (lane * 7) % 5; }
__host__ __device__ int number(int lane) { return (lane * 2654435761u) % 1000 - 500; }

// Lanes of `mask` take part, in one call of each function; the others do it with the complement.
__global__ void run(unsigned mask, Row *rows) {
  int lane = threadIdx.x % 32;
  unsigned mine = mask >> lane & 1 ? mask : ~mask;
  Row r = {};
  r.ballot = __ballot_sync(mine, key(lane) < 2);
  r.all = __all_sync(mine, key(lane) < 5);
  r.any = __any_sync(mine, key(lane) == 9);
  r.uni = __uni_sync(mine, key(lane) == 3);
  r.match_int = __match_any_sync(mine, key(lane));
  r.match_double = __match_any_sync(mine, key(lane) * 0.5);
  r.match_all = __match_all_sync(mine, 42, &r.equal);
  r.match_all_64 = __match_all_sync(mine, static_cast<long long>(key(lane)) << 40, &r.equal_64);
  r.sum = __reduce_add_sync(mine, number(lane));
  r.least = __reduce_min_sync(mine, number(lane));
  r.greatest = __reduce_max_sync(mine, number(lane));
  unsigned u = static_cast<unsigned>(number(lane));
  r.usum = __reduce_add_sync(mine, u);
  r.uleast = __reduce_min_sync(mine, u);
  r.ugreatest = __reduce_max_sync(mine, u);
  r.conjunction = __reduce_and_sync(mine, u);
  r.disjunction = __reduce_or_sync(mine, u);
  r.parity = __reduce_xor_sync(mine, u);
  rows[threadIdx.x] = r;
}

Row expected(unsigned mine, int lane) {
  Row r = {};
  r.all = 1;
  r.uni = 1;
  r.equal = r.equal_64 = 1;
  r.least = 1 << 30;
  r.greatest = -(1 << 30);
  r.uleast = r.conjunction = 0xffffffffu;
  int first = __builtin_ctz(mine);
  for (int i = 0; i < 32; ++i) {
    if (!(mine >> i & 1)) {
      continue;
    }
    unsigned bit = 1u << i, u = static_cast<unsigned>(number(i));
    r.ballot |= key(i) < 2 ? bit : 0;
    r.uni &= (key(i) == 3) == (key(first) == 3);
    r.match_int |= key(i) == key(lane) ? bit : 0;
    r.equal_64 &= key(i) == key(first);
    r.sum += number(i);
    r.least = number(i) < r.least ? number(i) : r.least;
    r.greatest = number(i) > r.greatest ? number(i) : r.greatest;
    r.usum += u;
    r.uleast = u < r.uleast ? u : r.uleast;
    r.ugreatest = u > r.ugreatest ? u : r.ugreatest;
    r.conjunction &= u;
    r.disjunction |= u;
    r.parity ^= u;
  }
  r.match_double = r.match_int;
  r.match_all = mine;
  r.match_all_64 = r.equal_64 ? mine : 0;
  return r;
}

int main() {
  Row *rows;
  CHECK_CUDA(cudaMallocManaged(&rows, 64 * sizeof(Row)));
  for (unsigned mask : {0xffffffffu, 0x0000ffffu, 0x55555555u, 0x80000001u, 0x1u, 0x7ffffffeu}) {
    run<<<1, 64>>>(mask, rows);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < 64; ++i) {
      int lane = i % 32;
      Row e = expected(mask >> lane & 1 ? mask : ~mask, lane);
      const Row &r = rows[i];
      CHECK_EQ(r.ballot, e.ballot);
      CHECK_EQ(r.all, e.all);
      CHECK_EQ(r.any, e.any);
      CHECK_EQ(r.uni, e.uni);
      CHECK_EQ(r.match_int, e.match_int);
      CHECK_EQ(r.match_double, e.match_double);
      CHECK_EQ(r.match_all, e.match_all);
      CHECK_EQ(r.equal, e.equal);
      CHECK_EQ(r.match_all_64, e.match_all_64);
      CHECK_EQ(r.equal_64, e.equal_64);
      CHECK_EQ(r.sum, e.sum);
      CHECK_EQ(r.least, e.least);
      CHECK_EQ(r.greatest, e.greatest);
      CHECK_EQ(r.usum, e.usum);
      CHECK_EQ(r.uleast, e.uleast);
      CHECK_EQ(r.ugreatest, e.ugreatest);
      CHECK_EQ(r.conjunction, e.conjunction);
      CHECK_EQ(r.disjunction, e.disjunction);
      CHECK_EQ(r.parity, e.parity);
    }
  }
  return check_report();
}
