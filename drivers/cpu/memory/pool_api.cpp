// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: stream-ordered allocation and memory pools.
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/core/stream.h"
#include "drivers/cpu/graph/capture.h"
#include "drivers/cpu/memory/pool.h"
#include "drivers/cpu/memory/pool_place.h"
#include "helicon/gen/cpu_impl.h"

namespace hel::cpu {
namespace {

/// cuMemFreeAsync of memory that goes when the stream gets here.
class FreeCommand : public Command {
public:
  FreeCommand(Context &context, Allocation &allocation) : Command(context), allocation_(allocation) {}
  const char *name() const override { return "free"; }

protected:
  bool runs_after_fault() const override { return true; }
  Progress run() override {
    give_back(allocation_);
    return Progress::Done;
  }

private:
  Allocation &allocation_;
};

/// An allocation node: memory of the graph, wherever it would have come from.
Result<void> capture_alloc(CUdeviceptr *dptr, size_t bytes, MemPool &pool, Stream &stream) {
  if (pool.place().kind != MemoryKind::Device) {
    return HEL_FAIL_KIND(CUDA_ERROR_NOT_SUPPORTED, Unsupported, "memory of a host's or managed pool in a graph");
  }
  AllocWork work;
  work.props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  work.props.location = {CU_MEM_LOCATION_TYPE_DEVICE, pool.device().ordinal};
  work.bytes = bytes;
  work.memory = HEL_TRY(make_graph_allocation(stream.context(), bytes));
  const CUdeviceptr address = work.memory->address();
  HEL_TRY(capture(stream, std::move(work)));
  *dptr = address;
  return {};
}

Result<void> capture_free(CUdeviceptr dptr, Stream &stream) {
  std::shared_ptr<GraphAllocation> memory = find_graph_allocation(dptr);
  if (memory == nullptr) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "0x%llx was not allocated by a graph, and cannot be freed by one",
                    static_cast<unsigned long long>(dptr));
  }
  return capture(stream, FreeWork{dptr, std::move(memory)});
}

/// Memory is taken at once. If there is none, what the streams are about to free is waited for.
Result<void> alloc_async(CUdeviceptr *dptr, size_t bytes, MemPool &pool, Stream &stream) {
  HEL_TRY(check_out(dptr, "dptr"));
  if (bytes == 0) {
    *dptr = 0;
    return {};
  }
  if (stream.captured()) {
    return capture_alloc(dptr, bytes, pool, stream);
  }
  Result<Allocation *> made = pool.take(stream, bytes);
  if (!made && made.failure().kind == FailureKind::OutOfMemory) {
    stream.context().synchronize();
    made = pool.take(stream, bytes);
  }
  *dptr = HEL_TRY(std::move(made))->base;
  return {};
}

Result<Device *> device_of(const CUmemLocation &location) {
  if (location.type != CU_MEM_LOCATION_TYPE_DEVICE) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "access is that of a device, not of a location of type %d",
                    static_cast<int>(location.type));
  }
  return find_device(location.id);
}

}  // namespace

Result<void> mem_alloc_async(CUdeviceptr *dptr, size_t bytesize, CUstream hStream) {
  const HeldStream stream = HEL_TRY(hold_stream(hStream, StreamUse::Work));
  Device &device = stream->context().device();
  if (MemPool *standing = device.standing_pool.load(std::memory_order_acquire)) [[likely]] {
    return alloc_async(dptr, bytesize, *standing, *stream);
  }
  Ref<MemPool> pool = HEL_TRY(current_pool(device));
  return alloc_async(dptr, bytesize, *pool, *stream);
}

Result<void> mem_alloc_from_pool_async(CUdeviceptr *dptr, size_t bytesize, CUmemoryPool pool, CUstream hStream) {
  const HeldStream stream = HEL_TRY(hold_stream(hStream, StreamUse::Work));
  Ref<MemPool> object = HEL_TRY(find<MemPool>(pool));
  return alloc_async(dptr, bytesize, *object, *stream);
}

Result<void> mem_free_async(CUdeviceptr dptr, CUstream hStream) {
  const HeldStream stream = HEL_TRY(hold_stream(hStream, StreamUse::Work));
  if (dptr == 0) {
    return {};
  }
  if (stream->captured()) {
    return capture_free(dptr, *stream);
  }
  Allocation *allocation = find_allocation_start(dptr);
  const bool freeable = allocation != nullptr && (allocation->kind == MemoryKind::Device || allocation->pool);
  if (!freeable || allocation->free_queued.exchange(true)) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "0x%llx is no device allocation, or it is freed already",
                    static_cast<unsigned long long>(dptr));
  }
  if (allocation->pool && static_cast<MemPool &>(*allocation->pool).takes_early()) {
    static_cast<MemPool &>(*allocation->pool).give_back(*allocation, {stream->unique_id(), stream->frontier()});
    return {};
  }
  stream->enqueue(CommandRef::adopt(new FreeCommand(stream->context(), *allocation)), Command::Place::Caller);
  return {};
}

Result<void> mem_pool_create(CUmemoryPool *pool, const CUmemPoolProps *poolProps) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(pool, "pool"));
  HEL_TRY(check_out(poolProps, "poolProps"));
  const PoolPlace place = HEL_TRY(find_place(poolProps->allocType, poolProps->location));
  if (poolProps->handleTypes != CU_MEM_HANDLE_TYPE_NONE) {
    return HEL_FAIL_KIND(CUDA_ERROR_NOT_SUPPORTED, Unsupported, "pools cannot be exported");
  }
  Ref<MemPool> object = HEL_TRY(publish(new MemPool(place, poolProps->maxSize)));
  *pool = object->handle();
  return {};
}

Result<void> mem_pool_destroy(CUmemoryPool pool) {
  HEL_TRY(check_initialized());
  Ref<MemPool> object = HEL_TRY(find<MemPool>(pool));
  if (is_default_pool(*object)) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "a default pool cannot be destroyed");
  }
  HEL_TRY(retire<MemPool>(pool));
  object->trim(0);
  return {};
}

Result<void> mem_pool_trim_to(CUmemoryPool pool, size_t minBytesToKeep) {
  HEL_TRY(check_initialized());
  HEL_TRY(find<MemPool>(pool))->trim(minBytesToKeep);
  return {};
}

Result<void> mem_pool_set_attribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(value, "value"));
  return HEL_TRY(find<MemPool>(pool))->set_attribute(attr, value);
}

Result<void> mem_pool_get_attribute(CUmemoryPool pool, CUmemPool_attribute attr, void *value) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(value, "value"));
  return HEL_TRY(find<MemPool>(pool))->get_attribute(attr, value);
}

/// All memory is reachable from every device: what is set is what is told. A device keeps its own memory.
Result<void> mem_pool_set_access(CUmemoryPool pool, const CUmemAccessDesc *map, size_t count) {
  HEL_TRY(check_initialized());
  Ref<MemPool> object = HEL_TRY(find<MemPool>(pool));
  HEL_TRY(check_out(map, "map"));
  for (size_t i = 0; i < count; i++) {
    Device *device = HEL_TRY(device_of(map[i].location));
    const bool own = object->place().kind == MemoryKind::Device && device == &object->device();
    if (own && map[i].flags == CU_MEM_ACCESS_FLAGS_PROT_NONE) {
      return HEL_FAIL(CUDA_ERROR_INVALID_DEVICE, "device %d cannot lose access to its own pool", device->ordinal);
    }
    if (map[i].flags != CU_MEM_ACCESS_FLAGS_PROT_NONE && map[i].flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "access flags %d are invalid", static_cast<int>(map[i].flags));
    }
  }
  for (size_t i = 0; i < count; i++) {
    object->set_access(*HEL_TRY(device_of(map[i].location)), map[i].flags != CU_MEM_ACCESS_FLAGS_PROT_NONE);
  }
  return {};
}

Result<void> mem_pool_get_access(CUmemAccess_flags *flags, CUmemoryPool memPool, CUmemLocation *location) {
  HEL_TRY(check_initialized());
  Ref<MemPool> object = HEL_TRY(find<MemPool>(memPool));
  HEL_TRY(check_out(flags, "flags"));
  HEL_TRY(check_out(location, "location"));
  const bool allowed = object->can_access(*HEL_TRY(device_of(*location)));
  *flags = allowed ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE;
  return {};
}

Result<void> mem_get_default_mem_pool(CUmemoryPool *pool_out, CUmemLocation *location, CUmemAllocationType type) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(pool_out, "pool_out"));
  HEL_TRY(check_out(location, "location"));
  *pool_out = HEL_TRY(default_pool(HEL_TRY(find_place(type, *location))))->handle();
  return {};
}

Result<void> mem_get_mem_pool(CUmemoryPool *pool, CUmemLocation *location, CUmemAllocationType type) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(pool, "pool"));
  HEL_TRY(check_out(location, "location"));
  *pool = HEL_TRY(current_pool(HEL_TRY(find_place(type, *location))))->handle();
  return {};
}

Result<void> mem_set_mem_pool(CUmemLocation *location, CUmemAllocationType type, CUmemoryPool pool) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(location, "location"));
  const PoolPlace place = HEL_TRY(find_place(type, *location));
  return set_current_pool(place, HEL_TRY(find<MemPool>(pool)));
}

Result<void> device_get_default_mem_pool(CUmemoryPool *pool_out, CUdevice dev) {
  CUmemLocation location{CU_MEM_LOCATION_TYPE_DEVICE, dev};
  return mem_get_default_mem_pool(pool_out, &location, CU_MEM_ALLOCATION_TYPE_PINNED);
}

Result<void> device_get_mem_pool(CUmemoryPool *pool, CUdevice dev) {
  CUmemLocation location{CU_MEM_LOCATION_TYPE_DEVICE, dev};
  return mem_get_mem_pool(pool, &location, CU_MEM_ALLOCATION_TYPE_PINNED);
}

Result<void> device_set_mem_pool(CUdevice dev, CUmemoryPool pool) {
  CUmemLocation location{CU_MEM_LOCATION_TYPE_DEVICE, dev};
  return mem_set_mem_pool(&location, CU_MEM_ALLOCATION_TYPE_PINNED, pool);
}

}  // namespace hel::cpu
