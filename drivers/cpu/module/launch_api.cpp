// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: kernel launches.
#include "base/log.h"
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/core/event.h"
#include "drivers/cpu/core/stream.h"
#include "drivers/cpu/exec/launch.h"
#include "drivers/cpu/module/launch_config.h"
#include "helicon/gen/cpu_impl.h"

#include <algorithm>

namespace hel::cpu {
namespace {

class LaunchCommand : public Command {
public:
  LaunchCommand(Context &context, const Function &function, const LaunchConfig &config, std::vector<uint8_t> params,
                int priority)
      : Command(context) {
    const abi::KernelInfo &info = function.info();
    launch_.state.grid = config.grid;
    launch_.state.block = config.block;
    launch_.state.cluster = config.cluster;
    launch_.state.static_shared_bytes = info.static_shared_bytes;
    launch_.state.dynamic_shared_bytes = config.dynamic_shared;
    launch_.state.cooperative = config.cooperative;
    launch_.state.kernel = &info;
    launch_.params = std::move(params);
    launch_.kernel_name = info.name;
    launch_.language = function.module().image().language();
    launch_.stack_bytes = std::max<size_t>(context.limit(CU_LIMIT_STACK_SIZE), info.local_bytes);
    launch_.printf_bytes = context.limit(CU_LIMIT_PRINTF_FIFO_SIZE);
    launch_.heap = &context.heap();
    launch_.image = function.module().image().dl_handle();
    launch_.priority = priority;
  }
  const char *name() const override { return "launch"; }

protected:
  Progress run() override {
    launch_.owner = owner();
    exec::start_grid(&launch_, finished, CommandRef(this).leak());
    return Progress::Later;
  }

private:
  static void finished(void *user, std::unique_ptr<exec::FaultReport> fault) {
    CommandRef self = CommandRef::adopt(static_cast<Command *>(user));
    if (fault != nullptr) {
      self->context().set_fault(static_cast<CUresult>(fault->code), std::move(fault->text));
    }
    self->complete();
  }

  exec::GridLaunch launch_;
};

Result<void> launch(CUfunction handle, LaunchConfig config, CUstream stream_handle, void **params, void **extra) {
  Ref<Stream> stream = HEL_TRY(find_stream(stream_handle));
  Ref<Function> function = HEL_TRY(find_function(handle));
  Context &context = stream->context();
  if (&function->module().context() != &context) {
    return HEL_FAIL(CUDA_ERROR_INVALID_HANDLE, "the function and the stream belong to different contexts");
  }
  HEL_TRY(check_config(*function, config));
  std::vector<uint8_t> buffer = HEL_TRY(pack_params(function->info(), params, extra));
  Ref<Event> event;
  if (config.event_after != nullptr) {
    event = HEL_TRY(find<Event>(config.event_after));
  }
  HEL_LOG(launch, 1, "kernel=%s grid=%u,%u,%u block=%u,%u,%u shared=%u", function->info().name, config.grid.x,
          config.grid.y, config.grid.z, config.block.x, config.block.y, config.block.z, config.dynamic_shared);
  const int priority =
      config.has_priority ? std::clamp(config.priority, kHighestPriority, kLowestPriority) : stream->priority();
  CommandRef command(new LaunchCommand(context, *function, config, std::move(buffer), priority));
  stream->enqueue(command, Command::Place::Caller);
  if (event) {
    event->record(*stream);
  }
  if (launch_blocking()) {
    command->wait();
    return context.check();
  }
  return {};
}

LaunchConfig plain(unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared) {
  LaunchConfig config;
  config.grid = {gx, gy, gz};
  config.block = {bx, by, bz};
  config.dynamic_shared = shared;
  return config;
}

}  // namespace

Result<void> launch_kernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                           unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
                           unsigned int sharedMemBytes, CUstream hStream, void **kernelParams, void **extra) {
  return launch(f, plain(gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes), hStream,
                kernelParams, extra);
}

Result<void> launch_kernel_ex(const CUlaunchConfig *config, CUfunction f, void **kernelParams, void **extra) {
  HEL_TRY(check_out(config, "config"));
  return launch(f, HEL_TRY(read_config(*config)), config->hStream, kernelParams, extra);
}

Result<void> launch_cooperative_kernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                                       unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                                       unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream,
                                       void **kernelParams) {
  LaunchConfig config = plain(gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes);
  config.cooperative = true;
  return launch(f, config, hStream, kernelParams, nullptr);
}

}  // namespace hel::cpu
