// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/layers.h"

#include "base/log.h"
#include "base/platform_variable.h"
#include "loader/forked_child.h"
#include "loader/proc_address.h"

namespace hel::loader {
namespace {

const DriverTable *below_init;

CUresult init(unsigned flags) {
  const CUresult code = below_init->Init(flags);
  if (code == CUDA_SUCCESS) {
    watch_forks();
  }
  return code;
}

// The blocking layer (CUDA_LAUNCH_BLOCKING, MUSA_LAUNCH_BLOCKING): every launch waits for its kernel and returns what
// went wrong in it.

const DriverTable *below_blocking;

CUresult wait_for(CUresult launched, CUstream stream) {
  return launched != CUDA_SUCCESS ? launched : below_blocking->StreamSynchronize(stream);
}

CUresult launch_and_wait(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                         unsigned shared, CUstream stream, void **params, void **extra) {
  return wait_for(below_blocking->LaunchKernel(f, gx, gy, gz, bx, by, bz, shared, stream, params, extra), stream);
}

CUresult launch_cooperative_and_wait(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                     unsigned bz, unsigned shared, CUstream stream, void **params) {
  return wait_for(below_blocking->LaunchCooperativeKernel(f, gx, gy, gz, bx, by, bz, shared, stream, params), stream);
}

CUresult launch_ex_and_wait(const CUlaunchConfig *config, CUfunction f, void **params, void **extra) {
  CUresult launched = below_blocking->LaunchKernelEx(config, f, params, extra);
  return config == nullptr ? launched : wait_for(launched, config->hStream);
}

}  // namespace

const DriverTable &with_layers(const DriverTable &driver) {
  static DriverTable layered = driver;
  below_init = &driver;
  layered.Init = init;
  layered.GetProcAddress = get_proc_address;
  layered.GetProcAddress_v1 = get_proc_address_v1;
  if (is_on(PlatformVariable::LaunchBlocking)) {
    HEL_LOG(loader, 1, "layer=blocking");
    below_blocking = &driver;
    layered.LaunchKernel = launch_and_wait;
    layered.LaunchCooperativeKernel = launch_cooperative_and_wait;
    layered.LaunchKernelEx = launch_ex_and_wait;
  }
  return layered;
}

}  // namespace hel::loader
