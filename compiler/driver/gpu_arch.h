// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Architectures that the command line names, and the one that device code is compiled for. A CPU runs them all; what
// the choice decides is __CUDA_ARCH__ / __MUSA_ARCH__, which built-ins clang offers, and which NVIDIA GPUs the PTX is
// for.
#pragma once

#include "base/result.h"
#include "compiler/driver/options.h"

#include <string>
#include <vector>

namespace hel::cc {

struct DeviceArch {
  int number = 900;                  ///< __CUDA_ARCH__: ten times NN of sm_NN
  char variant = '\0';               ///< 'a': for this architecture alone; 'f': for its family
  std::string clang_cpu = "sm_90";   ///< what clang compiles for
  std::string ptx_target = "sm_90";  ///< the GPU that PTX is made for
  std::vector<int> listed = {900};   ///< __CUDA_ARCH_LIST__, ascending
  int musa_number = 310;             ///< __MUSA_ARCH__
  bool is_old = false;               ///< names one that CUDA 13 has dropped
  std::string old_name;
};

Result<DeviceArch> choose_arch(const CommandLine &line);

/// The lines of --list-gpu-arch (prefix "compute_") and --list-gpu-code ("sm_").
std::string list_archs(const char *prefix);

}  // namespace hel::cc
