// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions over a tile or a coalesced group: cg::reduce(group, value, operation), and the operations; the result in
// every thread, or (reduce_update_async, reduce_store_async) in memory after the next synchronisation.
#ifndef _CG_REDUCE_H_
#define _CG_REDUCE_H_

#include "../cooperative_groups.h"

#if defined(__cplusplus) && (defined(__CUDA__) || defined(__CUDACC__) || defined(__MUSACC__))

namespace cooperative_groups::__v1 {

template <typename T> struct plus {
  __HELICON_CG T operator()(T a, T b) const { return a + b; }
};
template <typename T> struct less {  // the smaller one
  __HELICON_CG T operator()(T a, T b) const { return b < a ? b : a; }
};
template <typename T> struct greater {  // the greater one
  __HELICON_CG T operator()(T a, T b) const { return a < b ? b : a; }
};
template <typename T> struct bit_and {
  __HELICON_CG T operator()(T a, T b) const { return a & b; }
};
template <typename T> struct bit_xor {
  __HELICON_CG T operator()(T a, T b) const { return a ^ b; }
};
template <typename T> struct bit_or {
  __HELICON_CG T operator()(T a, T b) const { return a | b; }
};

namespace details {

template <typename T> struct bare { typedef T type; };
template <typename T> struct bare<T &> { typedef typename bare<T>::type type; };
template <typename T> struct bare<T &&> { typedef typename bare<T>::type type; };
template <typename T> struct bare<const T> { typedef T type; };

/// Any warp-level group: the thread of rank r takes in rank r + d for d = 1, 2, 4 …; then all get rank 0's value. The
/// order of the operands is kept, so the operation need not commute.
template <typename GroupT, typename T, typename Op> __HELICON_CG T reduce_lanes(const GroupT &g, T value, Op &op) {
  unsigned int size = g.num_threads(), rank = g.thread_rank();
  for (unsigned int d = 1; d < size; d *= 2) {
    T other = g.shfl_down(value, d);
    if ((rank & (2 * d - 1)) == 0 && rank + d < size) {
      value = op(value, other);
    }
  }
  return g.shfl(value, 0);
}

template <unsigned int Size, typename ParentT, typename T, typename Op>
__HELICON_CG T reduce_wide(const thread_block_tile<Size, ParentT> &g, T value, Op &op) {
  typedef thread_block_tile<Size, ParentT> tile;
  thread_block_tile<32, tile> warp(g);
  value = reduce_lanes(warp, value, op);
  if (warp.thread_rank() == 0) {
    *tile::template __hl_scratch_of<T>(warp.meta_group_rank()) = value;
  }
  g.sync();
  T result = *tile::template __hl_scratch_of<T>(0);
  for (unsigned int i = 1; i < Size / 32; ++i) {
    result = op(result, *tile::template __hl_scratch_of<T>(i));
  }
  g.sync();
  return result;
}

/// A whole block: each warp by itself, then every thread folds the warps' values in order.
template <typename T, typename Op> __HELICON_CG T reduce_group(const thread_block &, T value, Op &op) {
  static_assert(sizeof(T) <= 32 && __is_trivially_copyable(T), "a value that a block reduces has at most 32 bytes");
  __shared__ alignas(16) unsigned char room[32][32];
  coalesced_group warp = __hl_group_maker::make(lanes_of_warp(), 0, 1);
  value = reduce_lanes(warp, value, op);
  if (warp.thread_rank() == 0) {
    *reinterpret_cast<T *>(room[block_rank() / 32]) = value;
  }
  __syncthreads();
  T result = *reinterpret_cast<T *>(room[0]);
  for (unsigned int i = 1; i < (block_size() + 31) / 32; ++i) {
    result = op(result, *reinterpret_cast<T *>(room[i]));
  }
  __syncthreads();
  return result;
}
template <typename T, typename Op> __HELICON_CG T reduce_group(const coalesced_group &g, T value, Op &op) {
  return reduce_lanes(g, value, op);
}
template <unsigned int Size, typename ParentT, typename T, typename Op>
__HELICON_CG T reduce_group(const thread_block_tile<Size, ParentT> &g, T value, Op &op) {
  if constexpr (Size <= 32) {
    return reduce_lanes(g, value, op);
  } else {
    return reduce_wide(g, value, op);
  }
}

/// *atomic = op(*atomic, value); gives what was there before.
template <typename Atomic, typename T, typename Op> __HELICON_CG T update_atomic(Atomic &atomic, T value, Op &op) {
  auto old = atomic.load();
  while (!atomic.compare_exchange_weak(old, op(old, value))) {
  }
  return old;
}

}  // namespace details

template <typename GroupT, typename T, typename Op>
__HELICON_CG auto reduce(const GroupT &g, T &&value, Op &&op) -> typename details::bare<T>::type {
  return details::reduce_group(g, static_cast<typename details::bare<T>::type>(value), op);
}

/// The atomic is a cuda::atomic or cuda::atomic_ref.
template <typename GroupT, typename Atomic, typename T, typename Op>
__HELICON_CG void reduce_update_async(const GroupT &g, Atomic &atomic, T &&value, Op &&op) {
  auto total = reduce(g, value, op);
  if (g.thread_rank() == 0) {
    details::update_atomic(atomic, total, op);
  }
}
template <typename GroupT, typename Atomic, typename T, typename Op>
__HELICON_CG void reduce_store_async(const GroupT &g, Atomic &atomic, T &&value, Op &&op) {
  auto total = reduce(g, value, op);
  if (g.thread_rank() == 0) {
    atomic.store(total);
  }
}
template <typename GroupT, typename Place, typename T, typename Op>
__HELICON_CG void reduce_store_async(const GroupT &g, Place *place, T &&value, Op &&op) {
  auto total = reduce(g, value, op);
  if (g.thread_rank() == 0) {
    *place = total;
  }
}

}  // namespace cooperative_groups::__v1

#endif
#endif
