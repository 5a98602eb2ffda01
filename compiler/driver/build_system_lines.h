// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What build systems read in the output of -v and --dryrun: CMake finds the toolkit, its headers and libraries, the default
// architecture and a way to link with the host compiler there (CMakeDetermineCUDACompiler, FindCUDAToolkit).
#pragma once

#include "compiler/driver/compile_job.h"

namespace hel::cc {

/// Lines NAME=value about the toolkit. Printed before anything can fail: CMake asks with an input that does not exist.
void print_toolkit_lines(const CommandLine &line, const Toolkit &toolkit);

/// The link of `objects` as the host compiler would do it; mcc's own is not made of commands.
void print_link_line(const CompileSettings &settings, const std::vector<std::string> &objects, const std::string &output);

}  // namespace hel::cc
