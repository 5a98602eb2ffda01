// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The 4-bit floating-point types: __nv_fp4_e2m1, their vectors of 2 and 4 (the first one in the lower four bits of a
// byte), and conversions. There is neither infinity nor not-a-number: what is too large becomes the largest number, and
// so does not-a-number.
#ifndef __CUDA_FP4_H__
#define __CUDA_FP4_H__

#if defined(__cplusplus)
#include "helicon/small_float/narrow_conversions.h"

#define __CUDA_FP4_TYPES_EXIST__

typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short __nv_fp4x4_storage_t;

typedef enum __nv_fp4_interpretation_t {
  __NV_E2M1,
} __nv_fp4_interpretation_t;

__HELICON_SFD __hl_narrow_format __hl_format_of(__nv_fp4_interpretation_t) { return __hl_e2m1(); }

#define __HELICON_NARROW_KIND __nv_fp4_interpretation_t
__HELICON_NARROW_CONVERSIONS(fp4, 4)
#undef __HELICON_NARROW_KIND

__HELICON_NARROW_FORMAT(__hl_as_e2m1, __hl_e2m1(), 4)
__HELICON_NARROW_TYPES(__hl_as_e2m1, __half2, __nv_fp4_e2m1, __nv_fp4_storage_t, __nv_fp4x2_e2m1, __nv_fp4x2_storage_t,
                       __nv_fp4x4_e2m1, __nv_fp4x4_storage_t)

#endif
#endif
