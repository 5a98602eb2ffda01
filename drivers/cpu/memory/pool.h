// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory pools for stream-ordered allocation. A pool keeps freed memory up to its release threshold and gives it out
// again.
#pragma once

#include "base/mutex.h"
#include "base/result.h"
#include "drivers/cpu/core/handle.h"
#include "drivers/cpu/memory/registry.h"

#include <cuda.h>

#include <map>

namespace hel::cpu {

class MemPool : public HandleObject<MemPool, Tag::MemPool> {
public:
  MemPool(Device &device, size_t max_bytes) : device_(device), max_bytes_(max_bytes) {}
  ~MemPool() override;
  Device &device() const { return device_; }

  /// Memory of this pool; its `pool` keeps the pool alive.
  Result<Allocation *> take(Context &context, size_t bytes);
  /// The memory's last use is over.
  virtual void give_back(Allocation &allocation);
  /// Frees kept memory until at most `keep_bytes` are left.
  void trim(size_t keep_bytes);

  Result<void> set_attribute(CUmemPool_attribute which, const void *value);
  Result<void> get_attribute(CUmemPool_attribute which, void *value);

private:
  /// The id tells whether the record still means the same memory: a context that closes frees it without asking.
  struct Kept {
    Allocation *allocation;
    uint64_t buffer_id;
    bool valid() const { return allocation->live.load() && allocation->buffer_id == buffer_id; }
  };
  Allocation *take_kept(Context &context, size_t bytes) HEL_REQUIRES(mutex_);

  Device &device_;
  const size_t max_bytes_;  ///< 0: as much as the device has
  Mutex mutex_;
  std::multimap<size_t, Kept> kept_ HEL_GUARDED_BY(mutex_);
  uint64_t threshold_ HEL_GUARDED_BY(mutex_) = 0;
  uint64_t used_ HEL_GUARDED_BY(mutex_) = 0;
  uint64_t used_high_ HEL_GUARDED_BY(mutex_) = 0;
  uint64_t reserved_ HEL_GUARDED_BY(mutex_) = 0;
  uint64_t reserved_high_ HEL_GUARDED_BY(mutex_) = 0;
  int reuse_flags_[3] HEL_GUARDED_BY(mutex_) = {1, 1, 1};
};

/// Gives memory back to its pool, which the caller has seen it has.
void return_to_pool(Allocation &allocation);

/// The pool that cuMemAllocAsync uses on a device.
Result<Ref<MemPool>> current_pool(Device &device);

}  // namespace hel::cpu
