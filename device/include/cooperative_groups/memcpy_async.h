// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies by all threads of a group: cg::memcpy_async, cg::wait. The copy is complete for the whole group after the wait.
#ifndef _CG_MEMCPY_ASYNC_H_
#define _CG_MEMCPY_ASYNC_H_

#include "../cooperative_groups.h"

#if defined(__cplusplus) && (defined(__CUDA__) || defined(__CUDACC__) || defined(__MUSACC__))

namespace cooperative_groups::__v1 {
namespace details {

/// Each thread of the group copies every n-th word.
template <typename GroupT>
__HELICON_CG void copy_by_group(const GroupT &g, void *to, const void *from, size_t bytes) {
  size_t rank = g.thread_rank(), threads = g.num_threads();
  auto *target = static_cast<unsigned char *>(to);
  auto *source = static_cast<const unsigned char *>(from);
  constexpr size_t chunk = 16;
  for (size_t at = rank * chunk; at < bytes; at += threads * chunk) {
    size_t n = bytes - at < chunk ? bytes - at : chunk;
    __builtin_memcpy(target + at, source + at, n);
  }
}

}  // namespace details

template <typename GroupT, typename T>
__HELICON_CG void memcpy_async(const GroupT &g, T *to, const T *from, size_t bytes) {
  details::copy_by_group(g, to, from, bytes);
}
template <typename GroupT, typename T>
__HELICON_CG void memcpy_async(const GroupT &g, T *to, size_t to_count, const T *from, size_t from_count) {
  details::copy_by_group(g, to, from, (to_count < from_count ? to_count : from_count) * sizeof(T));
}
template <typename GroupT> __HELICON_CG void memcpy_async(const GroupT &g, void *to, const void *from, size_t bytes) {
  details::copy_by_group(g, to, from, bytes);
}

template <typename GroupT> __HELICON_CG void wait(const GroupT &g) { g.sync(); }
template <unsigned int Stages, typename GroupT> __HELICON_CG void wait_prior(const GroupT &g) { g.sync(); }

}  // namespace cooperative_groups::__v1

#endif
#endif
