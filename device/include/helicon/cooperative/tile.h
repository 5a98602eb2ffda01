// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// thread_block_tile<Size>: Size neighbouring threads of a block, a power of two; up to a warp, or several warps.
#ifndef __HELICON_COOPERATIVE_TILE_H__
#define __HELICON_COOPERATIVE_TILE_H__

namespace cooperative_groups::__v1 {
namespace details {

/// A tile within a warp.
template <unsigned int Size> class warp_tile : public thread_group {
public:
  static constexpr unsigned int _group_id = coalesced_group_id;

  static __HELICON_CG unsigned int thread_rank() { return lane() & (Size - 1); }
  static constexpr __HELICON_CG unsigned int num_threads() { return Size; }
  static constexpr __HELICON_CG unsigned int size() { return Size; }
  __HELICON_CG unsigned int meta_group_rank() const { return meta_rank_; }
  __HELICON_CG unsigned int meta_group_size() const { return meta_size_; }
  static __HELICON_CG void sync() { __syncwarp(mask()); }

  template <typename T> __HELICON_CG T shfl(T value, int rank) const {
    return shuffle_from(mask(), value, first() + (static_cast<unsigned int>(rank) & (Size - 1)));
  }
  template <typename T> __HELICON_CG T shfl_up(T value, unsigned int delta) const {
    unsigned int rank = thread_rank();
    return shfl(value, rank >= delta ? rank - delta : rank);
  }
  template <typename T> __HELICON_CG T shfl_down(T value, unsigned int delta) const {
    unsigned int rank = thread_rank();
    return shfl(value, rank + delta < Size ? rank + delta : rank);
  }
  template <typename T> __HELICON_CG T shfl_xor(T value, unsigned int lanes) const {
    unsigned int rank = thread_rank() ^ lanes;
    return shfl(value, rank < Size ? rank : thread_rank());
  }
  __HELICON_CG int any(int predicate) const { return __any_sync(mask(), predicate); }
  __HELICON_CG int all(int predicate) const { return __all_sync(mask(), predicate); }
  __HELICON_CG unsigned int ballot(int predicate) const { return __ballot_sync(mask(), predicate) >> first(); }
  template <typename T> __HELICON_CG unsigned int match_any(T value) const {
    return __match_any_sync(mask(), value) >> first();
  }
  template <typename T> __HELICON_CG unsigned int match_all(T value, int &equal) const {
    return __match_all_sync(mask(), value, &equal) >> first();
  }

  __HELICON_CG unsigned int __hl_mask() const { return mask(); }

protected:
  __HELICON_CG warp_tile(unsigned int meta_rank, unsigned int meta_size)
      : thread_group(coalesced_group_id, mask(), meta_rank, meta_size) {}

private:
  static __HELICON_CG unsigned int first() { return lane() & ~(Size - 1); }
  static __HELICON_CG unsigned int mask() {
    return Size == 32 ? 0xffffffffu : ((1u << (Size & 31)) - 1) << first();
  }
};

/// A tile of several warps. Tile i of a block meets at the private barrier 15 + i (see drivers/cpu/exec); a tile as
/// wide as the block has just one.
template <unsigned int Size> class wide_tile : public thread_group {
public:
  static constexpr unsigned int _group_id = multi_tile_group_id;

  static __HELICON_CG unsigned int thread_rank() { return block_rank() & (Size - 1); }
  static constexpr __HELICON_CG unsigned int num_threads() { return Size; }
  static constexpr __HELICON_CG unsigned int size() { return Size; }
  __HELICON_CG unsigned int meta_group_rank() const { return meta_rank_; }
  __HELICON_CG unsigned int meta_group_size() const { return meta_size_; }
  static __HELICON_CG void sync() { __nvvm_barrier_sync_cnt(barrier(), Size); }
  __HELICON_CG int any(int predicate) const { return count_warps(__any_sync(0xffffffffu, predicate)) != 0; }
  __HELICON_CG int all(int predicate) const { return count_warps(__all_sync(0xffffffffu, predicate)) == Size / 32; }
  template <typename T> __HELICON_CG T shfl(T value, unsigned int rank) const {
    T *place = __hl_scratch<T>();
    if (thread_rank() == (rank & (Size - 1))) {
      *place = value;
    }
    sync();
    T result = *place;
    sync();
    return result;
  }

  /// Room in shared memory for one value of each warp of this tile.
  template <typename T> static __HELICON_CG T *__hl_scratch() {
    static_assert(sizeof(T) <= 32 && __is_trivially_copyable(T), "a value that wide tiles exchange has at most 32 bytes");
    __shared__ alignas(16) unsigned char room[32][32];
    return reinterpret_cast<T *>(room[block_rank() / Size * (Size / 32)]);
  }
  /// The place of the value of warp `warp` of the tile.
  template <typename T> static __HELICON_CG T *__hl_scratch_of(unsigned int warp) {
    return reinterpret_cast<T *>(reinterpret_cast<unsigned char *>(__hl_scratch<T>()) + 32 * warp);
  }

protected:
  __HELICON_CG wide_tile(unsigned int meta_rank, unsigned int meta_size)
      : thread_group(multi_tile_group_id, 0, meta_rank, meta_size) {}

private:
  static __HELICON_CG unsigned int barrier() { return 15 + block_rank() / Size; }

  /// In how many warps of the tile the vote is true.
  static __HELICON_CG unsigned int count_warps(int vote) {
    if (lane() == 0) {
      *__hl_scratch_of<int>(thread_rank() / 32) = vote;
    }
    sync();
    unsigned int count = 0;
    for (unsigned int warp = 0; warp < Size / 32; ++warp) {
      count += *__hl_scratch_of<int>(warp) != 0;
    }
    sync();
    return count;
  }
};

template <unsigned int Size, bool Wide> struct tile_base { typedef warp_tile<Size> type; };
template <unsigned int Size> struct tile_base<Size, true> { typedef wide_tile<Size> type; };

template <unsigned int Size, typename ParentT> struct parts {  // of another tile
  static __HELICON_CG unsigned int rank(const ParentT &g) { return g.thread_rank() / Size; }
  static __HELICON_CG unsigned int count(const ParentT &g) { return (g.num_threads() + Size - 1) / Size; }
};

}  // namespace details

template <unsigned int Size, typename ParentT>
class thread_block_tile : public details::tile_base<Size, (Size > 32)>::type {
  static_assert(Size != 0 && (Size & (Size - 1)) == 0 && Size <= 1024, "the size of a tile is a power of two up to 1024");
  typedef typename details::tile_base<Size, (Size > 32)>::type base;

public:
  __HELICON_CG explicit thread_block_tile(const ParentT &g)
      : base(details::parts<Size, ParentT>::rank(g), details::parts<Size, ParentT>::count(g)) {}
  __HELICON_CG operator thread_block_tile<Size, void>() const { return thread_block_tile<Size, void>(*this); }
};

template <unsigned int Size> class thread_block_tile<Size, void> : public details::tile_base<Size, (Size > 32)>::type {
  typedef typename details::tile_base<Size, (Size > 32)>::type base;

public:
  template <typename ParentT>
  __HELICON_CG thread_block_tile(const thread_block_tile<Size, ParentT> &g)
      : base(g.meta_group_rank(), g.meta_group_size()) {}

protected:
  friend __device__ thread_block_tile<1, void> this_thread();
  __HELICON_CG thread_block_tile() : base(0, 1) {}
};

__HELICON_CG thread_block_tile<1, void> this_thread() { return thread_block_tile<1, void>(); }

}  // namespace cooperative_groups::__v1

#endif
