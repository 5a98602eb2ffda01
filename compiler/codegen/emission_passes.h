// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes of LLVM's back ends, with what is otherwise for GPUs.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/CodeGen.h"

#include <memory>

namespace llvm {
class TargetMachine;
class raw_pwrite_stream;
namespace legacy {
class PassManager;
}
}  // namespace llvm

namespace hel::cc {

/// What `make` makes, with addresses of shared, constant and local memory that are 32 bits wide: that halves the
/// registers which hold them. Clang's own machines keep 64 bits, as it expects.
std::unique_ptr<llvm::TargetMachine> with_short_pointers(llvm::function_ref<llvm::TargetMachine *()> make);

/// Gives false where the back end writes no such file.
bool add_emission_passes(llvm::TargetMachine &target, llvm::legacy::PassManager &manager, llvm::raw_pwrite_stream &out,
                         llvm::CodeGenFileType type);

}  // namespace hel::cc
