// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dividing a group: tiles of a size known to the compiler or not, by a label, by a predicate; and running a function in
// one thread of a group.
#ifndef __HELICON_COOPERATIVE_PARTITION_H__
#define __HELICON_COOPERATIVE_PARTITION_H__

namespace cooperative_groups::__v1 {

template <unsigned int Size, typename ParentT> __HELICON_CG thread_block_tile<Size, ParentT> tiled_partition(const ParentT &g) {
  return thread_block_tile<Size, ParentT>(g);
}

namespace details {

/// The lanes of the tile of `size` threads, counted within `mask`, that this thread belongs to.
__HELICON_CG coalesced_group tile_of_lanes(unsigned int mask, unsigned int size) {
  unsigned int rank = __popc(mask & lanes_below()), count = __popc(mask);
  unsigned int tile = rank / size, lanes = 0;
  for (unsigned int i = tile * size; i < count && i < (tile + 1) * size; ++i) {
    lanes |= 1u << lane_of_rank(mask, i);
  }
  return __hl_group_maker::make(lanes, tile, (count + size - 1) / size);
}

/// The lanes of this thread's warp that hold threads of the block.
__HELICON_CG unsigned int lanes_of_warp() {
  unsigned int left = block_size() - (block_rank() & ~31u);
  return left >= 32 ? 0xffffffffu : (1u << left) - 1;
}

__HELICON_CG coalesced_group tile_of_block(unsigned int size) {
  unsigned int first = lane() & ~(size - 1);
  unsigned int lanes = size == 32 ? 0xffffffffu : ((1u << size) - 1) << first;
  return __hl_group_maker::make(lanes & lanes_of_warp(), block_rank() / size, (block_size() + size - 1) / size);
}

template <typename Label> __HELICON_CG coalesced_group part_with_label(unsigned int mask, Label label) {
  unsigned int mine = __match_any_sync(mask, label);
  unsigned int leaders = __ballot_sync(mask, (mine & lanes_below()) == 0);  // the lowest lane of each part
  unsigned int leader = __ffs(mine) - 1;
  return __hl_group_maker::make(mine, __popc(leaders & ((1u << leader) - 1)), __popc(leaders));
}

}  // namespace details

__HELICON_CG coalesced_group tiled_partition(const coalesced_group &g, unsigned int size) {
  return details::tile_of_lanes(g.__hl_mask(), size);
}
__HELICON_CG thread_group tiled_partition(const thread_block &, unsigned int size) { return details::tile_of_block(size); }
__HELICON_CG thread_group tiled_partition(const thread_group &g, unsigned int size) {
  if (g.get_type() == details::thread_block_id) {
    return details::tile_of_block(size);
  }
  return tiled_partition(static_cast<const coalesced_group &>(g), size);
}

template <typename Label> __HELICON_CG coalesced_group labeled_partition(const coalesced_group &g, Label label) {
  return details::part_with_label(g.__hl_mask(), label);
}
template <unsigned int Size, typename ParentT, typename Label>
__HELICON_CG coalesced_group labeled_partition(const thread_block_tile<Size, ParentT> &g, Label label) {
  static_assert(Size <= 32, "labelled parts are made of tiles of at most one warp");
  return details::part_with_label(g.__hl_mask(), label);
}
__HELICON_CG coalesced_group binary_partition(const coalesced_group &g, bool predicate) {
  return details::part_with_label(g.__hl_mask(), static_cast<int>(predicate));
}
template <unsigned int Size, typename ParentT>
__HELICON_CG coalesced_group binary_partition(const thread_block_tile<Size, ParentT> &g, bool predicate) {
  static_assert(Size <= 32, "parts by a predicate are made of tiles of at most one warp");
  return details::part_with_label(g.__hl_mask(), static_cast<int>(predicate));
}

/// Runs the function in one thread of the group.
template <typename GroupT, typename Function, typename... Args>
__HELICON_CG void invoke_one(const GroupT &g, Function &&function, Args &&...args) {
  if (g.thread_rank() == 0) {
    static_cast<Function &&>(function)(static_cast<Args &&>(args)...);
  }
}
/// The same; every thread gets the result.
template <typename GroupT, typename Function, typename... Args>
__HELICON_CG auto invoke_one_broadcast(const GroupT &g, Function &&function, Args &&...args)
    -> decltype(function(static_cast<Args &&>(args)...)) {
  decltype(function(static_cast<Args &&>(args)...)) result{};
  if (g.thread_rank() == 0) {
    result = static_cast<Function &&>(function)(static_cast<Args &&>(args)...);
  }
  return g.shfl(result, 0);
}

}  // namespace cooperative_groups::__v1

#endif
