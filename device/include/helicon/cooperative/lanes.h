// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Below cooperative groups: lane masks, and shuffles of values of any trivially copyable type.
#ifndef __HELICON_COOPERATIVE_LANES_H__
#define __HELICON_COOPERATIVE_LANES_H__

#define __HELICON_CG __device__ __forceinline__

// CCCL declares groups in this inner namespace before it has seen this file; an inline one would contradict it.
namespace cooperative_groups {
namespace __v1 {}
using namespace __v1;
}  // namespace cooperative_groups

namespace cooperative_groups::__v1 {
namespace details {

__HELICON_CG unsigned int lane() { return __nvvm_read_ptx_sreg_laneid(); }
__HELICON_CG unsigned int lanes_below() { return __nvvm_read_ptx_sreg_lanemask_lt(); }

/// Threads of the block, and this thread's number among them.
__HELICON_CG unsigned int block_size() { return blockDim.x * blockDim.y * blockDim.z; }
__HELICON_CG unsigned int block_rank() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

/// The lane of the rank-th thread of a mask; 0xffffffff if there is none.
__HELICON_CG unsigned int lane_of_rank(unsigned int mask, unsigned int rank) {
  return mask == 0xffffffffu ? rank : __hl_fns(mask, 0, static_cast<int>(rank) + 1);
}

/// Gathers the bits of `value` that stand at the set bits of `mask`, lowest first.
__HELICON_CG unsigned int gather_bits(unsigned int value, unsigned int mask) {
  unsigned int result = 0;
  for (unsigned int at = 0; mask != 0; mask &= mask - 1, ++at) {
    result |= (value >> (__ffs(mask) - 1) & 1u) << at;
  }
  return result;
}

/// The value of `v` in lane `from`, for any trivially copyable type.
template <typename T> __HELICON_CG T shuffle_from(unsigned int mask, const T &v, unsigned int from) {
  static_assert(__is_trivially_copyable(T), "only values of trivially copyable types can be shuffled");
  constexpr unsigned int words = (sizeof(T) + 3) / 4;
  unsigned int buffer[words] = {};
  __builtin_memcpy(buffer, &v, sizeof(T));
  for (unsigned int i = 0; i < words; ++i) {
    buffer[i] = __shfl_sync(mask, buffer[i], from);
  }
  T result;
  __builtin_memcpy(&result, buffer, sizeof(T));
  return result;
}

}  // namespace details
}  // namespace cooperative_groups::__v1

#endif
