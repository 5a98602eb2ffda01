// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One source file to one output, in this process.
#pragma once

#include "compiler/driver/clang_arguments.h"
#include "compiler/driver/steps.h"

namespace hel::cc {

/// What is made of a source.
enum class Product {
  Object,
  Image,         ///< -cubin, -fatbin
  Ptx,
  SimtIr,
  Text,          ///< -E, -M: whatever clang prints
  Nothing,       ///< -fsyntax-only: both passes are checked
  DeviceCheck,   ///< -fdevice-syntax-only
};

struct CompileJob {
  Source source;
  Product product = Product::Object;
  std::string output;         ///< empty: standard output (Text only)
  bool is_temporary = false;  ///< the output goes away after the link
  std::string keep;           ///< prefix of the intermediate files to keep, or empty
};

Result<void> run_compile_job(const CompileSettings &settings, const CompileJob &job, Steps *steps);

}  // namespace hel::cc
