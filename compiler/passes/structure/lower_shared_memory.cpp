// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/lower_shared_memory.h"

#include "abi/thread.h"

#include "compiler/ir/kernel_facts.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/thread_state.h"

#include "llvm/IR/ReplaceConstant.h"

#include <cstddef>

namespace hel::cc {
namespace {

/// What a kernel may have without asking for more at the launch, as the specification limits it.
constexpr uint64_t kStaticLimit = 48 * 1024;

bool is_shared(const llvm::Type *type) { return type->isPointerTy() && type->getPointerAddressSpace() == kShared; }

bool is_dynamic(const llvm::GlobalVariable &variable) { return variable.isDeclaration(); }

/// The kernels' shared memory while it is laid out.
struct Layout {
  llvm::MapVector<llvm::GlobalVariable *, llvm::SmallVector<llvm::Function *, 2>> reached_by;
  llvm::DenseMap<llvm::Function *, uint64_t> bytes;
  llvm::DenseMap<llvm::Function *, bool> dynamic;
  llvm::DenseMap<llvm::GlobalVariable *, uint64_t> offsets;
};

void collect(llvm::Module &module, Layout &layout) {
  for (llvm::GlobalVariable &variable : module.globals()) {
    if (variable.getAddressSpace() == kShared) {
      layout.reached_by[&variable];
    }
  }
  if (layout.reached_by.empty()) {
    return;
  }
  llvm::DenseMap<llvm::Function *, llvm::SmallVector<llvm::GlobalVariable *, 4>> used_in;
  for (llvm::Function &function : module) {
    for_each_variable_used(function, [&](llvm::GlobalVariable &variable) {
      if (variable.getAddressSpace() == kShared) {
        used_in[&function].push_back(&variable);
      }
    });
  }
  for (llvm::Function *kernel : defined_kernels(module)) {
    for (llvm::Function *function : functions_reached(*kernel).functions) {
      for (llvm::GlobalVariable *variable : used_in[function]) {
        llvm::SmallVector<llvm::Function *, 2> &kernels = layout.reached_by[variable];
        if (!llvm::is_contained(kernels, kernel)) {
          kernels.push_back(kernel);
        }
      }
    }
  }
}

void place(Layout &layout, const llvm::DataLayout &target) {
  for (auto &[variable, kernels] : layout.reached_by) {
    if (is_dynamic(*variable)) {
      for (llvm::Function *kernel : kernels) {
        layout.dynamic[kernel] = true;
      }
      continue;
    }
    uint64_t offset = 0;
    for (llvm::Function *kernel : kernels) {
      offset = std::max(offset, layout.bytes[kernel]);
    }
    llvm::Align align = std::max(variable->getAlign().valueOrOne(), target.getABITypeAlign(variable->getValueType()));
    offset = llvm::alignTo(offset, align);
    layout.offsets[variable] = offset;
    for (llvm::Function *kernel : kernels) {
      layout.bytes[kernel] = offset + target.getTypeAllocSize(variable->getValueType());
    }
  }
}

/// Rewrites one function so that it no longer names shared variables nor accesses memory through shared pointers.
struct Rewriter {
  explicit Rewriter(const Layout &l) : layout(l) {}
  const Layout &layout;
  llvm::DenseMap<llvm::Value *, llvm::Value *> generic;  ///< the generic pointer made for a shared one

  llvm::Value *base(llvm::IRBuilder<> &builder, bool dynamic);
  llvm::Value *offset_of(llvm::GlobalVariable &variable, llvm::IRBuilder<> &builder);
  llvm::Value *to_generic(llvm::Value *pointer, llvm::Instruction *before);
  void rewrite_access(llvm::Instruction &inst);
  void rewrite_cast(llvm::AddrSpaceCastInst &cast);
  void rewrite_names(llvm::Instruction &inst);
  void run(llvm::Function &function);
};

llvm::Value *Rewriter::base(llvm::IRBuilder<> &builder, bool dynamic) {
  size_t field = dynamic ? offsetof(abi::ThreadState, dynamic_shared) : offsetof(abi::ThreadState, shared);
  return emit_field(builder, field, builder.getPtrTy(), dynamic ? "dynamic_shared" : "shared");
}

/// A variable's offset in the window, as a shared pointer.
llvm::Value *Rewriter::offset_of(llvm::GlobalVariable &variable, llvm::IRBuilder<> &builder) {
  llvm::Value *offset = builder.getInt64(layout.offsets.lookup(&variable));
  if (is_dynamic(variable)) {
    llvm::Value *start = builder.CreatePtrToInt(base(builder, true), builder.getInt64Ty());
    offset = builder.CreateSub(start, builder.CreatePtrToInt(base(builder, false), builder.getInt64Ty()));
  }
  return builder.CreateIntToPtr(offset, variable.getType());
}

llvm::Value *Rewriter::to_generic(llvm::Value *pointer, llvm::Instruction *before) {
  if (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(pointer)) {
    if (cast->getSrcAddressSpace() == kGeneric) {
      return cast->getPointerOperand();
    }
  }
  auto *gep = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer);
  if (gep && !gep->getType()->isVectorTy()) {
    llvm::Value *&known = generic[gep];
    if (!known) {
      llvm::Value *start = to_generic(gep->getPointerOperand(), gep);
      auto *copy = llvm::cast<llvm::GetElementPtrInst>(gep->clone());
      copy->setOperand(0, start);
      copy->mutateType(start->getType());
      copy->insertBefore(gep->getIterator());
      generic[gep] = copy;
      return copy;
    }
    return known;
  }
  llvm::IRBuilder<> builder(before);
  if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(pointer)) {
    llvm::Value *start = base(builder, is_dynamic(*variable));
    uint64_t offset = layout.offsets.lookup(variable);
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), start, offset, variable->getName());
  }
  llvm::Value *offset = builder.CreatePtrToInt(pointer, builder.getInt64Ty());
  return builder.CreateGEP(builder.getInt8Ty(), base(builder, false), offset);
}

void Rewriter::rewrite_access(llvm::Instruction &inst) {
  if (auto *intrinsic = llvm::dyn_cast<llvm::MemIntrinsic>(&inst)) {
    llvm::SmallVector<llvm::Type *, 3> types;
    for (llvm::Use &argument : intrinsic->args()) {
      if (is_shared(argument->getType())) {
        argument.set(to_generic(argument, intrinsic));
      }
    }
    types.push_back(intrinsic->getRawDest()->getType());
    if (auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(intrinsic)) {
      types.push_back(transfer->getRawSource()->getType());
    }
    types.push_back(intrinsic->getLength()->getType());
    intrinsic->setCalledFunction(
        llvm::Intrinsic::getOrInsertDeclaration(inst.getModule(), intrinsic->getIntrinsicID(), types));
    return;
  }
  for (llvm::Use &operand : inst.operands()) {
    bool address = operand.getOperandNo() == 0;  // of loads and atomics
    if (llvm::isa<llvm::StoreInst>(inst)) {
      address = operand.getOperandNo() == llvm::StoreInst::getPointerOperandIndex();
    } else if (!llvm::isa<llvm::LoadInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(inst)) {
      return;
    }
    if (address && is_shared(operand->getType())) {
      operand.set(to_generic(operand, &inst));
    }
  }
}

void Rewriter::rewrite_cast(llvm::AddrSpaceCastInst &cast) {
  llvm::IRBuilder<> builder(&cast);
  llvm::Value *value = nullptr;
  if (cast.getSrcAddressSpace() == kShared && cast.getDestAddressSpace() == kGeneric) {
    value = to_generic(cast.getPointerOperand(), &cast);
  } else if (cast.getSrcAddressSpace() == kGeneric && cast.getDestAddressSpace() == kShared) {
    llvm::Value *address = builder.CreatePtrToInt(cast.getPointerOperand(), builder.getInt64Ty());
    llvm::Value *start = builder.CreatePtrToInt(base(builder, false), builder.getInt64Ty());
    value = builder.CreateIntToPtr(builder.CreateSub(address, start), cast.getType());
  }
  if (value) {
    cast.replaceAllUsesWith(value);
    cast.eraseFromParent();
  }
}

void Rewriter::rewrite_names(llvm::Instruction &inst) {
  auto *phi = llvm::dyn_cast<llvm::PHINode>(&inst);
  for (llvm::Use &operand : inst.operands()) {
    if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(operand.get());
        variable && variable->getAddressSpace() == kShared) {
      llvm::IRBuilder<> builder(phi ? phi->getIncomingBlock(operand)->getTerminator() : &inst);
      operand.set(offset_of(*variable, builder));
    }
  }
}

void Rewriter::run(llvm::Function &function) {
  for (llvm::Instruction &inst : llvm::make_early_inc_range(llvm::instructions(function))) {
    rewrite_access(inst);
  }
  for (llvm::Instruction &inst : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&inst)) {
      rewrite_cast(*cast);
    }
  }
  for (llvm::Instruction &inst : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&inst);
    if (gep && is_shared(gep->getType())) {
      // Offset 0 is an address here and would be null in the one address space to come.
      gep->setNoWrapFlags(llvm::GEPNoWrapFlags::none());
    }
    rewrite_names(inst);
  }
}

bool touches_shared(llvm::Function &function) {
  for (llvm::Instruction &inst : llvm::instructions(function)) {
    if (is_shared(inst.getType()) || llvm::any_of(inst.operands(), [](llvm::Use &u) { return is_shared(u->getType()); })) {
      return true;
    }
  }
  return false;
}

void record(llvm::Module &module, Layout &layout, Diagnostics &diagnostics) {
  for (llvm::Function *kernel : defined_kernels(module)) {
    KernelFacts facts = read_kernel_facts(*kernel);
    facts.static_shared_bytes = layout.bytes.lookup(kernel);
    if (layout.dynamic.lookup(kernel)) {
      facts.flags |= abi::kKernelUsesDynamicShared;
    }
    if (facts.static_shared_bytes > kStaticLimit) {
      diagnostics.error(*kernel, "kernel '" + kernel->getName() + "' uses " + llvm::Twine(facts.static_shared_bytes) +
                                     " bytes of static shared memory; the limit is " + llvm::Twine(kStaticLimit));
    }
    write_kernel_facts(*kernel, facts);
  }
}

}  // namespace

Result<void> lower_shared_memory(llvm::Module &module, Compilation &compilation) {
  Layout layout;
  collect(module, layout);
  place(layout, module.getDataLayout());
  record(module, layout, compilation.diagnostics);
  llvm::SmallVector<llvm::Constant *, 8> variables;
  for (auto &[variable, kernels] : layout.reached_by) {
    variables.push_back(variable);
  }
  llvm::convertUsersOfConstantsToInstructions(variables);
  for (llvm::Function &function : module) {
    if (!function.isDeclaration() && touches_shared(function)) {
      Rewriter rewriter(layout);
      rewriter.run(function);
    }
  }
  for (llvm::Constant *constant : variables) {
    auto *variable = llvm::cast<llvm::GlobalVariable>(constant);
    variable->removeDeadConstantUsers();
    if (!variable->use_empty()) {
      compilation.diagnostics.error("the address of the shared variable '" + variable->getName() +
                                    "' cannot initialise another variable");
      continue;
    }
    variable->eraseFromParent();
  }
  return {};
}

}  // namespace hel::cc
