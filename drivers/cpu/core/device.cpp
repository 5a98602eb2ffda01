// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/core/device.h"

#include "base/cache_size.h"
#include "base/settings.h"
#include "drivers/cpu/core/stream.h"
#include "drivers/cpu/exec/launch.h"
#include "drivers/cpu/exec/worker_pool.h"
#include "drivers/cpu/memory/pool.h"
#include "drivers/cpu/memory/registry.h"
#include "helicon/gen/cpu_impl.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <mutex>

namespace hel::cpu {
namespace {

// Written once, under init_once; never destroyed, because workers may outlive main().
std::vector<std::unique_ptr<Device>> &device_list = *new std::vector<std::unique_ptr<Device>>;
std::once_flag init_once;
int first_ordinal = 0;  // set before init

/// The first line of a small file that starts with `key`, from after the colon or space; empty if there is none.
std::string file_value(const char *path, const char *key) {
  std::FILE *file = std::fopen(path, "re");
  if (file == nullptr) {
    return {};
  }
  char line[512];
  std::string value;
  while (value.empty() && std::fgets(line, sizeof line, file) != nullptr) {
    if (std::strncmp(line, key, std::strlen(key)) == 0) {
      const char *colon = std::strchr(line, ':');
      value = colon == nullptr ? line : colon + 1;
    }
  }
  std::fclose(file);
  size_t first = value.find_first_not_of(" \t");
  size_t last = value.find_last_not_of(" \t\n");
  return first == std::string::npos ? std::string() : value.substr(first, last - first + 1);
}

size_t machine_bytes() {
  size_t bytes = static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  std::string limit = file_value("/sys/fs/cgroup/memory.max", "");
  if (!limit.empty() && limit != "max") {
    bytes = std::min(bytes, static_cast<size_t>(std::strtoull(limit.c_str(), nullptr, 10)));
  }
  return bytes;
}

int clock_rate_khz() {
  static const int khz = [] {
    double mhz = std::atof(file_value("/proc/cpuinfo", "cpu MHz").c_str());
    return mhz > 0 ? static_cast<int>(mhz * 1000) : 2000000;
  }();
  return khz;
}

/// The same for the same machine and ordinal in every process.
CUuuid make_uuid(const std::string &cpu, int ordinal) {
  std::string seed = file_value("/etc/machine-id", "") + cpu + std::to_string(ordinal);
  uint64_t hash[2] = {0xcbf29ce484222325ull, 0x84222325cbf29ce4ull};
  for (unsigned char c : seed) {
    for (uint64_t &h : hash) {
      h = (h ^ c) * 0x100000001b3ull + 0x9e3779b9;
    }
  }
  CUuuid uuid;
  std::memcpy(&uuid, hash, sizeof uuid);
  return uuid;
}

void make_devices() {
  long count = std::clamp(settings().cpu_devices, 1l, 64l);
  if (count != settings().cpu_devices) {
    std::fprintf(stderr, "helicon: HELICON_CPU_DEVICES=%ld is not between 1 and 64; %ld is used\n",
                 settings().cpu_devices, count);
  }
  std::string cpu = file_value("/proc/cpuinfo", "model name");
  size_t share = machine_bytes() / 4 * 3 / static_cast<size_t>(count);
  for (int i = 0; i < count; i++) {
    auto device = std::make_unique<Device>();
    device->ordinal = first_ordinal + i;
    device->number = i;
    device->name = "Helicon CPU (" + (cpu.empty() ? std::string("x86-64") : cpu) + ")";
    device->uuid = make_uuid(cpu, i);
    device->pci_bus_id = format("0000:%02x:00.0", i + 1);
    device->total_bytes = share & ~((size_t{1} << 20) - 1);
    device_list.push_back(std::move(device));
  }
  exec::set_fault_hooks({.describe_address = describe_address});
  detail::initialized.store(true, std::memory_order_release);
}

}  // namespace

bool Device::reserve(size_t bytes) {
  size_t used = used_bytes.load(std::memory_order_relaxed);
  do {
    if (bytes > total_bytes - used) {
      return false;
    }
  } while (!used_bytes.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  return true;
}

constinit std::atomic<bool> detail::initialized{false};

Result<void> detail::refuse_call() {
  if (!initialized.load(std::memory_order_acquire)) {
    return HEL_FAIL(CUDA_ERROR_NOT_INITIALIZED, "cuInit was not called");
  }
  return HEL_FAIL(CUDA_ERROR_NOT_PERMITTED, "a host function of a stream may not call the API");
}

void show_devices(const int *devices, int count) {
  std::vector<std::unique_ptr<Device>> shown;
  for (int i = 0; i < count; i++) {
    shown.push_back(std::move(device_list[static_cast<size_t>(devices[i])]));
    shown.back()->ordinal = first_ordinal + i;
  }
  device_list.swap(shown);
}

void number_devices_from(int first) { first_ordinal = first; }

bool owns(const void *address) {
  return HandleArena::instance().holds(address) || in_driver_range(reinterpret_cast<uintptr_t>(address));
}

const std::vector<std::unique_ptr<Device>> &devices() { return device_list; }

Result<Device *> find_device(CUdevice ordinal) {
  HEL_TRY(check_initialized());
  int at = ordinal - first_ordinal;
  if (at < 0 || static_cast<size_t>(at) >= device_list.size()) {
    return HEL_FAIL(CUDA_ERROR_INVALID_DEVICE, "device %d does not exist, there are %zu from %d on", ordinal, device_list.size(),
                    first_ordinal);
  }
  return device_list[static_cast<size_t>(at)].get();
}

int multiprocessor_count() { return exec::WorkerPool::instance().worker_count(); }

Result<int> device_attribute(const Device &device, CUdevice_attribute which) {
  switch (which) {
#define HEL_DEVICE_ATTRIBUTE(name, value) \
  case CU_DEVICE_ATTRIBUTE_##name:        \
    return static_cast<int>(value);
#include "drivers/cpu/core/device_attributes.def"
#undef HEL_DEVICE_ATTRIBUTE
    default:
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no device attribute has the number %d", static_cast<int>(which));
  }
}

Result<void> init(unsigned int Flags) {
  if (Flags != 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "flags are %u and must be 0", Flags);
  }
  std::call_once(init_once, make_devices);
  return {};
}

}  // namespace hel::cpu
