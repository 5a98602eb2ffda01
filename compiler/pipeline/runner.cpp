// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pipeline/runner.h"

#include "base/mutex.h"
#include "base/settings.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace hel::cc {
namespace {

struct StageTime {
  const char *name;
  double milliseconds;
};

/// Compilations may run on several threads.
struct Times {
  Mutex mutex;
  std::vector<StageTime> all HEL_GUARDED_BY(mutex);
};

Times &times() {
  static Times &of_process = *new Times;
  return of_process;
}

void print_times() {
  Lock lock(times().mutex);
  std::vector<StageTime> &all = times().all;
  std::sort(all.begin(), all.end(),
                   [](const StageTime &a, const StageTime &b) { return a.milliseconds > b.milliseconds; });
  for (const StageTime &time : all) {
    std::fprintf(stderr, "%9.3f ms  %s\n", time.milliseconds, time.name);
  }
}

void record_time(const char *name, double milliseconds) {
  Lock lock(times().mutex);
  std::vector<StageTime> &all = times().all;
  if (all.empty()) {
    std::atexit(print_times);
  }
  auto known = std::find_if(all.begin(), all.end(), [&](const StageTime &t) { return t.name == name; });
  if (known != all.end()) {
    known->milliseconds += milliseconds;
  } else {
    all.push_back({name, milliseconds});
  }
}

std::string text_of(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

/// The level that the code is made for, as part of a file's name; empty for stages that run once for all levels.
std::string level_of(size_t stage, const llvm::TargetMachine &target) {
  llvm::StringRef level = target.getTargetCPU();
  return stage >= first_target_stage() && level.consume_front("x86-64-") ? "-" + level.str() : "";
}

/// Writes DIR/<module>/NN-<stage>.ll, from split_phases on NN-<stage>-<level>.ll, unless the stage changed nothing.
void dump(const llvm::Module &module, size_t stage, const char *name, const llvm::TargetMachine &target,
          std::string &last) {
  std::string text = text_of(module);
  if (text == last) {
    return;
  }
  std::string folder = settings().dump_dir + "/" + llvm::sys::path::stem(module.getSourceFileName()).str();
  std::string path = format("%s/%02zu-%s%s.ll", folder.c_str(), stage + 1, name, level_of(stage, target).c_str());
  std::error_code error = llvm::sys::fs::create_directories(folder);
  llvm::raw_fd_ostream file(path, error);
  if (error) {
    std::fprintf(stderr, "helicon: cannot write %s: %s\n", path.c_str(), error.message().c_str());
    return;
  }
  file << text;
  last = std::move(text);
}

Result<void> verify(const llvm::Module &module, const char *name) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (llvm::verifyModule(module, &stream)) {
    return HEL_FAIL_KIND(CompileCode::Internal, Internal, "invalid IR after stage %s: %s", name, text.c_str());
  }
  return {};
}

}  // namespace

bool is_listed(const std::string &list, const char *name) {
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(list).split(parts, ',', -1, /*KeepEmpty=*/false);
  return llvm::any_of(parts, [&](llvm::StringRef part) { return part == "all" || part == name; });
}

TimedStep::TimedStep(const char *name) : name_(name), start_(std::chrono::steady_clock::now()) {}

TimedStep::~TimedStep() {
  if (is_listed(settings().time, "stages")) {
    std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start_;
    record_time(name_, took.count());
  }
}

Result<void> run_stages(std::span<const Stage> stages, llvm::Module &module, Compilation &compilation, size_t first) {
  const Settings &asked = settings();
  std::string last;
  for (size_t i = 0; i < stages.size(); ++i) {
    const Stage &stage = stages[i];
    if (is_listed(asked.skip, stage.name)) {
      continue;
    }
    {
      TimedStep step(stage.name);
      HEL_TRY_CONTEXT(stage.run(module, compilation), "in compiler stage %s", stage.name);
    }
    if (is_listed(asked.dump, stage.name)) {
      dump(module, first + i, stage.name, compilation.target, last);
    }
    if (asked.verify) {
      HEL_TRY(verify(module, stage.name));
    }
    HEL_TRY(compilation.diagnostics.finish());
    if (asked.stop_after == stage.name) {
      break;
    }
  }
  return {};
}

}  // namespace hel::cc
