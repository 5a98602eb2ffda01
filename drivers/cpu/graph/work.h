// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a node of a graph does: one type for each kind of node, with everything that it needs, checked and copied.
#pragma once

#include "base/result.h"
#include "drivers/cpu/core/event.h"
#include "drivers/cpu/graph/memory.h"
#include "drivers/cpu/memory/bulk.h"
#include "drivers/cpu/module/launch_config.h"

#include <cuda.h>

#include <memory>
#include <variant>
#include <vector>

namespace hel::cpu {

class Graph;

struct EmptyWork {
  static constexpr CUgraphNodeType kType = CU_GRAPH_NODE_TYPE_EMPTY;
};

struct KernelWork {
  static constexpr CUgraphNodeType kType = CU_GRAPH_NODE_TYPE_KERNEL;
  CUfunction func = nullptr;  ///< as given: a function or a kernel of a library
  CUkernel kern = nullptr;
  Ref<Module> module;  ///< keeps the code loaded
  Ref<Function> function;
  LaunchConfig config;
  std::vector<CUlaunchAttribute> attributes;
  std::vector<uint8_t> params;
};

struct CopyWork {
  static constexpr CUgraphNodeType kType = CU_GRAPH_NODE_TYPE_MEMCPY;
  CUDA_MEMCPY3D copy{};
  CUcontext context = nullptr;
  CopyPlan plan;
};

struct FillWork {
  static constexpr CUgraphNodeType kType = CU_GRAPH_NODE_TYPE_MEMSET;
  CUDA_MEMSET_NODE_PARAMS_v2 fill{};
  FillPlan plan;
};

struct HostWork {
  static constexpr CUgraphNodeType kType = CU_GRAPH_NODE_TYPE_HOST;
  CUhostFn function = nullptr;
  void *user = nullptr;
};

struct ChildWork {
  static constexpr CUgraphNodeType kType = CU_GRAPH_NODE_TYPE_GRAPH;
  Ref<Graph> graph;
};

struct RecordWork {
  static constexpr CUgraphNodeType kType = CU_GRAPH_NODE_TYPE_EVENT_RECORD;
  Ref<Event> event;
};

struct WaitWork {
  static constexpr CUgraphNodeType kType = CU_GRAPH_NODE_TYPE_WAIT_EVENT;
  Ref<Event> event;
};

struct AllocWork {
  static constexpr CUgraphNodeType kType = CU_GRAPH_NODE_TYPE_MEM_ALLOC;
  CUmemPoolProps props{};
  std::vector<CUmemAccessDesc> access;
  size_t bytes = 0;
  std::shared_ptr<GraphAllocation> memory;
};

struct FreeWork {
  static constexpr CUgraphNodeType kType = CU_GRAPH_NODE_TYPE_MEM_FREE;
  CUdeviceptr pointer = 0;
  std::shared_ptr<GraphAllocation> memory;
};

struct MemoryOperationsWork {
  static constexpr CUgraphNodeType kType = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
  CUcontext context = nullptr;
  std::vector<CUstreamBatchMemOpParams> operations;
  unsigned flags = 0;
};

using Work = std::variant<EmptyWork, KernelWork, CopyWork, FillWork, HostWork, ChildWork, RecordWork, WaitWork,
                          AllocWork, FreeWork, MemoryOperationsWork>;

inline CUgraphNodeType type_of(const Work &work) {
  return std::visit([]<typename T>(const T &) { return T::kType; }, work);
}

/// "kernel", "copy" …
const char *name_of(CUgraphNodeType type);

/// Checks and copies what a node is to do. Conditional and semaphore nodes are refused by name. An allocation node gets
/// its memory, and the address is put into `params`.
Result<Work> make_work(CUgraphNodeParams &params);
/// The same in the other direction. Pointers in it belong to the work; `pointers` is the place for those to a kernel's
/// parameters.
void describe_work(const Work &work, CUgraphNodeParams &params, std::vector<void *> &pointers);

/// A kernel node from a launch that was checked already.
Result<Work> make_kernel_work(CUfunction func, const Ref<Function> &function, const CUlaunchConfig &launch,
                              std::vector<uint8_t> params);
Result<Work> make_copy_work(const CUDA_MEMCPY3D &copy, CUcontext context);
Result<Work> make_fill_work(const CUDA_MEMSET_NODE_PARAMS_v2 &fill);
/// What the driver knows the memory behind a pointer to be.
CUmemorytype memory_type_of(CUdeviceptr pointer);
/// The form in which a plain copy is described; each end is called what the driver knows it to be.
CUDA_MEMCPY3D describe_copy(CUdeviceptr target, CUdeviceptr source, size_t bytes);

/// Attributes of kernel nodes.
Result<void> get_attribute(const KernelWork &work, CUlaunchAttributeID id, CUlaunchAttributeValue &value);
Result<void> set_attribute(KernelWork &work, CUlaunchAttributeID id, const CUlaunchAttributeValue &value);

/// New parameters come without attributes: `now` gets those of `old`.
Result<void> keep_attributes(const KernelWork &old, KernelWork &now);

}  // namespace hel::cpu
