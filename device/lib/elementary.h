// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of the library that others of its files use.
#pragma once

#include "device/lib/lib.h"

HL_PURE float __hl_expf(float);
HL_PURE double __hl_exp(double);
HL_PURE float __hl_expm1f(float);
HL_PURE double __hl_expm1(double);
HL_PURE double __hl_log(double);
HL_PURE float __hl_log1pf(float);
HL_PURE double __hl_log1p(double);
HL_PURE double __hl_sin(double);
HL_PURE double __hl_cos(double);
