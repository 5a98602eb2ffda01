// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer divisions of vectors by what is not constant, which the processor has for single numbers only, as divisions
// of floating-point numbers: double for elements of up to 32 bits, float for those of up to 16.
//
// Quotients are exact. Of whole numbers below 2^n that do not divide evenly, the quotient is at least 1/b away from the
// next whole number, more than 2^-n of itself, and n is far less than the bits of the format. Where the divisor is the
// same in all lanes, (a + 1/2) * (1/b), cut to a whole number: the half keeps what divides evenly away from the edge.
//
// before:  %q = udiv <32 x i32> %a, %b
// after:   %q = fptoui <32 x double> (fdiv (uitofp %a), (uitofp %b)) ; a remainder is %a - %q * %b
// Stands after optimise, which knows by then what is constant. Divisors are not 0 and nothing overflows:
// guard_division.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> divide_in_floats(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
