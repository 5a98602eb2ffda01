// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prefix sums over a tile or a coalesced group, with any associative operation.
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

template <typename T, typename Op> __HELICON_CG T scan_group(const coalesced_group &g, T value, Op &op) {
  return scan_lanes(g, value, op);
}
template <unsigned int Size, typename ParentT, typename T, typename Op>
__HELICON_CG T scan_group(const thread_block_tile<Size, ParentT> &g, T value, Op &op) {
  static_assert(Size <= 32, "scans are over tiles of at most one warp");
  return scan_lanes(g, value, op);
}

}  // namespace details

template <typename GroupT, typename T, typename Op>
__HELICON_CG auto inclusive_scan(const GroupT &g, T &&value, Op &&op) -> typename details::bare<T>::type {
  return details::scan_group(g, static_cast<typename details::bare<T>::type>(value), op);
}
template <typename GroupT, typename T>
__HELICON_CG auto inclusive_scan(const GroupT &g, T &&value) -> typename details::bare<T>::type {
  return inclusive_scan(g, value, plus<typename details::bare<T>::type>());
}
/// Rank 0 gets a value-initialised T.
template <typename GroupT, typename T, typename Op>
__HELICON_CG auto exclusive_scan(const GroupT &g, T &&value, Op &&op) -> typename details::bare<T>::type {
  typedef typename details::bare<T>::type value_type;
  value_type up = g.shfl_up(details::scan_group(g, static_cast<value_type>(value), op), 1);
  return g.thread_rank() == 0 ? value_type() : up;
}
template <typename GroupT, typename T>
__HELICON_CG auto exclusive_scan(const GroupT &g, T &&value) -> typename details::bare<T>::type {
  return exclusive_scan(g, value, plus<typename details::bare<T>::type>());
}

}  // namespace cooperative_groups::__v1

#endif
#endif
