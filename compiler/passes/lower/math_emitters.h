// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The families of NVVM's arithmetic intrinsics, one emitter and one source a family.
#pragma once

#include "compiler/passes/lower/math_name.h"

#include "llvm/IR/IRBuilder.h"

namespace hel::cc {

/// Returns the value of the call, or null when the name does not belong to the family.
using MathEmitter = llvm::Value *(*)(const MathName &name, llvm::CallInst &call, llvm::IRBuilder<> &builder);

/// add mul div fma sqrt rcp rsqrt sin cos ex2 lg2 tanh fmin fmax fabs neg ceil floor trunc round saturate
llvm::Value *emit_float_math(const MathName &name, llvm::CallInst &call, llvm::IRBuilder<> &builder);
/// d2i.rn f2ull.rz i2f.rp d2f.rm f2h.rn f2bf16.rn ff2f16x2.rn f2tf32.rna lohi.i2d …
llvm::Value *emit_conversion(const MathName &name, llvm::CallInst &call, llvm::IRBuilder<> &builder);
/// mulhi mul24 sad bmsk sext zext flo fshl.clamp fshr.clamp move
llvm::Value *emit_integer_math(const MathName &name, llvm::CallInst &call, llvm::IRBuilder<> &builder);
/// prmt idp4a idp2a
llvm::Value *emit_packed_math(const MathName &name, llvm::CallInst &call, llvm::IRBuilder<> &builder);

/// 1 / sqrt(value); of floats, one that may be approximated (estimate_roots).
llvm::Value *emit_reciprocal_root(llvm::IRBuilder<> &builder, llvm::Value *value);

/// A denormal value becomes a zero of its sign; other values and types stay.
llvm::Value *flush(llvm::IRBuilder<> &builder, llvm::Value *value);

}  // namespace hel::cc
