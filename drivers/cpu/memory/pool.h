// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory pools for stream-ordered allocation. A pool keeps freed memory and gives it out again: at once in the stream
// that freed it, where what comes later in the stream comes after its last use, and elsewhere when that use is over.
// What is more than the release threshold goes back to the system when the program waits for a stream, an event or the
// context.
#pragma once

#include "base/mutex.h"
#include "base/result.h"
#include "drivers/cpu/core/command.h"
#include "drivers/cpu/core/handle.h"
#include "drivers/cpu/memory/registry.h"

#include <cuda.h>

#include <atomic>
#include <map>
#include <vector>

namespace hel::cpu {

struct Device;
class Stream;

/// Where a pool's memory is.
struct PoolPlace {
  Device *device;  ///< the pool is trimmed when the program waits for it: the first one, where no device is meant
  CUmemLocation location;
  MemoryKind kind;
};

/// A device's own memory.
PoolPlace place_of(Device &device);

class MemPool : public HandleObject<MemPool, Tag::MemPool> {
public:
  /// What comes before a free in its stream.
  struct LastUse {
    uint64_t stream = 0;  ///< unique id; 0: the use is over
    CommandRef command;   ///< null, or done: the use is over
    bool over() const { return !command || command->done(); }
  };

  MemPool(const PoolPlace &place, size_t max_bytes);
  ~MemPool() override;
  const PoolPlace &place() const { return place_; }
  Device &device() const { return device_; }
  /// Which devices the program was promised access for; all have it.
  bool can_access(const Device &device) const;
  void set_access(const Device &device, bool allowed);

  /// Memory of this pool for what is queued in `stream` from now on; its `pool` keeps the pool alive.
  Result<Allocation *> take(Stream &stream, size_t bytes);
  /// False: give_back may be called only when the last use is over.
  virtual bool takes_early() const { return true; }
  virtual void give_back(Allocation &allocation, const LastUse &last_use);
  /// Kept memory of a context that closes, which frees it.
  void forget(Allocation &allocation);
  /// Frees kept memory whose last use is over, until at most `keep_bytes` are left.
  void trim(size_t keep_bytes);
  void trim_to_threshold();

  Result<void> set_attribute(CUmemPool_attribute which, const void *value);
  Result<void> get_attribute(CUmemPool_attribute which, void *value);

private:
  /// The id tells whether the record still means the same memory: a context that closes frees it without asking.
  struct Kept {
    Allocation *allocation;
    uint64_t buffer_id;
    LastUse last_use;
    bool valid() const { return allocation->live.load() && allocation->buffer_id == buffer_id; }
  };
  void keep(Allocation &allocation, const LastUse &last_use) HEL_REQUIRES(mutex_);
  void keep_recent() HEL_REQUIRES(mutex_);
  Allocation *take_recent(const Stream &stream, size_t bytes);
  void announce_trim();
  uint64_t recent_bytes() const;
  Allocation *take_kept(const Stream &stream, size_t bytes) HEL_REQUIRES(mutex_);
  bool may_use(const Kept &kept, const Stream &stream) const HEL_REQUIRES(mutex_);
  void trim_locked(size_t keep_bytes, std::vector<Allocation *> &gone) HEL_REQUIRES(mutex_);

  const PoolPlace place_;
  Device &device_;
  std::atomic<uint64_t> access_;  ///< a bit a device
  const size_t max_bytes_;  ///< 0: as much as the device has
  std::atomic<bool> trim_due_{false};  ///< the device knows that memory was given back
  /// What was given back last, if its use is over: it goes to and fro without a lock. It still counts in used_ and
  /// refers to the pool.
  std::atomic<Allocation *> recent_{nullptr};
  Mutex mutex_;
  std::map<size_t, std::vector<Kept>> kept_ HEL_GUARDED_BY(mutex_);  ///< by size; empty entries stay
  uint64_t threshold_ HEL_GUARDED_BY(mutex_) = 0;
  uint64_t used_ HEL_GUARDED_BY(mutex_) = 0;
  uint64_t used_high_ HEL_GUARDED_BY(mutex_) = 0;
  uint64_t reserved_ HEL_GUARDED_BY(mutex_) = 0;
  uint64_t reserved_high_ HEL_GUARDED_BY(mutex_) = 0;
  int reuse_flags_[3] HEL_GUARDED_BY(mutex_) = {1, 1, 1};
};

/// Gives memory back whose last use is over, to its pool or to the system.
void give_back(Allocation &allocation);

/// The program has waited for something: pools of the device go back to their thresholds.
void trim_pools(Device &device);

/// The pool that cuMemAllocAsync uses on a device.
Result<Ref<MemPool>> current_pool(Device &device);

}  // namespace hel::cpu
