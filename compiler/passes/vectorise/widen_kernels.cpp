// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/widen_kernels.h"

#include "compiler/ir/kernel_facts.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/run_passes.h"
#include "compiler/passes/structure/keep_loops_whole.h"
#include "compiler/passes/structure/make_thread_entries.h"
#include "compiler/passes/vectorise/callees.h"
#include "compiler/passes/vectorise/widen_kernel.h"
#include "compiler/passes/vectorise/widener.h"

#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/Reassociate.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace hel::cc {
namespace {

/// Above this many instructions a kernel is left to the thread engine: widening it would take too long.
constexpr size_t kLargest = 50000;

/// What is inlined ends: no function calls itself again, neither directly nor by a pointer to it. A function that wants
/// to stay one is called by the lanes one after the other, which they cannot where threads meet.
bool is_inlined(llvm::CallBase &call, Callees &callees) {
  llvm::Function *callee = call.getCalledFunction();
  if (!callee || callee->isDeclaration() || is_kernel(*callee)) {
    return false;
  }
  const Reach reach = functions_reached(*callee);
  return !reach.recursive && !(reach.indirect_calls && callee->hasAddressTaken()) &&
         (!callee->hasFnAttribute(llvm::Attribute::NoInline) || callees.kind_of(call) == CalleeKind::MeetsOthers);
}

/// Inlines what may be inlined, callees of callees too; false when the kernel has grown too large.
bool inline_all(llvm::Function &flat) {
  Callees callees;
  for (bool changed = true; changed;) {
    changed = false;
    if (flat.getInstructionCount() > kLargest) {
      return false;
    }
    llvm::SmallVector<llvm::CallBase *, 16> calls;
    for (llvm::Instruction &inst : llvm::instructions(flat)) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&inst);
      if (call && is_inlined(*call, callees)) {
        calls.push_back(call);
      }
    }
    for (llvm::CallBase *call : calls) {
      llvm::InlineFunctionInfo info;
      changed |= llvm::InlineFunction(*call, info).isSuccess();
    }
  }
  return true;
}

/// A parameter that is passed by value belongs to the thread: one that the kernel writes becomes a local variable.
void own_written_parameters(llvm::Function &flat) {
  for (llvm::Argument &argument : flat.args()) {
    if (!argument.hasByValAttr() || stays_in_place(argument)) {
      continue;
    }
    llvm::IRBuilder<> builder(&*flat.getEntryBlock().getFirstInsertionPt());
    llvm::AllocaInst *copy = builder.CreateAlloca(argument.getParamByValType(), nullptr, argument.getName());
    llvm::Align align = std::max(argument.getParamAlign().valueOrOne(), copy->getAlign());
    copy->setAlignment(align);
    argument.replaceAllUsesWith(copy);
    builder.CreateMemCpy(copy, align, &argument, llvm::Align(1),
                         flat.getDataLayout().getTypeAllocSize(argument.getParamByValType()));
  }
}

/// Scalar optimisation that widening profits from. Nothing here may duplicate a convergent call, nor unroll what will
/// be a vector loop; short loops with known trip counts are unrolled fully (shuffle distances become constants). Nor
/// may a value that all lanes share be computed on several ways and merged (partial redundancy): the merged one is a
/// lane's own.
void simplify(llvm::Function &flat) {
  llvm::InstCombineOptions combine;
  combine.setVerifyFixpoint(false);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(true));
  passes.addPass(llvm::InstCombinePass(combine));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::ReassociatePass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), /*UseMemorySSA=*/true));
  passes.addPass(llvm::InstCombinePass(combine));
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::IndVarSimplifyPass(/*WidenIndVars=*/false)));
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(KeepLoopsWhole()));
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LoopFullUnrollPass(2, /*OnlyWhenForced=*/false)));
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::GVNPass(llvm::GVNOptions().setPRE(false)));
  passes.addPass(llvm::InstCombinePass(combine));
  passes.addPass(llvm::ADCEPass());
  passes.addPass(llvm::SimplifyCFGPass());
  run_llvm_passes(flat, passes);
}

/// What one thread does, in one function as far as possible.
struct Flat {
  llvm::Function *kernel, *function;
  bool inlined;  ///< false: it has grown too large
};

Flat flatten(llvm::Function &kernel) {
  llvm::ValueToValueMapTy values;
  llvm::Function *flat = llvm::CloneFunction(&kernel, values);
  flat->setCallingConv(llvm::CallingConv::C);
  flat->setLinkage(llvm::GlobalValue::InternalLinkage);
  flat->setName(kernel.getName() + ".flat");
  own_written_parameters(*flat);
  const bool inlined = inline_all(*flat);
  if (inlined) {
    simplify(*flat);
    make_partners_where_used(*flat);
  }
  return {&kernel, flat, inlined};
}

/// How much of what may be spent on a module may be spent on a kernel: by its part of the code, and as much as on each
/// of many in any case.
double share_of(const Flat &flat, size_t instructions, size_t kernels) {
  constexpr size_t kMany = 40;
  const double part = static_cast<double>(flat.function->getInstructionCount()) / std::max<size_t>(instructions, 1);
  return std::max(part, 1.0 / std::max(kernels, kMany));
}

void widen(const Flat &flat, double share) {
  KernelFacts facts = read_kernel_facts(*flat.kernel);
  Widened widened;
  if (flat.inlined) {
    widened = widen_kernel(*flat.function, share);
  } else {
    widened.refusal = "the kernel is too large";
  }
  flat.function->eraseFromParent();
  facts.engine_note = widened.refusal;
  if (widened.block != nullptr) {
    if (!widened.rows_refusal.empty()) {
      facts.engine_note = widened.whole_warps ? "in blocks with rows of other than whole warps, "
                                              : "in blocks with warps of several rows, ";
      facts.engine_note += widened.rows_refusal;
    } else if (widened.bodies_left_out) {
      facts.engine_note = "there is much code: fewer forms of the kernel are made";
    }
    widened.block->setName(flat.kernel->getName() + kBlockSuffix);
    widened.block->setLinkage(llvm::GlobalValue::ExternalLinkage);
    widened.block->setVisibility(llvm::GlobalValue::HiddenVisibility);
    widened.block->setDSOLocal(true);
    facts.flags |= abi::kKernelHasBlockFunction | (widened.uses_barrier ? abi::kKernelWarpsMeet : 0) |
                   (widened.one_row ? abi::kKernelOneRow : 0) | (widened.whole_rows ? abi::kKernelWholeRows : 0) |
                   (widened.whole_warps ? abi::kKernelWholeWarps : 0);
  }
  write_kernel_facts(*flat.kernel, facts);
}

}  // namespace

Result<void> widen_kernels(llvm::Module &module, Compilation &compilation) {
  if (compilation.options.debug || compilation.options.optimise == 0) {
    return {};
  }
  std::vector<Flat> flats;
  size_t instructions = 0;
  for (llvm::Function *kernel : defined_kernels(module)) {
    flats.push_back(flatten(*kernel));
    instructions += flats.back().inlined ? flats.back().function->getInstructionCount() : 0;
  }
  for (const Flat &flat : flats) {
    widen(flat, share_of(flat, instructions, flats.size()));
  }
  return {};
}

}  // namespace hel::cc
