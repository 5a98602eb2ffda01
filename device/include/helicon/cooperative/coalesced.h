// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// coalesced_group: some lanes of a warp, numbered in lane order.
#ifndef __HELICON_COOPERATIVE_COALESCED_H__
#define __HELICON_COOPERATIVE_COALESCED_H__

namespace cooperative_groups::__v1 {

class coalesced_group : public thread_group {
public:
  static constexpr unsigned int _group_id = details::coalesced_group_id;

  __HELICON_CG unsigned int num_threads() const { return __popc(mask_); }
  __HELICON_CG unsigned int size() const { return num_threads(); }
  __HELICON_CG unsigned int thread_rank() const { return __popc(mask_ & details::lanes_below()); }
  __HELICON_CG unsigned int meta_group_rank() const { return meta_rank_; }
  __HELICON_CG unsigned int meta_group_size() const { return meta_size_; }
  __HELICON_CG void sync() const { __syncwarp(mask_); }

  template <typename T> __HELICON_CG T shfl(T value, unsigned int rank) const {
    return details::shuffle_from(mask_, value, details::lane_of_rank(mask_, rank));
  }
  /// Past the ends a thread gets its own value.
  template <typename T> __HELICON_CG T shfl_up(T value, unsigned int delta) const {
    unsigned int rank = thread_rank();
    return shfl(value, rank >= delta ? rank - delta : rank);
  }
  template <typename T> __HELICON_CG T shfl_down(T value, unsigned int delta) const {
    unsigned int rank = thread_rank();
    return shfl(value, rank + delta < size() ? rank + delta : rank);
  }

  __HELICON_CG int any(int predicate) const { return __any_sync(mask_, predicate); }
  __HELICON_CG int all(int predicate) const { return __all_sync(mask_, predicate); }
  /// Bit i is the predicate of the thread of rank i.
  __HELICON_CG unsigned int ballot(int predicate) const {
    return details::gather_bits(__ballot_sync(mask_, predicate), mask_);
  }
  template <typename T> __HELICON_CG unsigned int match_any(T value) const {
    return details::gather_bits(__match_any_sync(mask_, value), mask_);
  }
  template <typename T> __HELICON_CG unsigned int match_all(T value, int &equal) const {
    return details::gather_bits(__match_all_sync(mask_, value, &equal), mask_);
  }

  __HELICON_CG unsigned int __hl_mask() const { return mask_; }

protected:
  friend struct __hl_group_maker;
  friend __device__ coalesced_group coalesced_threads();
  __HELICON_CG explicit coalesced_group(unsigned int mask, unsigned int meta_rank = 0, unsigned int meta_size = 1)
      : thread_group(details::coalesced_group_id, mask, meta_rank, meta_size) {}
};

/// For the partition functions, which build groups from masks.
struct __hl_group_maker {
  static __HELICON_CG coalesced_group make(unsigned int mask, unsigned int meta_rank, unsigned int meta_size) {
    return coalesced_group(mask, meta_rank, meta_size);
  }
};

__HELICON_CG coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

}  // namespace cooperative_groups::__v1

#endif
