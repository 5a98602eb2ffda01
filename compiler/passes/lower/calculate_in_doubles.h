// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// long double has the precision of double in device code, as nvcc has it, and the host's layout in memory (80 bits).
//
//   before   %s = fadd x86_fp80 %a, %b
//   after    %s = fpext double (fadd double (fptrunc %a), (fptrunc %b)) to x86_fp80
//
// What is read from memory is rounded to double. On exit no operation calculates with 80 bits; values of that type are
// only moved and converted.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> calculate_in_doubles(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
