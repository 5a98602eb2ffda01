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
constexpr char kToolkitPath[] = "__hl_toolkit_lib";
constexpr uint64_t kImageAlign = 64;

void add_image(llvm::Module &module, const std::vector<uint8_t> &container) {
  std::vector<uint8_t> padded = container;
  padded.resize((padded.size() + kImageAlign - 1) / kImageAlign * kImageAlign);
  llvm::Constant *bytes = llvm::ConstantDataArray::get(module.getContext(), padded);
  auto *image = new llvm::GlobalVariable(module, bytes->getType(), /*isConstant=*/true, llvm::GlobalValue::PrivateLinkage, bytes,
                                         "__hl_image");
  image->setSection(kImageSection);
  image->setAlignment(llvm::Align(kImageAlign));
  llvm::appendToUsed(module, {image});
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

void add_constructor(llvm::Module &module) {
  llvm::LLVMContext &context = module.getContext();
  llvm::Type *nothing = llvm::Type::getVoidTy(context);
  auto *constructor = llvm::Function::Create(llvm::FunctionType::get(nothing, false), llvm::GlobalValue::LinkOnceODRLinkage,
                                             kConstructor, module);
  constructor->setVisibility(llvm::GlobalValue::HiddenVisibility);
  constructor->setComdat(module.getOrInsertComdat(kConstructor));
  llvm::Type *pointer = llvm::PointerType::getUnqual(context);
  llvm::FunctionCallee registration =
      module.getOrInsertFunction("__hl_register_rdc", llvm::FunctionType::get(nothing, {pointer, pointer, pointer, pointer}, false));
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", constructor));
  builder.CreateCall(registration, {section_end(module, "__start_", kEntrySection), section_end(module, "__stop_", kEntrySection),
                                    section_end(module, "__start_", kImageSection), section_end(module, "__stop_", kImageSection)});
  builder.CreateRetVoid();
  llvm::appendToGlobalCtors(module, constructor, /*Priority=*/101, constructor);
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
  explicit EmbedPass(const std::vector<uint8_t> &bytes) : container(&bytes) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    add_image(module, *container);
    add_constructor(module);
    retain_entries(module);
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
  const std::vector<uint8_t> *container;
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

void embed_relocatable_image(llvm::PassBuilder &builder, const std::vector<uint8_t> &container) {
  builder.registerPipelineStartEPCallback(
      [&container](llvm::ModulePassManager &passes, llvm::OptimizationLevel) { passes.addPass(EmbedPass(container)); });
}

void use_per_thread_launches(llvm::PassBuilder &builder) {
  builder.registerPipelineStartEPCallback(
      [](llvm::ModulePassManager &passes, llvm::OptimizationLevel) { passes.addPass(PerThreadLaunchPass()); });
}

}  // namespace hel::cc
