// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much the code generator has to do for IR, before it is asked to.
#pragma once

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {

/// Machine instructions of a block, about: a vector takes one for each 512 bits.
inline uint64_t machine_instructions(const llvm::BasicBlock &block) {
  constexpr uint64_t kRegisterBits = 512;
  uint64_t size = 0;
  for (const llvm::Instruction &inst : block) {
    const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(inst.getType());
    size += vector ? std::max<uint64_t>(vector->getPrimitiveSizeInBits().getFixedValue() / kRegisterBits, 1) : 1;
  }
  return size;
}

}  // namespace hel::cc
