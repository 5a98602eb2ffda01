// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch without a cluster's size: each block is its own cluster, whose functions say so.
// RUN: %mcc %s -o %t && %run %t
// covers: C-5.6.3.1.1-01
#include "check.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void describe(int *wrong) {
  __shared__ int box[64];
  cg::cluster_group cluster = cg::this_cluster();
  cg::thread_block block = cg::this_thread_block();
  int bad = cluster.num_blocks() != 1 || cluster.block_rank() != 0 || cluster.num_threads() != block.num_threads() ||
            cluster.size() != block.size() || cluster.thread_rank() != block.thread_rank() || cluster.dim_blocks().x != 1 ||
            cluster.block_index().x != 0 || cluster.dim_threads().y != blockDim.y;
  int rank = block.thread_rank();
  *cluster.map_shared_rank(&box[rank], 0) = rank * 3 + blockIdx.x;
  bad |= cluster.query_shared_rank(box) != 0;
  cluster.sync();
  bad |= box[63 - rank] != (63 - rank) * 3 + static_cast<int>(blockIdx.x);
  auto token = cluster.barrier_arrive();
  cluster.barrier_wait(static_cast<cg::cluster_group::arrival_token &&>(token));
  atomicAdd(wrong, bad);
}

int main() {
  int *wrong;
  CHECK_CUDA(cudaMallocManaged(&wrong, sizeof *wrong));
  *wrong = 0;
  describe<<<6, dim3(16, 4)>>>(wrong);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*wrong, 0);
  return check_report();
}
