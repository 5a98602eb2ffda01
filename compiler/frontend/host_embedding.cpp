// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/host_embedding.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace hel::cc {
namespace {

constexpr char kImageSection[] = "hl_offload";
constexpr char kEntrySection[] = "llvm_offload_entries";
constexpr char kConstructor[] = "__hl_rdc_constructor";
constexpr char kDestructor[] = "__hl_rdc_destructor";
constexpr char kToolkitPath[] = "__hl_toolkit_lib";
constexpr char kReferenceSection[] = ".data.rel.ro.hl_device_references";
constexpr char kSymbolPrefix[] = "__hl_device_";
constexpr uint64_t kImageAlign = 64;
/// Before the constructors of the program's own objects, which may launch kernels.
constexpr int kRegistrationPriority = 101;

llvm::GlobalVariable *add_image(llvm::Module &module, const std::vector<uint8_t> &container) {
  std::vector<uint8_t> padded = container;
  padded.resize((padded.size() + kImageAlign - 1) / kImageAlign * kImageAlign);
  llvm::Constant *bytes = llvm::ConstantDataArray::get(module.getContext(), padded);
  auto *image = new llvm::GlobalVariable(module, bytes->getType(), /*isConstant=*/true, llvm::GlobalValue::PrivateLinkage, bytes,
                                         "__hl_image");
  image->setSection(kImageSection);
  image->setAlignment(llvm::Align(kImageAlign));
  llvm::appendToUsed(module, {image});
  return image;
}

/// The definitions are other names of the image; the references are an array of addresses that nobody reads.
void add_symbols(llvm::Module &module, const DeviceSymbols &symbols, llvm::GlobalVariable *image) {
  for (const DeviceSymbols::Definition &definition : symbols.defined) {
    auto linkage = definition.is_weak ? llvm::GlobalValue::WeakAnyLinkage : llvm::GlobalValue::ExternalLinkage;
    llvm::GlobalAlias *symbol = llvm::GlobalAlias::create(image->getValueType(), 0, linkage, kSymbolPrefix + definition.name, image, &module);
    symbol->setVisibility(llvm::GlobalValue::HiddenVisibility);
  }
  llvm::Type *byte = llvm::Type::getInt8Ty(module.getContext());
  for (const std::string &name : symbols.undefined) {
    auto *symbol = new llvm::GlobalVariable(module, byte, /*isConstant=*/true, llvm::GlobalValue::ExternalLinkage, nullptr,
                                            kSymbolPrefix + name);
    symbol->setVisibility(llvm::GlobalValue::HiddenVisibility);
    auto *reference = new llvm::GlobalVariable(module, symbol->getType(), /*isConstant=*/true, llvm::GlobalValue::PrivateLinkage,
                                               symbol, "__hl_device_reference");
    reference->setSection(kReferenceSection);
    llvm::appendToUsed(module, {reference});
  }
}

/// The linker's symbols for the ends of a section; weak, because a program may have none of one kind.
llvm::Constant *section_end(llvm::Module &module, const char *prefix, const char *section) {
  std::string name = std::string(prefix) + section;
  if (llvm::GlobalVariable *existing = module.getGlobalVariable(name)) {
    return existing;
  }
  auto *end = new llvm::GlobalVariable(module, llvm::Type::getInt8Ty(module.getContext()), /*isConstant=*/true,
                                       llvm::GlobalValue::ExternalWeakLinkage, nullptr, name);
  end->setVisibility(llvm::GlobalValue::HiddenVisibility);
  return end;
}

/// A function that the linker keeps once in a program or shared object; it calls `callee` with `arguments`.
llvm::Function *make_once(llvm::Module &module, const char *name, const char *callee, llvm::ArrayRef<llvm::Value *> arguments) {
  llvm::LLVMContext &context = module.getContext();
  llvm::Type *nothing = llvm::Type::getVoidTy(context);
  auto *function =
      llvm::Function::Create(llvm::FunctionType::get(nothing, false), llvm::GlobalValue::LinkOnceODRLinkage, name, module);
  function->setVisibility(llvm::GlobalValue::HiddenVisibility);
  function->setComdat(module.getOrInsertComdat(name));
  std::vector<llvm::Type *> types(arguments.size(), llvm::PointerType::getUnqual(context));
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", function));
  builder.CreateCall(module.getOrInsertFunction(callee, llvm::FunctionType::get(nothing, types, false)), arguments);
  builder.CreateRetVoid();
  return function;
}

void add_constructor(llvm::Module &module) {
  llvm::Constant *entries = section_end(module, "__start_", kEntrySection);
  llvm::Function *constructor =
      make_once(module, kConstructor, "__hl_register_rdc",
                {entries, section_end(module, "__stop_", kEntrySection), section_end(module, "__start_", kImageSection),
                 section_end(module, "__stop_", kImageSection)});
  llvm::appendToGlobalCtors(module, constructor, kRegistrationPriority, constructor);
  llvm::Function *destructor = make_once(module, kDestructor, "__hl_unregister_rdc", {entries});
  llvm::appendToGlobalDtors(module, destructor, kRegistrationPriority, destructor);
}

/// Keeps the entries through `--gc-sections`, where nothing refers to them.
void retain_entries(llvm::Module &module) {
  llvm::SmallVector<llvm::GlobalValue *, 8> entries;
  for (llvm::GlobalVariable &variable : module.globals()) {
    if (variable.getSection() == kEntrySection) {
      entries.push_back(&variable);
    }
  }
  llvm::appendToUsed(module, entries);
}

struct EmbedPass : llvm::PassInfoMixin<EmbedPass> {
  EmbedPass(const std::vector<uint8_t> &bytes, const DeviceSymbols &names) : container(&bytes), symbols(&names) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    add_symbols(module, *symbols, add_image(module, *container));
    add_constructor(module);
    retain_entries(module);
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
  const std::vector<uint8_t> *container;
  const DeviceSymbols *symbols;
};

struct ToolkitPathPass : llvm::PassInfoMixin<ToolkitPathPass> {
  explicit ToolkitPathPass(const std::string &path) : folder(&path) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    llvm::Constant *text = llvm::ConstantDataArray::getString(module.getContext(), *folder);
    auto *path = new llvm::GlobalVariable(module, text->getType(), /*isConstant=*/true, llvm::GlobalValue::WeakODRLinkage, text,
                                          kToolkitPath);
    path->setVisibility(llvm::GlobalValue::HiddenVisibility);
    path->setComdat(module.getOrInsertComdat(kToolkitPath));
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
  const std::string *folder;
};

struct RegisterFirstPass : llvm::PassInfoMixin<RegisterFirstPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    llvm::transformGlobalCtors(module, [](llvm::Constant *entry) -> llvm::Constant * {
      auto *fields = llvm::dyn_cast<llvm::ConstantStruct>(entry);
      if (fields == nullptr || fields->getOperand(1)->getName() != "__cuda_module_ctor") {
        return entry;
      }
      auto *priority = llvm::ConstantInt::get(fields->getOperand(0)->getType(), kRegistrationPriority);
      return llvm::ConstantStruct::get(fields->getType(), {priority, fields->getOperand(1), fields->getOperand(2)});
    });
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

struct PerThreadLaunchPass : llvm::PassInfoMixin<PerThreadLaunchPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    llvm::Function *launch = module.getFunction("cudaLaunchKernel");
    if (launch && launch->isDeclaration()) {
      llvm::FunctionCallee twin = module.getOrInsertFunction("cudaLaunchKernel_ptsz", launch->getFunctionType());
      launch->replaceAllUsesWith(twin.getCallee());
      launch->eraseFromParent();
    }
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

}  // namespace

void embed_toolkit_path(llvm::PassBuilder &builder, const std::string &folder) {
  builder.registerPipelineStartEPCallback(
      [&folder](llvm::ModulePassManager &passes, llvm::OptimizationLevel) { passes.addPass(ToolkitPathPass(folder)); });
}

void embed_relocatable_image(llvm::PassBuilder &builder, const std::vector<uint8_t> &container, const DeviceSymbols &symbols) {
  builder.registerPipelineStartEPCallback([&container, &symbols](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
    passes.addPass(EmbedPass(container, symbols));
  });
}

void register_first(llvm::PassBuilder &builder) {
  builder.registerPipelineStartEPCallback(
      [](llvm::ModulePassManager &passes, llvm::OptimizationLevel) { passes.addPass(RegisterFirstPass()); });
}

void use_per_thread_launches(llvm::PassBuilder &builder) {
  builder.registerPipelineStartEPCallback(
      [](llvm::ModulePassManager &passes, llvm::OptimizationLevel) { passes.addPass(PerThreadLaunchPass()); });
}

}  // namespace hel::cc
