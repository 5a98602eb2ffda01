// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/module/launch_config.h"

#include "drivers/cpu/core/device.h"
#include "drivers/cpu/core/hint_checks.h"
#include "drivers/cpu/exec/launch.h"

#include <algorithm>
#include <cstring>

namespace hel::cpu {
namespace {

constexpr unsigned kLargestCluster = 16;  ///< with CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED

uint64_t volume(const abi::Dim3 &d) { return static_cast<uint64_t>(d.x) * d.y * d.z; }

Result<void> check_block(const abi::KernelInfo &info, const abi::Dim3 &block) {
  if (volume(block) == 0 || block.x > kMaxThreadsPerBlock || block.y > kMaxThreadsPerBlock || block.z > kMaxBlockZ ||
      volume(block) > kMaxThreadsPerBlock) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "a block of %u x %u x %u threads is not possible, at most %u are",
                    block.x, block.y, block.z, kMaxThreadsPerBlock);
  }
  const uint32_t *required = info.required_block;
  if (required[0] != 0 && (block.x != required[0] || block.y != required[1] || block.z != required[2])) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%s is made for blocks of %u x %u x %u threads, not %u x %u x %u",
                    info.name, required[0], required[1], required[2], block.x, block.y, block.z);
  }
  if (volume(block) > max_threads_of(info)) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%s is compiled for at most %u threads in a block, not %llu", info.name,
                    max_threads_of(info), static_cast<unsigned long long>(volume(block)));
  }
  return {};
}

Result<void> check_cluster(const Function &function, LaunchConfig &config) {
  const abi::KernelInfo &info = function.info();
  const FunctionSettings &settings = function.settings;
  abi::Dim3 own{info.cluster[0], info.cluster[1], info.cluster[2]};
  if (own.x == 0) {
    own = {settings.cluster_width.load(), settings.cluster_height.load(), settings.cluster_depth.load()};
  }
  if (own.x != 0) {
    own.y = own.y == 0 ? 1 : own.y;
    own.z = own.z == 0 ? 1 : own.z;
    const abi::Dim3 &given = config.cluster;
    if (given.x != 0 && (given.x != own.x || given.y != own.y || given.z != own.z)) {
      return HEL_FAIL(CUDA_ERROR_INVALID_CLUSTER_SIZE, "%s has clusters of %u x %u x %u blocks", info.name, own.x,
                      own.y, own.z);
    }
    config.cluster = own;
  }
  if (config.cluster.x == 0 && config.cluster.y == 0 && config.cluster.z == 0) {
    config.cluster = {1, 1, 1};
  }
  const abi::Dim3 &cluster = config.cluster;
  const unsigned most = settings.non_portable_cluster.load() != 0 ? kLargestCluster : kMaxClusterBlocks;
  if (volume(cluster) == 0 || volume(cluster) > most || config.grid.x % cluster.x != 0 ||
      config.grid.y % cluster.y != 0 || config.grid.z % cluster.z != 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_CLUSTER_SIZE,
                    "clusters of %u x %u x %u blocks do not fit a grid of %u x %u x %u, or are more than %u", cluster.x,
                    cluster.y, cluster.z, config.grid.x, config.grid.y, config.grid.z, most);
  }
  return {};
}

Result<void> check_cooperative(const Function &function, const LaunchConfig &config) {
  const int blocks =
      blocks_per_multiprocessor(function.info(), static_cast<unsigned>(volume(config.block)), config.dynamic_shared);
  const uint64_t most = static_cast<uint64_t>(blocks) * static_cast<uint64_t>(multiprocessor_count());
  if (volume(config.grid) > most || volume(config.grid) * volume(config.block) > exec::max_cooperative_threads()) {
    return HEL_FAIL(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "%llu blocks cannot be live together, at most %llu can",
                    static_cast<unsigned long long>(volume(config.grid)), static_cast<unsigned long long>(most));
  }
  return {};
}

Result<void> read_attribute(const CUlaunchAttribute &attribute, LaunchConfig &config) {
  const CUlaunchAttributeValue &value = attribute.value;
  switch (attribute.id) {
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
      config.cooperative = value.cooperative != 0;
      return {};
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
      config.cluster = {value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
      if (volume(config.cluster) == 0) {
        return HEL_FAIL(CUDA_ERROR_INVALID_CLUSTER_SIZE, "a cluster dimension is 0");
      }
      return {};
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
      config.priority = value.priority;
      config.has_priority = true;
      return {};
    // It begins when they have ended; only a graph shows the difference.
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
      config.programmatic = value.programmaticStreamSerializationAllowed != 0;
      return {};
    // Events that a kernel may complete early complete at its end.
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
      config.events_after[0] = value.programmaticEvent.event;
      return {};
    case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT:
      config.events_after[1] = value.launchCompletionEvent.event;
      return {};
    case CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE:
      if (value.deviceUpdatableKernelNode.deviceUpdatable != 0) {
        return HEL_FAIL_KIND(CUDA_ERROR_NOT_SUPPORTED, Unsupported,
                             "kernel nodes that a device updates are not supported");
      }
      return {};
    // Hints: a device without the hardware that they steer may ignore them.
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
      return check_access_window(value.accessPolicyWindow);
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
      return check_sync_domain(value.memSyncDomain);
    case CU_LAUNCH_ATTRIBUTE_IGNORE:
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION:
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    case CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING:
      return {};
    default:
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "launches have no attribute %d", static_cast<int>(attribute.id));
  }
}

/// The `extra` list: CU_LAUNCH_PARAM_BUFFER_POINTER, pointer, CU_LAUNCH_PARAM_BUFFER_SIZE, size, CU_LAUNCH_PARAM_END.
Result<std::vector<uint8_t>> copy_buffer(const abi::KernelInfo &info, void **extra) {
  const uint8_t *buffer = nullptr;
  const size_t *size = nullptr;
  for (void **at = extra; *at != CU_LAUNCH_PARAM_END; at += 2) {
    if (*at == CU_LAUNCH_PARAM_BUFFER_POINTER) {
      buffer = static_cast<const uint8_t *>(at[1]);
    } else if (*at == CU_LAUNCH_PARAM_BUFFER_SIZE) {
      size = static_cast<const size_t *>(at[1]);
    } else {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "extra has an entry that is unknown: %p", *at);
    }
  }
  if (buffer == nullptr || size == nullptr || *size < info.param_bytes || *size > kMaxParamBytes) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "extra gives %zu bytes of parameters, %s has %u",
                    size == nullptr ? 0 : *size, info.name, info.param_bytes);
  }
  return std::vector<uint8_t>(buffer, buffer + info.param_bytes);
}

}  // namespace

void describe_launch(exec::GridLaunch &launch, Context &context, const Function &function, const LaunchConfig &config,
                     std::vector<uint8_t> params) {
  const abi::KernelInfo &info = function.info();
  launch.state.grid = config.grid;
  launch.state.block = config.block;
  launch.state.cluster = config.cluster;
  launch.state.static_shared_bytes = info.static_shared_bytes;
  launch.state.dynamic_shared_bytes = config.dynamic_shared;
  launch.state.cooperative = config.cooperative;
  launch.state.kernel = &info;
  launch.params = std::move(params);
  launch.kernel_name = info.name;
  launch.language = function.module().image().language();
  launch.stack_bytes = std::max<size_t>(context.limit(CU_LIMIT_STACK_SIZE), info.local_bytes);
  launch.printf_bytes = context.limit(CU_LIMIT_PRINTF_FIFO_SIZE);
  launch.heap = &context.heap();
  launch.image = function.module().image().dl_handle();
}

Result<LaunchConfig> read_config(const CUlaunchConfig &given) {
  LaunchConfig config;
  config.grid = {given.gridDimX, given.gridDimY, given.gridDimZ};
  config.block = {given.blockDimX, given.blockDimY, given.blockDimZ};
  config.dynamic_shared = given.sharedMemBytes;
  if (given.numAttrs != 0 && given.attrs == nullptr) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "attrs is null, numAttrs is %u", given.numAttrs);
  }
  for (unsigned i = 0; i < given.numAttrs; i++) {
    HEL_TRY(read_attribute(given.attrs[i], config));
  }
  return config;
}

Result<void> check_config(const Function &function, LaunchConfig &config) {
  const abi::KernelInfo &info = function.info();
  const abi::Dim3 &grid = config.grid;
  if (volume(grid) == 0 || grid.x > kMaxGridX || grid.y > kMaxGridYZ || grid.z > kMaxGridYZ) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "a grid of %u x %u x %u blocks is not possible", grid.x, grid.y, grid.z);
  }
  HEL_TRY(check_block(info, config.block));
  const unsigned most = dynamic_shared_limit_of(info, function.settings);
  if (config.dynamic_shared > most) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%u bytes of dynamic shared memory are more than the %u that %s may have",
                    config.dynamic_shared, most, info.name);
  }
  HEL_TRY(check_cluster(function, config));
  if (config.cooperative) {
    HEL_TRY(check_cooperative(function, config));
  }
  return {};
}

Result<std::vector<uint8_t>> pack_params(const abi::KernelInfo &info, void **params, void **extra) {
  if (params != nullptr && extra != nullptr) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "kernelParams and extra are both given");
  }
  if (extra != nullptr) {
    return copy_buffer(info, extra);
  }
  if (params == nullptr && info.param_count != 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%s has %u parameters, none is given", info.name, info.param_count);
  }
  std::vector<uint8_t> buffer(info.param_bytes);
  for (uint32_t i = 0; i < info.param_count; i++) {
    if (params[i] == nullptr) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "parameter %u of %s is a null pointer", i, info.name);
    }
    std::memcpy(buffer.data() + info.params[i].offset, params[i], info.params[i].bytes);
  }
  return buffer;
}

}  // namespace hel::cpu
