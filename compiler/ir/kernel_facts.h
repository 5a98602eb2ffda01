// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the compiler knows about a kernel, and the one reader and writer of it. Facts travel as function attributes
// ("hl.…") on the kernel.
#pragma once

#include "abi/kernel.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class Function;
class GlobalVariable;
class Module;
}  // namespace llvm

namespace hel::cc {

struct KernelFacts {
  std::vector<abi::ParamInfo> params;
  uint32_t param_bytes = 0;
  uint32_t static_shared_bytes = 0;
  uint32_t max_threads = 0;
  uint32_t min_blocks = 0;
  uint32_t required_block[3] = {0, 0, 0};
  uint32_t cluster[3] = {0, 0, 0};
  uint32_t flags = 0;  ///< abi::KernelFlags
  uint32_t arch = 0;        ///< NN of sm_NN; 0: not known
  std::string engine_note;  ///< why the warp engine cannot run it, or not in all its forms
};

/// A kernel's block function has the kernel's name and this.
inline constexpr char kBlockSuffix[] = ".block";

/// A kernel in SIMT IR (calling convention ptx_kernel), or the thread entry made from it.
bool is_kernel(const llvm::Function &function);

KernelFacts read_kernel_facts(const llvm::Function &kernel);
void write_kernel_facts(llvm::Function &kernel, const KernelFacts &facts);
/// Marks a function as a kernel without the calling convention (after make_thread_entries).
void mark_kernel(llvm::Function &function);

/// The kernels that are defined in the module, in module order.
std::vector<llvm::Function *> defined_kernels(llvm::Module &module);

/// The functions that run when `root` runs: direct calls, and every address-taken function once one of them makes an
/// indirect call. `root` comes first.
struct Reach {
  llvm::SetVector<llvm::Function *> functions;
  bool indirect_calls = false;
  bool recursive = false;  ///< a cycle in the direct calls
};
Reach functions_reached(llvm::Function &root);

/// Calls `visit` for each global variable that the function's instructions refer to, also through constants.
void for_each_variable_used(llvm::Function &function, llvm::function_ref<void(llvm::GlobalVariable &)> visit);

// Address spaces of SIMT IR.
inline constexpr unsigned kGeneric = 0, kGlobal = 1, kShared = 3, kConst = 4, kLocal = 5;

}  // namespace hel::cc
