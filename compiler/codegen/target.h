// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine that code is made for.
#pragma once

#include "base/result.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class TargetMachine;
}

namespace hel::cc {

struct CompileOptions;

/// A processor choice as LLVM wants it.
struct TargetChoice {
  std::string level;     ///< x86-64-v2, -v3 or -v4: what the code may use
  std::string tune_for;  ///< processor to tune for; empty: no special one
};

/// Understands one part of CompileOptions::cpu; "native" becomes the best level of this machine.
Result<TargetChoice> choose_target(const std::string &cpu);

/// The parts of a list with commas, each a choice of its own; one that repeats an earlier part is left out.
Result<std::vector<std::string>> split_levels(const std::string &cpus);

/// The vector registers that code for the level uses.
struct VectorRegisters {
  unsigned bits;
  unsigned count;
};
VectorRegisters vector_registers(const llvm::TargetMachine &target);

Result<std::unique_ptr<llvm::TargetMachine>> make_target_machine(const TargetChoice &choice,
                                                                 const CompileOptions &options);

}  // namespace hel::cc
