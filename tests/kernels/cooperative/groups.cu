// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cooperative groups: ranks and sizes of blocks, grids, tiles of every size, coalesced threads and parts; their
// collective functions against a plain reference.
// RUN: %mcc %s -o %t && %run %t
// covers: C-2.3.6-01 C-4.4-01 C-4.4.4-01 C-4.4.5-01 C-5.6.3.1.1-01 C-5.6.3.1.4-01 C-5.6.3.1.5-01 C-5.6.3.3.1-01
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

constexpr int kThreads = 128;

struct Row {
  int rank, size, meta_rank, meta_size, from_2, up, down, flipped, any, all;
  unsigned ballot, match;
  int equal;
};

template <typename Group> __device__ Row describe(const Group &g, int value) {
  Row r = {};
  r.rank = g.thread_rank();
  r.size = g.size();
  r.meta_rank = g.meta_group_rank();
  r.meta_size = g.meta_group_size();
  r.from_2 = g.shfl(value, 2 % r.size);
  r.up = g.shfl_up(value, 1);
  r.down = g.shfl_down(value, 1);
  r.any = g.any(value == 5);
  r.all = g.all(value >= 0);
  r.ballot = g.ballot(value % 3 == 0);
  r.match = g.match_any(value % 4);
  g.match_all(value / 1000, r.equal);
  return r;
}

template <int Size> __global__ void tiles(Row *rows) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<Size>(block);
  int value = threadIdx.x;
  Row r = describe(tile, value);
  r.flipped = tile.shfl_xor(value, Size / 2);
  rows[threadIdx.x] = r;
  tile.sync();
}

template <int Size> void test_tile(Row *rows) {
  tiles<Size><<<1, kThreads>>>(rows);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kThreads; ++i) {
    int first = i / Size * Size, rank = i % Size;
    const Row &r = rows[i];
    CHECK_EQ(r.rank, rank);
    CHECK_EQ(r.size, Size);
    CHECK_EQ(r.meta_rank, i / Size);
    CHECK_EQ(r.meta_size, kThreads / Size);
    CHECK_EQ(r.from_2, first + 2 % Size);
    CHECK_EQ(r.up, rank > 0 ? i - 1 : i);
    CHECK_EQ(r.down, rank + 1 < Size ? i + 1 : i);
    CHECK_EQ(r.flipped, first + (rank ^ Size / 2));
    CHECK_EQ(r.any != 0, first <= 5 && 5 < first + Size);
    CHECK_EQ(r.all != 0, true);
    unsigned ballot = 0, match = 0;
    for (int k = 0; k < Size; ++k) {
      ballot |= ((first + k) % 3 == 0 ? 1u : 0u) << k;
      match |= ((first + k) % 4 == i % 4 ? 1u : 0u) << k;
    }
    CHECK_EQ(r.ballot, ballot);
    CHECK_EQ(r.match, match);
    CHECK_EQ(r.equal, 1);
  }
}

__global__ void coalesced(Row *rows) {
  int lane = threadIdx.x % 32;
  if (lane % 3 == 1) {
    cg::coalesced_group g = cg::coalesced_threads();
    rows[threadIdx.x] = describe(g, lane);
  }
}

__global__ void parts(int *out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int label = warp.thread_rank() % 5;
  auto part = cg::labeled_partition(warp, label);
  auto half = cg::binary_partition(warp, warp.thread_rank() < 10);
  auto quads = cg::tiled_partition(part, 2);
  out[threadIdx.x] = part.size() * 1000000 + part.thread_rank() * 10000 + half.size() * 100 + half.thread_rank() +
                     quads.thread_rank() * 100000000;
}

// Old code works on thread_group, whose kind is known at run time only.
__device__ int sum(cg::thread_group g, int *room, int value) {
  int rank = g.thread_rank();
  for (int i = g.size() / 2; i > 0; i /= 2) {
    room[rank] = value;
    g.sync();
    if (rank < i) value += room[rank + i];
    g.sync();
  }
  return value;
}
__global__ void sums(int *out) {
  __shared__ int room[kThreads];
  cg::thread_block block = cg::this_thread_block();
  int all = sum(block, room, threadIdx.x);
  if (block.thread_rank() == 0) out[0] = all;
  block.sync();
  cg::thread_group tile = cg::tiled_partition(block, 16);
  int part = sum(tile, room + threadIdx.x / 16 * 16, threadIdx.x);
  if (tile.thread_rank() == 0) out[1 + threadIdx.x / 16] = part;
}

__global__ void places(unsigned long long *out) {
  auto block = cg::this_thread_block();
  auto grid = cg::this_grid();
  if (grid.thread_rank() != 3 * 24 + 17) return;
  out[0] = block.thread_rank();
  out[1] = block.size();
  out[2] = block.group_index().x * 10 + block.group_index().y;
  out[3] = block.thread_index().z;
  out[4] = grid.size();
  out[5] = grid.block_rank();
  out[6] = grid.num_blocks();
  out[7] = grid.thread_index().y;
  out[8] = block.dim_threads().y;
}

__global__ void wide(int *out) {
  auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  int got = tile.shfl(static_cast<int>(threadIdx.x), 40);
  out[threadIdx.x] = got * 100 + tile.any(threadIdx.x == 70) * 10 + tile.all(threadIdx.x < 64);
}

__global__ void valid(int *out) { *out = cg::this_grid().is_valid() ? 1 : 2; }

int main() {
  int *is_valid = nullptr;
  REQUIRE_CUDA(cudaMallocManaged(&is_valid, sizeof(int)));
  valid<<<1, 1>>>(is_valid);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*is_valid, 2);  // not a cooperative launch
  void *valid_arguments[] = {&is_valid};
  CHECK_CUDA(cudaLaunchCooperativeKernel((void *)valid, dim3(1), dim3(1), valid_arguments, 0, nullptr));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*is_valid, 1);

  Row *rows;
  CHECK_CUDA(cudaMallocManaged(&rows, kThreads * sizeof(Row)));
  test_tile<1>(rows);
  test_tile<2>(rows);
  test_tile<4>(rows);
  test_tile<8>(rows);
  test_tile<16>(rows);
  test_tile<32>(rows);

  coalesced<<<1, kThreads>>>(rows);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kThreads; ++i) {
    int lane = i % 32;
    if (lane % 3 != 1) continue;
    const Row &r = rows[i];
    CHECK_EQ(r.size, 11);  // 1, 4, … 31
    CHECK_EQ(r.rank, lane / 3);
    CHECK_EQ(r.from_2, 7);
    CHECK_EQ(r.up, lane > 1 ? lane - 3 : lane);
    CHECK_EQ(r.down, lane < 31 ? lane + 3 : lane);
    CHECK_EQ(r.any, 0);
    CHECK_EQ(r.ballot, 0u);
  }

  int *out;
  CHECK_CUDA(cudaMallocManaged(&out, 256 * sizeof(int)));
  parts<<<1, kThreads>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kThreads; ++i) {
    int lane = i % 32, label = lane % 5;
    int size = label < 2 ? 7 : 6, rank = lane / 5;
    CHECK_EQ(out[i], size * 1000000 + rank * 10000 + (lane < 10 ? 10 : 22) * 100 + (lane < 10 ? lane : lane - 10) +
                         rank % 2 * 100000000);
  }

  sums<<<1, kThreads>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[0], kThreads * (kThreads - 1) / 2);
  for (int t = 0; t < kThreads / 16; ++t) CHECK_EQ(out[1 + t], 16 * 16 * t + 120);

  unsigned long long *place;
  CHECK_CUDA(cudaMallocManaged(&place, 16 * sizeof(unsigned long long)));
  places<<<dim3(2, 3), dim3(4, 3, 2)>>>(place);
  CHECK_CUDA(cudaDeviceSynchronize());
  const unsigned long long expected[9] = {17, 24, 11, 1, 144, 3, 6, 4, 3};
  for (int i = 0; i < 9; ++i) CHECK_EQ(place[i], expected[i]);

  wide<<<1, kThreads>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kThreads; ++i) CHECK_EQ(out[i], i < 64 ? 4001 : 10410);
  return check_report();
}
