// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs clang in this process on one source file: the device pass (source to SIMT IR), the host pass (source to an object
// with the image container embedded), and plain host compilations. The argument vectors are clang's cc1 ones, see
// driver/toolchain.h.
#pragma once

#include "base/result.h"
#include "compiler/frontend/device_symbols.h"
#include "compiler/frontend/hooks.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace hel::cc {

/// Frees a Module's context; kept out of line because LLVMContext is incomplete here.
struct ContextDeleter {
  void operator()(llvm::LLVMContext *context) const;
};
struct ModuleDeleter {
  void operator()(llvm::Module *module) const;
};

struct DeviceModule {
  std::unique_ptr<llvm::LLVMContext, ContextDeleter> context;  // declared first: outlives the module
  std::unique_ptr<llvm::Module, ModuleDeleter> module;
};

/// How the host object carries the device code.
enum class Embedding {
  Registered,   ///< whole program: clang's constructor registers the container of this file
  Relocatable,  ///< -rdc=true: sections that a constructor for the whole DSO registers
};

struct HostRules {
  Embedding embedding = Embedding::Registered;
  bool per_thread_stream = false;  ///< launches without a stream go to the thread's own
  DeviceSymbols symbols;           ///< Relocatable: what the device code gives and takes
  std::string toolkit_lib;         ///< the toolkit's library folder, which the object remembers
};

/// The path under which clang's host pass reads the container (`-fcuda-include-gpubinary`); exists in memory only.
inline constexpr char kImagePath[] = "/helicon/image";

/// A source file on its way through the passes. Diagnostics go to stderr as they come, each once although both passes see
/// the same text. A failure whose message is empty has been reported that way already.
class SourceUnit {
public:
  explicit SourceUnit(const HookRules &rules = {});
  ~SourceUnit();

  Result<DeviceModule> device_pass(const std::vector<std::string> &cc1);
  Result<void> host_pass(const std::vector<std::string> &cc1, const HostRules &rules, std::vector<uint8_t> container);
  /// Whatever the arguments say: preprocess, dependencies, syntax check, a plain C or C++ object.
  Result<void> plain_pass(const std::vector<std::string> &cc1);
  /// "2 warnings and 1 error generated." as compilers say at the end.
  void print_summary() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The failure that stands for "diagnostics have been printed".
std::unique_ptr<Failure> already_reported();

}  // namespace hel::cc
