// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/memory/pool.h"

#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/context.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/core/stream.h"

#include <algorithm>
#include <vector>

namespace hel::cpu {
namespace {

/// Frees memory of a pool that is gone, when its last use is over.
class LateFree : public Command {
public:
  LateFree(Context &context, Allocation &allocation)
      : Command(context), allocation_(allocation), buffer_id_(allocation.buffer_id) {}
  const char *name() const override { return "free"; }

protected:
  bool runs_after_fault() const override { return true; }
  Progress run() override {
    if (allocation_.buffer_id == buffer_id_) {
      cpu::release(allocation_);
    }
    return Progress::Done;
  }

private:
  Allocation &allocation_;
  const uint64_t buffer_id_;
};

}  // namespace

static uint64_t bit_of(const Device &device) { return 1ull << device.number; }

PoolPlace place_of(Device &device) {
  return {&device, {CU_MEM_LOCATION_TYPE_DEVICE, device.ordinal}, MemoryKind::Device};
}

MemPool::MemPool(const PoolPlace &place, size_t max_bytes)
    : place_(place),
      device_(*place.device),
      access_(place.kind == MemoryKind::Managed  ? ~0ull
              : place.kind == MemoryKind::Device ? bit_of(device_)
                                                 : 0),
      max_bytes_(max_bytes) {}

bool MemPool::can_access(const Device &device) const { return (access_.load() & bit_of(device)) != 0; }

void MemPool::set_access(const Device &device, bool allowed) {
  allowed ? access_.fetch_or(bit_of(device)) : access_.fetch_and(~bit_of(device));
}

MemPool::~MemPool() {
  trim(0);
  Lock lock(mutex_);
  for (auto &[bytes, list] : kept_) {
    for (Kept &kept : list) {
      if (kept.valid()) {
        CommandRef late = CommandRef::adopt(new LateFree(kept.last_use.command->context(), *kept.allocation));
        late->after(kept.last_use.command);
        late->release(Command::Place::Worker);
      }
    }
  }
}

bool MemPool::may_use(const Kept &kept, const Stream &stream) const {
  if (!kept.valid() || kept.allocation->context_id != stream.context().unique_id()) {
    return false;
  }
  if (!kept.last_use.command || kept.last_use.stream == stream.unique_id()) {
    return true;
  }
  constexpr int kOpportunistic =
      CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES;
  return reuse_flags_[kOpportunistic] != 0 && kept.last_use.over();
}

/// Kept memory of the right size, or null. What was freed last is taken first: it is the likeliest to be in the caches.
Allocation *MemPool::take_kept(const Stream &stream, size_t bytes) {
  const auto found = kept_.find(bytes);
  if (found == kept_.end()) {
    return nullptr;
  }
  std::vector<Kept> &list = found->second;
  for (size_t i = list.size(); i-- > 0;) {
    if (may_use(list[i], stream)) {
      Allocation *allocation = list[i].allocation;
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
      allocation->free_queued.store(false, std::memory_order_relaxed);
      return allocation;
    }
  }
  return nullptr;
}

/// The memory that was given back last, or null.
Allocation *MemPool::take_recent(const Stream &stream, size_t bytes) {
  if (recent_.load(std::memory_order_relaxed) == nullptr) {
    return nullptr;
  }
  Allocation *allocation = recent_.exchange(nullptr);
  if (allocation == nullptr) {
    return nullptr;
  }
  if (allocation->bytes == bytes && allocation->context_id == stream.context().unique_id()) {
    allocation->free_queued.store(false, std::memory_order_relaxed);
    return allocation;
  }
  const Ref<Object> self = allocation->pool;  // outlives the lock
  Lock lock(mutex_);
  keep(*allocation, {});
  return nullptr;
}

Result<Allocation *> MemPool::take(Stream &stream, size_t bytes) {
  if (Allocation *allocation = take_recent(stream, bytes)) {
    return allocation;
  }
  std::vector<Allocation *> gone;
  {
    Lock lock(mutex_);
    if (Allocation *allocation = take_kept(stream, bytes)) {
      allocation->pool = Ref<Object>(*this);
      used_ += bytes;
      used_high_ = std::max(used_high_, used_);
      return allocation;
    }
    if (max_bytes_ != 0 && reserved_ + bytes > max_bytes_) {
      trim_locked(bytes > max_bytes_ ? 0 : max_bytes_ - bytes, gone);
      if (reserved_ + bytes > max_bytes_) {
        return HEL_FAIL_KIND(CUDA_ERROR_OUT_OF_MEMORY, OutOfMemory, "the pool may not grow beyond %zu bytes",
                             max_bytes_);
      }
    }
  }
  for (Allocation *allocation : gone) {
    release(*allocation);
  }
  const unsigned flags = place_.kind == MemoryKind::Managed ? CU_MEM_ATTACH_GLOBAL : 0;
  Result<Allocation *> made = allocate(stream.context(), place_.kind, bytes, flags);
  if (!made && made.failure().kind == FailureKind::OutOfMemory) {
    trim(0);
    made = allocate(stream.context(), place_.kind, bytes, flags);
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

void give_back(Allocation &allocation) {
  if (!allocation.pool) {
    release(allocation);
    return;
  }
  const Ref<Object> pool = allocation.pool;  // lives on during the call
  static_cast<MemPool &>(*pool).give_back(allocation, {});
}

void MemPool::keep(Allocation &allocation, const LastUse &last_use) {
  allocation.pool = nullptr;
  used_ -= allocation.bytes;
  kept_[allocation.bytes].push_back(Kept{&allocation, allocation.buffer_id, last_use});
}

void MemPool::keep_recent() {
  if (Allocation *recent = recent_.exchange(nullptr)) {
    keep(*recent, {});
  }
}

void MemPool::give_back(Allocation &allocation, const LastUse &last_use) {
  const bool stays = device_.standing_pool.load(std::memory_order_relaxed) == this;
  const Ref<Object> self = stays ? Ref<Object>() : allocation.pool;  // who takes the memory next may end the pool
  if (!trim_due_.load(std::memory_order_relaxed)) {
    announce_trim();
  }
  Allocation *to_keep = last_use.over() ? recent_.exchange(&allocation) : &allocation;
  if (to_keep != nullptr) {
    Lock lock(mutex_);
    keep(*to_keep, to_keep == &allocation ? last_use : LastUse{});
  }
  if (!alive()) {
    trim(0);  // the program has destroyed the pool, and nobody else comes by
  }
}

void MemPool::forget(Allocation &allocation) {
  Allocation *expected = &allocation;
  if (recent_.compare_exchange_strong(expected, nullptr)) {
    Lock lock(mutex_);
    used_ -= allocation.bytes;
    reserved_ -= allocation.bytes;
  }
}

uint64_t MemPool::recent_bytes() const {
  const Allocation *recent = recent_.load();
  return recent == nullptr ? 0 : recent->bytes;
}

void MemPool::announce_trim() {
  if (!trim_due_.exchange(true)) {
    Lock lock(device_.pool_mutex);
    device_.pools_to_trim.emplace_back(*this);
    device_.trim_due.store(true, std::memory_order_release);
  }
}

void MemPool::trim_locked(size_t keep_bytes, std::vector<Allocation *> &gone) {
  keep_recent();
  for (auto largest = kept_.rbegin(); largest != kept_.rend(); ++largest) {
    auto &[bytes, list] = *largest;
    size_t left = 0;
    for (Kept &kept : list) {
      const bool over = kept.last_use.over();
      if (over) {
        kept.last_use = {};
      }
      if (!over || (kept.valid() && reserved_ <= keep_bytes)) {
        std::swap(list[left++], kept);
        continue;
      }
      reserved_ -= bytes;
      if (kept.valid()) {
        gone.push_back(kept.allocation);
      }
    }
    list.resize(left);
  }
}

void MemPool::trim(size_t keep_bytes) {
  std::vector<Allocation *> gone;
  {
    Lock lock(mutex_);
    trim_locked(keep_bytes, gone);
  }
  for (Allocation *allocation : gone) {
    release(*allocation);
  }
}

void MemPool::trim_to_threshold() {
  trim_due_.store(false);
  std::vector<Allocation *> gone;
  bool again = false;
  {
    Lock lock(mutex_);
    trim_locked(threshold_, gone);
    const auto not_empty = [](const auto &entry) { return !entry.second.empty(); };
    again = reserved_ > threshold_ && std::any_of(kept_.begin(), kept_.end(), not_empty);
  }
  for (Allocation *allocation : gone) {
    release(*allocation);
  }
  if (again) {
    announce_trim();
  }
}

void trim_pools(Device &device) {
  if (!device.trim_due.load(std::memory_order_acquire)) {
    return;
  }
  std::vector<Ref<MemPool>> pools;
  {
    Lock lock(device.pool_mutex);
    device.trim_due.store(false, std::memory_order_relaxed);
    pools.swap(device.pools_to_trim);
  }
  for (const Ref<MemPool> &pool : pools) {
    pool->trim_to_threshold();
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
      keep_recent();  // so that its next use is seen
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
      *number = used_ - recent_bytes();
      return {};
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
      *number = used_high_;
      return {};
    default:
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "pools have no attribute %d", static_cast<int>(which));
  }
}

Result<Ref<MemPool>> current_pool(Device &device) {
  if (MemPool *standing = device.standing_pool.load(std::memory_order_acquire)) {
    return Ref<MemPool>(*standing);
  }
  Lock lock(device.pool_mutex);
  if (!device.default_pool) {
    device.default_pool = HEL_TRY(publish(new MemPool(place_of(device), 0)));
  }
  if (!device.current_pool || !device.current_pool->alive()) {
    device.current_pool = device.default_pool;
    device.standing_pool.store(device.default_pool.get(), std::memory_order_release);
  }
  return device.current_pool;
}

}  // namespace hel::cpu
