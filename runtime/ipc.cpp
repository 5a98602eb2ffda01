// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory and events of other processes.
#include "helicon/gen/runtime_impl.h"
#include "runtime/core/context.h"
#include "runtime/core/convert.h"

#include <cstring>

namespace hel::rt {
namespace {

/// The two APIs' handles are the same bytes.
template <typename To, typename From> To same_bytes(const From &from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

}  // namespace

Result<void> ipc_get_event_handle(cudaIpcEventHandle_t *handle, cudaEvent_t event) {
  return check(HEL_TRY(bound_driver())->IpcGetEventHandle(reinterpret_cast<CUipcEventHandle *>(handle), event));
}

Result<void> ipc_open_event_handle(cudaEvent_t *event, cudaIpcEventHandle_t handle) {
  return check(HEL_TRY(bound_driver())->IpcOpenEventHandle(event, same_bytes<CUipcEventHandle>(handle)));
}

Result<void> ipc_get_mem_handle(cudaIpcMemHandle_t *handle, void *devPtr) {
  return check(
      HEL_TRY(bound_driver())->IpcGetMemHandle(reinterpret_cast<CUipcMemHandle *>(handle), device_pointer(devPtr)));
}

Result<void> ipc_open_mem_handle(void **devPtr, cudaIpcMemHandle_t handle, unsigned int flags) {
  return check(
      HEL_TRY(bound_driver())->IpcOpenMemHandle(driver_out(devPtr), same_bytes<CUipcMemHandle>(handle), flags));
}

Result<void> ipc_close_mem_handle(void *devPtr) {
  return check(HEL_TRY(bound_driver())->IpcCloseMemHandle(device_pointer(devPtr)));
}

}  // namespace hel::rt
