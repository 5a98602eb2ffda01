// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices and current contexts over several drivers. Each driver keeps its own stack of contexts for a thread; here stands
// whose turn it is: the side of each entry of the whole stack, from the bottom up.
#include "loader/dispatch.h"

#include <vector>

namespace hel::loader {
namespace {

std::vector<int> &stack() {
  thread_local std::vector<int> sides;
  return sides;
}
thread_local int top = 0;  // the side of the last entry; 0 without any

void push(int at) {
  stack().push_back(at);
  top = at;
}

void pop() {
  if (!stack().empty()) {
    stack().pop_back();
  }
  top = stack().empty() ? 0 : stack().back();
}

CUresult init(unsigned flags) {
  for (int at = 0; at < side_count(); at++) {
    CUresult code = side(at).Init(flags);
    if (code != CUDA_SUCCESS) {
      return code;
    }
  }
  return CUDA_SUCCESS;
}

CUresult device_get_count(int *count) {
  if (count == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  int all = 0;
  for (int at = 0; at < side_count(); at++) {
    int own = 0;
    CUresult code = side(at).DeviceGetCount(&own);
    if (code != CUDA_SUCCESS) {
      return code;
    }
    all += own;
  }
  *count = all;
  return CUDA_SUCCESS;
}

CUresult device_get(CUdevice *device, int ordinal) { return side(side_of_device(ordinal)).DeviceGet(device, ordinal); }

CUresult device_get_by_bus_id(CUdevice *device, const char *id) {
  CUresult code = CUDA_ERROR_INVALID_DEVICE;
  for (int at = 0; at < side_count() && code != CUDA_SUCCESS; at++) {
    code = side(at).DeviceGetByPCIBusId(device, id);
  }
  return code;
}

CUresult can_access_peer(int *can, CUdevice device, CUdevice peer) {
  int at = side_of_device(device);
  if (can != nullptr && at != side_of_device(peer)) {
    *can = 0;
    return CUDA_SUCCESS;
  }
  return side(at).DeviceCanAccessPeer(can, device, peer);
}

CUresult get_current(CUcontext *context) {
  if (stack().empty() && context != nullptr) {
    *context = nullptr;
    return CUDA_SUCCESS;
  }
  return side(top).CtxGetCurrent(context);
}

CUresult push_current(CUcontext context) {
  int at = choose_side({side_of_handle(context)});
  CUresult code = side(at).CtxPushCurrent(context);
  if (code == CUDA_SUCCESS) {
    push(at);
  }
  return code;
}

CUresult pop_current(CUcontext *context) {
  CUresult code = side(top).CtxPopCurrent(context);
  if (code == CUDA_SUCCESS) {
    pop();
  }
  return code;
}

/// Replaces the top of the stack, or pushes onto an empty one; null pops.
CUresult set_current(CUcontext context) {
  if (context == nullptr) {
    if (stack().empty()) {
      return CUDA_SUCCESS;
    }
    CUresult code = side(top).CtxSetCurrent(nullptr);
    if (code == CUDA_SUCCESS) {
      pop();
    }
    return code;
  }
  int at = choose_side({side_of_handle(context)});
  if (!stack().empty() && at == top) {
    return side(at).CtxSetCurrent(context);
  }
  CUresult code = side(at).CtxPushCurrent(context);
  if (code != CUDA_SUCCESS) {
    return code;
  }
  if (!stack().empty()) {
    side(top).CtxSetCurrent(nullptr);
    pop();
  }
  push(at);
  return CUDA_SUCCESS;
}

CUresult create(CUcontext *context, CUctxCreateParams *params, unsigned flags, CUdevice device) {
  int at = side_of_device(device);
  CUresult code = side(at).CtxCreate(context, params, flags, device);
  if (code == CUDA_SUCCESS) {
    push(at);
  }
  return code;
}

CUresult create_v2(CUcontext *context, unsigned flags, CUdevice device) {
  int at = side_of_device(device);
  CUresult code = side(at).CtxCreate_v2(context, flags, device);
  if (code == CUDA_SUCCESS) {
    push(at);
  }
  return code;
}

CUresult create_v3(CUcontext *context, CUexecAffinityParam *params, int count, unsigned flags, CUdevice device) {
  int at = side_of_device(device);
  CUresult code = side(at).CtxCreate_v3(context, params, count, flags, device);
  if (code == CUDA_SUCCESS) {
    push(at);
  }
  return code;
}

CUresult destroy(CUcontext context) {
  CUcontext current = nullptr;
  get_current(&current);
  int at = choose_side({side_of_handle(context)});
  CUresult code = side(at).CtxDestroy(context);
  if (code == CUDA_SUCCESS && context == current && !stack().empty()) {
    pop();
  }
  return code;
}

/// A stream of one side waits for an event of another: the host waits for it.
CUresult stream_wait_event(CUstream stream, CUevent event, unsigned flags) {
  int of_event = side_of_handle(event);
  int of_stream = choose_side({side_of_handle(stream)});
  if (of_event == kAnySide || of_event == of_stream) {
    const Visit visit(of_stream);
    return side(of_stream).StreamWaitEvent(stream, event, flags);
  }
  return side(of_event).EventSynchronize(event);
}

}  // namespace

int current_side() { return top; }

void put_context_functions(DriverTable &table) {
  table.Init = init;
  table.DeviceGetCount = device_get_count;
  table.DeviceGet = device_get;
  table.DeviceGetByPCIBusId = device_get_by_bus_id;
  table.DeviceCanAccessPeer = can_access_peer;
  table.CtxGetCurrent = get_current;
  table.CtxPushCurrent = push_current;
  table.CtxPopCurrent = pop_current;
  table.CtxSetCurrent = set_current;
  table.CtxCreate = create;
  table.CtxCreate_v2 = create_v2;
  table.CtxCreate_v3 = create_v3;
  table.CtxDestroy = destroy;
  table.StreamWaitEvent = stream_wait_event;
}

}  // namespace hel::loader
