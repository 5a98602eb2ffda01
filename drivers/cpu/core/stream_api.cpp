// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: streams.
#include "drivers/cpu/core/capture_rules.h"
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/core/event.h"
#include "drivers/cpu/core/hint_checks.h"
#include "drivers/cpu/core/stream.h"
#include "drivers/cpu/graph/capture.h"
#include "drivers/cpu/memory/pool.h"
#include "drivers/cpu/memory/registry.h"
#include "helicon/gen/cpu_impl.h"

#include <algorithm>

namespace hel::cpu {
namespace {

/// cuLaunchHostFunc. Not called once the context has faulted.
class HostFunctionCommand : public Command {
public:
  HostFunctionCommand(Context &context, CUhostFn function, void *user)
      : Command(context), function_(function), user_(user) {}
  bool may_block() const override { return true; }
  const char *name() const override { return "host function"; }

protected:
  Progress run() override {
    in_host_function = true;
    function_(user_);
    in_host_function = false;
    return Progress::Done;
  }

private:
  const CUhostFn function_;
  void *const user_;
};

/// cuStreamAddCallback. Always called; gets the context's error.
class CallbackCommand : public Command {
public:
  CallbackCommand(Context &context, CUstream stream, CUstreamCallback callback, void *user)
      : Command(context), stream_(stream), callback_(callback), user_(user) {}
  bool may_block() const override { return true; }
  const char *name() const override { return "callback"; }

protected:
  Progress run() override {
    in_host_function = true;
    callback_(stream_, context().fault_code(), user_);
    in_host_function = false;
    return Progress::Done;
  }
  bool runs_after_fault() const override { return true; }

private:
  const CUstream stream_;
  const CUstreamCallback callback_;
  void *const user_;
};

/// Streams that programs may destroy, unlike the default ones.
Result<Ref<Stream>> find_user_stream(CUstream handle) {
  HEL_TRY(check_initialized());
  Ref<Stream> stream = HEL_TRY(find<Stream>(handle));
  if (stream->kind() != Stream::Kind::User) {
    return HEL_FAIL(CUDA_ERROR_INVALID_HANDLE, "a default stream cannot be destroyed");
  }
  return stream;
}

}  // namespace

Result<void> stream_create_with_priority(CUstream *phStream, unsigned int flags, int priority) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_out(phStream, "phStream"));
  HEL_TRY(check_flags(flags, CU_STREAM_NON_BLOCKING));
  priority = std::clamp(priority, kHighestPriority, kLowestPriority);
  Ref<Stream> stream = HEL_TRY(publish(new Stream(*context, Stream::Kind::User, flags, priority)));
  context->add_stream(*stream);
  *phStream = stream->handle();
  return {};
}

Result<void> stream_create(CUstream *phStream, unsigned int Flags) {
  return stream_create_with_priority(phStream, Flags, 0);
}

Result<void> stream_destroy(CUstream hStream) {
  Ref<Stream> stream = HEL_TRY(find_user_stream(hStream));
  destroy_stream(*stream);
  return {};
}

Result<void> stream_query(CUstream hStream) {
  const HeldStream stream = HEL_TRY(hold_stream(hStream, StreamUse::Wait));
  if (!stream->idle()) {
    return HEL_FAIL(CUDA_ERROR_NOT_READY, "the stream has unfinished work");
  }
  return stream->context().check();
}

Result<void> stream_synchronize(CUstream hStream) {
  Ref<Stream> stream = HEL_TRY(find_stream(hStream, StreamUse::Wait));
  stream->synchronize();
  trim_pools(stream->context().device());
  return stream->context().check();
}

Result<void> stream_wait_event(CUstream hStream, CUevent hEvent, unsigned int Flags) {
  HEL_TRY(check_flags(Flags, CU_EVENT_WAIT_EXTERNAL));
  Ref<Stream> stream = HEL_TRY(find_stream(hStream, StreamUse::Work));
  Ref<Event> event = HEL_TRY(find<Event>(hEvent));
  if (stream->captured() && Flags == CU_EVENT_WAIT_EXTERNAL) {
    return capture(*stream, WaitWork{event});
  }
  if (stream->captured() || (event->captured() && Flags != CU_EVENT_WAIT_EXTERNAL)) {
    return capture_wait(*stream, *event);
  }
  if (Flags == CU_EVENT_WAIT_EXTERNAL) {
    return HEL_FAIL(CUDA_ERROR_ILLEGAL_STATE, "an external wait is possible only while the stream is captured");
  }
  event->make_wait(*stream);
  return {};
}

Result<void> stream_add_callback(CUstream hStream, CUstreamCallback callback, void *userData, unsigned int flags) {
  HEL_TRY(check_flags(flags, 0));
  if (callback == nullptr) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "callback is null");
  }
  Ref<Stream> stream = HEL_TRY(find_stream(hStream, StreamUse::Work));
  if (stream->captured()) {
    return refuse_in_capture(*stream, "a callback");
  }
  stream->enqueue(CommandRef::adopt(new CallbackCommand(stream->context(), hStream, callback, userData)),
                  Command::Place::Worker);
  return {};
}

Result<void> launch_host_func(CUstream hStream, CUhostFn fn, void *userData) {
  if (fn == nullptr) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "fn is null");
  }
  Ref<Stream> stream = HEL_TRY(find_stream(hStream, StreamUse::Work));
  if (stream->captured()) {
    return capture(*stream, HostWork{fn, userData});
  }
  stream->enqueue(CommandRef::adopt(new HostFunctionCommand(stream->context(), fn, userData)), Command::Place::Worker);
  return {};
}

Result<void> stream_get_priority(CUstream hStream, int *priority) {
  Ref<Stream> stream = HEL_TRY(find_stream(hStream));
  HEL_TRY(check_out(priority, "priority"));
  *priority = stream->priority();
  return {};
}

Result<void> stream_get_flags(CUstream hStream, unsigned int *flags) {
  Ref<Stream> stream = HEL_TRY(find_stream(hStream));
  HEL_TRY(check_out(flags, "flags"));
  *flags = stream->flags();
  return {};
}

Result<void> stream_get_id(CUstream hStream, unsigned long long *streamId) {
  Ref<Stream> stream = HEL_TRY(find_stream(hStream));
  HEL_TRY(check_out(streamId, "streamId"));
  *streamId = stream->unique_id();
  return {};
}

Result<void> stream_get_device(CUstream hStream, CUdevice *device) {
  Ref<Stream> stream = HEL_TRY(find_stream(hStream));
  HEL_TRY(check_out(device, "device"));
  *device = stream->context().device().ordinal;
  return {};
}

Result<void> stream_get_ctx(CUstream hStream, CUcontext *pctx) {
  Ref<Stream> stream = HEL_TRY(find_stream(hStream));
  HEL_TRY(check_out(pctx, "pctx"));
  *pctx = stream->context().handle();
  return {};
}

Result<void> stream_get_ctx_v2(CUstream hStream, CUcontext *pCtx, CUgreenCtx *pGreenCtx) {
  Ref<Stream> stream = HEL_TRY(find_stream(hStream));
  HEL_TRY(check_out(pCtx, "pCtx"));
  *pCtx = stream->context().handle();
  if (pGreenCtx != nullptr) {
    *pGreenCtx = nullptr;
  }
  return {};
}

Result<void> stream_get_attribute(CUstream hStream, CUstreamAttrID attr, CUstreamAttrValue *value_out) {
  Ref<Stream> stream = HEL_TRY(find_stream(hStream));
  HEL_TRY(check_out(value_out, "value_out"));
  Lock lock(stream->attributes_mutex);
  switch (attr) {
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
      value_out->accessPolicyWindow = stream->access_window;
      return {};
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
      value_out->syncPolicy = stream->sync_policy;
      return {};
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
      value_out->priority = stream->priority();
      return {};
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
      value_out->memSyncDomain = stream->sync_domain;
      return {};
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
      value_out->memSyncDomainMap = stream->sync_domain_map;
      return {};
    default:
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "streams have no attribute %d", static_cast<int>(attr));
  }
}

Result<void> stream_set_attribute(CUstream hStream, CUstreamAttrID attr, const CUstreamAttrValue *value) {
  Ref<Stream> stream = HEL_TRY(find_stream(hStream));
  HEL_TRY(check_out(value, "value"));
  Lock lock(stream->attributes_mutex);
  switch (attr) {
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
      HEL_TRY(check_access_window(value->accessPolicyWindow));
      stream->access_window = value->accessPolicyWindow;
      return {};
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
      HEL_TRY(check_sync_policy(value->syncPolicy));
      stream->sync_policy = value->syncPolicy;
      return {};
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
      stream->set_priority(std::clamp(value->priority, kHighestPriority, kLowestPriority));
      return {};
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
      HEL_TRY(check_sync_domain(value->memSyncDomain));
      stream->sync_domain = value->memSyncDomain;
      return {};
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
      stream->sync_domain_map = value->memSyncDomainMap;
      return {};
    default:
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "streams have no attribute %d", static_cast<int>(attr));
  }
}

Result<void> stream_copy_attributes(CUstream dst, CUstream src) {
  Ref<Stream> to = HEL_TRY(find_stream(dst));
  Ref<Stream> from = HEL_TRY(find_stream(src));
  for (CUstreamAttrID id :
       {CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY,
        CU_LAUNCH_ATTRIBUTE_PRIORITY, CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN, CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP}) {
    CUstreamAttrValue value{};
    HEL_TRY(stream_get_attribute(src, id, &value));
    HEL_TRY(stream_set_attribute(dst, id, &value));
  }
  return {};
}

/// Managed memory is reachable by everybody all the time; attaching restricts nothing. The whole of an allocation is
/// attached, or a range of the program's own memory.
Result<void> stream_attach_mem_async(CUstream hStream, CUdeviceptr dptr, size_t length, unsigned int flags) {
  Ref<Stream> stream = HEL_TRY(find_stream(hStream, StreamUse::Work));
  if (stream->captured()) {
    return refuse_in_capture(*stream, "attaching memory");
  }
  if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST && flags != CU_MEM_ATTACH_SINGLE) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "flags 0x%x are invalid", flags);
  }
  if (flags == CU_MEM_ATTACH_SINGLE && stream->kind() != Stream::Kind::User) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "memory cannot be attached to a default stream alone");
  }
  const Allocation *allocation = find_allocation(dptr);
  const bool whole = allocation != nullptr && allocation->kind == MemoryKind::Managed && allocation->base == dptr &&
                     (length == 0 || length == allocation->bytes);
  const bool pageable = allocation == nullptr && dptr != 0 && length != 0 && !in_driver_range(dptr);
  if (!whole && !pageable) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%zu bytes at 0x%llx are no managed allocation and no pageable memory",
                    length, static_cast<unsigned long long>(dptr));
  }
  return {};
}

}  // namespace hel::cpu
