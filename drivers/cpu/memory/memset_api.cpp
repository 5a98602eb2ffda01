// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: filling memory. The plain ones go to the default stream and wait only if the host may look at the
// memory.
#include "drivers/cpu/core/capture_rules.h"
#include "drivers/cpu/core/stream.h"
#include "drivers/cpu/graph/capture.h"
#include "drivers/cpu/memory/copy_plan.h"
#include "drivers/cpu/memory/registry.h"
#include "helicon/gen/cpu_impl.h"

namespace hel::cpu {

Result<FillPlan> plan_fill(CUdeviceptr target, size_t pitch, uint32_t value, unsigned value_bytes, size_t width,
                           size_t height) {
  if (target % value_bytes != 0 || pitch % value_bytes != 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "pointer 0x%llx or pitch %zu is no multiple of %u",
                    static_cast<unsigned long long>(target), pitch, value_bytes);
  }
  if (width > (size_t{1} << 46) / value_bytes || height > (size_t{1} << 46) / (pitch == 0 ? 1 : pitch)) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%zu x %zu elements are too many", width, height);
  }
  FillPlan plan;
  plan.width = width * value_bytes;
  plan.height = height;
  if (plan.bytes() == 0) {
    return plan;
  }
  plan.pitch = pitch == 0 ? plan.width : pitch;
  if (height > 1 && plan.pitch < plan.width) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the pitch %zu is less than the width of %zu bytes", pitch, plan.width);
  }
  HEL_TRY(check_memory(target, (height - 1) * plan.pitch + plan.width, "target", true));
  if (plan.pitch == plan.width) {
    plan.width *= plan.height;
    plan.height = 1;
  }
  plan.target = reinterpret_cast<uint8_t *>(target);
  plan.value = value;
  plan.value_bytes = value_bytes;
  return plan;
}

namespace {

Result<void> capture_fill(Stream &stream, const FillPlan &plan) {
  FillWork work;
  work.fill = {reinterpret_cast<CUdeviceptr>(plan.target),
               plan.pitch,
               plan.value,
               plan.value_bytes,
               plan.width / plan.value_bytes,
               plan.height,
               stream.context().handle()};
  work.plan = plan;
  return capture(stream, work);
}

Result<void> issue(CUstream handle, const FillPlan &plan, bool wait) {
  constexpr size_t kInlineBytes = 64u << 10;
  Ref<Stream> stream = HEL_TRY(find_stream(handle, StreamUse::Work));
  if (plan.bytes() == 0) {
    return {};
  }
  if (stream->captured()) {
    return wait ? refuse_in_capture(*stream, "a fill that waits") : capture_fill(*stream, plan);
  }
  CommandRef command = make_fill(stream->context(), plan);
  stream->enqueue(command, wait || plan.bytes() <= kInlineBytes ? Command::Place::Caller : Command::Place::Worker);
  if (!wait) {
    return {};
  }
  command->wait();
  return stream->context().check();
}

Result<void> fill_async(CUdeviceptr target, size_t pitch, uint32_t value, unsigned value_bytes, size_t width,
                        size_t height, CUstream stream) {
  HEL_TRY(current_context());
  return issue(stream, HEL_TRY(plan_fill(target, pitch, value, value_bytes, width, height)), false);
}

Result<void> fill(CUdeviceptr target, size_t pitch, uint32_t value, unsigned value_bytes, size_t width, size_t height) {
  HEL_TRY(current_context());
  FillPlan plan = HEL_TRY(plan_fill(target, pitch, value, value_bytes, width, height));
  const Allocation *allocation = find_allocation(target);
  const bool wait = allocation == nullptr || allocation->host() || allocation->kind == MemoryKind::Managed;
  return issue(nullptr, plan, wait);
}

}  // namespace

Result<void> memset_d8(CUdeviceptr dstDevice, unsigned char uc, size_t N) { return fill(dstDevice, 0, uc, 1, N, 1); }

Result<void> memset_d16(CUdeviceptr dstDevice, unsigned short us, size_t N) { return fill(dstDevice, 0, us, 2, N, 1); }

Result<void> memset_d32(CUdeviceptr dstDevice, unsigned int ui, size_t N) { return fill(dstDevice, 0, ui, 4, N, 1); }

Result<void> memset_d2d8(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height) {
  return fill(dstDevice, dstPitch, uc, 1, Width, Height);
}

Result<void> memset_d2d16(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height) {
  return fill(dstDevice, dstPitch, us, 2, Width, Height);
}

Result<void> memset_d2d32(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height) {
  return fill(dstDevice, dstPitch, ui, 4, Width, Height);
}

Result<void> memset_d8_async(CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream) {
  return fill_async(dstDevice, 0, uc, 1, N, 1, hStream);
}

Result<void> memset_d16_async(CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream) {
  return fill_async(dstDevice, 0, us, 2, N, 1, hStream);
}

Result<void> memset_d32_async(CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream) {
  return fill_async(dstDevice, 0, ui, 4, N, 1, hStream);
}

Result<void> memset_d2d8_async(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height,
                               CUstream hStream) {
  return fill_async(dstDevice, dstPitch, uc, 1, Width, Height, hStream);
}

Result<void> memset_d2d16_async(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height,
                                CUstream hStream) {
  return fill_async(dstDevice, dstPitch, us, 2, Width, Height, hStream);
}

Result<void> memset_d2d32_async(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height,
                                CUstream hStream) {
  return fill_async(dstDevice, dstPitch, ui, 4, Width, Height, hStream);
}

}  // namespace hel::cpu
