// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/driver/toolchain.h"

#include "compiler/frontend/source_unit.h"

#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Job.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/TargetParser/Host.h"

#include <algorithm>

namespace hel::cc {
namespace {

/// Prints the driver's complaints under our name.
class DriverMessages : public clang::DiagnosticConsumer {
public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    llvm::SmallString<128> text;
    info.FormatDiagnostic(text);
    llvm::errs() << "mcc: " << (level >= clang::DiagnosticsEngine::Error ? "error: " : "warning: ") << text << '\n';
  }
};

/// clang's headers: a copy in the toolkit, or the system's.
std::string resource_folder(const Toolkit &toolkit) {
  std::string own = toolkit.lib() + "/helicon/clang";
  return llvm::sys::fs::is_directory(own) ? own : HELICON_CLANG_RESOURCES;
}

/// clang's driver asks this of its caller and tells the compilation.
bool wants_colors(const std::vector<std::string> &arguments) {
  bool wanted = llvm::sys::Process::StandardErrHasColors();
  for (llvm::StringRef word : arguments) {
    if (word == "-fcolor-diagnostics" || word == "-fdiagnostics-color" || word == "-fdiagnostics-color=always") {
      wanted = true;
    } else if (word == "-fno-color-diagnostics" || word == "-fno-diagnostics-color" || word == "-fdiagnostics-color=never") {
      wanted = false;
    }
  }
  return wanted;
}

/// The arguments of the single job of the wanted kind that clang's driver makes of `arguments`.
Result<std::vector<std::string>> job_arguments(const Toolkit &toolkit, const std::vector<std::string> &arguments) {
  std::vector<std::string> words = {toolkit.executable, "--driver-mode=g++", "--no-default-config", "-Qunused-arguments",
                                    "-resource-dir=" + resource_folder(toolkit)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<const char *> argv;
  for (const std::string &word : words) {
    argv.push_back(word.c_str());
  }
  DriverMessages messages;
  clang::DiagnosticOptions options;
  options.ShowColors = wants_colors(arguments);
  auto engine = llvm::makeIntrusiveRefCnt<clang::DiagnosticsEngine>(clang::DiagnosticIDs::create(), options, &messages,
                                                                    /*ShouldOwnClient=*/false);
  clang::driver::Driver driver(toolkit.executable, llvm::sys::getDefaultTargetTriple(), *engine, "mcc");
  driver.setCheckInputsExist(false);
  driver.setProbePrecompiled(false);
  std::unique_ptr<clang::driver::Compilation> compilation(driver.BuildCompilation(argv));
  if (!compilation || engine->hasErrorOccurred() || compilation->getJobs().empty()) {
    return already_reported();
  }
  const clang::driver::Command &job = *compilation->getJobs().begin();
  return std::vector<std::string>(job.getArguments().begin(), job.getArguments().end());
}

bool is_folder_option(const std::string &word) {
  return word == "-I" || word == "-isystem" || word == "-c-isystem" || word == "-cxx-isystem";
}

/// The headers of another CUDA or MUSA toolkit, which build systems like to name, must not come before ours.
bool is_other_toolkit(const Toolkit &toolkit, const std::string &folder) {
  bool has_runtime = llvm::sys::fs::exists(folder + "/cuda_runtime.h") || llvm::sys::fs::exists(folder + "/musa_runtime.h");
  return has_runtime && !llvm::sys::fs::equivalent(folder, toolkit.include());
}

}  // namespace

Toolkit find_toolkit() {
  Toolkit toolkit;
  toolkit.executable = llvm::sys::fs::getMainExecutable("mcc", nullptr);
  toolkit.root = llvm::sys::path::parent_path(llvm::sys::path::parent_path(toolkit.executable)).str();
  return toolkit;
}

Result<std::vector<std::string>> cc1_arguments(const Toolkit &toolkit, const std::vector<std::string> &arguments) {
  std::vector<std::string> from = HEL_TRY(job_arguments(toolkit, arguments));
  std::vector<std::string> to;
  bool has_own_headers = false;
  for (size_t i = from.front() == "-cc1" ? 1 : 0; i < from.size(); ++i) {
    const std::string value = i + 1 < from.size() ? from[i + 1] : "";
    bool is_system_folder = from[i] == "-internal-isystem";
    if (is_system_folder && llvm::StringRef(value).ends_with("cuda_wrappers")) {
      ++i;  // clang's wrappers expect its own CUDA headers
      continue;
    }
    if (is_system_folder && !has_own_headers) {
      bool is_cuda = std::find(from.begin(), from.end(), "cuda") != from.end();
      if (is_cuda) {
        to.insert(to.end(), {"-internal-isystem", toolkit.include() + "/helicon/cxx"});
      }
      to.insert(to.end(), {"-internal-isystem", toolkit.include()});
      has_own_headers = true;
    }
    if (is_folder_option(from[i]) && is_other_toolkit(toolkit, value)) {
      to.push_back("-idirafter");
      continue;
    }
    if (from[i].compare(0, 2, "-I") == 0 && from[i].size() > 2 && is_other_toolkit(toolkit, from[i].substr(2))) {  // CPATH's
      to.insert(to.end(), {"-idirafter", from[i].substr(2)});
      continue;
    }
    to.push_back(from[i]);
  }
  return to;
}

Result<std::vector<std::string>> linker_arguments(const Toolkit &toolkit, const std::vector<std::string> &arguments) {
  std::vector<std::string> words = arguments;
  words.push_back("--ld-path=" + toolkit.executable);  // the linker runs in this process
  std::vector<std::string> linker = HEL_TRY(job_arguments(toolkit, words));
  linker.insert(linker.begin(), "ld.lld");
  return linker;
}

}  // namespace hel::cc
