// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/thread_state.h"

#include "abi/thread.h"

#include "compiler/ir/kernel_facts.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/named_calls.h"

namespace hel::cc {
namespace {

llvm::Function *self_function(llvm::Module &module) {
  if (llvm::Function *known = module.getFunction(kSelfName)) {
    return known;
  }
  llvm::LLVMContext &context = module.getContext();
  auto *type = llvm::FunctionType::get(llvm::PointerType::get(context, 0), false);
  auto *function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, kSelfName, module);
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  function->setNoSync();
  function->addFnAttr(llvm::Attribute::Speculatable);
  function->addFnAttr(llvm::Attribute::NoFree);
  llvm::AttrBuilder attributes(context);
  attributes.addAttribute(llvm::Attribute::NonNull);
  attributes.addAttribute(llvm::Attribute::NoUndef);
  attributes.addAlignmentAttr(8);
  attributes.addDereferenceableAttr(sizeof(abi::ThreadState));
  function->addRetAttrs(attributes);
  return function;
}

llvm::LoadInst *invariant_load(llvm::IRBuilderBase &builder, llvm::Value *base, size_t offset, llvm::Type *type,
                               const char *name) {
  llvm::Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
  llvm::Align align = llvm::commonAlignment(llvm::Align(8), offset);
  llvm::LoadInst *load = builder.CreateAlignedLoad(type, address, align, name);
  llvm::LLVMContext &context = builder.getContext();
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context, {}));
  load->setMetadata(llvm::LLVMContext::MD_noundef, llvm::MDNode::get(context, {}));
  return load;
}

}  // namespace

llvm::Value *emit_self(llvm::IRBuilderBase &builder) {
  return builder.CreateCall(self_function(*builder.GetInsertBlock()->getModule()), {}, "self");
}

/// What differs between the threads of a grid.
static bool tells_threads_apart(size_t offset) {
  return offset < offsetof(abi::ThreadState, ntid) || offset == offsetof(abi::ThreadState, lane) ||
         offset == offsetof(abi::ThreadState, warp);
}

llvm::Value *emit_field(llvm::IRBuilderBase &builder, size_t offset, llvm::Type *type, const char *name,
                        uint64_t limit) {
  llvm::LoadInst *load = invariant_load(builder, emit_self(builder), offset, type, name);
  if (tells_threads_apart(offset) && !is_kernel(*builder.GetInsertBlock()->getParent())) {
    // The lanes of a warp call the function one after the other, block after block; in each call another one asks.
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, nullptr);
  }
  if (limit != 0) {
    llvm::MDBuilder metadata(builder.getContext());
    llvm::APInt low(type->getIntegerBitWidth(), 0);
    load->setMetadata(llvm::LLVMContext::MD_range, metadata.createRange(low, llvm::APInt(low.getBitWidth(), limit)));
  }
  return load;
}

bool is_shared_window(const llvm::LoadInst &load) {
  llvm::APInt offset(64, 0);
  const llvm::Value *state =
      load.getPointerOperand()->stripAndAccumulateConstantOffsets(load.getDataLayout(), offset, true);
  return is_call_of(state, kSelfName) &&
         (offset == offsetof(abi::ThreadState, shared) || offset == offsetof(abi::ThreadState, dynamic_shared));
}

llvm::Value *emit_launch_field(llvm::IRBuilderBase &builder, size_t offset, llvm::Type *type, const char *name) {
  llvm::Type *pointer = builder.getPtrTy();
  llvm::LoadInst *launch =
      invariant_load(builder, emit_self(builder), offsetof(abi::ThreadState, launch), pointer, "launch");
  llvm::MDBuilder metadata(builder.getContext());
  llvm::LLVMContext &context = builder.getContext();
  llvm::Metadata *bytes = metadata.createConstant(builder.getInt64(sizeof(abi::LaunchState)));
  launch->setMetadata(llvm::LLVMContext::MD_dereferenceable, llvm::MDNode::get(context, {bytes}));
  launch->setMetadata(llvm::LLVMContext::MD_nonnull, llvm::MDNode::get(context, {}));
  return invariant_load(builder, launch, offset, type, name);
}

llvm::CallInst *emit_engine_call(llvm::IRBuilderBase &builder, llvm::StringRef name, llvm::Type *result,
                                 llvm::ArrayRef<llvm::Value *> arguments) {
  llvm::SmallVector<llvm::Type *, 6> types;
  for (llvm::Value *argument : arguments) {
    types.push_back(argument->getType());
  }
  llvm::Module &module = *builder.GetInsertBlock()->getModule();
  llvm::FunctionCallee callee = module.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
  if (auto *function = llvm::dyn_cast<llvm::Function>(callee.getCallee())) {
    // Not nocallback: while it waits, other threads run this module's code.
    function->setDoesNotThrow();
  }
  return builder.CreateCall(callee, arguments);
}

}  // namespace hel::cc
