// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs stages, and supplies around each what nobody writes twice: dump, verify, time, skip, stop
// (HELICON_DUMP, HELICON_VERIFY, HELICON_TIME, HELICON_SKIP, HELICON_STOP_AFTER).
#pragma once

#include "compiler/pipeline/stages.h"

namespace hel::cc {

/// Runs the stages in order. After each one: a dump if asked (before verification, so that a broken module can be read),
/// then the verifier if asked, then the diagnostics' errors end the run.
Result<void> run_stages(std::span<const Stage> stages, llvm::Module &module, Compilation &compilation);

/// True when `name` stands in a list like "all" or "tidy,optimise".
bool is_listed(const std::string &list, const char *name);

}  // namespace hel::cc
