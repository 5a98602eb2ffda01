// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: many copies, prefetches or discards in one call. Everything is checked before the first one is queued.
#include "drivers/cpu/core/capture_rules.h"
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/core/stream.h"
#include "drivers/cpu/memory/array.h"
#include "drivers/cpu/memory/copy_plan.h"
#include "helicon/gen/cpu_impl.h"

namespace hel::cpu {
namespace {

/// Batches have no place in the default stream.
Result<Ref<Stream>> find_batch_stream(CUstream handle) {
  if (handle == nullptr || handle == CU_STREAM_LEGACY) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "a batch cannot go to the default stream");
  }
  Ref<Stream> stream = HEL_TRY(find_stream(handle, StreamUse::Work));
  if (stream->captured()) {
    return refuse_in_capture(*stream, "a batch");
  }
  return stream;
}

Result<void> check_copy_attributes(CUmemcpySrcAccessOrder order, unsigned flags) {
  HEL_TRY(check_flags(flags, CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE));
  if (order < CU_MEMCPY_SRC_ACCESS_ORDER_STREAM || order > CU_MEMCPY_SRC_ACCESS_ORDER_ANY) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no order of access has the number %d", static_cast<int>(order));
  }
  return {};
}

/// Lists in which entry i is for the elements from indices[i] on: they start at 0 and rise.
Result<void> check_indices(const size_t *indices, size_t entries, size_t count, const char *name) {
  HEL_TRY(check_out(indices, name));
  for (size_t i = 0; i < entries; i++) {
    if ((i == 0 && indices[0] != 0) || (i > 0 && indices[i] <= indices[i - 1]) || indices[i] >= count) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%s[%zu] is %zu; the list starts at 0, rises, and ends below %zu", name,
                      i, indices[i], count);
    }
  }
  return {};
}

struct BatchCopy {
  CopyPlan plan;
  bool during_call;  ///< the source may change once the call has returned
};

/// A piece of memory that is only stable during the call makes the call wait for its copy.
Result<void> issue_all(Stream &stream, const std::vector<BatchCopy> &copies) {
  std::vector<CommandRef> awaited;
  for (const BatchCopy &copy : copies) {
    if (copy.plan.bytes() == 0) {
      continue;
    }
    CommandRef command = make_copy(stream.context(), copy.plan);
    stream.enqueue(command, Command::Place::Worker);
    if (copy.during_call || copy.plan.pageable) {
      awaited.push_back(command);
    }
  }
  for (const CommandRef &command : awaited) {
    command->wait();
  }
  return stream.context().check();
}

/// Extents and offsets count elements if an array takes part, else bytes.
Result<size_t> element_bytes(const CUDA_MEMCPY3D_BATCH_OP &op) {
  size_t bytes = 1;
  for (const CUmemcpy3DOperand *side : {&op.src, &op.dst}) {
    if (side->type == CU_MEMCPY_OPERAND_TYPE_ARRAY) {
      bytes = HEL_TRY(find<Array>(side->op.array.array))->element_bytes();
    } else if (side->type != CU_MEMCPY_OPERAND_TYPE_POINTER) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no operand has the type %d", static_cast<int>(side->type));
    }
  }
  return bytes;
}

Result<BatchCopy> plan_operation(const CUDA_MEMCPY3D_BATCH_OP &op) {
  HEL_TRY(check_copy_attributes(op.srcAccessOrder, op.flags));
  if (op.extent.width == 0 || op.extent.height == 0 || op.extent.depth == 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "an extent is 0");
  }
  const size_t element = HEL_TRY(element_bytes(op));
  CUDA_MEMCPY3D copy{};
  copy.WidthInBytes = op.extent.width * element;
  copy.Height = op.extent.height;
  copy.Depth = op.extent.depth;
  if (op.src.type == CU_MEMCPY_OPERAND_TYPE_ARRAY) {
    copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.srcArray = op.src.op.array.array;
    copy.srcXInBytes = op.src.op.array.offset.x * element;
    copy.srcY = op.src.op.array.offset.y;
    copy.srcZ = op.src.op.array.offset.z;
  } else {
    copy.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
    copy.srcDevice = op.src.op.ptr.ptr;
    copy.srcPitch = op.src.op.ptr.rowLength * element;
    copy.srcHeight = op.src.op.ptr.layerHeight;
  }
  if (op.dst.type == CU_MEMCPY_OPERAND_TYPE_ARRAY) {
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = op.dst.op.array.array;
    copy.dstXInBytes = op.dst.op.array.offset.x * element;
    copy.dstY = op.dst.op.array.offset.y;
    copy.dstZ = op.dst.op.array.offset.z;
  } else {
    copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
    copy.dstDevice = op.dst.op.ptr.ptr;
    copy.dstPitch = op.dst.op.ptr.rowLength * element;
    copy.dstHeight = op.dst.op.ptr.layerHeight;
  }
  return BatchCopy{HEL_TRY(plan_copy_3d(copy)), op.srcAccessOrder == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL};
}

Result<void> prefetch_all(CUdeviceptr *dptrs, const size_t *sizes, size_t count, CUmemLocation *locations,
                          const size_t *indices, size_t entries, CUstream stream) {
  HEL_TRY(check_out(locations, "prefetchLocs"));
  HEL_TRY(check_indices(indices, entries, count, "prefetchLocIdxs"));
  if (entries == 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "there is no location");
  }
  for (size_t i = 0, entry = 0; i < count; i++) {
    entry += entry + 1 < entries && indices[entry + 1] == i;
    HEL_TRY(mem_prefetch_async(dptrs[i], sizes[i], locations[entry], 0, stream));
  }
  return {};
}

Result<void> check_batch(const void *pointers, const void *sizes, size_t count, unsigned long long flags) {
  HEL_TRY(check_out(pointers, "dptrs"));
  HEL_TRY(check_out(sizes, "sizes"));
  if (count == 0 || flags != 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "a batch of %zu with flags 0x%llx", count, flags);
  }
  return {};
}

}  // namespace

Result<void> memcpy_batch_async(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count,
                                CUmemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs, CUstream hStream) {
  Ref<Stream> stream = HEL_TRY(find_batch_stream(hStream));
  HEL_TRY(check_batch(dsts, sizes, count, 0));
  HEL_TRY(check_out(srcs, "srcs"));
  HEL_TRY(check_out(attrs, "attrs"));
  HEL_TRY(check_indices(attrsIdxs, numAttrs, count, "attrsIdxs"));
  if (numAttrs == 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "there are no attributes");
  }
  std::vector<BatchCopy> copies;
  for (size_t i = 0, entry = 0; i < count; i++) {
    entry += entry + 1 < numAttrs && attrsIdxs[entry + 1] == i;
    HEL_TRY(check_copy_attributes(attrs[entry].srcAccessOrder, attrs[entry].flags));
    CopyPlan plan = HEL_TRY_CONTEXT(plan_copy(dsts[i], srcs[i], sizes[i]), "planning copy %zu of %zu", i, count);
    copies.push_back({plan, attrs[entry].srcAccessOrder == CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL});
  }
  return issue_all(*stream, copies);
}

Result<void> memcpy_batch_async_v1(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count,
                                   CUmemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs, size_t *failIdx,
                                   CUstream hStream) {
  if (failIdx != nullptr) {
    *failIdx = SIZE_MAX;  // nothing was done, so that no single copy is to blame
  }
  return memcpy_batch_async(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, hStream);
}

Result<void> memcpy3d_batch_async(size_t numOps, CUDA_MEMCPY3D_BATCH_OP *opList, unsigned long long flags,
                                  CUstream hStream) {
  Ref<Stream> stream = HEL_TRY(find_batch_stream(hStream));
  HEL_TRY(check_batch(opList, opList, numOps, flags));
  std::vector<BatchCopy> copies;
  for (size_t i = 0; i < numOps; i++) {
    copies.push_back(HEL_TRY_CONTEXT(plan_operation(opList[i]), "planning copy %zu of %zu", i, numOps));
  }
  return issue_all(*stream, copies);
}

Result<void> memcpy3d_batch_async_v1(size_t numOps, CUDA_MEMCPY3D_BATCH_OP *opList, size_t *failIdx,
                                     unsigned long long flags, CUstream hStream) {
  if (failIdx != nullptr) {
    *failIdx = SIZE_MAX;
  }
  return memcpy3d_batch_async(numOps, opList, flags, hStream);
}

Result<void> mem_prefetch_batch_async(CUdeviceptr *dptrs, size_t *sizes, size_t count, CUmemLocation *prefetchLocs,
                                      size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
                                      CUstream hStream) {
  HEL_TRY(find_batch_stream(hStream));
  HEL_TRY(check_batch(dptrs, sizes, count, flags));
  return prefetch_all(dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, hStream);
}

/// Contents may be lost; here they stay.
Result<void> mem_discard_batch_async(CUdeviceptr *dptrs, size_t *sizes, size_t count, unsigned long long flags,
                                     CUstream hStream) {
  HEL_TRY(find_batch_stream(hStream));
  HEL_TRY(check_batch(dptrs, sizes, count, flags));
  for (size_t i = 0; i < count; i++) {
    const Allocation *allocation = find_allocation(dptrs[i]);
    if (allocation == nullptr || allocation->kind != MemoryKind::Managed || !allocation->holds(dptrs[i], sizes[i])) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%zu bytes at 0x%llx are not managed memory", sizes[i],
                      static_cast<unsigned long long>(dptrs[i]));
    }
  }
  return {};
}

Result<void> mem_discard_and_prefetch_batch_async(CUdeviceptr *dptrs, size_t *sizes, size_t count,
                                                  CUmemLocation *prefetchLocs, size_t *prefetchLocIdxs,
                                                  size_t numPrefetchLocs, unsigned long long flags, CUstream hStream) {
  HEL_TRY(mem_discard_batch_async(dptrs, sizes, count, flags, hStream));
  return prefetch_all(dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, hStream);
}

}  // namespace hel::cpu
