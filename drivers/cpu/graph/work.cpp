// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/graph/work.h"

#include "base/driver_params.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/graph/graph.h"
#include "drivers/cpu/memory/copy_plan.h"
#include "drivers/cpu/memory/memory_operations.h"
#include "drivers/cpu/module/library.h"

namespace hel::cpu {
namespace {

/// The context that a node names, or the current one.
Result<Ref<Context>> context_or_current(CUcontext handle) {
  if (handle != nullptr) {
    return find_context(handle);
  }
  return Ref<Context>(*HEL_TRY(current_context()));
}

Result<Ref<Function>> resolve_function(const CUDA_KERNEL_NODE_PARAMS_v3 &node) {
  const bool by_kernel = node.func == nullptr;
  CUfunction handle = by_kernel ? reinterpret_cast<CUfunction>(node.kern) : node.func;
  if (Result<Ref<Kernel>> kernel = find<Kernel>(reinterpret_cast<CUkernel>(handle))) {
    return kernel.value()->function_in(*HEL_TRY(context_or_current(node.ctx)));
  }
  return by_kernel ? Result<Ref<Function>>(wrong_handle<Kernel>(node.kern)) : find<Function>(node.func);
}

Result<Work> make_kernel_node_work(const CUDA_KERNEL_NODE_PARAMS_v3 &node) {
  Ref<Function> function = HEL_TRY(resolve_function(node));
  std::vector<uint8_t> params = HEL_TRY(pack_params(function->info(), node.kernelParams, node.extra));
  Work work = HEL_TRY(make_kernel_work(node.func, function, launch_config_of<CUlaunchConfig>(node), std::move(params)));
  std::get<KernelWork>(work).kern = node.func == nullptr ? node.kern : nullptr;
  return work;
}

Result<Work> make_event_work(CUevent handle, bool record) {
  Ref<Event> event = HEL_TRY(find<Event>(handle));
  return record ? Work(RecordWork{std::move(event)}) : Work(WaitWork{std::move(event)});
}

/// Clones the graph, unless it is given away.
Result<Work> make_child_work(const CUDA_CHILD_GRAPH_NODE_PARAMS &node) {
  Ref<Graph> graph = HEL_TRY(find_graph(node.graph));
  if (graph->inside_node || graph->capturing) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the child graph belongs to a node, or is being captured");
  }
  if (node.ownership == CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE) {
    graph->inside_node = true;
    return Work(ChildWork{std::move(graph)});
  }
  if (node.ownership != CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no ownership of child graphs has the number %d",
                    static_cast<int>(node.ownership));
  }
  if (graph->has_memory_nodes()) {
    return HEL_FAIL(CUDA_ERROR_NOT_SUPPORTED, "a graph with memory nodes can be a child only if it is given away");
  }
  Ref<Graph> copy = HEL_TRY(graph->clone());
  copy->inside_node = true;
  return Work(ChildWork{std::move(copy)});
}

Result<Work> make_alloc_work(CUDA_MEM_ALLOC_NODE_PARAMS_v2 &node) {
  const CUmemPoolProps &props = node.poolProps;
  if (props.allocType != CU_MEM_ALLOCATION_TYPE_PINNED || props.location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
      props.handleTypes != CU_MEM_HANDLE_TYPE_NONE) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "memory nodes allocate pinned memory of a device that is not exported");
  }
  Result<Device *> found = find_device(props.location.id);
  if (!found) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "memory on device %d, which does not exist", props.location.id);
  }
  Device *const device = found.take();
  if (node.bytesize == 0 || (node.accessDescCount != 0 && node.accessDescs == nullptr)) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%zu bytes, %zu access descriptors", node.bytesize, node.accessDescCount);
  }
  Context *context = HEL_TRY(current_context());
  if (&context->device() != device) {
    return HEL_FAIL_KIND(CUDA_ERROR_NOT_SUPPORTED, Unsupported,
                         "memory nodes for another device than the current context's are not supported");
  }
  AllocWork work;
  work.props = props;
  work.access.assign(node.accessDescs, node.accessDescs + node.accessDescCount);
  for (const CUmemAccessDesc &access : work.access) {
    HEL_TRY(find_device(access.location.id));
  }
  work.bytes = node.bytesize;
  work.memory = HEL_TRY(make_graph_allocation(*context, node.bytesize));
  node.dptr = work.memory->address();
  return Work(std::move(work));
}

Result<Work> make_free_work(CUdeviceptr pointer) {
  std::shared_ptr<GraphAllocation> memory = find_graph_allocation(pointer);
  if (memory == nullptr) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "0x%llx was not allocated by a node of a graph",
                    static_cast<unsigned long long>(pointer));
  }
  return Work(FreeWork{pointer, std::move(memory)});
}

Result<Work> make_memory_operations_work(const CUDA_BATCH_MEM_OP_NODE_PARAMS_v2 &node) {
  Ref<Context> context = HEL_TRY(context_or_current(node.ctx));
  if (node.count != 0 && node.paramArray == nullptr) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%u memory operations at null", node.count);
  }
  HEL_TRY(check_operations(node.paramArray, node.count, node.flags));
  return Work(MemoryOperationsWork{context->handle(), {node.paramArray, node.paramArray + node.count}, node.flags});
}

void describe_kernel(const KernelWork &work, CUDA_KERNEL_NODE_PARAMS_v3 &node, std::vector<void *> &pointers) {
  node = {};
  node.func = work.func;
  node.kern = work.kern;
  node.ctx = work.module->context().handle();
  node.gridDimX = work.config.grid.x;
  node.gridDimY = work.config.grid.y;
  node.gridDimZ = work.config.grid.z;
  node.blockDimX = work.config.block.x;
  node.blockDimY = work.config.block.y;
  node.blockDimZ = work.config.block.z;
  node.sharedMemBytes = work.config.dynamic_shared;
  const abi::KernelInfo &info = work.function->info();
  pointers.clear();
  for (uint32_t i = 0; i < info.param_count; i++) {
    pointers.push_back(const_cast<uint8_t *>(work.params.data()) + info.params[i].offset);
  }
  node.kernelParams = pointers.empty() ? nullptr : pointers.data();
}

}  // namespace

const char *name_of(CUgraphNodeType type) {
  static constexpr const char *kNames[] = {"kernel",
                                           "memcpy",
                                           "memset",
                                           "host",
                                           "graph",
                                           "empty",
                                           "event wait",
                                           "event record",
                                           "semaphore signal",
                                           "semaphore wait",
                                           "memory allocation",
                                           "memory free",
                                           "memory operations",
                                           "conditional"};
  return static_cast<size_t>(type) < std::size(kNames) ? kNames[type] : "unknown";
}

Result<Work> make_kernel_work(CUfunction func, const Ref<Function> &function, const CUlaunchConfig &launch,
                              std::vector<uint8_t> params) {
  KernelWork work;
  work.func = func;
  work.function = function;
  work.module = Ref<Module>(function->module());
  work.config = HEL_TRY(read_config(launch));
  work.config.events_after[0] = work.config.events_after[1] = nullptr;
  HEL_TRY(check_config(*function, work.config));
  for (unsigned i = 0; i < launch.numAttrs; i++) {
    work.attributes.push_back(launch.attrs[i]);
  }
  work.params = std::move(params);
  return Work(std::move(work));
}

Result<Work> make_copy_work(const CUDA_MEMCPY3D &copy, CUcontext handle) {
  CopyWork work;
  work.context = HEL_TRY(context_or_current(handle))->handle();
  work.plan = HEL_TRY(plan_copy_3d(copy));
  work.copy = copy;
  return Work(work);
}

Result<Work> make_fill_work(const CUDA_MEMSET_NODE_PARAMS_v2 &fill) {
  FillWork work;
  work.fill = fill;
  work.fill.ctx = HEL_TRY(context_or_current(fill.ctx))->handle();
  const unsigned element = fill.elementSize;
  if (element != 1 && element != 2 && element != 4) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "elements of %u bytes; 1, 2 or 4 are possible", element);
  }
  if (fill.width == 0 || fill.height == 0 || (element < 4 && fill.value >> (8 * element) != 0)) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%zu x %zu elements of value 0x%x", fill.width, fill.height, fill.value);
  }
  work.plan =
      HEL_TRY(plan_fill(fill.dst, fill.height == 1 ? 0 : fill.pitch, fill.value, element, fill.width, fill.height));
  return Work(work);
}

CUmemorytype memory_type_of(CUdeviceptr pointer) {
  const Allocation *allocation = find_allocation(pointer);
  return allocation == nullptr || allocation->host() ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

CUDA_MEMCPY3D describe_copy(CUdeviceptr target, CUdeviceptr source, size_t bytes) {
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = memory_type_of(source);
  copy.srcHost = reinterpret_cast<void *>(source);
  copy.srcDevice = source;
  copy.dstMemoryType = memory_type_of(target);
  copy.dstHost = reinterpret_cast<void *>(target);
  copy.dstDevice = target;
  copy.WidthInBytes = bytes;
  copy.srcPitch = copy.dstPitch = bytes;
  copy.Height = copy.Depth = copy.srcHeight = copy.dstHeight = 1;
  return copy;
}

Result<Work> make_work(CUgraphNodeParams &params) {
  switch (params.type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      return make_kernel_node_work(params.kernel);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return make_copy_work(params.memcpy.copyParams, params.memcpy.copyCtx);
    case CU_GRAPH_NODE_TYPE_MEMSET:
      return make_fill_work(params.memset);
    case CU_GRAPH_NODE_TYPE_HOST:
      if (params.host.fn == nullptr) {
        return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "fn is null");
      }
      return Work(HostWork{params.host.fn, params.host.userData});
    case CU_GRAPH_NODE_TYPE_GRAPH:
      return make_child_work(params.graph);
    case CU_GRAPH_NODE_TYPE_EMPTY:
      return Work(EmptyWork{});
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      return make_event_work(params.eventWait.event, false);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return make_event_work(params.eventRecord.event, true);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
      return make_alloc_work(params.alloc);
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
      return make_free_work(params.free.dptr);
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
      return make_memory_operations_work(params.memOp);
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
      return HEL_FAIL_KIND(CUDA_ERROR_NOT_SUPPORTED, Unsupported, "%s nodes are not supported", name_of(params.type));
  }
  return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no kind of node has the number %d", static_cast<int>(params.type));
}

void describe_work(const Work &work, CUgraphNodeParams &params, std::vector<void *> &pointers) {
  params = {};
  params.type = type_of(work);
  if (const auto *kernel = std::get_if<KernelWork>(&work)) {
    describe_kernel(*kernel, params.kernel, pointers);
  } else if (const auto *copy = std::get_if<CopyWork>(&work)) {
    params.memcpy.copyParams = copy->copy;
    params.memcpy.copyCtx = copy->context;
  } else if (const auto *fill = std::get_if<FillWork>(&work)) {
    params.memset = fill->fill;
  } else if (const auto *host = std::get_if<HostWork>(&work)) {
    params.host = {host->function, host->user};
  } else if (const auto *child = std::get_if<ChildWork>(&work)) {
    params.graph.graph = child->graph->handle();
  } else if (const auto *record = std::get_if<RecordWork>(&work)) {
    params.eventRecord.event = record->event->handle();
  } else if (const auto *wait = std::get_if<WaitWork>(&work)) {
    params.eventWait.event = wait->event->handle();
  } else if (const auto *alloc = std::get_if<AllocWork>(&work)) {
    params.alloc = {alloc->props, alloc->access.data(), alloc->access.size(), alloc->bytes, alloc->memory->address()};
  } else if (const auto *release = std::get_if<FreeWork>(&work)) {
    params.free.dptr = release->pointer;
  } else if (const auto *batch = std::get_if<MemoryOperationsWork>(&work)) {
    params.memOp = {batch->context, static_cast<unsigned>(batch->operations.size()),
                    const_cast<CUstreamBatchMemOpParams *>(batch->operations.data()), batch->flags};
  }
}

Result<void> get_attribute(const KernelWork &work, CUlaunchAttributeID id, CUlaunchAttributeValue &value) {
  CUlaunchAttribute probe{};
  probe.id = id;
  CUlaunchConfig config{};
  config.attrs = &probe;
  config.numAttrs = 1;
  probe.value.clusterDim = {1, 1, 1};  // zeros would not be accepted
  HEL_TRY(read_config(config));
  value = {};
  for (const CUlaunchAttribute &own : work.attributes) {
    if (own.id == id) {
      value = own.value;
    }
  }
  return {};
}

Result<void> set_attribute(KernelWork &work, CUlaunchAttributeID id, const CUlaunchAttributeValue &value) {
  std::vector<CUlaunchAttribute> attributes = work.attributes;
  std::erase_if(attributes, [&](const CUlaunchAttribute &own) { return own.id == id; });
  CUlaunchAttribute added{};
  added.id = id;
  added.value = value;
  attributes.push_back(added);
  const LaunchConfig &old = work.config;
  CUlaunchConfig launch{
      old.grid.x,  old.grid.y,         old.grid.z, old.block.x,       old.block.y,
      old.block.z, old.dynamic_shared, nullptr,    attributes.data(), static_cast<unsigned>(attributes.size())};
  LaunchConfig config = HEL_TRY(read_config(launch));
  HEL_TRY(check_config(*work.function, config));
  work.config = config;
  work.attributes = std::move(attributes);
  return {};
}

Result<void> keep_attributes(const KernelWork &old, KernelWork &now) {
  for (const CUlaunchAttribute &attribute : old.attributes) {
    HEL_TRY(set_attribute(now, attribute.id, attribute.value));
  }
  return {};
}

}  // namespace hel::cpu
