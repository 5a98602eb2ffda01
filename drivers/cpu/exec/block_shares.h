// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The blocks of a grid that are not dealt out yet. Each worker has a share of them, and the shares lie in the order of
// the blocks: what one launch leaves in a core's caches is there for the next one over the same memory. Who has used up
// its own share takes from the ends of others'. No locks: any thread may call this at any time.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

namespace hel::cpu::exec {

class BlockShares {
public:
  /// `workers`: how many threads will take; 1 for blocks that are to be taken in their order.
  BlockShares(uint64_t blocks, uint32_t workers);

  /// Blocks for this worker: an eighth of what is left in the share, but at least `least` (if there are as many) and at
  /// most `most`. False if all blocks are dealt out; that stays so.
  bool take(uint32_t worker, uint64_t least, uint64_t most, uint64_t *begin, uint64_t *end);
  /// Takes all that is left; returns how many blocks that were.
  uint64_t take_all();
  bool empty() const;

private:
  /// In units: the first in the upper half, the one behind the last in the lower half.
  struct alignas(64) Share {
    std::atomic<uint64_t> range{0};
  };

  uint64_t blocks_in(uint64_t range) const;
  bool take_from(Share &share, bool front, uint64_t least, uint64_t most, uint64_t *begin, uint64_t *end);

  const uint64_t blocks_;
  const uint64_t unit_;  ///< blocks, so that 32 bits count the units
  const uint32_t workers_;
  std::vector<Share> shares_;
};

}  // namespace hel::cpu::exec
