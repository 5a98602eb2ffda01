// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/analysis/describe_kernels.h"

#include "compiler/ir/kernel_facts.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/simt_ops.h"

#include "llvm/Analysis/CFG.h"

namespace hel::cc {
namespace {

/// The flags that one function's calls ask for.
uint32_t flags_of_calls(llvm::Function &function) {
  uint32_t flags = 0;
  for (llvm::Instruction &inst : llvm::instructions(function)) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&inst);
    llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || !callee->isDeclaration()) {
      continue;
    }
    llvm::StringRef name = callee->getName();
    if (name == "__hl_yield" || name == "__hl_nanosleep") {
      flags |= abi::kKernelCanWait;
    } else if (is_meeting_point(name)) {
      flags |= abi::kKernelUsesBarrier;
    }
  }
  return flags;
}

constexpr size_t kBriefInstructions = 1000;

/// No loop, also none inside of a copy or a fill.
bool runs_straight(const llvm::Function &function) {
  llvm::SmallVector<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>, 4> back_edges;
  llvm::FindFunctionBackedges(function, back_edges);
  return back_edges.empty() && llvm::none_of(llvm::instructions(function), [](const llvm::Instruction &inst) {
           const auto *memory = llvm::dyn_cast<llvm::MemIntrinsic>(&inst);
           return memory != nullptr && !llvm::isa<llvm::ConstantInt>(memory->getLength());
         });
}

bool is_brief(const Reach &reach, uint32_t flags) {
  size_t instructions = 0;
  for (const llvm::Function *function : reach.functions) {
    instructions += function->getInstructionCount();
    if (!runs_straight(*function)) {
      return false;
    }
  }
  constexpr uint32_t kWaits = abi::kKernelUsesBarrier | abi::kKernelCanWait;
  return instructions <= kBriefInstructions && !reach.indirect_calls && !reach.recursive && (flags & kWaits) == 0;
}

}  // namespace

Result<void> describe_kernels(llvm::Module &module, Compilation &) {
  llvm::DenseMap<llvm::Function *, uint32_t> known;
  for (llvm::Function *kernel : defined_kernels(module)) {
    KernelFacts facts = read_kernel_facts(*kernel);
    Reach reach = functions_reached(*kernel);
    for (llvm::Function *function : reach.functions) {
      auto [entry, fresh] = known.try_emplace(function, 0);
      if (fresh) {
        entry->second = flags_of_calls(*function);
      }
      facts.flags |= entry->second;
    }
    facts.flags |= (reach.indirect_calls ? abi::kKernelIndirectCalls : 0u) |
                   (reach.recursive || reach.indirect_calls ? abi::kKernelRecursive : 0u);
    facts.flags |= is_brief(reach, facts.flags) ? abi::kKernelBrief : 0u;
    write_kernel_facts(*kernel, facts);
  }
  return {};
}

}  // namespace hel::cc
