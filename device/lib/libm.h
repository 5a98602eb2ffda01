// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of libm.cu that other functions of the library use.
#pragma once

#include "device/lib/lib.h"

HL_PURE double __hl_sin(double);
HL_PURE double __hl_cos(double);
HL_PURE double __hl_exp(double);
HL_PURE double __hl_expm1(double);
HL_PURE double __hl_log(double);
HL_PURE double __hl_log1p(double);
HL_PURE double __hl_erf(double);
HL_PURE double __hl_erfc(double);
