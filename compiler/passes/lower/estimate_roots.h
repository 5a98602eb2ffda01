// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reciprocal roots of floats from the processor's estimate and one step of Newton's method (1.04 ulp at most;
// infinities, zeros, NaNs and powers of four exact) instead of a root and a division, which take five times as long.
// Done where the source allows it, which lower_math tells by the flag `afn`: rsqrtf and rsqrt.approx.f32, whose bound
// is 2 ulp.
//
// before:  %r = call afn float @llvm.sqrt(%x) ; fdiv afn 1.0, %r
// after:   %y = vrsqrt14(%x) ; %e = 1 - %x * %y * %y ; %e is a number ? %y + %y / 2 * %e : %y
//          where %x is well above zero, with %h = min(%x, largest) / 2 in integers:  %y + %y * (1/2 - %h * %y * %y)
// The estimate of x86-64-v3 has 12 bits and no subnormals: there only what is well above zero, in one step of the third
// order:   %y = vrsqrtps(%x) ; %e = 1/2 - %h * %y * %y ; %y + %y * %e * (1 + 3/2 * %e)
// Stands after optimise.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> estimate_roots(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
