// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much the code generator has to do for IR, before it is asked to.
#pragma once

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {

/// Machine instructions, about: a vector takes one for each 512 bits.
inline uint64_t machine_instructions(const llvm::Instruction &inst) {
  constexpr uint64_t kRegisterBits = 512;
  const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(inst.getType());
  return vector ? std::max<uint64_t>(vector->getPrimitiveSizeInBits().getFixedValue() / kRegisterBits, 1) : 1;
}

inline uint64_t machine_instructions(const llvm::Function &function) {
  uint64_t size = 0;
  for (const llvm::Instruction &inst : llvm::instructions(function)) {
    size += machine_instructions(inst);
  }
  return size;
}

}  // namespace hel::cc
