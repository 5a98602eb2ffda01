// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The execution and memory space specifiers and function attributes, for a compiler in CUDA mode (clang's attributes).
#ifndef __HELICON_QUALIFIERS_H__
#define __HELICON_QUALIFIERS_H__

#if defined(__CUDA__) || defined(__CUDACC__) || defined(__MUSACC__)

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __grid_constant__ __attribute__((grid_constant))

#define __device_builtin__
#define __cudart_builtin__
#define __device_builtin_texture_type__ __attribute__((device_builtin_texture_type))
#define __device_builtin_surface_type__ __attribute__((device_builtin_surface_type))

#define __no_return__ __attribute__((noreturn))
// `__noinline__` is a keyword of clang in CUDA mode; as a macro it would break `__attribute__((__noinline__))`.
#define __forceinline__ inline __attribute__((always_inline))
#define __inline_hint__ __attribute__((annotate("mcc.inline_hint")))
#define __nv_pure__ __attribute__((pure))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __thread__ __thread
#define __specialization_static static

#define __NV_SILENCE_DEPRECATION_BEGIN \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wdeprecated-declarations\"")
#define __NV_SILENCE_DEPRECATION_END _Pragma("clang diagnostic pop")

// The launch attributes only matter where the kernel's code is made.
#if defined(__HELICON_DEVICE_PASS__)
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __maxnreg__(...) __attribute__((annotate("mcc.maxnreg", __VA_ARGS__)))
#define __cluster_dims__(...) __attribute__((annotate("mcc.cluster_dims" __VA_OPT__(, ) __VA_ARGS__)))
#define __HELICON_TUPLE(...) __VA_ARGS__
#define __block_size__(block, ...) \
  __attribute__((annotate("mcc.block_size", __HELICON_TUPLE block __VA_OPT__(, __HELICON_TUPLE __VA_ARGS__))))
#else
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __block_size__(...)
#endif

#ifndef CUDARTAPI
#define CUDARTAPI
#endif
#ifndef CUDARTAPI_CDECL
#define CUDARTAPI_CDECL
#endif
#ifndef CUDART_CB
#define CUDART_CB
#endif

#endif  // CUDA mode
#endif
