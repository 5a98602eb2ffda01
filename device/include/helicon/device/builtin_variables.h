// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// threadIdx, blockIdx, blockDim, gridDim and warpSize. Each is an empty object whose members read a special register.
#ifndef __HELICON_DEVICE_BUILTIN_VARIABLES_H__
#define __HELICON_DEVICE_BUILTIN_VARIABLES_H__

// Functions of the host may name these variables as long as none of them is called: templates and __host__ __device__
// functions that only kernels use.
#ifdef __HL_DEVICE__
#define __HELICON_READ_SREG(name) __nvvm_read_ptx_sreg_##name()
#else
extern "C" unsigned int __hl_sreg_on_host(void)
    __attribute__((error("threadIdx, blockIdx, blockDim and gridDim exist in device code only")));
#define __HELICON_READ_SREG(name) __hl_sreg_on_host()
#endif

#define __HELICON_SREG_MEMBER(member, sreg)                                        \
  __declspec(property(get = __hl_get_##member)) unsigned int member;               \
  __host__ __device__ __forceinline__ unsigned int __hl_get_##member(void) const { \
    return __HELICON_READ_SREG(sreg##_##member);                                   \
  }

// A copy (`auto t = threadIdx;`) reads the same registers; the address and assignment are refused.
#define __HELICON_SREG_TYPE(type, sreg)                                                   \
  struct type {                                                                           \
    __HELICON_SREG_MEMBER(x, sreg)                                                        \
    __HELICON_SREG_MEMBER(y, sreg)                                                        \
    __HELICON_SREG_MEMBER(z, sreg)                                                        \
    __host__ __device__ __forceinline__ operator uint3() const { return uint3{x, y, z}; } \
    __host__ __device__ __forceinline__ operator dim3() const { return dim3(x, y, z); }   \
    void operator=(const type &) const = delete;                                          \
    void operator&() const = delete;                                                      \
  }

__HELICON_SREG_TYPE(__hl_thread_idx, tid);
__HELICON_SREG_TYPE(__hl_block_idx, ctaid);
__HELICON_SREG_TYPE(__hl_block_dim, ntid);
__HELICON_SREG_TYPE(__hl_grid_dim, nctaid);

#undef __HELICON_SREG_TYPE
#undef __HELICON_SREG_MEMBER
#undef __HELICON_READ_SREG

extern const __device__ __hl_thread_idx threadIdx;
extern const __device__ __hl_block_idx blockIdx;
extern const __device__ __hl_block_dim blockDim;
extern const __device__ __hl_grid_dim gridDim;

__device__ constexpr int warpSize = 32;

#endif
