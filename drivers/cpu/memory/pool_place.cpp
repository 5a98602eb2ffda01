// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/memory/pool_place.h"

#include "base/mutex.h"
#include "drivers/cpu/core/device.h"

#include <sched.h>
#include <unistd.h>

#include <map>
#include <tuple>

namespace hel::cpu {
namespace {

struct Pools {
  Ref<MemPool> standard;
  Ref<MemPool> current;
};

/// Of the places that are no device's own memory; those are in the Device.
struct PoolTable {
  Mutex mutex;
  std::map<std::tuple<MemoryKind, CUmemLocationType, int>, Pools> pools HEL_GUARDED_BY(mutex);

  Result<Pools *> at(const PoolPlace &place) HEL_REQUIRES(mutex) {
    Pools &found = pools[{place.kind, place.location.type, place.location.id}];
    if (!found.standard) {
      found.standard = HEL_TRY(publish(new MemPool(place, 0)));
    }
    if (!found.current || !found.current->alive()) {
      found.current = found.standard;
    }
    return &found;
  }
};

PoolTable &pool_table() {
  static PoolTable *const table = new PoolTable;  // never destroyed: workers may outlive main()
  return *table;
}

bool is_device(const PoolPlace &place) { return place.kind == MemoryKind::Device; }

bool has_node(int node) {
  const std::string path = "/sys/devices/system/node/node" + std::to_string(node);
  return node == 0 || (node > 0 && access(path.c_str(), F_OK) == 0);
}

int current_node() {
  unsigned cpu = 0, node = 0;
  return getcpu(&cpu, &node) == 0 ? static_cast<int>(node) : 0;
}

}  // namespace

Result<PoolPlace> find_place(CUmemAllocationType type, const CUmemLocation &location) {
  if (type != CU_MEM_ALLOCATION_TYPE_PINNED && type != CU_MEM_ALLOCATION_TYPE_MANAGED) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no pool has the allocation type %d", static_cast<int>(type));
  }
  HEL_TRY(check_initialized());
  if (devices().empty()) {
    return HEL_FAIL(CUDA_ERROR_NO_DEVICE, "there is no device");
  }
  const bool managed = type == CU_MEM_ALLOCATION_TYPE_MANAGED;
  PoolPlace place{devices().front().get(), location, managed ? MemoryKind::Managed : MemoryKind::Host};
  switch (location.type) {
    case CU_MEM_LOCATION_TYPE_DEVICE:
      place.device = HEL_TRY(find_device(location.id));
      place.kind = managed ? MemoryKind::Managed : MemoryKind::Device;
      return place;
    case CU_MEM_LOCATION_TYPE_HOST:
      place.location.id = 0;
      return place;
    case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
      place.location = {CU_MEM_LOCATION_TYPE_HOST_NUMA, current_node()};
      return place;
    case CU_MEM_LOCATION_TYPE_HOST_NUMA:
      if (!has_node(location.id)) {
        return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the host has no NUMA node %d", location.id);
      }
      return place;
    case CU_MEM_LOCATION_TYPE_NONE:
      if (managed) {
        place.location.id = 0;
        return place;
      }
      break;
    default:
      break;
  }
  return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no pool of type %d is at a location of type %d", static_cast<int>(type),
                  static_cast<int>(location.type));
}

Result<Ref<MemPool>> default_pool(const PoolPlace &place) {
  if (is_device(place)) {
    HEL_TRY(current_pool(*place.device));
    Lock lock(place.device->pool_mutex);
    return place.device->default_pool;
  }
  PoolTable &table = pool_table();
  Lock lock(table.mutex);
  return HEL_TRY(table.at(place))->standard;
}

Result<Ref<MemPool>> current_pool(const PoolPlace &place) {
  if (is_device(place)) {
    return current_pool(*place.device);
  }
  PoolTable &table = pool_table();
  Lock lock(table.mutex);
  return HEL_TRY(table.at(place))->current;
}

Result<void> set_current_pool(const PoolPlace &place, const Ref<MemPool> &pool) {
  const PoolPlace &other = pool->place();
  if (is_device(place)) {
    Device &device = *place.device;
    if (other.kind != MemoryKind::Host && (other.kind != MemoryKind::Device || other.device != &device)) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the pool belongs to another device, or is managed memory");
    }
    Lock lock(device.pool_mutex);
    device.current_pool = pool;
    const bool stays = pool.get() == device.default_pool.get();
    device.standing_pool.store(stays ? pool.get() : nullptr, std::memory_order_release);
    return {};
  }
  if (other.kind != place.kind || other.location.type != place.location.type ||
      other.location.id != place.location.id) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the pool is elsewhere, or of another type");
  }
  PoolTable &table = pool_table();
  Lock lock(table.mutex);
  HEL_TRY(table.at(place))->current = pool;
  return {};
}

bool is_default_pool(const MemPool &pool) {
  if (is_device(pool.place())) {
    Lock lock(pool.device().pool_mutex);
    return &pool == pool.device().default_pool.get();
  }
  PoolTable &table = pool_table();
  Lock lock(table.mutex);
  for (const auto &[place, pools] : table.pools) {
    if (pools.standard.get() == &pool) {
      return true;
    }
  }
  return false;
}

}  // namespace hel::cpu
