// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/make_thread_entries.h"

#include "compiler/ir/kernel_facts.h"
#include "compiler/ir/llvm_headers.h"

namespace hel::cc {
namespace {

/// What the caller of an entry promises about the parameter buffer's address.
constexpr uint64_t kBufferAlign = 16;
constexpr uint64_t kParameterLimit = 32764;  // bytes

}  // namespace

bool stays_in_place(llvm::Argument &argument) {
  if (argument.hasAttribute("nvvm.grid_constant") || argument.onlyReadsMemory()) {
    return true;
  }
  llvm::SmallVector<llvm::Value *, 8> work{&argument};
  llvm::SmallPtrSet<llvm::Value *, 8> seen;
  while (!work.empty()) {
    llvm::Value *value = work.pop_back_val();
    if (!seen.insert(value).second) {
      continue;
    }
    for (llvm::User *user : value->users()) {
      auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(user);
      if (llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst>(user)) {
        work.push_back(user);
      } else if (copy && copy->getRawDest() != value) {
        continue;
      } else if (auto *load = llvm::dyn_cast<llvm::LoadInst>(user); !load || load->isVolatile()) {
        return false;
      }
    }
  }
  return true;
}

namespace {

struct Parameter {
  llvm::Type *type;  ///< in memory
  uint64_t align;
  uint64_t offset;
};

struct State {
  llvm::Function &kernel;
  const llvm::DataLayout &layout;
  std::vector<Parameter> parameters;

  void lay_out(KernelFacts &facts);
  llvm::Function *make_entry();
  llvm::Value *materialise(llvm::Argument &argument, const Parameter &parameter, llvm::Value *buffer,
                           llvm::IRBuilder<> &builder);
};

void State::lay_out(KernelFacts &facts) {
  uint64_t end = 0;
  for (llvm::Argument &argument : kernel.args()) {
    Parameter parameter{argument.getType(), 1, 0};
    if (argument.hasByValAttr()) {
      parameter.type = argument.getParamByValType();
      parameter.align = argument.getParamAlign().valueOrOne().value();
    }
    parameter.align = std::max(parameter.align, layout.getABITypeAlign(parameter.type).value());
    parameter.offset = llvm::alignTo(end, parameter.align);
    uint64_t bytes = layout.getTypeAllocSize(parameter.type);
    end = parameter.offset + bytes;
    facts.params.push_back({static_cast<uint32_t>(parameter.offset), static_cast<uint32_t>(bytes)});
    parameters.push_back(parameter);
  }
  facts.param_bytes = end;
}

/// The value that the kernel sees in place of a parameter.
llvm::Value *State::materialise(llvm::Argument &argument, const Parameter &parameter, llvm::Value *buffer,
                                llvm::IRBuilder<> &builder) {
  llvm::Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), buffer, parameter.offset);
  llvm::Align align = llvm::commonAlignment(llvm::Align(kBufferAlign), parameter.offset);
  if (argument.hasByValAttr()) {
    if (stays_in_place(argument) && parameter.align <= align.value()) {
      return address;
    }
    llvm::AllocaInst *copy = builder.CreateAlloca(parameter.type, nullptr, argument.getName());
    copy->setAlignment(llvm::Align(parameter.align));
    builder.CreateMemCpy(copy, llvm::Align(parameter.align), address, align, layout.getTypeAllocSize(parameter.type));
    return copy;
  }
  bool boolean = parameter.type->isIntegerTy(1);
  llvm::LoadInst *load = builder.CreateAlignedLoad(boolean ? builder.getInt8Ty() : parameter.type, address, align);
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(builder.getContext(), {}));
  return boolean ? builder.CreateIsNotNull(load) : load;
}

/// A function of the buffer that takes over the kernel's name, body and debug information.
llvm::Function *State::make_entry() {
  llvm::LLVMContext &context = kernel.getContext();
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {llvm::PointerType::get(context, 0)}, false);
  auto *entry = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "", kernel.getParent());
  entry->takeName(&kernel);
  entry->setVisibility(llvm::GlobalValue::HiddenVisibility);
  entry->setDSOLocal(true);
  entry->addFnAttrs(llvm::AttrBuilder(context, kernel.getAttributes().getFnAttrs()));
  entry->removeFnAttr(llvm::Attribute::Memory);
  entry->setSubprogram(kernel.getSubprogram());
  kernel.setSubprogram(nullptr);
  entry->splice(entry->begin(), &kernel);

  llvm::Argument *buffer = entry->getArg(0);
  buffer->setName("params");
  for (auto kind : {llvm::Attribute::ReadOnly, llvm::Attribute::NonNull, llvm::Attribute::NoUndef}) {
    buffer->addAttr(kind);
  }
  buffer->addAttr(llvm::Attribute::getWithAlignment(context, llvm::Align(kBufferAlign)));
  llvm::IRBuilder<> builder(&*entry->getEntryBlock().getFirstInsertionPt());
  for (size_t i = 0; i < parameters.size(); ++i) {
    llvm::Argument *argument = kernel.getArg(i);
    llvm::Value *value = materialise(*argument, parameters[i], buffer, builder);
    argument->replaceAllUsesWith(value);
    if (!value->hasName()) {
      value->takeName(argument);
    }
  }
  return entry;
}

}  // namespace

Result<void> make_thread_entries(llvm::Module &module, Compilation &compilation) {
  for (llvm::Function *kernel : defined_kernels(module)) {
    KernelFacts facts = read_kernel_facts(*kernel);
    facts.params.clear();
    State state{*kernel, module.getDataLayout(), {}};
    state.lay_out(facts);
    if (facts.param_bytes > kParameterLimit) {
      compilation.diagnostics.error(*kernel, "kernel '" + kernel->getName() + "' has " +
                                                 llvm::Twine(facts.param_bytes) +
                                                 " bytes of parameters; the limit is " + llvm::Twine(kParameterLimit));
    }
    llvm::Function *entry = state.make_entry();
    write_kernel_facts(*entry, facts);
    mark_kernel(*entry);
    // The kernel's address in device code stands for the kernel; nobody calls it.
    kernel->replaceAllUsesWith(entry);
    kernel->eraseFromParent();
  }
  return {};
}

}  // namespace hel::cc
