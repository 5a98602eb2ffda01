// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: contexts, their stack, limits and peer access.
#include "drivers/cpu/core/capture_rules.h"
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/context.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/core/event.h"
#include "drivers/cpu/core/stream.h"
#include "drivers/cpu/memory/pool.h"
#include "helicon/gen/cpu_impl.h"

#include <bit>

namespace hel::cpu {
namespace {

constexpr unsigned kContextFlags = CU_CTX_SCHED_MASK | CU_CTX_MAP_HOST | CU_CTX_LMEM_RESIZE_TO_MAX |
                                   CU_CTX_COREDUMP_ENABLE | CU_CTX_USER_COREDUMP_ENABLE | CU_CTX_SYNC_MEMOPS;

/// The context meant by a handle that may be null for the current one.
Result<Ref<Context>> context_or_current(CUcontext handle) {
  if (handle != nullptr) {
    return find_context(handle);
  }
  Context *context = HEL_TRY(current_context());
  return Ref<Context>(*context);
}

/// As on devices of compute capability 9.0: 512 KiB of local memory a thread.
constexpr size_t kMaxStackBytes = 512 << 10;

Result<void> check_limit(CUlimit limit) {
  switch (limit) {
    case CU_LIMIT_STACK_SIZE:
    case CU_LIMIT_PRINTF_FIFO_SIZE:
    case CU_LIMIT_MALLOC_HEAP_SIZE:
    case CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT:
    case CU_LIMIT_MAX_L2_FETCH_GRANULARITY:
    case CU_LIMIT_PERSISTING_L2_CACHE_SIZE:
      return {};
    case CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH:
    case CU_LIMIT_SHMEM_SIZE:
    case CU_LIMIT_CIG_ENABLED:
    case CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED:
      return HEL_FAIL(CUDA_ERROR_UNSUPPORTED_LIMIT, "limit %d has no meaning on this device", static_cast<int>(limit));
    default:
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no limit has the number %d", static_cast<int>(limit));
  }
}

}  // namespace

Result<void> check_context_flags(unsigned flags) {
  HEL_TRY(check_flags(flags, kContextFlags));
  if (std::popcount(flags & CU_CTX_SCHED_MASK) > 1) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "flags 0x%x ask for more than one kind of waiting", flags);
  }
  return {};
}

Result<void> ctx_create(CUcontext *pctx, CUctxCreateParams *ctxCreateParams, unsigned int flags, CUdevice dev) {
  Device *device = HEL_TRY(find_device(dev));
  HEL_TRY(check_out(pctx, "pctx"));
  HEL_TRY(check_context_flags(flags));
  if (ctxCreateParams != nullptr &&
      (ctxCreateParams->numExecAffinityParams != 0 || ctxCreateParams->cigParams != nullptr)) {
    return HEL_FAIL_KIND(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, Unsupported, "execution affinity is not supported");
  }
  Ref<Context> context = HEL_TRY(publish(new Context(*device, flags | CU_CTX_MAP_HOST, false)));
  context->activate();
  push_current_context(context);
  *pctx = context->handle();
  return {};
}

Result<void> ctx_create_v2(CUcontext *pctx, unsigned int flags, CUdevice dev) {
  return ctx_create(pctx, nullptr, flags, dev);
}

Result<void> ctx_create_v3(CUcontext *pctx, CUexecAffinityParam *paramsArray, int numParams, unsigned int flags,
                           CUdevice dev) {
  CUctxCreateParams params{};
  params.execAffinityParams = paramsArray;
  params.numExecAffinityParams = numParams;
  return ctx_create(pctx, &params, flags, dev);
}

Result<void> ctx_destroy(CUcontext ctx) {
  HEL_TRY(check_initialized());
  Ref<Context> context = HEL_TRY(find<Context>(ctx));
  if (context->primary()) {
    return HEL_FAIL(CUDA_ERROR_INVALID_CONTEXT, "a primary context is not destroyed, it is released");
  }
  HEL_TRY(retire<Context>(ctx));
  if (Ref<Context> current = current_context_or_null(); current.get() == context.get()) {
    pop_current_context();
  }
  context->close();
  return {};
}

Result<void> ctx_push_current(CUcontext ctx) {
  HEL_TRY(check_initialized());
  push_current_context(HEL_TRY(find<Context>(ctx)));
  return {};
}

Result<void> ctx_pop_current(CUcontext *pctx) {
  HEL_TRY(check_initialized());
  Ref<Context> context = pop_current_context();
  if (!context) {
    return HEL_FAIL(CUDA_ERROR_INVALID_CONTEXT, "no context is current to this thread");
  }
  if (pctx != nullptr) {
    *pctx = context->handle();
  }
  return {};
}

Result<void> ctx_set_current(CUcontext ctx) {
  HEL_TRY(check_initialized());
  Ref<Context> context;
  if (ctx != nullptr) {
    context = HEL_TRY(find<Context>(ctx));
  }
  set_current_context(std::move(context));
  return {};
}

Result<void> ctx_get_current(CUcontext *pctx) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(pctx, "pctx"));
  *pctx = current_context_handle();
  return {};
}

Result<void> ctx_get_device(CUdevice *device) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(device, "device"));
  Ref<Context> context = current_context_or_null();
  if (!context) {
    return HEL_FAIL(CUDA_ERROR_INVALID_CONTEXT, "no context is current to this thread");
  }
  *device = context->device().ordinal;
  return {};
}

Result<void> ctx_get_device_v2(CUdevice *device, CUcontext ctx) {
  HEL_TRY(check_out(device, "device"));
  Ref<Context> context = HEL_TRY(context_or_current(ctx));
  *device = context->device().ordinal;
  return {};
}

Result<void> ctx_get_flags(unsigned int *flags) {
  HEL_TRY(check_out(flags, "flags"));
  Context *context = HEL_TRY(current_context());
  *flags = context->flags();
  return {};
}

Result<void> ctx_set_flags(unsigned int flags) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_context_flags(flags));
  context->set_flags(flags | CU_CTX_MAP_HOST);
  return {};
}

Result<void> ctx_get_id(CUcontext ctx, unsigned long long *ctxId) {
  HEL_TRY(check_out(ctxId, "ctxId"));
  Ref<Context> context = HEL_TRY(context_or_current(ctx));
  *ctxId = context->unique_id();
  return {};
}

Result<void> ctx_synchronize() {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_no_captured_stream(*context));
  context->synchronize();
  trim_pools(context->device());
  return context->check();
}

Result<void> ctx_synchronize_v2(CUcontext ctx) {
  Ref<Context> context = HEL_TRY(context_or_current(ctx));
  HEL_TRY(check_no_captured_stream(*context));
  context->synchronize();
  trim_pools(context->device());
  return context->check();
}

Result<void> ctx_set_limit(CUlimit limit, size_t value) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_limit(limit));
  switch (limit) {
    case CU_LIMIT_MALLOC_HEAP_SIZE:
      HEL_TRY(context->set_heap_limit(value));
      break;
    case CU_LIMIT_STACK_SIZE:
      if (value > kMaxStackBytes) {
        return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "a stack of %zu bytes a thread is more than %zu", value,
                        kMaxStackBytes);
      }
      break;
    case CU_LIMIT_MAX_L2_FETCH_GRANULARITY:
      if (value > 128) {
        return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "a granularity of %zu is more than 128", value);
      }
      break;
    case CU_LIMIT_PERSISTING_L2_CACHE_SIZE:
      value = 0;  // the device has none to set aside
      break;
    default:
      break;
  }
  context->set_limit(limit, value);
  return {};
}

Result<void> ctx_get_limit(size_t *pvalue, CUlimit limit) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_out(pvalue, "pvalue"));
  HEL_TRY(check_limit(limit));
  *pvalue = context->limit(limit);
  return {};
}

Result<void> ctx_get_cache_config(CUfunc_cache *pconfig) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_out(pconfig, "pconfig"));
  *pconfig = context->cache_config;
  return {};
}

Result<void> ctx_set_cache_config(CUfunc_cache config) {
  Context *context = HEL_TRY(current_context());
  if (config < CU_FUNC_CACHE_PREFER_NONE || config > CU_FUNC_CACHE_PREFER_EQUAL) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no cache configuration has the number %d", static_cast<int>(config));
  }
  context->cache_config = config;
  return {};
}

Result<void> ctx_get_shared_mem_config(CUsharedconfig *pConfig) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_out(pConfig, "pConfig"));
  *pConfig = context->shared_config;
  return {};
}

Result<void> ctx_set_shared_mem_config(CUsharedconfig config) {
  Context *context = HEL_TRY(current_context());
  if (config < CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE || config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no bank size has the number %d", static_cast<int>(config));
  }
  context->shared_config = config;
  return {};
}

Result<void> ctx_get_api_version(CUcontext ctx, unsigned int *version) {
  HEL_TRY(check_out(version, "version"));
  HEL_TRY(context_or_current(ctx));
  *version = 3020;
  return {};
}

Result<void> ctx_get_stream_priority_range(int *leastPriority, int *greatestPriority) {
  HEL_TRY(current_context());
  if (leastPriority != nullptr) {
    *leastPriority = kLowestPriority;
  }
  if (greatestPriority != nullptr) {
    *greatestPriority = kHighestPriority;
  }
  return {};
}

Result<void> ctx_reset_persisting_l2_cache() {
  HEL_TRY(current_context());
  return {};
}

Result<void> ctx_get_exec_affinity(CUexecAffinityParam *pExecAffinity, CUexecAffinityType type) {
  HEL_TRY(current_context());
  HEL_TRY(check_out(pExecAffinity, "pExecAffinity"));
  return HEL_FAIL_KIND(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, Unsupported, "execution affinity %d is not supported",
                       static_cast<int>(type));
}

Result<void> ctx_attach(CUcontext *pctx, unsigned int flags) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_out(pctx, "pctx"));
  HEL_TRY(check_flags(flags, 0));
  context->attachments.fetch_add(1);
  *pctx = context->handle();
  return {};
}

/// Ends the context with its last user; it must be current.
Result<void> ctx_detach(CUcontext ctx) {
  Ref<Context> context = HEL_TRY(find_context(ctx));
  if (current_context_or_null().get() != context.get() || context->primary()) {
    return HEL_FAIL(CUDA_ERROR_INVALID_CONTEXT, "only the current context can be detached, and no primary one");
  }
  return context->attachments.fetch_sub(1) == 1 ? ctx_destroy(ctx) : Result<void>();
}

Result<void> ctx_enable_peer_access(CUcontext peerContext, unsigned int Flags) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_flags(Flags, 0));
  Ref<Context> peer = HEL_TRY(find_context(peerContext));
  if (&peer->device() == &context->device()) {
    return HEL_FAIL(CUDA_ERROR_INVALID_DEVICE, "the peer is a context of the same device");
  }
  const uint64_t bit = 1ull << peer->device().ordinal;
  if ((context->peers.fetch_or(bit) & bit) != 0) {
    return HEL_FAIL(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, "access to device %d is enabled already",
                    peer->device().ordinal);
  }
  return {};
}

Result<void> ctx_disable_peer_access(CUcontext peerContext) {
  Context *context = HEL_TRY(current_context());
  Ref<Context> peer = HEL_TRY(find_context(peerContext));
  const uint64_t bit = 1ull << peer->device().ordinal;
  if ((context->peers.fetch_and(~bit) & bit) == 0) {
    return HEL_FAIL(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, "access to device %d is not enabled", peer->device().ordinal);
  }
  return {};
}

Result<void> ctx_record_event(CUcontext hCtx, CUevent hEvent) {
  Ref<Context> context = HEL_TRY(context_or_current(hCtx));
  Ref<Event> event = HEL_TRY(find<Event>(hEvent));
  if (&event->context() != context.get()) {
    return HEL_FAIL(CUDA_ERROR_INVALID_HANDLE, "the event belongs to another context");
  }
  HEL_TRY(check_no_captured_stream(*context));
  // The legacy stream waits for all blocking streams; the others are awaited by name.
  return event->record_all(*context);
}

Result<void> ctx_wait_event(CUcontext hCtx, CUevent hEvent) {
  Ref<Context> context = HEL_TRY(find_context(hCtx));
  Ref<Event> event = HEL_TRY(find<Event>(hEvent));
  HEL_TRY(check_no_captured_stream(*context));
  if (CommandRef awaited = event->awaited(*context)) {
    context->gate(awaited);
  }
  return {};
}

}  // namespace hel::cpu
