// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cg::reduce and the scans over tiles (one warp and several) and coalesced groups, with built-in and own operations; group
// copies; a barrier of the whole grid.
// RUN: %mcc %s -o %t && %run %t
// covers: C-4.4.5-01 C-4.4.6-01 C-4.4.7-01 C-4.4.8-01 C-5.6.3.1.3-01 C-5.6.3.4.1-01 C-5.6.3.5.1-01 C-5.6.3.6.1-01
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "check.h"

namespace cg = cooperative_groups;

constexpr int kThreads = 256;

struct Affine {  // x -> a x + b: composition does not commute
  unsigned a, b;
};
struct Compose {
  __device__ Affine operator()(Affine f, Affine g) const { return {f.a * g.a, f.b * g.a + g.b}; }
};
__host__ __device__ Affine function(int i) { return {2u * i + 1, 3u * i + 7}; }

struct Row {
  int sum, least, greatest;
  unsigned conjunction, disjunction, parity;
  double product;
  Affine composed;
};

template <int Size> __global__ void reduce(Row *rows) {
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  int i = threadIdx.x;
  Row r;
  r.sum = cg::reduce(tile, i, cg::plus<int>());
  r.least = cg::reduce(tile, 1000 - i, cg::less<int>());
  r.greatest = cg::reduce(tile, i % 50, cg::greater<int>());
  r.conjunction = cg::reduce(tile, ~(1u << i % 32), cg::bit_and<unsigned>());
  r.disjunction = cg::reduce(tile, 1u << i % 17, cg::bit_or<unsigned>());
  r.parity = cg::reduce(tile, i * 77u, cg::bit_xor<unsigned>());
  r.product = cg::reduce(tile, 1.0 + i % 2, [](double x, double y) { return x * y; });
  r.composed = cg::reduce(tile, function(i), Compose());
  rows[i] = r;
}

template <int Size> void test_reduce(Row *rows) {
  reduce<Size><<<1, kThreads>>>(rows);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kThreads; ++i) {
    int first = i / Size * Size;
    Row e = {0, 100000, 0, ~0u, 0, 0, 1, {1, 0}};
    for (int k = first; k < first + Size; ++k) {
      e.sum += k;
      e.least = 1000 - k < e.least ? 1000 - k : e.least;
      e.greatest = k % 50 > e.greatest ? k % 50 : e.greatest;
      e.conjunction &= ~(1u << k % 32);
      e.disjunction |= 1u << k % 17;
      e.parity ^= k * 77u;
      e.product *= 1.0 + k % 2;
      Affine g = function(k);
      e.composed = {e.composed.a * g.a, e.composed.b * g.a + g.b};
    }
    CHECK_EQ(rows[i].sum, e.sum);
    CHECK_EQ(rows[i].least, e.least);
    CHECK_EQ(rows[i].greatest, e.greatest);
    CHECK_EQ(rows[i].conjunction, e.conjunction);
    CHECK_EQ(rows[i].disjunction, e.disjunction);
    CHECK_EQ(rows[i].parity, e.parity);
    CHECK_EQ(rows[i].product, e.product);
    CHECK_EQ(rows[i].composed.a, e.composed.a);
    CHECK_EQ(rows[i].composed.b, e.composed.b);
  }
}

__global__ void reduce_block(int *out, Affine *composed) {
  auto block = cg::this_thread_block();
  int i = block.thread_rank();
  out[i] = cg::reduce(block, i, cg::plus<int>());
  composed[i] = cg::reduce(block, function(i), Compose());
}

__global__ void scans(int *inclusive, int *exclusive, int *odd) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int i = threadIdx.x;
  inclusive[i] = cg::inclusive_scan(tile, i, cg::plus<int>());
  exclusive[i] = cg::exclusive_scan(tile, i);
  odd[i] = 0;
  if (i % 2 == 1) {
    cg::coalesced_group g = cg::coalesced_threads();
    odd[i] = cg::inclusive_scan(g, i, cg::greater<int>()) * 1000 + cg::reduce(g, 1, cg::plus<int>());
  }
}

// Over tiles of several warps.
template <int Size> __global__ void wide_scans(int *inclusive, int *exclusive, Affine *composed) {
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  int i = threadIdx.x;
  inclusive[i] = cg::inclusive_scan(tile, i);
  exclusive[i] = cg::exclusive_scan(tile, i % 3, cg::plus<int>());
  composed[i] = cg::inclusive_scan(tile, function(i), Compose());
}

template <int Size> void test_wide_scans(int *v) {
  Affine *composed = reinterpret_cast<Affine *>(v + 2 * kThreads);
  wide_scans<Size><<<1, kThreads>>>(v, v + kThreads, composed);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0, sum = 0, before = 0; i < kThreads; ++i) {
    static Affine all;
    if (i % Size == 0) sum = before = 0, all = {1, 0};
    Affine f = function(i);
    all = {all.a * f.a, all.b * f.a + f.b};
    CHECK_EQ(v[i], sum += i);
    CHECK_EQ(v[kThreads + i], before);
    CHECK_EQ(composed[i].a, all.a);
    CHECK_EQ(composed[i].b, all.b);
    before += i % 3;
  }
}

__global__ void group_copy(const int *from, int *to, int n) {
  extern __shared__ int room[];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, room, from, n * sizeof(int));
  cg::wait(block);
  for (int i = block.thread_rank(); i < n; i += block.size()) to[i] = room[n - 1 - i];
}

__global__ void whole_grid(int *cells, int *bad) {
  cg::grid_group grid = cg::this_grid();
  int i = grid.thread_rank(), n = grid.size();
  for (int round = 1; round <= 5; ++round) {
    cells[i] = round * 1000 + i;
    grid.sync();
    int other = (i * 7 + 13) % n;
    if (cells[other] != round * 1000 + other) atomicAdd(bad, 1);
    grid.sync();
  }
}

int main() {
  Row *rows;
  CHECK_CUDA(cudaMallocManaged(&rows, kThreads * sizeof(Row)));
  test_reduce<1>(rows);
  test_reduce<8>(rows);
  test_reduce<32>(rows);
  test_reduce<64>(rows);
  test_reduce<256>(rows);

  int *v;
  CHECK_CUDA(cudaMallocManaged(&v, 4096 * sizeof(int)));
  reduce_block<<<1, dim3(9, 5)>>>(v, reinterpret_cast<Affine *>(v + 64));
  CHECK_CUDA(cudaDeviceSynchronize());
  Affine all = {1, 0};
  for (int k = 0; k < 45; ++k) all = {all.a * function(k).a, all.b * function(k).a + function(k).b};
  for (int i = 0; i < 45; ++i) {
    CHECK_EQ(v[i], 45 * 44 / 2);
    CHECK_EQ(reinterpret_cast<Affine *>(v + 64)[i].a, all.a);
    CHECK_EQ(reinterpret_cast<Affine *>(v + 64)[i].b, all.b);
  }
  scans<<<1, 64>>>(v, v + 64, v + 128);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) {
    int sum = 0;
    for (int k = i / 16 * 16; k < i; ++k) sum += k;
    CHECK_EQ(v[64 + i], sum);
    CHECK_EQ(v[i], sum + i);
    if (i % 2 == 1) CHECK_EQ(v[128 + i], i * 1000 + 16);
  }

  test_wide_scans<64>(v);
  test_wide_scans<256>(v);

  constexpr int n = 1001;
  for (int i = 0; i < n; ++i) v[i] = i * 3;
  group_copy<<<1, 64, n * sizeof(int)>>>(v, v + 2048, n);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) CHECK_EQ(v[2048 + i], (n - 1 - i) * 3);

  int *cells = v, *bad = v + 4000;
  *bad = 0;
  void *arguments[] = {&cells, &bad};
  CHECK_CUDA(cudaLaunchCooperativeKernel((void *)whole_grid, dim3(4), dim3(64), arguments, 0, nullptr));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*bad, 0);
  return check_report();
}
