// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/memory/pool.h"

#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/context.h"
#include "drivers/cpu/core/device.h"

#include <algorithm>
#include <vector>

namespace hel::cpu {

MemPool::~MemPool() { trim(0); }

/// Kept memory of the right size, or null.
Allocation *MemPool::take_kept(Context &context, size_t bytes) {
  auto [first, last] = kept_.equal_range(bytes);
  for (auto kept = first; kept != last; ++kept) {
    Allocation *allocation = kept->second.allocation;
    if (kept->second.valid() && allocation->context_id == context.unique_id()) {
      kept_.erase(kept);
      allocation->free_queued = false;
      return allocation;
    }
  }
  return nullptr;
}

Result<Allocation *> MemPool::take(Context &context, size_t bytes) {
  {
    Lock lock(mutex_);
    if (Allocation *allocation = take_kept(context, bytes)) {
      allocation->pool = Ref<Object>(*this);
      used_ += bytes;
      used_high_ = std::max(used_high_, used_);
      return allocation;
    }
    if (max_bytes_ != 0 && reserved_ + bytes > max_bytes_) {
      return HEL_FAIL_KIND(CUDA_ERROR_OUT_OF_MEMORY, OutOfMemory, "the pool may not grow beyond %zu bytes", max_bytes_);
    }
  }
  Result<Allocation *> made = allocate(context, MemoryKind::Device, bytes, 0);
  if (!made && made.failure().kind == FailureKind::OutOfMemory) {
    trim(0);
    made = allocate(context, MemoryKind::Device, bytes, 0);
  }
  Allocation *allocation = HEL_TRY(std::move(made));
  allocation->pool = Ref<Object>(*this);
  Lock lock(mutex_);
  used_ += bytes;
  reserved_ += bytes;
  used_high_ = std::max(used_high_, used_);
  reserved_high_ = std::max(reserved_high_, reserved_);
  return allocation;
}

void return_to_pool(Allocation &allocation) {
  const Ref<Object> pool = allocation.pool;  // lives on during the call
  static_cast<MemPool &>(*pool).give_back(allocation);
}

void MemPool::give_back(Allocation &allocation) {
  allocation.pool = nullptr;
  {
    Lock lock(mutex_);
    used_ -= allocation.bytes;
    if (reserved_ <= threshold_ && alive()) {
      kept_.emplace(allocation.bytes, Kept{&allocation, allocation.buffer_id});
      return;
    }
    reserved_ -= allocation.bytes;
  }
  release(allocation);
}

void MemPool::trim(size_t keep_bytes) {
  std::vector<Allocation *> gone;
  {
    Lock lock(mutex_);
    while (!kept_.empty() && reserved_ > keep_bytes) {
      auto last = std::prev(kept_.end());
      reserved_ -= last->first;
      if (last->second.valid()) {
        gone.push_back(last->second.allocation);
      }
      kept_.erase(last);
    }
  }
  for (Allocation *allocation : gone) {
    release(*allocation);
  }
}

Result<void> MemPool::set_attribute(CUmemPool_attribute which, const void *value) {
  Lock lock(mutex_);
  const uint64_t number = *static_cast<const uint64_t *>(value);
  switch (which) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
      reuse_flags_[which - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES] = *static_cast<const int *>(value) != 0;
      return {};
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
      threshold_ = number;
      return {};
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
      if (number != 0) {
        return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "a high mark can only be set to 0");
      }
      (which == CU_MEMPOOL_ATTR_USED_MEM_HIGH ? used_high_ : reserved_high_) =
          which == CU_MEMPOOL_ATTR_USED_MEM_HIGH ? used_ : reserved_;
      return {};
    default:
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "pools have no attribute %d that can be set", static_cast<int>(which));
  }
}

Result<void> MemPool::get_attribute(CUmemPool_attribute which, void *value) {
  Lock lock(mutex_);
  auto *number = static_cast<uint64_t *>(value);
  switch (which) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
      *static_cast<int *>(value) = reuse_flags_[which - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES];
      return {};
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
      *number = threshold_;
      return {};
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
      *number = reserved_;
      return {};
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
      *number = reserved_high_;
      return {};
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
      *number = used_;
      return {};
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
      *number = used_high_;
      return {};
    default:
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "pools have no attribute %d", static_cast<int>(which));
  }
}

Result<Ref<MemPool>> current_pool(Device &device) {
  Lock lock(device.pool_mutex);
  if (!device.default_pool) {
    device.default_pool = HEL_TRY(publish(new MemPool(device, 0)));
  }
  if (!device.current_pool || !device.current_pool->alive()) {
    device.current_pool = device.default_pool;
  }
  return device.current_pool;
}

}  // namespace hel::cpu
