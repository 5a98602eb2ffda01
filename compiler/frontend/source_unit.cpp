// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang as a library: one CompilerInstance a pass.
#include "compiler/frontend/source_unit.h"

#include "compiler/frontend/device_fixups.h"
#include "compiler/frontend/hooks.h"
#include "compiler/frontend/host_embedding.h"
#include "compiler/frontend/macros_by_file.h"
#include "compiler/frontend/managed_pointers.h"
#include "compiler/frontend/nvcc_pragmas.h"
#include "compiler/frontend/prologue.h"
#include "compiler/frontend/respelling.h"
#include "compiler/ir/compilation.h"

#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <algorithm>
#include <set>

namespace hel::cc {
namespace {

/// Prints a unit's diagnostics and drops those that an earlier pass has printed.
class UnitDiagnostics : public clang::DiagnosticConsumer {
public:
  UnitDiagnostics() { format_as({}); }

  /// Each pass has options of its own for the form of messages.
  void format_as(const clang::DiagnosticOptions &options) {
    options_ = options;
    printer_ = std::make_unique<clang::TextDiagnosticPrinter>(llvm::errs(), options_);
  }

  void BeginSourceFile(const clang::LangOptions &lang, const clang::Preprocessor *pp) override {
    printer_->BeginSourceFile(lang, pp);
  }
  void EndSourceFile() override { printer_->EndSourceFile(); }

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &info) override {
    if (level != clang::DiagnosticsEngine::Note) {
      is_repeated_ = !seen_.insert(key(info)).second;
      if (!is_repeated_) {
        count(level);
      }
    }
    if (!is_repeated_) {
      printer_->HandleDiagnostic(level, info);
    }
  }

  unsigned errors = 0;
  unsigned warnings = 0;

private:
  void count(clang::DiagnosticsEngine::Level level) {
    if (level >= clang::DiagnosticsEngine::Error) {
      ++errors;
    } else if (level == clang::DiagnosticsEngine::Warning) {
      ++warnings;
    }
  }

  static std::string key(const clang::Diagnostic &info) {
    llvm::SmallString<256> text;
    info.FormatDiagnostic(text);
    if (info.hasSourceManager() && info.getLocation().isValid()) {
      text += '@';
      text += info.getLocation().printToString(info.getSourceManager());
    }
    return text.str().str();
  }

  clang::DiagnosticOptions options_;
  std::unique_ptr<clang::TextDiagnosticPrinter> printer_;
  std::set<std::string> seen_;
  bool is_repeated_ = false;
};

/// What stands before the source: our prologue, then clang's macros and the headers that the command line names. The first of
/// those headers is the toolkit's own; a line marker makes it a system header, in warnings and in dependencies.
std::string predefines(const std::string &clangs) {
  size_t at = clangs.find("#include \"");
  if (at == std::string::npos) {
    return kPrologue + clangs;
  }
  size_t end = clangs.find('\n', at) + 1;
  return kPrologue + clangs.substr(0, at) + "# 1 \"<helicon>\" 1 3\n#define __HELICON_IMPLICIT_HEADERS__ 1\n" +
         clangs.substr(at, end - at) + "#undef __HELICON_IMPLICIT_HEADERS__\n# 1 \"<command line>\" 2\n" + clangs.substr(end);
}

/// An action that starts with our predefines.
template <typename Action> struct WithPrologue : Action {
  using Action::Action;
  bool BeginSourceFileAction(clang::CompilerInstance &CI) override {
    clang::Preprocessor &PP = CI.getPreprocessor();
    show_macros_by_file(PP, hook_rules());
    if (CI.getLangOpts().CUDA) {
      PP.setPredefines(predefines(PP.getPredefines()));
      add_nvcc_pragmas(PP);
    }
    return Action::BeginSourceFileAction(CI);
  }
};

std::unique_ptr<clang::FrontendAction> plain_action(const clang::FrontendOptions &options) {
  switch (options.ProgramAction) {
  case clang::frontend::EmitObj:
    return std::make_unique<WithPrologue<clang::EmitObjAction>>();
  case clang::frontend::EmitAssembly:
    return std::make_unique<WithPrologue<clang::EmitAssemblyAction>>();
  case clang::frontend::EmitLLVM:
    return std::make_unique<WithPrologue<clang::EmitLLVMAction>>();
  case clang::frontend::PrintPreprocessedInput:
    return std::make_unique<WithPrologue<clang::PrintPreprocessedAction>>();
  case clang::frontend::RunPreprocessorOnly:
    return std::make_unique<WithPrologue<clang::PreprocessOnlyAction>>();
  default:
    return std::make_unique<WithPrologue<clang::SyntaxOnlyAction>>();
  }
}

void initialise_targets() {
  static const bool done = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)done;
}

/// clang marks inline assembly with raw locations, which mean something only as long as its source manager lives.
void note_places_of_assembly(llvm::Module &module, const clang::SourceManager &sources) {
  for (llvm::Function &function : module) {
    for (llvm::Instruction &inst : llvm::instructions(function)) {
      const llvm::MDNode *cookie = inst.getMetadata("srcloc");
      auto *raw = cookie && cookie->getNumOperands() ? llvm::mdconst::dyn_extract<llvm::ConstantInt>(cookie->getOperand(0))
                                                     : nullptr;
      if (!raw) {
        continue;
      }
      using Encoded = clang::SourceLocation::UIntTy;
      auto location = clang::SourceLocation::getFromRawEncoding(static_cast<Encoded>(raw->getZExtValue()));
      clang::PresumedLoc place = sources.getPresumedLoc(location);
      if (place.isValid()) {
        std::string text = format("%s:%u:%u", place.getFilename(), place.getLine(), place.getColumn());
        llvm::LLVMContext &context = module.getContext();
        inst.setMetadata(kPlaceMetadata, llvm::MDNode::get(context, {llvm::MDString::get(context, text)}));
      }
    }
  }
}

/// Registers the state with the hooks for the length of a pass.
struct HookScope {
  explicit HookScope(HookState &state) { set_hook_state(&state); }
  ~HookScope() { set_hook_state(nullptr); }
};

}  // namespace

void ContextDeleter::operator()(llvm::LLVMContext *context) const { delete context; }
void ModuleDeleter::operator()(llvm::Module *module) const { delete module; }

std::unique_ptr<Failure> already_reported() { return make_failure(1, FailureKind::Misuse, __FILE__, __LINE__, ""); }

struct SourceUnit::State {
  UnitDiagnostics diagnostics;
  HookState hooks;

  std::unique_ptr<clang::CompilerInstance> instance(const std::vector<std::string> &cc1,
                                                    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files);
  Result<void> execute(clang::CompilerInstance &CI, clang::FrontendAction &action);
};

std::unique_ptr<clang::CompilerInstance> SourceUnit::State::instance(const std::vector<std::string> &cc1,
                                                                     llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  initialise_targets();
  std::vector<const char *> argv;
  for (const std::string &argument : cc1) {
    argv.push_back(argument.c_str());
  }
  auto CI = std::make_unique<clang::CompilerInstance>();
  bool is_cuda = std::find(cc1.begin(), cc1.end(), "cuda") != cc1.end();
  CI->setVirtualFileSystem(is_cuda ? respelling_files(files) : files);
  CI->createDiagnostics(&diagnostics, /*ShouldOwnClient=*/false);
  if (!clang::CompilerInvocation::CreateFromArgs(CI->getInvocation(), argv, CI->getDiagnostics())) {
    return nullptr;
  }
  diagnostics.format_as(CI->getDiagnosticOpts());
  // The options are known only now: warning flags take effect on an engine made after them.
  CI->createDiagnostics(&diagnostics, /*ShouldOwnClient=*/false);
  return CI;
}

Result<void> SourceUnit::State::execute(clang::CompilerInstance &CI, clang::FrontendAction &action) {
  HookScope scope(hooks);
  CI.ExecuteAction(action);
  if (CI.getDiagnostics().hasErrorOccurred()) {
    return already_reported();
  }
  return {};
}

SourceUnit::SourceUnit(const HookRules &rules) : state_(std::make_unique<State>()) { state_->hooks.rules = rules; }
SourceUnit::~SourceUnit() = default;

Result<DeviceModule> SourceUnit::device_pass(const std::vector<std::string> &cc1) {
  auto CI = state_->instance(cc1, llvm::vfs::getRealFileSystem());
  if (!CI) {
    return already_reported();
  }
  DeviceModule device;
  device.context.reset(new llvm::LLVMContext());
  WithPrologue<clang::EmitLLVMOnlyAction> action(device.context.get());
  HEL_TRY(state_->execute(*CI, action));
  device.module.reset(action.takeModule().release());
  if (!device.module) {
    return already_reported();
  }
  note_places_of_assembly(*device.module, CI->getSourceManager());
  fix_device_module(*device.module, state_->hooks);
  return device;
}

Result<void> SourceUnit::host_pass(const std::vector<std::string> &cc1, const HostRules &rules, std::vector<uint8_t> container) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  llvm::StringRef bytes(reinterpret_cast<const char *>(container.data()), container.size());
  memory->addFile(kImagePath, 0, llvm::MemoryBuffer::getMemBuffer(bytes, kImagePath, /*RequiresNullTerminator=*/false));
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::getRealFileSystem());
  files->pushOverlay(memory);
  auto CI = state_->instance(cc1, files);
  if (!CI) {
    return already_reported();
  }
  CI->getCodeGenOpts().PassBuilderCallbacks.push_back([&](llvm::PassBuilder &builder) {
    join_managed_pointers(builder);
    embed_toolkit_path(builder, rules.toolkit_lib);
    register_first(builder);
    if (rules.embedding == Embedding::Relocatable) {
      embed_relocatable_image(builder, container, rules.symbols);
    }
    if (rules.per_thread_stream) {
      use_per_thread_launches(builder);
    }
  });
  std::unique_ptr<clang::FrontendAction> action = plain_action(CI->getFrontendOpts());
  return state_->execute(*CI, *action);
}

Result<void> SourceUnit::plain_pass(const std::vector<std::string> &cc1) {
  auto CI = state_->instance(cc1, llvm::vfs::getRealFileSystem());
  if (!CI) {
    return already_reported();
  }
  std::unique_ptr<clang::FrontendAction> action = plain_action(CI->getFrontendOpts());
  return state_->execute(*CI, *action);
}

void SourceUnit::print_summary() const {
  const UnitDiagnostics &seen = state_->diagnostics;
  if (seen.errors + seen.warnings == 0) {
    return;
  }
  auto counted = [](unsigned n, const char *word) {
    return n == 0 ? std::string() : format("%u %s%s", n, word, n == 1 ? "" : "s");
  };
  std::string text = counted(seen.warnings, "warning");
  if (seen.errors != 0) {
    text += (text.empty() ? "" : " and ") + counted(seen.errors, "error");
  }
  llvm::errs() << text << " generated.\n";
}

}  // namespace hel::cc
