// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// threadIdx, blockIdx, blockDim, gridDim and warpSize. Each is an empty object whose members read a special register.
#ifndef __HELICON_DEVICE_BUILTIN_VARIABLES_H__
#define __HELICON_DEVICE_BUILTIN_VARIABLES_H__

#define __HELICON_SREG_MEMBER(member, sreg)                          \
  __declspec(property(get = __hl_get_##member)) unsigned int member; \
  __device__ __forceinline__ unsigned int __hl_get_##member(void) const { return __nvvm_read_ptx_sreg_##sreg##_##member(); }

// A copy (`auto t = threadIdx;`) reads the same registers; the address and assignment are refused.
#define __HELICON_SREG_TYPE(type, sreg)                                                            \
  struct type {                                                                                    \
    __HELICON_SREG_MEMBER(x, sreg)                                                                 \
    __HELICON_SREG_MEMBER(y, sreg)                                                                 \
    __HELICON_SREG_MEMBER(z, sreg)                                                                 \
    __device__ __forceinline__ operator uint3() const { return uint3{x, y, z}; }                   \
    __device__ __forceinline__ operator dim3() const { return dim3(x, y, z); }                     \
    void operator=(const type &) const = delete;                                                   \
    void operator&() const = delete;                                                               \
  }

__HELICON_SREG_TYPE(__hl_thread_idx, tid);
__HELICON_SREG_TYPE(__hl_block_idx, ctaid);
__HELICON_SREG_TYPE(__hl_block_dim, ntid);
__HELICON_SREG_TYPE(__hl_grid_dim, nctaid);

#undef __HELICON_SREG_TYPE
#undef __HELICON_SREG_MEMBER

extern const __device__ __hl_thread_idx threadIdx;
extern const __device__ __hl_block_idx blockIdx;
extern const __device__ __hl_block_dim blockDim;
extern const __device__ __hl_grid_dim gridDim;

__device__ constexpr int warpSize = 32;

#endif
