// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The devices that the CPU driver shows. HELICON_CPU_DEVICES of them; they share the machine's cores and split its
// memory.
#pragma once

#include "base/mutex.h"
#include "base/result.h"
#include "drivers/cpu/core/context.h"
#include "drivers/cpu/core/handle.h"

#include <cuda.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace hel::cpu {

class MemPool;

/// Limits that several attributes and checks must agree on.
inline constexpr unsigned kWarpSize = 32;
inline constexpr unsigned kMaxThreadsPerBlock = 1024;
inline constexpr unsigned kMaxThreadsPerMultiprocessor = 2048;
inline constexpr unsigned kMaxBlocksPerMultiprocessor = 32;
inline constexpr unsigned kRegistersPerMultiprocessor = 65536;
inline constexpr unsigned kSharedPerBlock = 48u << 10;
inline constexpr unsigned kSharedPerBlockOptin = 227u << 10;
inline constexpr unsigned kSharedPerMultiprocessor = 228u << 10;
inline constexpr unsigned kSharedReservedPerBlock = 1u << 10;
inline constexpr unsigned kMaxGridX = 0x7FFFFFFF;
inline constexpr unsigned kMaxGridYZ = 65535;
inline constexpr unsigned kMaxBlockZ = 64;
inline constexpr unsigned kMaxClusterBlocks = 8;  ///< portable
inline constexpr unsigned kMaxParamBytes = 32764;
inline constexpr int kLowestPriority = 0;
inline constexpr int kHighestPriority = -5;
inline constexpr int kComputeMajor = 9;
inline constexpr int kComputeMinor = 0;

struct Device {
  int ordinal = 0;  ///< its number for programs
  int number = 0;   ///< among all
  std::string name;
  CUuuid uuid{};
  std::string pci_bus_id;
  size_t total_bytes = 0;
  std::atomic<size_t> used_bytes{0};

  /// Takes `bytes` of the device's memory, or false.
  bool reserve(size_t bytes);
  void unreserve(size_t bytes) { used_bytes.fetch_sub(bytes, std::memory_order_relaxed); }

  Mutex primary_mutex;
  Ref<Context> primary HEL_GUARDED_BY(primary_mutex);  ///< made at first use, then for ever
  unsigned primary_users HEL_GUARDED_BY(primary_mutex) = 0;
  unsigned primary_flags HEL_GUARDED_BY(primary_mutex) = 0;

  Mutex pool_mutex;
  Ref<MemPool> default_pool HEL_GUARDED_BY(pool_mutex);
  Ref<MemPool> current_pool HEL_GUARDED_BY(pool_mutex);
  std::atomic<MemPool *> standing_pool{nullptr};  ///< the current pool while that is the default one, which stays
  Ref<MemPool> graph_pool HEL_GUARDED_BY(pool_mutex);
  std::vector<Ref<MemPool>> pools_to_trim HEL_GUARDED_BY(pool_mutex);  ///< that keep more than their thresholds
  std::atomic<bool> trim_due{false};                                   ///< there are some
};

namespace detail {
extern std::atomic<bool> initialized;  ///< cuInit was called
[[gnu::cold]] Result<void> refuse_call();
}  // namespace detail

/// CUDA_ERROR_NOT_INITIALIZED before cuInit, CUDA_ERROR_NOT_PERMITTED inside a host function.
inline Result<void> check_initialized() {
  if (detail::initialized.load(std::memory_order_acquire) && !in_host_function) [[likely]] {
    return {};
  }
  return detail::refuse_call();
}
/// All devices; empty before cuInit.
const std::vector<std::unique_ptr<Device>> &devices();
Result<Device *> find_device(CUdevice ordinal);
/// Renumbers the devices: device i is from now on the one that was devices[i]; the others are hidden. Called by the
/// loader before anything else uses a device.
void show_devices(const int *devices, int count);
/// The devices are numbered from `first` on: those of other drivers come before them. Called by the loader before Init.
void number_devices_from(int first);
/// True for the addresses from which this driver's handles and device memory come.
bool owns(const void *address);
Result<int> device_attribute(const Device &device, CUdevice_attribute which);
int multiprocessor_count();

}  // namespace hel::cpu
