// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: occupancy. The model is that of the device attributes: threads, blocks, registers and shared memory of
// a multiprocessor; one worker stands for one.
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/module/launch_config.h"
#include "helicon/gen/cpu_impl.h"

#include <algorithm>

namespace hel::cpu {
namespace {

unsigned round_to_warp(unsigned threads) { return (threads + kWarpSize - 1) / kWarpSize * kWarpSize; }

Result<unsigned> checked_threads(int block_size) {
  if (block_size <= 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "a block of %d threads is not possible", block_size);
  }
  return static_cast<unsigned>(block_size);
}

}  // namespace

int blocks_per_multiprocessor(const abi::KernelInfo &info, unsigned threads, size_t dynamic_shared) {
  const size_t shared = info.static_shared_bytes + dynamic_shared;
  if (threads == 0 || threads > max_threads_of(info) || shared > kSharedPerBlockOptin) {
    return 0;
  }
  const unsigned warps = round_to_warp(threads);
  unsigned blocks = std::min(kMaxBlocksPerMultiprocessor, kMaxThreadsPerMultiprocessor / warps);
  blocks = std::min(blocks, kRegistersPerMultiprocessor / (kRegistersPerThread * warps));
  blocks = std::min(blocks, static_cast<unsigned>(kSharedPerMultiprocessor / (shared + kSharedReservedPerBlock)));
  return static_cast<int>(blocks);
}

Result<void> occupancy_max_active_blocks_per_multiprocessor_with_flags(int *numBlocks, CUfunction func, int blockSize,
                                                                       size_t dynamicSMemSize, unsigned int flags) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(numBlocks, "numBlocks"));
  HEL_TRY(check_flags(flags, CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE));
  const unsigned threads = HEL_TRY(checked_threads(blockSize));
  Ref<Function> function = HEL_TRY(find_function(func));
  *numBlocks = blocks_per_multiprocessor(function->info(), threads, dynamicSMemSize);
  return {};
}

Result<void> occupancy_max_active_blocks_per_multiprocessor(int *numBlocks, CUfunction func, int blockSize,
                                                            size_t dynamicSMemSize) {
  return occupancy_max_active_blocks_per_multiprocessor_with_flags(numBlocks, func, blockSize, dynamicSMemSize, 0);
}

/// The largest block with which the most threads are live.
Result<void> occupancy_max_potential_block_size_with_flags(int *minGridSize, int *blockSize, CUfunction func,
                                                           CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                                           size_t dynamicSMemSize, int blockSizeLimit,
                                                           unsigned int flags) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(minGridSize, "minGridSize"));
  HEL_TRY(check_out(blockSize, "blockSize"));
  HEL_TRY(check_flags(flags, CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE));
  Ref<Function> function = HEL_TRY(find_function(func));
  const int limit = static_cast<int>(max_threads_of(function->info()));
  const int largest = blockSizeLimit <= 0 ? limit : std::min(limit, blockSizeLimit);
  int best_threads = 0, best_block = 0, best_blocks = 0;
  for (int aligned = static_cast<int>(round_to_warp(static_cast<unsigned>(largest))); aligned > 0;
       aligned -= kWarpSize) {
    const int block = std::min(aligned, largest);
    const size_t shared = blockSizeToDynamicSMemSize == nullptr ? dynamicSMemSize : blockSizeToDynamicSMemSize(block);
    const int blocks = blocks_per_multiprocessor(function->info(), static_cast<unsigned>(block), shared);
    if (blocks * block > best_threads) {
      best_threads = blocks * block;
      best_block = block;
      best_blocks = blocks;
    }
  }
  *blockSize = best_block;
  *minGridSize = best_blocks * multiprocessor_count();
  return {};
}

Result<void> occupancy_max_potential_block_size(int *minGridSize, int *blockSize, CUfunction func,
                                                CUoccupancyB2DSize blockSizeToDynamicSMemSize, size_t dynamicSMemSize,
                                                int blockSizeLimit) {
  return occupancy_max_potential_block_size_with_flags(minGridSize, blockSize, func, blockSizeToDynamicSMemSize,
                                                       dynamicSMemSize, blockSizeLimit, 0);
}

Result<void> occupancy_available_dynamic_s_mem_per_block(size_t *dynamicSmemSize, CUfunction func, int numBlocks,
                                                         int blockSize) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(dynamicSmemSize, "dynamicSmemSize"));
  const unsigned threads = HEL_TRY(checked_threads(blockSize));
  Ref<Function> function = HEL_TRY(find_function(func));
  if (numBlocks <= 0 || numBlocks > blocks_per_multiprocessor(function->info(), threads, 0)) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%d blocks of %d threads do not fit a multiprocessor", numBlocks,
                    blockSize);
  }
  const unsigned share =
      kSharedPerMultiprocessor / static_cast<unsigned>(numBlocks) / 128 * 128 - kSharedReservedPerBlock;
  *dynamicSmemSize = std::min(share, kSharedPerBlockOptin) - function->info().static_shared_bytes;
  return {};
}

Result<void> occupancy_max_potential_cluster_size(int *clusterSize, CUfunction func, const CUlaunchConfig *config) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(clusterSize, "clusterSize"));
  HEL_TRY(check_out(config, "config"));
  Ref<Function> function = HEL_TRY(find_function(func));
  *clusterSize = function->settings.non_portable_cluster.load() != 0 ? 2 * kMaxClusterBlocks : kMaxClusterBlocks;
  return {};
}

Result<void> occupancy_max_active_clusters(int *numClusters, CUfunction func, const CUlaunchConfig *config) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(numClusters, "numClusters"));
  HEL_TRY(check_out(config, "config"));
  Ref<Function> function = HEL_TRY(find_function(func));
  LaunchConfig wanted = HEL_TRY(read_config(*config));
  HEL_TRY(check_config(*function, wanted));
  const unsigned threads = wanted.block.x * wanted.block.y * wanted.block.z;
  const int blocks =
      blocks_per_multiprocessor(function->info(), threads, wanted.dynamic_shared) * multiprocessor_count();
  *numClusters = blocks / static_cast<int>(wanted.cluster.x * wanted.cluster.y * wanted.cluster.z);
  return {};
}

}  // namespace hel::cpu
