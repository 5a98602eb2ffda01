// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From mcc's command line to the arguments of clang's driver, for each pass over a source file and for the link.
#pragma once

#include "compiler/driver/gpu_arch.h"
#include "compiler/driver/options.h"
#include "compiler/driver/toolchain.h"

#include <string>
#include <vector>

namespace hel::cc {

enum class SourceLanguage { Cuda, Musa, Cxx, C };

struct Source {
  std::string path;
  SourceLanguage language = SourceLanguage::Cuda;
  std::string unit_id;  ///< hex; ties the device symbols of the two passes together
};

inline bool has_device_code(const Source &source) {
  return source.language == SourceLanguage::Cuda || source.language == SourceLanguage::Musa;
}

/// What the whole command line decides once.
struct CompileSettings {
  const CommandLine &line;
  const Toolkit &toolkit;
  DeviceArch arch;
  std::string cccl;  ///< the folder of thrust, cub and libcu++; empty: none
  bool relocatable = false;
};

/// Whether stream 0 is the thread's own: by option, or by the macro that the headers look at.
bool has_per_thread_stream(const CommandLine &line);

/// The compiler's own macros that in MUSA code only CCCL sees. What the command line defines too, all files see.
std::vector<std::string> macros_of_cuda_code(const CompileSettings &settings);

/// The device pass: nvptx64, the module is taken as clang made it.
std::vector<std::string> device_arguments(const CompileSettings &settings, const Source &source);

/// The host pass, or the only pass of a plain source. Writes the dependencies too, if wanted.
std::vector<std::string> host_arguments(const CompileSettings &settings, const Source &source);

/// The link of `objects` (in order) into `output`.
std::vector<std::string> link_arguments(const CompileSettings &settings, const std::vector<std::string> &objects,
                                        const std::string &output);

}  // namespace hel::cc
