// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SIMT IR to PTX text.
#include "compiler/codegen/emit_ptx.h"
#include "compiler/compile.h"
#include "compiler/ir/link_messages.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/pipeline/runner.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Support/Path.h"

namespace hel::cc {
namespace {

/// PTX has no debug information but the lines, and those only where they are asked for.
void reduce_debug_info(llvm::Module &module, bool line_info) {
  if (line_info) {
    llvm::stripNonLineTableDebugInfo(module);
  } else {
    llvm::StripDebugInfo(module);
  }
}

/// Ordinary code for the GPU: with the device library that has its side of the services.
CompileOptions gpu_options(const CompileOptions &options) {
  CompileOptions own = options;
  own.warnings = nullptr;  // the same that the code for the CPU gives
  std::string library = options.device_library.empty() ? default_device_library() : options.device_library;
  llvm::StringRef folder = llvm::sys::path::parent_path(library);
  own.device_library = library.empty() ? "" : (folder + "/libdevice-nvptx.bc").str();
  return own;
}

/// What the module's inline PTX needs at least: LLVM passes it on unread.
unsigned version_of_assembly(const llvm::Module &module) {
  static constexpr std::pair<llvm::StringLiteral, unsigned> kNeeds[] = {{"::ordered_metadata", 85}};
  unsigned version = kOldestPtx;
  for (const llvm::Function &function : module) {
    for (const llvm::Instruction &inst : llvm::instructions(function)) {
      const auto *call = llvm::dyn_cast<llvm::CallBase>(&inst);
      const auto *assembly = call != nullptr ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
      for (const auto &[word, needed] : kNeeds) {
        if (assembly != nullptr && assembly->getAsmString().contains(word)) {
          version = std::max(version, needed);
        }
      }
    }
  }
  return version;
}

Result<std::string> make_ptx(const std::vector<uint8_t> &bitcode, const CompileOptions &options, unsigned version) {
  TimedStep step("compile_to_ptx");
  std::string messages;
  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<LinkMessages>(messages));
  llvm::StringRef bytes(reinterpret_cast<const char *>(bitcode.data()), bitcode.size());
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, options.source_name), context);
  if (!module) {
    return HEL_FAIL(CompileCode::Internal, "%s", llvm::toString(module.takeError()).c_str());
  }
  reduce_debug_info(**module, options.line_info);
  std::unique_ptr<llvm::TargetMachine> target =
      HEL_TRY(make_nvptx_machine(options, std::max(version, version_of_assembly(**module))));
  (*module)->setTargetTriple(target->getTargetTriple());
  (*module)->setDataLayout(target->createDataLayout());
  for (llvm::Function &function : **module) {
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
  }
  Compilation compilation{options, *target, Diagnostics(options)};
  HEL_TRY(run_stages(nvptx_stages(), **module, compilation));
  std::string text = HEL_TRY(emit_ptx(**module, *target));
  if (!messages.empty()) {
    return HEL_FAIL_KIND(CompileCode::InvalidSource, Unsupported, "%s", messages.c_str());
  }
  return text;
}

}  // namespace

Result<std::string> compile_to_ptx(const std::vector<uint8_t> &bitcode, const CompileOptions &options) {
  CompileOptions own = gpu_options(options);
  auto with_version = [&](unsigned version) { return survive([&] { return make_ptx(bitcode, own, version); }); };
  Result<std::string> text = with_version(kOldestPtx);
  return text ? std::move(text) : with_version(kNewestPtx);
}

}  // namespace hel::cc
