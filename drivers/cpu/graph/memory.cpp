// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/graph/memory.h"

#include "drivers/cpu/core/context.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/memory/registry.h"

#include <sys/mman.h>

#include <algorithm>

namespace hel::cpu {
namespace {

struct KnownAllocations {
  Mutex mutex;
  std::unordered_map<CUdeviceptr, std::weak_ptr<GraphAllocation>> by_address HEL_GUARDED_BY(mutex);
};

KnownAllocations &known() {
  static KnownAllocations &table = *new KnownAllocations;  // outlives every thread
  return table;
}

}  // namespace

Result<Allocation *> GraphPool::reserve(Context &context, size_t bytes) {
  Allocation *allocation = HEL_TRY(allocate(context, MemoryKind::Device, bytes, 0));
  allocation->free_queued = true;
  allocation->pool = Ref<Object>(*this);
  Lock lock(graph_mutex_);
  if (auto stale = entries_.find(allocation); stale != entries_.end()) {
    forget(stale->second);  // the record was used before, in a context that is gone
  }
  entries_[allocation] = Entry{allocation->buffer_id, bytes};
  return allocation;
}

void GraphPool::allocated(Allocation &allocation) {
  Lock lock(graph_mutex_);
  auto found = entries_.find(&allocation);
  if (found == entries_.end()) {
    return;
  }
  Entry &entry = found->second;
  used_ += entry.in_use ? 0 : entry.bytes;
  reserved_ += entry.reserved ? 0 : entry.bytes;
  entry.in_use = entry.reserved = true;
  used_high_ = std::max(used_high_, used_);
  reserved_high_ = std::max(reserved_high_, reserved_);
}

void GraphPool::give_back(Allocation &allocation, const LastUse &) {
  Entry gone{};
  {
    Lock lock(graph_mutex_);
    auto found = entries_.find(&allocation);
    if (found == entries_.end()) {
      return;
    }
    used_ -= found->second.in_use ? found->second.bytes : 0;
    found->second.in_use = false;
    if (!found->second.abandoned) {
      return;
    }
    gone = found->second;
    forget(gone);
    entries_.erase(found);
  }
  drop(allocation, gone);
}

void GraphPool::abandon(Allocation &allocation, uint64_t buffer_id) {
  Entry gone{};
  {
    Lock lock(graph_mutex_);
    auto found = entries_.find(&allocation);
    if (found == entries_.end() || found->second.buffer_id != buffer_id) {
      return;
    }
    const bool lost = !allocation.live.load() || allocation.buffer_id != buffer_id;  // with its context
    if (!lost && !allocation.free_queued.load()) {
      found->second.abandoned = true;  // the program frees it
      return;
    }
    gone = found->second;
    forget(gone);
    entries_.erase(found);
  }
  drop(allocation, gone);
}

void GraphPool::forget(const Entry &entry) {
  used_ -= entry.in_use ? entry.bytes : 0;
  reserved_ -= entry.reserved ? entry.bytes : 0;
}

void GraphPool::drop(Allocation &allocation, const Entry &entry) {
  if (allocation.live.load() && allocation.buffer_id == entry.buffer_id) {
    allocation.pool = nullptr;
    release(allocation);
  }
}

void GraphPool::trim_graphs() {
  Lock lock(graph_mutex_);
  for (auto &[allocation, entry] : entries_) {
    if (entry.in_use || !entry.reserved || !allocation->free_queued.load()) {
      continue;
    }
    entry.reserved = false;
    reserved_ -= entry.bytes;
    if (const PageRange pages = pages_of(*allocation); pages.base == allocation->base) {
      madvise(reinterpret_cast<void *>(pages.base), pages.bytes, MADV_DONTNEED);
    }
  }
}

Result<uint64_t> GraphPool::graph_attribute(CUgraphMem_attribute which) {
  Lock lock(graph_mutex_);
  switch (which) {
    case CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT:
      return used_;
    case CU_GRAPH_MEM_ATTR_USED_MEM_HIGH:
      return used_high_;
    case CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT:
      return reserved_;
    case CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH:
      return reserved_high_;
  }
  return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "graph memory has no attribute %d", static_cast<int>(which));
}

Result<void> GraphPool::reset_high(CUgraphMem_attribute which) {
  Lock lock(graph_mutex_);
  switch (which) {
    case CU_GRAPH_MEM_ATTR_USED_MEM_HIGH:
      used_high_ = used_;
      return {};
    case CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH:
      reserved_high_ = reserved_;
      return {};
    default:
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "attribute %d of graph memory cannot be set", static_cast<int>(which));
  }
}

Result<Ref<GraphPool>> graph_pool(Device &device) {
  Lock lock(device.pool_mutex);
  if (!device.graph_pool) {
    device.graph_pool = HEL_TRY(publish<MemPool>(new GraphPool(device)));
  }
  return Ref<GraphPool>(static_cast<GraphPool &>(*device.graph_pool));
}

std::shared_ptr<GraphAllocation> find_graph_allocation(CUdeviceptr pointer) {
  KnownAllocations &table = known();
  Lock lock(table.mutex);
  auto found = table.by_address.find(pointer);
  std::shared_ptr<GraphAllocation> memory = found == table.by_address.end() ? nullptr : found->second.lock();
  return memory != nullptr && memory->valid() ? memory : nullptr;
}

Result<std::shared_ptr<GraphAllocation>> make_graph_allocation(Context &context, size_t bytes) {
  Ref<GraphPool> pool = HEL_TRY(graph_pool(context.device()));
  Allocation *allocation = HEL_TRY(pool->reserve(context, bytes));
  auto memory = std::make_shared<GraphAllocation>(std::move(pool), *allocation);
  KnownAllocations &table = known();
  Lock lock(table.mutex);
  table.by_address[memory->address()] = memory;
  return memory;
}

}  // namespace hel::cpu
