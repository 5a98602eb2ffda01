// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/context.h"

#include "base/driver_result.h"
#include "base/mutex.h"
#include "base/thread_value.h"
#include "loader/forked_child.h"
#include "loader/loader.h"
#include "runtime/core/modules.h"

#include <atomic>
#include <vector>

namespace hel::rt {
namespace {

constexpr int kNotChosen = -1;

/// What the runtime knows of one device's primary context.
struct Primary {
  Mutex mutex;
  CUcontext context HEL_GUARDED_BY(mutex) = nullptr;
  std::atomic<unsigned> resets{0};  ///< counts resets; threads compare it with the count they have bound
};

struct Process {
  CUresult init_code = CUDA_SUCCESS;
  const DriverTable *driver;
  int count = 0;
  std::vector<Primary> primaries;
  Mutex mutex;
  std::vector<int> default_devices HEL_GUARDED_BY(mutex);
  Process(const DriverTable &driver, int n) : driver(&driver), count(n), primaries(static_cast<size_t>(n)) {}
};

struct ThreadLocal {
  int device = kNotChosen;
  CUcontext bound = nullptr;  ///< the primary context that the runtime made current here
  int bound_device = 0;
  unsigned bound_resets = 0;
  bool end_is_noticed = false;  ///< end_of_thread exists
};
HEL_THREAD_LOCAL constinit ThreadLocal this_thread;

// exit() destroys the thread_local objects of its thread before it calls anything else: what is unregistered on that
// thread from then on is unregistered because the process ends.
thread_local bool thread_ended = false;
struct EndOfThread {
  ~EndOfThread() { thread_ended = true; }
  void arm() {}
};
thread_local EndOfThread end_of_thread;

Process &process() {
  static Process *const made = [] {
    const DriverTable &cu = loader::table();
    CUresult code = cu.Init(0);
    int count = 0;
    if (code == CUDA_SUCCESS) {
      code = cu.DeviceGetCount(&count);
    }
    auto *p = new Process(cu, count);
    p->init_code = code;
    return p;
  }();
  return *made;
}

Result<void> bind(const DriverTable &cu, int device) {
  CUcontext context = HEL_TRY(primary_context(device));
  HEL_TRY(check(cu.CtxSetCurrent(context)));
  this_thread.bound = context;
  this_thread.bound_device = device;
  this_thread.bound_resets = process().primaries[static_cast<size_t>(device)].resets.load(std::memory_order_acquire);
  return load_eager_modules();
}

Result<void> bind_default(const DriverTable &cu) {
  if (this_thread.device != kNotChosen) {
    return bind(cu, this_thread.device);
  }
  std::vector<int> candidates;
  {
    Lock lock(process().mutex);
    candidates = process().default_devices;
  }
  for (int device : candidates) {
    if (bind(cu, device)) {
      return {};
    }
  }
  HEL_TRY(check_device(0));
  return bind(cu, 0);
}

/// The current context is one that the runtime bound here and that has been reset since.
bool is_stale(CUcontext current) {
  return current == this_thread.bound &&
         process().primaries[static_cast<size_t>(this_thread.bound_device)].resets.load(std::memory_order_acquire) !=
             this_thread.bound_resets;
}

}  // namespace

Result<void> driver_failure(CUresult code) {
  return make_failure(code, FailureKind::Misuse, __FILE__, __LINE__, last_driver_message());
}

Result<void> check_alive(const DriverTable &cu) {
  const CUresult code = cu.MemFree(0);  // which frees nothing: a driver takes no notice of it, or says so
  return code == CUDA_ERROR_INVALID_VALUE ? Result<void>{} : check(code);
}

Result<const DriverTable *> driver() {
  if (loader::is_forked_child()) [[unlikely]] {
    return HEL_FAIL(cudaErrorInitializationError, "the process was forked from one that had started the driver");
  }
  Process &p = process();
  if (!this_thread.end_is_noticed) [[unlikely]] {
    end_of_thread.arm();
    this_thread.end_is_noticed = true;
  }
  if (p.init_code != CUDA_SUCCESS) {
    return HEL_FAIL(p.init_code, "the driver did not start");
  }
  return p.driver;
}

Result<const DriverTable *> bound_driver() {
  const DriverTable *cu = HEL_TRY(driver());
  CUcontext current = nullptr;
  HEL_TRY(check(cu->CtxGetCurrent(&current)));
  if (current == nullptr || is_stale(current)) [[unlikely]] {
    HEL_TRY(bind_default(*cu));
  }
  return cu;
}

Result<int> device_count() {
  HEL_TRY(driver());
  return process().count;
}

Result<void> check_device(int device) {
  int count = HEL_TRY(device_count());
  if (count == 0) {
    return HEL_FAIL(cudaErrorNoDevice, "no device is visible");
  }
  if (device < 0 || device >= count) {
    return HEL_FAIL(cudaErrorInvalidDevice, "device %d does not exist, there are %d", device, count);
  }
  return {};
}

Result<int> current_device() {
  const DriverTable *cu = HEL_TRY(driver());
  CUcontext current = nullptr;
  HEL_TRY(check(cu->CtxGetCurrent(&current)));
  if (current != nullptr && !is_stale(current)) {
    CUdevice device = 0;
    HEL_TRY(check(cu->CtxGetDevice(&device)));
    return static_cast<int>(device);
  }
  HEL_TRY(check_device(0));
  return this_thread.device == kNotChosen ? 0 : this_thread.device;
}

Result<CUcontext> primary_context(int device) {
  const DriverTable *cu = HEL_TRY(driver());
  HEL_TRY(check_device(device));
  Primary &primary = process().primaries[static_cast<size_t>(device)];
  Lock lock(primary.mutex);
  if (primary.context == nullptr) {
    HEL_TRY(check(cu->DevicePrimaryCtxRetain(&primary.context, device)));
  }
  return primary.context;
}

Result<void> choose_for_thread(int device) {
  const DriverTable *cu = HEL_TRY(driver());
  HEL_TRY(check_device(device));
  this_thread.device = device;
  return bind(*cu, device);
}

Result<void> set_default_devices(const int *devices, int count) {
  for (int i = 0; i < count; i++) {
    HEL_TRY(check_device(devices[i]));
  }
  Lock lock(process().mutex);
  process().default_devices.assign(devices, devices + count);
  return {};
}

Result<void> reset_current_device() {
  const DriverTable *cu = HEL_TRY(driver());
  int device = HEL_TRY(current_device());
  Primary &primary = process().primaries[static_cast<size_t>(device)];
  Lock lock(primary.mutex);
  if (primary.context == nullptr) {
    return {};
  }
  HEL_TRY(check(cu->DevicePrimaryCtxReset(device)));
  HEL_TRY(check(cu->DevicePrimaryCtxRelease(device)));
  primary.context = nullptr;
  primary.resets.fetch_add(1, std::memory_order_release);
  if (this_thread.bound_device == device) {
    HEL_TRY(check(cu->CtxSetCurrent(nullptr)));
    this_thread.bound = nullptr;
  }
  return {};
}

bool process_exits() { return thread_ended; }

}  // namespace hel::rt
