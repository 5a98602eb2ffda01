// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The 16-bit type with the exponent of float under its MUSA names.
#ifndef __MUSA_BF16_H__
#define __MUSA_BF16_H__

#include "cuda_bf16.h"

#if defined(__cplusplus)
typedef __nv_bfloat16_raw __mt_bfloat16_raw;
typedef __nv_bfloat162_raw __mt_bfloat162_raw;
typedef __nv_bfloat16 __mt_bfloat16;
typedef __nv_bfloat162 __mt_bfloat162;
typedef __nv_bfloat16 mt_bfloat16;
typedef __nv_bfloat162 mt_bfloat162;
#endif

#endif
