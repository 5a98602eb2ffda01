// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: the primary context of a device. Its handle stays the same; retain, release and reset switch it on and
// off.
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/context.h"
#include "drivers/cpu/core/device.h"
#include "helicon/gen/cpu_impl.h"

namespace hel::cpu {

Result<void> device_primary_ctx_retain(CUcontext *pctx, CUdevice dev) {
  Device *device = HEL_TRY(find_device(dev));
  HEL_TRY(check_out(pctx, "pctx"));
  Lock lock(device->primary_mutex);
  if (!device->primary) {
    device->primary = HEL_TRY(publish(new Context(*device, 0, true)));
    device->primary->activate();
    device->primary->set_flags(device->primary_flags);
  } else if (!device->primary->active()) {
    device->primary->set_flags(device->primary_flags);
    device->primary->activate();
  }
  device->primary_users++;
  *pctx = device->primary->handle();
  return {};
}

Result<void> device_primary_ctx_release(CUdevice dev) {
  Device *device = HEL_TRY(find_device(dev));
  Lock lock(device->primary_mutex);
  if (device->primary_users == 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_CONTEXT, "the primary context of device %d is not retained", dev);
  }
  if (--device->primary_users == 0 && device->primary->active()) {
    device->primary->close();
  }
  return {};
}

Result<void> device_primary_ctx_set_flags(CUdevice dev, unsigned int flags) {
  Device *device = HEL_TRY(find_device(dev));
  HEL_TRY(check_context_flags(flags));
  Lock lock(device->primary_mutex);
  device->primary_flags = flags;
  if (device->primary && device->primary->active()) {
    device->primary->set_flags(flags);
  }
  return {};
}

Result<void> device_primary_ctx_get_state(CUdevice dev, unsigned int *flags, int *active) {
  Device *device = HEL_TRY(find_device(dev));
  HEL_TRY(check_out(flags, "flags"));
  HEL_TRY(check_out(active, "active"));
  Lock lock(device->primary_mutex);
  *flags = device->primary_flags;
  *active = device->primary && device->primary->active();
  return {};
}

Result<void> device_primary_ctx_reset(CUdevice dev) {
  Device *device = HEL_TRY(find_device(dev));
  Lock lock(device->primary_mutex);
  if (device->primary && device->primary->active()) {
    device->primary->close();
  }
  device->primary_flags = 0;
  return {};
}

}  // namespace hel::cpu
