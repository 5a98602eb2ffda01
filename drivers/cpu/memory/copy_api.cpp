// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: copies.
#include "base/driver_params.h"
#include "drivers/cpu/core/capture_rules.h"
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/core/stream.h"
#include "drivers/cpu/graph/capture.h"
#include "drivers/cpu/memory/array.h"
#include "drivers/cpu/memory/copy_plan.h"
#include "helicon/gen/cpu_impl.h"

namespace hel::cpu {
namespace {

/// Copies below this size are done by the thread that asks, if nothing is ahead of them.
constexpr size_t kInlineBytes = 64u << 10;

enum class Wait {
  Always,      ///< functions that return when the copy is done
  IfPageable,  ///< asynchronous, as far as the memory allows it
};

/// A plain copy; issue_rows captures the others.
Result<void> capture_copy(Stream &stream, const CopyPlan &plan, Wait wait) {
  if (wait == Wait::Always) {
    return refuse_in_capture(stream, "a copy that waits");
  }
  CopyWork work;
  work.copy = describe_copy(reinterpret_cast<CUdeviceptr>(plan.target), reinterpret_cast<CUdeviceptr>(plan.source),
                            plan.bytes());
  work.context = stream.context().handle();
  work.plan = plan;
  return capture(stream, work);
}

Result<void> issue(Stream &stream, const CopyPlan &plan, Wait wait) {
  if (plan.bytes() == 0) {
    return {};
  }
  if (stream.captured()) {
    return capture_copy(stream, plan, wait);
  }
  const bool waits = wait == Wait::Always || plan.pageable || (stream.context().flags() & CU_CTX_SYNC_MEMOPS) != 0;
  CommandRef command = make_copy(stream.context(), plan);
  stream.enqueue(command, waits || plan.bytes() <= kInlineBytes ? Command::Place::Caller : Command::Place::Worker);
  if (!waits) {
    return {};
  }
  command->wait();
  return stream.context().check();
}

Result<void> issue_now(const CopyPlan &plan, Wait wait = Wait::Always) {
  Ref<Stream> stream = HEL_TRY(find_stream(nullptr, StreamUse::Work));
  if (stream->captured()) {
    return refuse_in_capture(*stream, "a copy that waits");
  }
  return issue(*stream, plan, wait);
}

Result<void> issue_async(const CopyPlan &plan, CUstream handle) {
  Ref<Stream> stream = HEL_TRY(find_stream(handle, StreamUse::Work));
  return issue(*stream, plan, Wait::IfPageable);
}

Result<void> issue_rows(const CUDA_MEMCPY3D &copy, CUstream handle) {
  Ref<Stream> stream = HEL_TRY(find_stream(handle, StreamUse::Work));
  if (stream->captured()) {
    return capture(*stream, HEL_TRY(make_copy_work(copy, stream->context().handle())));
  }
  return issue(*stream, HEL_TRY(plan_copy_3d(copy)), Wait::IfPageable);
}

uintptr_t address(const void *pointer) { return reinterpret_cast<uintptr_t>(pointer); }

/// One row of an array, as the 1D array functions mean it.
CUDA_MEMCPY2D array_row(size_t bytes) {
  CUDA_MEMCPY2D copy{};
  copy.WidthInBytes = bytes;
  copy.Height = 1;
  return copy;
}

CUDA_MEMCPY2D from_array(CUarray array, size_t offset, size_t bytes) {
  CUDA_MEMCPY2D copy = array_row(bytes);
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcArray = array;
  copy.srcXInBytes = offset;
  return copy;
}

CUDA_MEMCPY2D to_array(CUarray array, size_t offset, size_t bytes) {
  CUDA_MEMCPY2D copy = array_row(bytes);
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.dstXInBytes = offset;
  return copy;
}

/// In a default stream, a copy between contexts comes after all earlier work of both, and before all later work.
Result<void> issue_between(Stream &stream, CUcontext target, CUcontext source, const CopyPlan &plan, Wait wait) {
  Ref<Context> ends[] = {HEL_TRY(find_context(target)), HEL_TRY(find_context(source))};
  if (stream.kind() != Stream::Kind::Legacy) {
    return issue(stream, plan, wait);
  }
  CommandRef before;
  for (const Ref<Context> &end : ends) {
    if (end.get() != &stream.context()) {
      CommandRef fence = CommandRef::adopt(new FenceCommand(*end));
      end->legacy_stream().enqueue(fence, Command::Place::Caller, before);
      before = fence;
    }
  }
  if (before) {
    stream.enqueue(CommandRef::adopt(new FenceCommand(stream.context())), Command::Place::Caller, before);
  }
  Result<void> result = issue(stream, plan, wait);
  for (const Ref<Context> &end : ends) {
    if (end.get() != &stream.context()) {
      end->legacy_stream().enqueue(CommandRef::adopt(new FenceCommand(*end)), Command::Place::Caller, stream.last());
    }
  }
  return result;
}

}  // namespace

Result<void> memcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount) {
  HEL_TRY(current_context());
  return issue_now(HEL_TRY(plan_copy(dst, src, ByteCount)));
}

Result<void> memcpy_async(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream) {
  HEL_TRY(current_context());
  return issue_async(HEL_TRY(plan_copy(dst, src, ByteCount)), hStream);
}

Result<void> memcpy_htod(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount) {
  HEL_TRY(current_context());
  return issue_now(HEL_TRY(plan_copy(dstDevice, address(srcHost), ByteCount)));
}

Result<void> memcpy_htod_async(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount, CUstream hStream) {
  HEL_TRY(current_context());
  return issue_async(HEL_TRY(plan_copy(dstDevice, address(srcHost), ByteCount)), hStream);
}

Result<void> memcpy_dtoh(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount) {
  HEL_TRY(current_context());
  return issue_now(HEL_TRY(plan_copy(address(dstHost), srcDevice, ByteCount)));
}

Result<void> memcpy_dtoh_async(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream) {
  HEL_TRY(current_context());
  return issue_async(HEL_TRY(plan_copy(address(dstHost), srcDevice, ByteCount)), hStream);
}

Result<void> memcpy_dtod(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount) {
  HEL_TRY(current_context());
  return issue_now(HEL_TRY(plan_copy(dstDevice, srcDevice, ByteCount)), Wait::IfPageable);
}

Result<void> memcpy_dtod_async(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream) {
  HEL_TRY(current_context());
  return issue_async(HEL_TRY(plan_copy(dstDevice, srcDevice, ByteCount)), hStream);
}

Result<void> memcpy_peer(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext,
                         size_t ByteCount) {
  HEL_TRY(current_context());
  CopyPlan plan = HEL_TRY(plan_copy(dstDevice, srcDevice, ByteCount));
  Ref<Stream> stream = HEL_TRY(find_stream(nullptr, StreamUse::Work));
  return issue_between(*stream, dstContext, srcContext, plan, Wait::Always);
}

Result<void> memcpy_peer_async(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext,
                               size_t ByteCount, CUstream hStream) {
  Ref<Stream> stream = HEL_TRY(find_stream(hStream, StreamUse::Work));
  CopyPlan plan = HEL_TRY(plan_copy(dstDevice, srcDevice, ByteCount));
  return issue_between(*stream, dstContext, srcContext, plan, Wait::IfPageable);
}

Result<void> memcpy2d(const CUDA_MEMCPY2D *pCopy) {
  HEL_TRY(current_context());
  HEL_TRY(check_out(pCopy, "pCopy"));
  return issue_now(HEL_TRY(plan_copy_2d(*pCopy)));
}

Result<void> memcpy2d_unaligned(const CUDA_MEMCPY2D *pCopy) { return memcpy2d(pCopy); }

Result<void> memcpy2d_async(const CUDA_MEMCPY2D *pCopy, CUstream hStream) {
  HEL_TRY(current_context());
  HEL_TRY(check_out(pCopy, "pCopy"));
  return issue_rows(box_of<CUDA_MEMCPY3D>(*pCopy), hStream);
}

Result<void> memcpy3d(const CUDA_MEMCPY3D *pCopy) {
  HEL_TRY(current_context());
  HEL_TRY(check_out(pCopy, "pCopy"));
  return issue_now(HEL_TRY(plan_copy_3d(*pCopy)));
}

Result<void> memcpy3d_async(const CUDA_MEMCPY3D *pCopy, CUstream hStream) {
  HEL_TRY(current_context());
  HEL_TRY(check_out(pCopy, "pCopy"));
  return issue_rows(*pCopy, hStream);
}

Result<void> memcpy3d_peer(const CUDA_MEMCPY3D_PEER *pCopy) {
  HEL_TRY(current_context());
  HEL_TRY(check_out(pCopy, "pCopy"));
  CopyPlan plan = HEL_TRY(plan_copy_3d(box_of<CUDA_MEMCPY3D>(*pCopy)));
  Ref<Stream> stream = HEL_TRY(find_stream(nullptr, StreamUse::Work));
  return issue_between(*stream, pCopy->dstContext, pCopy->srcContext, plan, Wait::Always);
}

Result<void> memcpy3d_peer_async(const CUDA_MEMCPY3D_PEER *pCopy, CUstream hStream) {
  HEL_TRY(current_context());
  HEL_TRY(check_out(pCopy, "pCopy"));
  Ref<Stream> stream = HEL_TRY(find_stream(hStream, StreamUse::Work));
  CopyPlan plan = HEL_TRY(plan_copy_3d(box_of<CUDA_MEMCPY3D>(*pCopy)));
  return issue_between(*stream, pCopy->dstContext, pCopy->srcContext, plan, Wait::IfPageable);
}

Result<void> memcpy_dtoa(CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice, size_t ByteCount) {
  CUDA_MEMCPY2D copy = to_array(dstArray, dstOffset, ByteCount);
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = srcDevice;
  return memcpy2d(&copy);
}

Result<void> memcpy_atod(CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset, size_t ByteCount) {
  CUDA_MEMCPY2D copy = from_array(srcArray, srcOffset, ByteCount);
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = dstDevice;
  return memcpy2d(&copy);
}

Result<void> memcpy_htoa(CUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount) {
  CUDA_MEMCPY2D copy = to_array(dstArray, dstOffset, ByteCount);
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = srcHost;
  return memcpy2d(&copy);
}

Result<void> memcpy_htoa_async(CUarray dstArray, size_t dstOffset, const void *srcHost, size_t ByteCount,
                               CUstream hStream) {
  CUDA_MEMCPY2D copy = to_array(dstArray, dstOffset, ByteCount);
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = srcHost;
  return memcpy2d_async(&copy, hStream);
}

Result<void> memcpy_atoh(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount) {
  CUDA_MEMCPY2D copy = from_array(srcArray, srcOffset, ByteCount);
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = dstHost;
  return memcpy2d(&copy);
}

Result<void> memcpy_atoh_async(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount, CUstream hStream) {
  CUDA_MEMCPY2D copy = from_array(srcArray, srcOffset, ByteCount);
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = dstHost;
  return memcpy2d_async(&copy, hStream);
}

Result<void> memcpy_atoa(CUarray dstArray, size_t dstOffset, CUarray srcArray, size_t srcOffset, size_t ByteCount) {
  CUDA_MEMCPY2D copy = from_array(srcArray, srcOffset, ByteCount);
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = dstArray;
  copy.dstXInBytes = dstOffset;
  return memcpy2d(&copy);
}

}  // namespace hel::cpu
