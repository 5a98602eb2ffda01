// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prefix sums over a tile or a coalesced group, with any associative operation; with an atomic, whose value before
// comes in front of the first thread's and to which the sum of all is added.
#ifndef _CG_SCAN_H_
#define _CG_SCAN_H_

#include "reduce.h"

#if defined(__cplusplus) && (defined(__CUDA__) || defined(__CUDACC__) || defined(__MUSACC__))

namespace cooperative_groups::__v1 {
namespace details {

template <typename GroupT, typename T, typename Op> __HELICON_CG T scan_lanes(const GroupT &g, T value, Op &op) {
  unsigned int size = g.num_threads(), rank = g.thread_rank();
  for (unsigned int d = 1; d < size; d *= 2) {
    T other = g.shfl_up(value, d);
    if (rank >= d) {
      value = op(other, value);
    }
  }
  return value;
}

/// What a scan gives a thread: its inclusive sum, and what comes before it (rank 0: a value-initialised T).
template <typename T> struct scanned {
  T inclusive, before;
};

template <typename GroupT, typename T, typename Op>
__HELICON_CG scanned<T> scan_warp(const GroupT &g, T value, Op &op) {
  T inclusive = scan_lanes(g, value, op), up = g.shfl_up(inclusive, 1);
  return {inclusive, g.thread_rank() == 0 ? T() : up};
}

/// Each warp by itself; then every thread puts the sums of the warps before its own in front.
template <unsigned int Size, typename ParentT, typename T, typename Op>
__HELICON_CG scanned<T> scan_wide(const thread_block_tile<Size, ParentT> &g, T value, Op &op) {
  typedef thread_block_tile<Size, ParentT> tile;
  thread_block_tile<32, tile> warp(g);
  scanned<T> result = scan_warp(warp, value, op);
  const unsigned int number = warp.meta_group_rank();
  if (warp.thread_rank() == 31) {
    *tile::template __hl_scratch_of<T>(number) = result.inclusive;
  }
  g.sync();
  if (number != 0) {
    T front = *tile::template __hl_scratch_of<T>(0);
    for (unsigned int i = 1; i < number; ++i) {
      front = op(front, *tile::template __hl_scratch_of<T>(i));
    }
    result.inclusive = op(front, result.inclusive);
    result.before = warp.thread_rank() == 0 ? front : op(front, result.before);
  }
  g.sync();
  return result;
}

template <typename T, typename Op> __HELICON_CG scanned<T> scan_group(const coalesced_group &g, T value, Op &op) {
  return scan_warp(g, value, op);
}
template <unsigned int Size, typename ParentT, typename T, typename Op>
__HELICON_CG scanned<T> scan_group(const thread_block_tile<Size, ParentT> &g, T value, Op &op) {
  if constexpr (Size <= 32) {
    return scan_warp(g, value, op);
  } else {
    return scan_wide(g, value, op);
  }
}

/// Adds the sum of the whole group to the atomic; every thread gets the atomic's value before.
template <typename GroupT, typename Atomic, typename T, typename Op>
__HELICON_CG T add_total(const GroupT &g, Atomic &atomic, T inclusive, Op &op) {
  const unsigned int last = g.num_threads() - 1;
  T old{};
  if (g.thread_rank() == last) {
    old = update_atomic(atomic, inclusive, op);
  }
  return g.shfl(old, last);
}

}  // namespace details

template <typename GroupT, typename T, typename Op>
__HELICON_CG auto inclusive_scan(const GroupT &g, T &&value, Op &&op) -> typename details::bare<T>::type {
  return details::scan_group(g, static_cast<typename details::bare<T>::type>(value), op).inclusive;
}
template <typename GroupT, typename T>
__HELICON_CG auto inclusive_scan(const GroupT &g, T &&value) -> typename details::bare<T>::type {
  return inclusive_scan(g, value, plus<typename details::bare<T>::type>());
}
/// Rank 0 gets a value-initialised T.
template <typename GroupT, typename T, typename Op>
__HELICON_CG auto exclusive_scan(const GroupT &g, T &&value, Op &&op) -> typename details::bare<T>::type {
  return details::scan_group(g, static_cast<typename details::bare<T>::type>(value), op).before;
}
template <typename GroupT, typename T>
__HELICON_CG auto exclusive_scan(const GroupT &g, T &&value) -> typename details::bare<T>::type {
  return exclusive_scan(g, value, plus<typename details::bare<T>::type>());
}

template <typename GroupT, typename Atomic, typename T, typename Op>
__HELICON_CG auto inclusive_scan_update(const GroupT &g, Atomic &atomic, T &&value, Op &&op) ->
    typename details::bare<T>::type {
  auto sums = details::scan_group(g, static_cast<typename details::bare<T>::type>(value), op);
  return op(details::add_total(g, atomic, sums.inclusive, op), sums.inclusive);
}
template <typename GroupT, typename Atomic, typename T>
__HELICON_CG auto inclusive_scan_update(const GroupT &g, Atomic &atomic, T &&value) -> typename details::bare<T>::type {
  return inclusive_scan_update(g, atomic, value, plus<typename details::bare<T>::type>());
}
/// Rank 0 gets the atomic's value before.
template <typename GroupT, typename Atomic, typename T, typename Op>
__HELICON_CG auto exclusive_scan_update(const GroupT &g, Atomic &atomic, T &&value, Op &&op) ->
    typename details::bare<T>::type {
  auto sums = details::scan_group(g, static_cast<typename details::bare<T>::type>(value), op);
  auto old = details::add_total(g, atomic, sums.inclusive, op);
  return g.thread_rank() == 0 ? old : op(old, sums.before);
}
template <typename GroupT, typename Atomic, typename T>
__HELICON_CG auto exclusive_scan_update(const GroupT &g, Atomic &atomic, T &&value) -> typename details::bare<T>::type {
  return exclusive_scan_update(g, atomic, value, plus<typename details::bare<T>::type>());
}

}  // namespace cooperative_groups::__v1

#endif
#endif
