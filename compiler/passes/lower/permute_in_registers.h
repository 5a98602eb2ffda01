// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives the function that lets each lane of a warp take another lane's value (permute_function) a body without memory
// traffic: two-register permutes in code for x86-64-v4, permutes of eight lanes and blends in code for x86-64-v3.
//
// before:  store <32 x i32> %values, %table ; masked.gather of %table[%from]
// after:   vpermi2var.d.512(low of %values, half of %from, high of %values), twice
// Code for x86-64-v2 keeps the table. Stands before optimise, which inlines the function.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

/// `<32 x i32> (<32 x i32> values, <32 x i32> from)`: lane i of the result is lane `from[i] % 32` of the values. Made
/// if the module has none yet.
llvm::Function &permute_function(llvm::Module &module);

Result<void> permute_in_registers(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
