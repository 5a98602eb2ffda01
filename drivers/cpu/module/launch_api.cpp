// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: kernel launches.
#include "base/log.h"
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/core/event.h"
#include "drivers/cpu/core/stream.h"
#include "drivers/cpu/exec/launch.h"
#include "drivers/cpu/graph/capture.h"
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
    describe_launch(launch_, context, function, config, std::move(params));
    launch_.priority = priority;
  }
  const char *name() const override { return "launch"; }

protected:
  Progress run() override {
    launch_.owner = owner();
    exec::start_grid(&launch_, finished, CommandRef(*this).leak());
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

/// Adds a kernel node to the graph that captures the stream.
Result<void> capture_launch(Stream &stream, CUfunction handle, const Ref<Function> &function,
                            const CUlaunchConfig &launch, std::vector<uint8_t> params) {
  Work work = HEL_TRY(make_kernel_work(handle, function, launch, std::move(params)));
  const bool programmatic = std::get<KernelWork>(work).config.programmatic;
  HEL_TRY(capture(stream, std::move(work), programmatic));
  const LaunchConfig config = HEL_TRY(read_config(launch));
  for (CUevent after : config.events_after) {
    if (after != nullptr) {
      HEL_TRY(capture_record(stream, *HEL_TRY(find<Event>(after))));
    }
  }
  return {};
}

Result<void> launch(CUfunction handle, const CUlaunchConfig &given, void **params, void **extra) {
  LaunchConfig config = HEL_TRY(read_config(given));
  Ref<Stream> stream = HEL_TRY(find_stream(given.hStream, StreamUse::Work));
  Ref<Function> function = HEL_TRY(find_function(handle));
  Context &context = stream->context();
  if (&function->module().context() != &context) {
    return HEL_FAIL(CUDA_ERROR_INVALID_HANDLE, "the function and the stream belong to different contexts");
  }
  HEL_TRY(check_config(*function, config));
  std::vector<uint8_t> buffer = HEL_TRY(pack_params(function->info(), params, extra));
  if (stream->captured()) [[unlikely]] {
    return capture_launch(*stream, handle, function, given, std::move(buffer));
  }
  Ref<Event> events[2];
  for (int i = 0; i < 2; i++) {
    if (config.events_after[i] != nullptr) {
      events[i] = HEL_TRY(find<Event>(config.events_after[i]));
    }
  }
  HEL_LOG(launch, 1, "kernel=%s grid=%u,%u,%u block=%u,%u,%u shared=%u", function->info().name, config.grid.x,
          config.grid.y, config.grid.z, config.block.x, config.block.y, config.block.z, config.dynamic_shared);
  const int priority =
      config.has_priority ? std::clamp(config.priority, kHighestPriority, kLowestPriority) : stream->priority();
  CommandRef command = CommandRef::adopt(new LaunchCommand(context, *function, config, std::move(buffer), priority));
  stream->enqueue(command, Command::Place::Caller);
  for (const Ref<Event> &event : events) {
    if (event) {
      event->record(*stream);
    }
  }
  if (launch_blocking()) {
    command->wait();
    return context.check();
  }
  return {};
}

CUlaunchConfig plain(unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                     CUstream stream) {
  return {gx, gy, gz, bx, by, bz, shared, stream, nullptr, 0};
}

}  // namespace

Result<void> launch_kernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                           unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
                           unsigned int sharedMemBytes, CUstream hStream, void **kernelParams, void **extra) {
  return launch(f, plain(gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, hStream),
                kernelParams, extra);
}

Result<void> launch_kernel_ex(const CUlaunchConfig *config, CUfunction f, void **kernelParams, void **extra) {
  HEL_TRY(check_out(config, "config"));
  return launch(f, *config, kernelParams, extra);
}

Result<void> launch_cooperative_kernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                                       unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                                       unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream,
                                       void **kernelParams) {
  CUlaunchAttribute cooperative{};
  cooperative.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  cooperative.value.cooperative = 1;
  CUlaunchConfig config = plain(gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, hStream);
  config.attrs = &cooperative;
  config.numAttrs = 1;
  return launch(f, config, kernelParams, nullptr);
}

}  // namespace hel::cpu
