// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Null driver: contexts.
#include "base/thread_value.h"
#include "drivers/null/state.h"
#include "helicon/gen/null_impl.h"

namespace hel::null {

std::vector<Context *> &context_stack() {
  struct Current;
  return thread_value<std::vector<Context *>, Current>();
}

Result<Context *> current_context() {
  if (!state().initialised) {
    return HEL_FAIL(CUDA_ERROR_NOT_INITIALIZED, "cuInit has not been called");
  }
  if (context_stack().empty()) {
    return HEL_FAIL(CUDA_ERROR_INVALID_CONTEXT, "no context is current");
  }
  Context *context = context_stack().back();
  if (state().contexts.count(context) == 0) {
    return HEL_FAIL(CUDA_ERROR_CONTEXT_IS_DESTROYED, "the current context is destroyed");
  }
  return context;
}

Result<void> ctx_create(CUcontext *pctx, CUctxCreateParams *ctxCreateParams, unsigned int flags, CUdevice dev) {
  Lock lock(state().mutex);
  HEL_TRY(need(pctx, "pctx"));
  if (!state().initialised || dev < 0 || dev >= static_cast<int>(state().shown.size())) {
    return HEL_FAIL(state().initialised ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_NOT_INITIALIZED, "device %d", dev);
  }
  auto *context = new Context{dev, false};
  context->flags = flags;
  context->id = state().next_context++;
  state().contexts.insert(context);
  new_stream(context, "legacy", 0, 0);
  context_stack().push_back(context);
  *pctx = reinterpret_cast<CUcontext>(context);
  return {};
}

Result<void> ctx_destroy(CUcontext ctx) {
  Lock lock(state().mutex);
  Context *context = HEL_TRY(find_in(state().contexts, ctx));
  drain_all(context);
  state().contexts.erase(context);
  for (Stream *stream : context->streams) {
    state().streams.erase(stream);
    delete stream;
  }
  if (!context_stack().empty() && context_stack().back() == context) {
    context_stack().pop_back();
  }
  delete context;
  return {};
}

Result<void> ctx_push_current(CUcontext ctx) {
  Lock lock(state().mutex);
  context_stack().push_back(HEL_TRY(find_in(state().contexts, ctx)));
  return {};
}

Result<void> ctx_pop_current(CUcontext *pctx) {
  Lock lock(state().mutex);
  if (context_stack().empty()) {
    return HEL_FAIL(CUDA_ERROR_INVALID_CONTEXT, "no context is current");
  }
  if (pctx != nullptr) {
    *pctx = reinterpret_cast<CUcontext>(context_stack().back());
  }
  context_stack().pop_back();
  return {};
}

Result<void> ctx_set_current(CUcontext ctx) {
  Lock lock(state().mutex);
  Context *context = ctx == nullptr ? nullptr : HEL_TRY(find_in(state().contexts, ctx));
  if (!context_stack().empty()) {
    context_stack().pop_back();
  }
  if (context != nullptr) {
    context_stack().push_back(context);
  }
  return {};
}

Result<void> ctx_get_current(CUcontext *pctx) {
  Lock lock(state().mutex);
  HEL_TRY(need(pctx, "pctx"));
  *pctx = context_stack().empty() ? nullptr : reinterpret_cast<CUcontext>(context_stack().back());
  return {};
}

Result<void> ctx_get_device(CUdevice *device) {
  Lock lock(state().mutex);
  HEL_TRY(need(device, "device"));
  *device = HEL_TRY(current_context())->device;
  return {};
}

Result<void> ctx_get_flags(unsigned int *flags) {
  Lock lock(state().mutex);
  HEL_TRY(need(flags, "flags"));
  *flags = HEL_TRY(current_context())->flags;
  return {};
}

Result<void> ctx_get_id(CUcontext ctx, unsigned long long *ctxId) {
  Lock lock(state().mutex);
  HEL_TRY(need(ctxId, "ctxId"));
  Context *context = ctx == nullptr ? HEL_TRY(current_context()) : HEL_TRY(find_in(state().contexts, ctx));
  *ctxId = context->id;
  return {};
}

Result<void> ctx_synchronize() {
  Lock lock(state().mutex);
  drain_all(HEL_TRY(current_context()));
  return {};
}

Result<void> ctx_set_limit(CUlimit limit, size_t value) {
  Lock lock(state().mutex);
  HEL_TRY(current_context())->limits[limit] = value;
  return {};
}

Result<void> ctx_get_limit(size_t *pvalue, CUlimit limit) {
  Lock lock(state().mutex);
  HEL_TRY(need(pvalue, "pvalue"));
  *pvalue = HEL_TRY(current_context())->limits[limit];
  return {};
}

Result<void> ctx_get_stream_priority_range(int *leastPriority, int *greatestPriority) {
  Lock lock(state().mutex);
  HEL_TRY(current_context());
  if (leastPriority != nullptr) {
    *leastPriority = 0;
  }
  if (greatestPriority != nullptr) {
    *greatestPriority = -1;
  }
  return {};
}

}  // namespace hel::null
