// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the command line to the list of what is to be done: which sources become what, and what happens to the objects.
#pragma once

#include "compiler/driver/compile_job.h"
#include "compiler/driver/options.h"

namespace hel::cc {

enum class Goal {
  Program,        ///< link (also shared objects)
  Library,        ///< -lib
  Objects,        ///< stop after compiling: objects, images, text …
  DeviceLink,     ///< -dlink
};

struct Plan {
  Goal goal = Goal::Program;
  std::vector<CompileJob> compile;
  std::vector<std::string> objects;  ///< inputs of the link in order: given ones and the outputs of `compile`
  std::string output;                ///< of the link
  bool runs_program = false;
  bool is_relocatable = false;
};

/// `temporary` gives the path of an intermediate object for the n-th source. Fails on inputs or combinations that mean nothing.
Result<Plan> make_plan(const CommandLine &line, std::string (*temporary)(void *folder, const std::string &name), void *folder);

}  // namespace hel::cc
