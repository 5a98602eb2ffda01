// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/memory/registry.h"

#include "base/log.h"
#include "base/mutex.h"
#include "drivers/cpu/core/context.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/memory/address_space.h"
#include "drivers/cpu/memory/hints.h"
#include "drivers/cpu/memory/ipc.h"
#include "drivers/cpu/memory/pool.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <map>
#include <shared_mutex>

namespace hel::cpu {
namespace {

constexpr size_t kPageBytes = 4096;
constexpr size_t kSlabBytes = 1u << 20;
constexpr size_t kSmallestBlock = 512;
constexpr size_t kLargestBlock = 32u << 10;
constexpr int kClasses = 7;  // 512 … 32768
constexpr unsigned char kFreedByte = 0xDB;

/// A piece of address space that is cut into blocks of one size for small allocations.
struct Slab {
  uintptr_t base = 0;
  size_t block_bytes = 0;
  size_t hint = 0;  ///< no free block lies before it
  size_t used = 0;
  std::atomic<Allocation *> blocks[kSlabBytes / kSmallestBlock] = {};
};

int class_of(size_t bytes) {
  int index = 0;
  for (size_t block = kSmallestBlock; block < bytes; block *= 2) {
    index++;
  }
  return index;
}

/// Entries of the granule table: an Allocation, or a Slab with bit 0 set.
constexpr uintptr_t kSlabBit = 1;

class Registry {
public:
  static Registry &instance() {
    static Registry *const registry = new Registry;  // never destroyed: workers may outlive main()
    return *registry;
  }

  Allocation *find(uintptr_t address);
  Allocation *create(MemoryKind kind, size_t bytes);
  void destroy(Allocation &allocation);
  Allocation *create_mapping(uintptr_t base, size_t bytes);
  Allocation *create_of_file(int file, size_t offset, size_t bytes);
  void destroy_of_file(Allocation &allocation);
  Allocation *create_external(uintptr_t base, size_t bytes);
  void destroy_external(Allocation &allocation);
  std::vector<Allocation *> of_context(uint64_t context_id);
  Allocation *take_record();
  void keep_record(Allocation &allocation);
  AddressSpace &space() { return space_; }
  PageRange pages_of(const Allocation &allocation);

private:
  Registry();
  bool create_small(Allocation &allocation, MemoryKind kind, size_t bytes);
  bool create_large(Allocation &allocation, size_t bytes);
  Slab *add_slab(int index) HEL_REQUIRES(small_mutex_);
  void point_at(uintptr_t base, size_t bytes, uintptr_t entry);

  AddressSpace space_;
  std::atomic<uintptr_t> *granules_;

  Mutex small_mutex_;
  std::vector<Slab *> slabs_[kClasses] HEL_GUARDED_BY(small_mutex_);

  Mutex records_mutex_;
  std::deque<Allocation> records_ HEL_GUARDED_BY(records_mutex_);
  std::deque<Allocation *> free_records_ HEL_GUARDED_BY(records_mutex_);

  std::shared_mutex external_mutex_;  // guards external_
  std::map<uintptr_t, Allocation *> external_;
};

Registry::Registry() {
  size_t bytes = space_.granules() * sizeof(uintptr_t);
  void *table = mmap(nullptr, bytes + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  HEL_ENSURE(table != MAP_FAILED, "no address space for a table of %zu bytes", bytes);
  granules_ = static_cast<std::atomic<uintptr_t> *>(table);
}

Allocation *Registry::take_record() {
  constexpr size_t kKeepBack = 1024;
  Lock lock(records_mutex_);
  if (free_records_.size() > kKeepBack) {
    Allocation *record = free_records_.front();
    free_records_.pop_front();
    record->reserved = 0;
    record->free_queued = false;
    record->sync_memops = false;
    record->of_file = false;
    return record;
  }
  return &records_.emplace_back();
}

void Registry::keep_record(Allocation &allocation) {
  Lock lock(records_mutex_);
  free_records_.push_back(&allocation);
}

std::vector<Allocation *> Registry::of_context(uint64_t context_id) {
  std::vector<Allocation *> found;
  Lock lock(records_mutex_);
  for (Allocation &record : records_) {
    if (record.live.load(std::memory_order_acquire) && record.context_id == context_id) {
      found.push_back(&record);
    }
  }
  return found;
}

void Registry::point_at(uintptr_t base, size_t bytes, uintptr_t entry) {
  size_t first = space_.granule_of(base);
  size_t last = space_.granule_of(base + bytes - 1);
  for (size_t i = first; i <= last; i++) {
    granules_[i].store(entry, std::memory_order_release);
  }
}

Slab *Registry::add_slab(int index) {
  uintptr_t base = space_.map(kSlabBytes);
  if (base == 0) {
    return nullptr;
  }
  Slab *slab = new Slab;
  slab->base = base;
  slab->block_bytes = kSmallestBlock << index;
  slabs_[index].push_back(slab);
  point_at(base, kSlabBytes, reinterpret_cast<uintptr_t>(slab) | kSlabBit);
  return slab;
}

bool Registry::create_small(Allocation &allocation, MemoryKind kind, size_t bytes) {
  const int index = class_of(bytes);
  Lock lock(small_mutex_);
  Slab *slab = nullptr;
  const size_t blocks = kSlabBytes / (kSmallestBlock << index);
  for (auto candidate = slabs_[index].rbegin(); candidate != slabs_[index].rend() && slab == nullptr; ++candidate) {
    slab = (*candidate)->used < blocks ? *candidate : nullptr;
  }
  if (slab == nullptr && (slab = add_slab(index)) == nullptr) {
    return false;
  }
  size_t i = slab->hint;
  while (slab->blocks[i].load(std::memory_order_relaxed) != nullptr) {
    i++;
  }
  slab->hint = i + 1;
  slab->used++;
  allocation.base = slab->base + i * slab->block_bytes;
  slab->blocks[i].store(&allocation, std::memory_order_release);
  return true;
}

bool Registry::create_large(Allocation &allocation, size_t bytes) {
  allocation.base = space_.map(bytes);
  if (allocation.base == 0) {
    return false;
  }
  point_at(allocation.base, bytes, reinterpret_cast<uintptr_t>(&allocation));
  return true;
}

/// The record is found from now on, but not yet live.
Allocation *Registry::create(MemoryKind kind, size_t bytes) {
  Allocation *allocation = take_record();
  allocation->bytes = bytes;
  allocation->kind = kind;
  bool good = bytes <= kLargestBlock ? create_small(*allocation, kind, bytes) : create_large(*allocation, bytes);
  if (!good) {
    keep_record(*allocation);
    return nullptr;
  }
  return allocation;
}

void Registry::destroy(Allocation &allocation) {
  if (allocation.bytes > kLargestBlock) {
    forget_shared(allocation.base);
    space_.unmap(allocation.base, allocation.bytes);
  } else {
    uintptr_t entry = granules_[space_.granule_of(allocation.base)].load(std::memory_order_acquire);
    Slab *slab = reinterpret_cast<Slab *>(entry & ~kSlabBit);
    std::memset(reinterpret_cast<void *>(allocation.base), kFreedByte, slab->block_bytes);
    size_t i = (allocation.base - slab->base) / slab->block_bytes;
    Lock lock(small_mutex_);
    slab->blocks[i].store(nullptr, std::memory_order_release);
    slab->hint = std::min(slab->hint, i);
    slab->used--;
  }
  keep_record(allocation);
}

PageRange Registry::pages_of(const Allocation &allocation) {
  const uintptr_t entry = granules_[space_.granule_of(allocation.base)].load(std::memory_order_acquire);
  if ((entry & kSlabBit) != 0) {
    return {reinterpret_cast<Slab *>(entry & ~kSlabBit)->base, kSlabBytes};
  }
  return {allocation.base, (allocation.bytes + 4095) / 4096 * 4096};
}

Allocation *Registry::create_mapping(uintptr_t base, size_t bytes) {
  Allocation *allocation = take_record();
  allocation->base = base;
  allocation->bytes = bytes;
  allocation->kind = MemoryKind::Mapped;
  point_at(base, bytes, reinterpret_cast<uintptr_t>(allocation));
  return allocation;
}

/// Null, with the reason in errno, when the file cannot be mapped.
Allocation *Registry::create_of_file(int file, size_t offset, size_t bytes) {
  const size_t before = offset % kPageBytes;  // a mapping begins with a page
  const size_t mapped_bytes = before + bytes;
  const uintptr_t pages = space_.reserve(mapped_bytes + kGranuleBytes, kGranuleBytes);
  if (pages == 0) {
    errno = ENOMEM;
    return nullptr;
  }
  if (mmap(reinterpret_cast<void *>(pages), mapped_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
           static_cast<off_t>(offset - before)) == MAP_FAILED) {
    const int reason = errno;
    space_.unreserve(pages, mapped_bytes + kGranuleBytes);
    errno = reason;
    return nullptr;
  }
  Allocation *allocation = take_record();
  allocation->base = pages + before;
  allocation->bytes = bytes;
  allocation->kind = MemoryKind::Device;
  allocation->of_file = true;
  point_at(allocation->base, bytes, reinterpret_cast<uintptr_t>(allocation));
  return allocation;
}

void Registry::destroy_of_file(Allocation &allocation) {
  const uintptr_t pages = allocation.base / kPageBytes * kPageBytes;
  const size_t mapped_bytes = allocation.base + allocation.bytes - pages;
  mmap(reinterpret_cast<void *>(pages), mapped_bytes, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  space_.unreserve(pages, mapped_bytes + kGranuleBytes);
  keep_record(allocation);
}

Allocation *Registry::create_external(uintptr_t base, size_t bytes) {
  std::unique_lock lock(external_mutex_);
  auto next = external_.upper_bound(base + bytes - 1);
  if (next != external_.begin()) {
    Allocation *before = std::prev(next)->second;
    if (before->base + before->bytes > base) {
      return nullptr;
    }
  }
  Allocation *allocation = take_record();
  allocation->base = base;
  allocation->bytes = bytes;
  external_.emplace(base, allocation);
  return allocation;
}

void Registry::destroy_external(Allocation &allocation) {
  {
    std::unique_lock lock(external_mutex_);
    external_.erase(allocation.base);
  }
  keep_record(allocation);
}

/// The record that holds or held `address`; it may be dead.
Allocation *Registry::find(uintptr_t address) {
  if (space_.contains(address)) {
    uintptr_t entry = granules_[space_.granule_of(address)].load(std::memory_order_acquire);
    if ((entry & kSlabBit) == 0) {
      return reinterpret_cast<Allocation *>(entry);
    }
    Slab *slab = reinterpret_cast<Slab *>(entry & ~kSlabBit);
    return slab->blocks[(address - slab->base) / slab->block_bytes].load(std::memory_order_acquire);
  }
  std::shared_lock lock(external_mutex_);
  auto next = external_.upper_bound(address);
  return next == external_.begin() ? nullptr : std::prev(next)->second;
}

void publish_record(Allocation &allocation, Device &device, Context *context, unsigned flags) {
  static std::atomic<uint64_t> next_buffer{1};
  allocation.device = &device;
  allocation.context = context == nullptr ? nullptr : context->handle();
  allocation.context_id = context == nullptr ? 0 : context->unique_id();
  allocation.flags = flags;
  allocation.buffer_id = next_buffer.fetch_add(1, std::memory_order_relaxed);
  allocation.live.store(true, std::memory_order_release);
}

}  // namespace

Result<Allocation *> allocate(Context &context, MemoryKind kind, size_t bytes, unsigned flags) {
  if (bytes == 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "an allocation of 0 bytes was asked for");
  }
  Device &device = context.device();
  const size_t reserved =
      kind != MemoryKind::Device ? 0 : (bytes + kSmallestBlock - 1) / kSmallestBlock * kSmallestBlock;
  const bool too_much = bytes > device.total_bytes * (kind == MemoryKind::Device ? 1 : 4);
  if (too_much || !device.reserve(reserved)) {
    return HEL_FAIL_KIND(CUDA_ERROR_OUT_OF_MEMORY, OutOfMemory, "%zu bytes were asked for, %zu of %zu are free", bytes,
                         device.total_bytes - device.used_bytes.load(), device.total_bytes);
  }
  Allocation *allocation = Registry::instance().create(kind, bytes);
  if (allocation == nullptr) {
    device.unreserve(reserved);
    return HEL_FAIL_KIND(CUDA_ERROR_OUT_OF_MEMORY, OutOfMemory, "the system has no room for %zu bytes", bytes);
  }
  allocation->reserved = reserved;
  publish_record(*allocation, context.device(), &context, flags);
  HEL_LOG(mem, 1, "alloc base=0x%zx bytes=%zu kind=%d device=%d", allocation->base, bytes, static_cast<int>(kind),
          device.ordinal);
  return allocation;
}

Result<Allocation *> register_external(Context &context, MemoryKind kind, uintptr_t base, size_t bytes,
                                       unsigned flags) {
  Allocation *allocation = Registry::instance().create_external(base, bytes);
  if (allocation == nullptr) {
    return HEL_FAIL(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "a part of the %zu bytes at 0x%zx is registered already",
                    bytes, base);
  }
  allocation->kind = kind;
  publish_record(*allocation, context.device(), &context, flags);
  return allocation;
}

Allocation *register_mapping(Device &device, uintptr_t base, size_t bytes) {
  Allocation *allocation = Registry::instance().create_mapping(base, bytes);
  publish_record(*allocation, device, nullptr, CU_MEM_ACCESS_FLAGS_PROT_NONE);
  return allocation;
}

Result<Allocation *> map_file(Context &context, int file, size_t offset, size_t bytes) {
  Allocation *allocation = Registry::instance().create_of_file(file, offset, bytes);
  if (allocation == nullptr) {
    return HEL_FAIL(CUDA_ERROR_MAP_FAILED, "the system cannot map the file: %s", std::strerror(errno));
  }
  publish_record(*allocation, context.device(), &context, 0);
  return allocation;
}

PageRange pages_of(const Allocation &allocation) { return Registry::instance().pages_of(allocation); }

AddressSpace &address_space() { return Registry::instance().space(); }

bool release(Allocation &allocation) {
  if (!allocation.live.exchange(false, std::memory_order_acq_rel)) {
    return false;
  }
  HEL_LOG(mem, 1, "free base=0x%zx bytes=%zu", allocation.base, allocation.bytes);
  allocation.device->unreserve(allocation.reserved);
  allocation.pool = nullptr;
  if (allocation.kind == MemoryKind::Managed) {
    forget_hints(allocation.base, allocation.bytes);
  }
  if (allocation.kind == MemoryKind::Registered || allocation.kind == MemoryKind::Variable) {
    Registry::instance().destroy_external(allocation);
  } else if (allocation.kind == MemoryKind::Mapped) {
    Registry::instance().keep_record(allocation);
  } else if (allocation.of_file) {
    Registry::instance().destroy_of_file(allocation);
  } else {
    Registry::instance().destroy(allocation);
  }
  return true;
}

void release_memory_of(Context &context) {
  for (Allocation *allocation : Registry::instance().of_context(context.unique_id())) {
    if (const Ref<Object> object = allocation->pool) {
      auto &pool = static_cast<MemPool &>(*object);
      if (!allocation->free_queued.exchange(true)) {
        pool.give_back(*allocation, {});
      }
      pool.forget(*allocation);
    }
    release(*allocation);
  }
}

Allocation *find_allocation(uintptr_t address) {
  Allocation *allocation = Registry::instance().find(address);
  if (allocation == nullptr || !allocation->live.load(std::memory_order_acquire) || !allocation->holds(address, 1)) {
    return nullptr;
  }
  return allocation;
}

Allocation *find_allocation_start(uintptr_t address) {
  Allocation *allocation = find_allocation(address);
  return allocation != nullptr && allocation->base == address ? allocation : nullptr;
}

bool in_driver_range(uintptr_t address) { return Registry::instance().space().contains(address); }

std::string describe_address(const void *address) {
  const uintptr_t at = reinterpret_cast<uintptr_t>(address);
  Allocation *allocation = Registry::instance().find(at);
  if (allocation == nullptr && in_driver_range(at) && in_driver_range(at - kGranuleBytes)) {
    allocation = Registry::instance().find(at - kGranuleBytes);
  }
  if (allocation == nullptr) {
    return in_driver_range(at) ? "in device address space, where nothing is allocated" : "";
  }
  const bool live = allocation->live.load(std::memory_order_acquire);
  const char *what = live ? "allocation" : "freed allocation";
  if (allocation->holds(at, 1)) {
    return format("%zu bytes into the %zu-byte %s at 0x%zx", at - allocation->base, allocation->bytes, what,
                  allocation->base);
  }
  if (at >= allocation->base && at - allocation->base - allocation->bytes < (1u << 20)) {
    return format("%zu bytes after the end of the %zu-byte %s at 0x%zx", at - allocation->base - allocation->bytes,
                  allocation->bytes, what, allocation->base);
  }
  return in_driver_range(at) ? "in device address space, where nothing is allocated" : "";
}

}  // namespace hel::cpu
