// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs stages, and supplies around each what nobody writes twice: dump, verify, time, skip, stop
// (HELICON_DUMP, HELICON_VERIFY, HELICON_TIME, HELICON_SKIP, HELICON_STOP_AFTER).
#pragma once

#include "compiler/pipeline/stages.h"

#include <chrono>

namespace hel::cc {

/// Runs the stages in order. After each one: a dump if asked (before verification, so that a broken module can be read),
/// then the verifier if asked, then the diagnostics' errors end the run. `first` is the number of the first stage in the
/// whole list, for the names of dumps.
Result<void> run_stages(std::span<const Stage> stages, llvm::Module &module, Compilation &compilation,
                        size_t first = 0);

/// Adds a step that is no stage (code generation, the link) to the table of times while it lives.
class TimedStep {
public:
  explicit TimedStep(const char *name);
  ~TimedStep();
  TimedStep(const TimedStep &) = delete;
  TimedStep &operator=(const TimedStep &) = delete;

private:
  const char *name_;
  std::chrono::steady_clock::time_point start_;
};

/// True when `name` stands in a list like "all" or "tidy,optimise".
bool is_listed(const std::string &list, const char *name);

}  // namespace hel::cc
