// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of the library that others of its files use.
#pragma once

#include "device/lib/lib.h"

HL_PURE float __hl_exp2f(float);
HL_PURE double __hl_exp(double);
HL_PURE double __hl_log(double);
HL_PURE float __hl_log1pf(float);
HL_PURE double __hl_log1p(double);
