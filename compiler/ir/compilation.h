// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What travels with a module through the stages: the options, the target and the diagnostics.
#pragma once

#include "compiler/compile.h"

namespace llvm {
class Function;
class Instruction;
class TargetMachine;
class Twine;
}  // namespace llvm

namespace hel::cc {

/// Metadata by which the frontend tells the place of an instruction ("file:line:column") in a module without debug
/// information.
inline constexpr char kPlaceMetadata[] = "hl.place";

/// Collects what the user is told. Passes go on after an error, so that one run reports all of them.
class Diagnostics {
public:
  explicit Diagnostics(const CompileOptions &options) : options_(options) {}
  void error(const llvm::Instruction &at, const llvm::Twine &text);
  void error(const llvm::Function &in, const llvm::Twine &text);
  void error(const llvm::Twine &text);
  void warning(const llvm::Instruction &at, const llvm::Twine &text);
  bool has_errors() const { return !errors_.empty(); }
  /// A failure with all errors, one per line, or success.
  Result<void> finish() const;

private:
  std::string place(const llvm::Instruction &at) const;
  const CompileOptions &options_;
  std::string errors_;
};

struct Compilation {
  const CompileOptions &options;
  llvm::TargetMachine &target;
  Diagnostics diagnostics;
};

/// A stage: changes the module, or fails. Every stage leaves valid IR.
using StageFunction = Result<void> (*)(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc
