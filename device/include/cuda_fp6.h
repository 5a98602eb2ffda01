// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The 6-bit floating-point types: __nv_fp6_e2m3, __nv_fp6_e3m2, their vectors of 2 and 4 (a byte each, whose upper two
// bits are zero), and conversions. There is neither infinity nor not-a-number: what is too large becomes the largest
// number, and so does not-a-number.
#ifndef __CUDA_FP6_H__
#define __CUDA_FP6_H__

#if defined(__cplusplus)
#include "helicon/small_float/narrow_conversions.h"

#define __CUDA_FP6_TYPES_EXIST__

typedef unsigned char __nv_fp6_storage_t;
typedef unsigned short __nv_fp6x2_storage_t;
typedef unsigned int __nv_fp6x4_storage_t;

typedef enum __nv_fp6_interpretation_t {
  __NV_E2M3,
  __NV_E3M2,
} __nv_fp6_interpretation_t;

__HELICON_SFD __hl_narrow_format __hl_format_of(__nv_fp6_interpretation_t kind) {
  return kind == __NV_E2M3 ? __hl_e2m3() : __hl_e3m2();
}

#define __HELICON_NARROW_KIND __nv_fp6_interpretation_t
__HELICON_NARROW_CONVERSIONS(fp6, 8)
#undef __HELICON_NARROW_KIND

__HELICON_NARROW_FORMAT(__hl_as_e2m3, __hl_e2m3(), 8)
__HELICON_NARROW_TYPES(__hl_as_e2m3, __half2, __nv_fp6_e2m3, __nv_fp6_storage_t, __nv_fp6x2_e2m3, __nv_fp6x2_storage_t,
                       __nv_fp6x4_e2m3, __nv_fp6x4_storage_t)
__HELICON_NARROW_FORMAT(__hl_as_e3m2, __hl_e3m2(), 8)
__HELICON_NARROW_TYPES(__hl_as_e3m2, __half2, __nv_fp6_e3m2, __nv_fp6_storage_t, __nv_fp6x2_e3m2, __nv_fp6x2_storage_t,
                       __nv_fp6x4_e3m2, __nv_fp6x4_storage_t)

#endif
#endif
