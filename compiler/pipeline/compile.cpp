// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/compile.h"

#include "compiler/codegen/emit_object.h"
#include "compiler/codegen/image_tables.h"
#include "compiler/codegen/link_image.h"
#include "compiler/codegen/target.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/pipeline/runner.h"

#include "base/settings.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <dlfcn.h>

#include <future>

namespace hel::cc {
namespace {

/// The stages [begin, end) of the list, for one target; a failure when HELICON_STOP_AFTER names one of them.
Result<void> run_part(size_t begin, size_t end, llvm::Module &module, Compilation &compilation) {
  std::span<const Stage> part = compiler_stages().subspan(begin, end - begin);
  HEL_TRY(run_stages(part, module, compilation, begin));
  for (const Stage &stage : part) {
    if (settings().stop_after == stage.name) {
      return HEL_FAIL(CompileCode::InvalidValue, "stopped after compiler stage %s, as HELICON_STOP_AFTER asks",
                      stage.name);
    }
  }
  return {};
}

/// `#pragma unroll` is a wish: that a loop could not be unrolled is no news for the user.
class DropUnmetWishes : public llvm::DiagnosticHandler {
public:
  explicit DropUnmetWishes(llvm::LLVMContext &context) : outer_(context.getDiagnosticHandler()) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    return info.getKind() == llvm::DK_OptimizationFailure || (outer_ && outer_->handleDiagnostics(info));
  }

private:
  std::unique_ptr<llvm::DiagnosticHandler> outer_;
};

/// The rest of the way, from split_phases on, for one level.
Result<ElfImage> finish(llvm::Module &module, const CompileOptions &options) {
  TargetChoice choice = HEL_TRY(choose_target(options.cpu));
  std::unique_ptr<llvm::TargetMachine> target = HEL_TRY(make_target_machine(choice, options));
  Compilation compilation{options, *target, Diagnostics(options)};
  HEL_TRY(run_part(first_target_stage(), compiler_stages().size(), module, compilation));
  mark_text(module);
  llvm::SmallVector<char, 0> code, data;
  {
    TimedStep step("emit_object");
    code = HEL_TRY(emit_object(module, *target));
  }
  {
    TimedStep step("make_image_tables");
    ObjectFacts facts = HEL_TRY(read_object_facts(code));
    std::unique_ptr<llvm::Module> tables = make_image_tables(module, facts);
    data = HEL_TRY(emit_object(*tables, *target));
  }
  TimedStep step("link_image");
  return ElfImage{choice.level, HEL_TRY(link_image({code, data}))};
}

}  // namespace

std::vector<uint8_t> write_bitcode(const llvm::Module &module) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::WriteBitcodeToFile(module, stream);
  return std::vector<uint8_t>(bytes.begin(), bytes.end());
}

Result<std::vector<ElfImage>> compile_to_elfs(std::unique_ptr<llvm::Module> module, const CompileOptions &options) {
  std::vector<std::string> cpus = HEL_TRY(split_levels(options.cpu));
  llvm::LLVMContext &context = module->getContext();
  context.setDiagnosticHandler(std::make_unique<DropUnmetWishes>(context));
  {
    TargetChoice any = HEL_TRY(choose_target(cpus.front()));
    std::unique_ptr<llvm::TargetMachine> target = HEL_TRY(make_target_machine(any, options));
    Compilation compilation{options, *target, Diagnostics(options)};
    HEL_TRY(run_part(0, first_target_stage(), *module, compilation));
  }
  std::vector<ElfImage> images;
  for (const std::string &cpu : cpus) {
    CompileOptions one = options;
    one.cpu = cpu;
    std::unique_ptr<llvm::Module> own = &cpu == &cpus.back() ? std::move(module) : llvm::CloneModule(*module);
    images.push_back(HEL_TRY(finish(*own, one)));
  }
  return images;
}

Result<std::vector<uint8_t>> compile_to_elf(std::unique_ptr<llvm::Module> module, const CompileOptions &options) {
  std::vector<ElfImage> images = HEL_TRY(compile_to_elfs(std::move(module), options));
  HEL_ENSURE(images.size() == 1, "%zu images where one was asked for", images.size());
  return std::move(images.front().bytes);
}

Result<std::vector<uint8_t>> compile_device(std::unique_ptr<llvm::Module> module, const CompileOptions &options) {
  Payloads payloads;
  std::vector<uint8_t> bitcode = write_bitcode(*module);
  // The code for GPUs shares nothing with that for the CPU, and is made meanwhile.
  std::future<Result<std::string>> ptx;
  if (!options.gpu.empty()) {
    ptx = std::async(std::launch::async, [&] { return compile_to_ptx(bitcode, options); });
  }
  if (options.emit_elf && !options.relocatable) {
    payloads.elfs = HEL_TRY(compile_to_elfs(std::move(module), options));
  }
  if (ptx.valid()) {
    Result<std::string> text = ptx.get();
    if (text) {
      payloads.ptx = text.take();
    } else if (options.warnings) {
      *options.warnings += options.source_name + ": warning: no code for NVIDIA GPUs: " + text.failure().message + "\n";
    }
  }
  if (options.emit_bitcode || options.relocatable) {
    payloads.bitcode = std::move(bitcode);
  }
  return write_container(options, payloads);
}

std::string default_device_library() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void *>(&default_device_library), &info) || !info.dli_fname) {
    return "";
  }
  llvm::SmallString<256> own;
  bool in_library = llvm::StringRef(info.dli_fname).contains(".so");
  if (!in_library || llvm::sys::fs::real_path(info.dli_fname, own)) {
    // The main program's name is what its caller chose, and need not be a path.
    own = llvm::sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&default_device_library));
  }
  llvm::StringRef root = llvm::sys::path::parent_path(llvm::sys::path::parent_path(own));
  std::string path = (root + "/lib/helicon/libdevice.bc").str();
  return llvm::sys::fs::exists(path) ? path : "";
}

}  // namespace hel::cc
