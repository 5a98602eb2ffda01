// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's NVPTX back end: the machine, and PTX text.
#pragma once

#include "base/result.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>
#include <string>

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace hel::cc {

struct CompileOptions;

/// The oldest and the newest version of PTX that is written: an old driver takes the one, some instructions need the other.
inline constexpr unsigned kOldestPtx = 84, kNewestPtx = 88;

Result<std::unique_ptr<llvm::TargetMachine>> make_nvptx_machine(const CompileOptions &options, unsigned ptx_version);

Result<std::string> emit_ptx(llvm::Module &module, llvm::TargetMachine &target);

/// Runs `work`, which may meet what LLVM gives up on (it ends the process then): gives its result, or a failure with
/// LLVM's message.
Result<std::string> survive(llvm::function_ref<Result<std::string>()> work);

}  // namespace hel::cc
