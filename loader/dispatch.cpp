// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/dispatch.h"

#include "base/driver_result.h"
#include "base/log.h"

#include <mutex>

namespace hel::loader {
namespace {

struct Side {
  const char *name = nullptr;
  DriverTable table{};
  bool (*owns)(const void *) = nullptr;
  int first_device = 0;
  decltype(Driver::share_managed) share_managed = nullptr;
};

// Constant after start_dispatch().
Side sides[kMaxSides];
int count = 0;
int foreign = kAnySide;

/// Null, the legacy default stream and the per-thread one are nobody's.
bool is_nobodys(const void *handle) { return reinterpret_cast<uintptr_t>(handle) <= 2; }

}  // namespace

bool start_dispatch(const std::vector<Driver> &drivers, std::string *error) {
  int devices = 0;
  for (const Driver &driver : drivers) {
    if (count == kMaxSides || (count > 0 && driver.number_devices_from == nullptr)) {
      *error = format("HELICON_DRIVERS: the devices of '%s' cannot come after others", driver.name);
      return false;
    }
    Side &next = sides[count];
    next = {driver.name, driver.table(), driver.owns, devices, driver.share_managed};
    if (driver.owns == nullptr) {
      foreign = count;
    }
    if (devices > 0) {
      driver.number_devices_from(devices);
    }
    int own = 0;
    CUresult code = next.table.Init(0);
    code = code == CUDA_SUCCESS ? next.table.DeviceGetCount(&own) : code;
    HEL_LOG(loader, 1, "driver=%s devices=%d first=%d", driver.name, own, devices);
    devices += own;
    count++;
  }
  return true;
}

const DriverTable &dispatch_table() {
  static const DriverTable table = [] {
    DriverTable made = plain_dispatch_table();
    put_context_functions(made);
    put_code_functions(made);
    put_copy_functions(made);
    put_box_functions(made);
    put_graph_functions(made);
    return made;
  }();
  return table;
}

int side_count() { return count; }
const DriverTable &side(int at) { return sides[at].table; }
int foreign_side() { return foreign; }

Result<void> share_managed(int at, CUlibrary library, const char *name, CUdeviceptr storage) {
  if (sides[at].share_managed == nullptr) {
    return HEL_FAIL(CUDA_ERROR_NOT_SUPPORTED,
                    "the managed variable %s lives on the devices of another driver than '%s'", name, sides[at].name);
  }
  return sides[at].share_managed(library, name, storage);
}

int side_of_device(CUdevice device) {
  int at = count - 1;
  while (at > 0 && device < sides[at].first_device) {
    at--;
  }
  return at;
}

int side_of_pointer(const void *handle) {
  if (is_nobodys(handle) || is_joint(handle)) {
    return kAnySide;
  }
  for (int at = 0; at < count; at++) {
    if (sides[at].owns != nullptr && sides[at].owns(handle)) {
      return at;
    }
  }
  return foreign;
}

int side_of_address(CUdeviceptr address) {
  auto *pointer = reinterpret_cast<const void *>(address);
  for (int at = 0; at < count; at++) {
    if (sides[at].owns != nullptr && sides[at].owns(pointer)) {
      return at;
    }
  }
  if (foreign == kAnySide || current_side() == foreign || address == 0) {
    return kAnySide;
  }
  // Memory of the program's own, or of a GPU while a CPU's context is current.
  unsigned type = 0;
  CUresult code = side(foreign).PointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address);
  return code == CUDA_SUCCESS && type != 0 ? foreign : kAnySide;
}

int choose_side(std::initializer_list<int> candidates) {
  int chosen = kAnySide;
  for (int at : candidates) {
    if (at != kAnySide && chosen != kAnySide && at != chosen) {
      return kMixedSides;
    }
    chosen = at != kAnySide ? at : chosen;
  }
  return chosen != kAnySide ? chosen : current_side();
}

CUresult of_several_drivers(const char *function) {
  set_last_driver_message(std::string(function) + " was given objects of devices of different drivers");
  return CUDA_ERROR_INVALID_HANDLE;
}

void Visit::enter(int at) {
  CUcontext there = nullptr;
  if (side(at).CtxGetCurrent(&there) != CUDA_SUCCESS || there != nullptr) {
    return;
  }
  // Its first device's primary context serves: addresses are the same in all contexts of a side.
  if (side(at).DevicePrimaryCtxRetain(&there, sides[at].first_device) == CUDA_SUCCESS) {
    if (side(at).CtxPushCurrent(there) == CUDA_SUCCESS) {
      entered_ = at;
    } else {
      side(at).DevicePrimaryCtxRelease(sides[at].first_device);
    }
  }
}

void hold_context(int at) {
  static std::once_flag held[kMaxSides];
  std::call_once(held[at], [at] {
    CUcontext context = nullptr;
    side(at).DevicePrimaryCtxRetain(&context, sides[at].first_device);
  });
}

void Visit::leave() {
  CUcontext there = nullptr;
  side(entered_).CtxPopCurrent(&there);
  side(entered_).DevicePrimaryCtxRelease(sides[entered_].first_device);
}

}  // namespace hel::loader
