// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// helicon-opt: runs compiler stages on a file of LLVM IR. Each stage's tests use it, and a bug becomes a small .ll.
//   helicon-opt [-cpu=x86-64-v3] [-O2] [-G] [-verify] -stages=tidy,lower_simt_ops file.ll   prints the module
//   helicon-opt -gpu=sm_90 -stages=order_atomics file.ll                                    stages for NVIDIA GPUs
//   helicon-opt -compile=elf|image -o out file.ll                                           makes an image
#include "compiler/codegen/emit_ptx.h"
#include "compiler/codegen/target.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/pipeline/runner.h"

#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"

#include <cstdio>

namespace {

struct Arguments {
  hel::cc::CompileOptions options;
  std::string input, output = "-", stages, compile;
  bool list = false;
};

bool parse(int argc, char **argv, Arguments &arguments) {
  arguments.options.device_library = "";
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef word = argv[i];
    if (word.consume_front("-stages=")) {
      arguments.stages = word.str();
    } else if (word.consume_front("-compile=")) {
      arguments.compile = word.str();
    } else if (word.consume_front("-cpu=")) {
      arguments.options.cpu = word.str();
    } else if (word.consume_front("-gpu=")) {
      arguments.options.gpu = word.str();
    } else if (word.consume_front("-device-library=")) {
      arguments.options.device_library = word.str();
    } else if (word == "-G") {
      arguments.options.debug = true;
    } else if (word == "-lineinfo") {
      arguments.options.line_info = true;
    } else if (word == "-list") {
      arguments.list = true;
    } else if (word.consume_front("-O") && word.size() == 1) {
      arguments.options.optimise = word[0] - '0';
    } else if (word == "-o" && i + 1 < argc) {
      arguments.output = argv[++i];
    } else if (!word.starts_with("-") || word == "-") {
      arguments.input = word.str();
    } else {
      std::fprintf(stderr, "helicon-opt: unknown option '%s'\n", argv[i]);
      return false;
    }
  }
  return arguments.list || !arguments.input.empty();
}

int fail(hel::Failure &failure) {
  std::fprintf(stderr, "%s\n", failure.message.c_str());
  return 1;
}

int write(const std::string &path, llvm::StringRef bytes) {
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (error) {
    std::fprintf(stderr, "helicon-opt: cannot write %s: %s\n", path.c_str(), error.message().c_str());
    return 1;
  }
  file << bytes;
  return 0;
}

int compile(std::unique_ptr<llvm::Module> module, const Arguments &arguments) {
  auto image = arguments.compile == "elf" ? hel::cc::compile_to_elf(std::move(module), arguments.options)
                                          : hel::cc::compile_device(std::move(module), arguments.options);
  if (!image) {
    return fail(image.failure());
  }
  const std::vector<uint8_t> &bytes = image.value();
  return write(arguments.output, {reinterpret_cast<const char *>(bytes.data()), bytes.size()});
}

int run_chosen_stages(llvm::Module &module, const Arguments &arguments) {
  auto choice = hel::cc::choose_target(arguments.options.cpu);
  if (!choice) {
    return fail(choice.failure());
  }
  auto target = arguments.options.gpu.empty() ? hel::cc::make_target_machine(choice.value(), arguments.options)
                                              : hel::cc::make_nvptx_machine(arguments.options, hel::cc::kOldestPtx);
  if (!target) {
    return fail(target.failure());
  }
  llvm::SmallVector<llvm::StringRef> names;
  llvm::StringRef(arguments.stages).split(names, ',', -1, /*KeepEmpty=*/false);
  std::vector<hel::cc::Stage> chosen;
  for (llvm::StringRef name : names) {
    auto all = arguments.options.gpu.empty() ? hel::cc::compiler_stages() : hel::cc::nvptx_stages();
    auto known = llvm::find_if(all, [&](const hel::cc::Stage &stage) { return name == stage.name; });
    if (known == all.end()) {
      std::fprintf(stderr, "helicon-opt: unknown stage '%s'; -list shows all\n", name.str().c_str());
      return 1;
    }
    chosen.push_back(*known);
  }
  hel::cc::Compilation compilation{arguments.options, *target.value(), hel::cc::Diagnostics(arguments.options)};
  if (auto done = hel::cc::run_stages(chosen, module, compilation); !done) {
    return fail(done.failure());
  }
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  if (llvm::verifyModule(module, &llvm::errs())) {
    llvm::errs() << text;
    return 1;
  }
  return write(arguments.output, text);
}

}  // namespace

int main(int argc, char **argv) {
  Arguments arguments;
  if (!parse(argc, argv, arguments)) {
    std::fprintf(stderr, "usage: helicon-opt [options] -stages=a,b file.ll | -compile=elf|image -o out file.ll | -list\n");
    return 2;
  }
  if (arguments.list) {
    for (const hel::cc::Stage &stage : arguments.options.gpu.empty() ? hel::cc::compiler_stages() : hel::cc::nvptx_stages()) {
      std::printf("%s\n", stage.name);
    }
    return 0;
  }
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module = llvm::parseIRFile(arguments.input, problem, context);
  if (!module) {
    problem.print("helicon-opt", llvm::errs());
    return 1;
  }
  arguments.options.source_name = arguments.input;
  return arguments.compile.empty() ? run_chosen_stages(*module, arguments) : compile(std::move(module), arguments);
}
