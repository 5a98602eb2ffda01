// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The 8-bit floating-point types under the names of MUSA.
#ifndef __MUSA_FP8_H__
#define __MUSA_FP8_H__

#include "cuda_fp8.h"

#if defined(__cplusplus)
typedef __nv_fp8_storage_t __mt_fp8_storage_t;
typedef __nv_fp8x2_storage_t __mt_fp8x2_storage_t;
typedef __nv_fp8x4_storage_t __mt_fp8x4_storage_t;
typedef __nv_fp8_e4m3 __mt_fp8_e4m3;
typedef __nv_fp8_e5m2 __mt_fp8_e5m2;
typedef __nv_fp8x2_e4m3 __mt_fp8x2_e4m3;
typedef __nv_fp8x2_e5m2 __mt_fp8x2_e5m2;
typedef __nv_fp8x4_e4m3 __mt_fp8x4_e4m3;
typedef __nv_fp8x4_e5m2 __mt_fp8x4_e5m2;
#endif

#endif
