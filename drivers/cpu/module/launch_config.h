// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch asks for, in one form for all launch functions, and the checks that come before anything runs.
#pragma once

#include "abi/thread.h"
#include "base/result.h"
#include "drivers/cpu/exec/launch.h"
#include "drivers/cpu/module/function.h"

#include <cuda.h>

#include <vector>

namespace hel::cpu {

struct LaunchConfig {
  abi::Dim3 grid{};
  abi::Dim3 block{};
  abi::Dim3 cluster{};  ///< zeros: not given
  unsigned dynamic_shared = 0;
  bool cooperative = false;
  int priority = 0;
  bool has_priority = false;
  bool programmatic = false;     ///< may begin before earlier kernels of the stream have ended
  CUevent events_after[2] = {};  ///< recorded once the kernel has ended; null: none
};

/// Reads the attributes of cuLaunchKernelEx; one that is unknown, or has no effect that we can give it, is refused.
Result<LaunchConfig> read_config(const CUlaunchConfig &config);
/// Completes the cluster dimensions and checks everything against the kernel and the device.
Result<void> check_config(const Function &function, LaunchConfig &config);
/// The parameter buffer from kernelParams or extra.
Result<std::vector<uint8_t>> pack_params(const abi::KernelInfo &info, void **params, void **extra);

/// What the engines are told. The grid runs in the context of `function`.
void describe_launch(exec::GridLaunch &launch, Context &context, const Function &function, const LaunchConfig &config,
                     std::vector<uint8_t> params);

}  // namespace hel::cpu
