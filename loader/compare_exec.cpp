// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs in compare mode: a launch does the work of the nodes one after the other, so that each kernel is compared like
// one that is launched by itself. What an executable graph does is kept as a clone of the graph it was made of; graphs
// that cannot be cloned, or have nodes of other kinds, are launched on the GPU alone.
#include "loader/compare_state.h"

#include "base/driver_params.h"
#include "base/driver_result.h"

#include <set>

namespace hel::loader::comparing {
namespace {

struct Exec {
  CUgraph clone = nullptr;
  std::set<CUgraphNode> disabled;  ///< nodes of the clone
};

struct Execs {
  Mutex mutex;
  std::map<CUgraphExec, Exec> known HEL_GUARDED_BY(mutex);
};

Execs &execs() {
  static Execs *const made = new Execs;  // never destroyed: used until the process ends
  return *made;
}

std::vector<CUgraphNode> nodes_of(CUgraph graph) {
  size_t count = 0;
  gpu().GraphGetNodes(graph, nullptr, &count);
  std::vector<CUgraphNode> nodes(count);
  gpu().GraphGetNodes(graph, nodes.data(), &count);
  return nodes;
}

/// Each node behind those that it depends on.
std::vector<CUgraphNode> in_order(CUgraph graph) {
  std::vector<CUgraphNode> nodes = nodes_of(graph);
  size_t count = 0;
  gpu().GraphGetEdges(graph, nullptr, nullptr, nullptr, &count);
  std::vector<CUgraphNode> from(count);
  std::vector<CUgraphNode> to(count);
  std::vector<CUgraphEdgeData> data(count);
  gpu().GraphGetEdges(graph, from.data(), to.data(), data.data(), &count);
  std::map<CUgraphNode, size_t> missing;
  for (CUgraphNode node : to) {
    missing[node]++;
  }
  std::vector<CUgraphNode> order;
  for (CUgraphNode node : nodes) {
    if (missing[node] == 0) {
      order.push_back(node);
    }
  }
  for (size_t at = 0; at < order.size(); at++) {
    for (size_t edge = 0; edge < count; edge++) {
      if (from[edge] == order[at] && --missing[to[edge]] == 0) {
        order.push_back(to[edge]);
      }
    }
  }
  return order;
}

CUgraphNodeType type_of(CUgraphNode node) {
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
  gpu().GraphNodeGetType(node, &type);
  return type;
}

bool can_be_walked(CUgraph graph) {
  for (CUgraphNode node : nodes_of(graph)) {
    CUgraph child = nullptr;
    switch (type_of(node)) {
      case CU_GRAPH_NODE_TYPE_KERNEL:
      case CU_GRAPH_NODE_TYPE_MEMCPY:
      case CU_GRAPH_NODE_TYPE_MEMSET:
      case CU_GRAPH_NODE_TYPE_HOST:
      case CU_GRAPH_NODE_TYPE_EMPTY:
      case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
        break;
      case CU_GRAPH_NODE_TYPE_GRAPH:
        if (gpu().GraphChildGraphNodeGetGraph(node, &child) != CUDA_SUCCESS || !can_be_walked(child)) {
          return false;
        }
        break;
      default:
        return false;
    }
  }
  return true;
}

// --- the work of one node

CUresult do_kernel(CUgraphNode node) {
  CUDA_KERNEL_NODE_PARAMS params{};
  CUresult code = below().GraphKernelNodeGetParams(node, &params);
  if (code != CUDA_SUCCESS) {
    return code;
  }
  std::vector<CUlaunchAttribute> attributes;
  for (CUlaunchAttributeID id : {CU_LAUNCH_ATTRIBUTE_COOPERATIVE, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION}) {
    CUlaunchAttribute attribute{};
    attribute.id = id;
    if (gpu().GraphKernelNodeGetAttribute(node, id, &attribute.value) == CUDA_SUCCESS &&
        (id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE ? attribute.value.cooperative != 0
                                               : attribute.value.clusterDim.x != 0)) {
      attributes.push_back(attribute);
    }
  }
  auto config = launch_config_of<CUlaunchConfig>(params);
  config.attrs = attributes.data();
  config.numAttrs = static_cast<unsigned>(attributes.size());
  CUfunction function = params.kern != nullptr ? reinterpret_cast<CUfunction>(params.kern) : params.func;
  return launch_with(config, function, {params.kernelParams, params.extra});
}

CUresult do_memset(CUgraphNode node) {
  CUDA_MEMSET_NODE_PARAMS p{};
  CUresult code = gpu().GraphMemsetNodeGetParams(node, &p);
  if (code != CUDA_SUCCESS) {
    return code;
  }
  size_t pitch = p.height > 1 ? p.pitch : p.width * p.elementSize;
  switch (p.elementSize) {
    case 1:
      return gpu().MemsetD2D8(p.dst, pitch, static_cast<unsigned char>(p.value), p.width, p.height);
    case 2:
      return gpu().MemsetD2D16(p.dst, pitch, static_cast<unsigned short>(p.value), p.width, p.height);
    default:
      return gpu().MemsetD2D32(p.dst, pitch, p.value, p.width, p.height);
  }
}

CUresult do_copy(CUgraphNode node) {
  CUDA_MEMCPY3D copy{};
  CUresult code = gpu().GraphMemcpyNodeGetParams(node, &copy);
  return code == CUDA_SUCCESS ? gpu().Memcpy3D(&copy) : code;
}

CUresult do_host_call(CUgraphNode node) {
  CUDA_HOST_NODE_PARAMS call{};
  CUresult code = gpu().GraphHostNodeGetParams(node, &call);
  code = code == CUDA_SUCCESS ? gpu().CtxSynchronize() : code;
  if (code == CUDA_SUCCESS) {
    call.fn(call.userData);
  }
  return code;
}

CUresult do_event(CUgraphNode node, CUstream stream, bool record) {
  CUevent event = nullptr;
  CUresult code =
      record ? gpu().GraphEventRecordNodeGetEvent(node, &event) : gpu().GraphEventWaitNodeGetEvent(node, &event);
  if (code != CUDA_SUCCESS) {
    return code;
  }
  return record ? gpu().EventRecord(event, stream) : gpu().StreamWaitEvent(stream, event, 0);
}

CUresult walk(CUgraph graph, const std::set<CUgraphNode> &disabled, CUstream stream);

CUresult do_node(CUgraphNode node, CUstream stream) {
  CUgraph child = nullptr;
  switch (type_of(node)) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      return do_kernel(node);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return do_copy(node);
    case CU_GRAPH_NODE_TYPE_MEMSET:
      return do_memset(node);
    case CU_GRAPH_NODE_TYPE_HOST:
      return do_host_call(node);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return do_event(node, stream, true);
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      return do_event(node, stream, false);
    case CU_GRAPH_NODE_TYPE_GRAPH: {
      CUresult code = gpu().GraphChildGraphNodeGetGraph(node, &child);
      return code == CUDA_SUCCESS ? walk(child, {}, stream) : code;
    }
    default:
      return CUDA_SUCCESS;
  }
}

CUresult walk(CUgraph graph, const std::set<CUgraphNode> &disabled, CUstream stream) {
  for (CUgraphNode node : in_order(graph)) {
    CUresult code = disabled.count(node) != 0 ? CUDA_SUCCESS : do_node(node, stream);
    code = code == CUDA_SUCCESS ? gpu().StreamSynchronize(stream) : code;
    if (code != CUDA_SUCCESS) {
      return code;
    }
  }
  return CUDA_SUCCESS;
}

// --- executable graphs

void remember(CUgraphExec exec, CUgraph graph) {
  Exec made;
  if (!can_be_walked(graph) || gpu().GraphClone(&made.clone, graph) != CUDA_SUCCESS) {
    made.clone = nullptr;
  }
  Lock lock(execs().mutex);
  Exec &slot = execs().known[exec];
  if (slot.clone != nullptr) {
    gpu().GraphDestroy(slot.clone);
  }
  slot = made;
}

CUresult instantiate(CUgraphExec *exec, CUgraph graph, unsigned long long flags) {
  CUresult code = below().GraphInstantiateWithFlags(exec, graph, flags);
  if (code == CUDA_SUCCESS) {
    remember(*exec, graph);
  }
  return code;
}

CUresult instantiate_with_params(CUgraphExec *exec, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *params) {
  CUresult code = below().GraphInstantiateWithParams(exec, graph, params);
  if (code == CUDA_SUCCESS) {
    remember(*exec, graph);
  }
  return code;
}

CUresult instantiate_v2(CUgraphExec *exec, CUgraph graph, CUgraphNode *error, char *log, size_t bytes) {
  CUresult code = below().GraphInstantiate_v2(exec, graph, error, log, bytes);
  if (code == CUDA_SUCCESS) {
    remember(*exec, graph);
  }
  return code;
}

CUresult exec_destroy(CUgraphExec exec) {
  {
    Lock lock(execs().mutex);
    if (auto known = execs().known.find(exec); known != execs().known.end()) {
      if (known->second.clone != nullptr) {
        gpu().GraphDestroy(known->second.clone);
      }
      execs().known.erase(known);
    }
  }
  return below().GraphExecDestroy(exec);
}

CUresult exec_update(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info) {
  CUresult code = below().GraphExecUpdate(exec, graph, info);
  if (code == CUDA_SUCCESS) {
    remember(exec, graph);
  }
  return code;
}

CUresult exec_update_v1(CUgraphExec exec, CUgraph graph, CUgraphNode *error, CUgraphExecUpdateResult *result) {
  CUresult code = below().GraphExecUpdate_v1(exec, graph, error, result);
  if (code == CUDA_SUCCESS) {
    remember(exec, graph);
  }
  return code;
}

CUresult launch(CUgraphExec exec, CUstream stream) {
  Exec known;
  {
    Lock lock(execs().mutex);
    auto found = execs().known.find(exec);
    known = found != execs().known.end() ? found->second : Exec();
  }
  if (is_captured(stream)) {
    return below().GraphLaunch(exec, stream);
  }
  if (known.clone == nullptr) {
    if (has_objects()) {
      set_last_driver_message(
          "HELICON_COMPARE: a graph with nodes of memory, conditions or other graphs' kinds cannot use textures");
      return CUDA_ERROR_NOT_SUPPORTED;
    }
    note_launch_alone("a graph", "not compared: it has nodes that are not done one by one");
    return below().GraphLaunch(exec, stream);
  }
  CUresult code = gpu().StreamSynchronize(stream);
  return code == CUDA_SUCCESS ? walk(known.clone, known.disabled, stream) : code;
}

/// What an executable graph's node is told, the clone's is told too: `set(table, node of the clone)`.
template <typename Set> CUresult tell_clone(CUresult code, CUgraphExec exec, CUgraphNode node, Set set) {
  if (code != CUDA_SUCCESS) {
    return code;
  }
  Lock lock(execs().mutex);
  auto known = execs().known.find(exec);
  CUgraphNode twin = nullptr;
  if (known != execs().known.end() && known->second.clone != nullptr) {
    bool told = gpu().GraphNodeFindInClone(&twin, node, known->second.clone) == CUDA_SUCCESS &&
                set(known->second, twin) == CUDA_SUCCESS;
    if (!told) {
      gpu().GraphDestroy(known->second.clone);
      known->second.clone = nullptr;  // it would do something else
    }
  }
  return code;
}

CUresult set_kernel(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params) {
  return tell_clone(below().GraphExecKernelNodeSetParams(exec, node, params), exec, node,
                    [&](Exec &, CUgraphNode twin) { return below().GraphKernelNodeSetParams(twin, params); });
}
CUresult set_copy(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *params, CUcontext context) {
  return tell_clone(below().GraphExecMemcpyNodeSetParams(exec, node, params, context), exec, node,
                    [&](Exec &, CUgraphNode twin) { return below().GraphMemcpyNodeSetParams(twin, params); });
}
CUresult set_memset(CUgraphExec exec, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context) {
  return tell_clone(below().GraphExecMemsetNodeSetParams(exec, node, params, context), exec, node,
                    [&](Exec &, CUgraphNode twin) { return below().GraphMemsetNodeSetParams(twin, params); });
}
CUresult set_host_call(CUgraphExec exec, CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params) {
  return tell_clone(below().GraphExecHostNodeSetParams(exec, node, params), exec, node,
                    [&](Exec &, CUgraphNode twin) { return below().GraphHostNodeSetParams(twin, params); });
}
CUresult set_record(CUgraphExec exec, CUgraphNode node, CUevent event) {
  return tell_clone(below().GraphExecEventRecordNodeSetEvent(exec, node, event), exec, node,
                    [&](Exec &, CUgraphNode twin) { return below().GraphEventRecordNodeSetEvent(twin, event); });
}
CUresult set_wait(CUgraphExec exec, CUgraphNode node, CUevent event) {
  return tell_clone(below().GraphExecEventWaitNodeSetEvent(exec, node, event), exec, node,
                    [&](Exec &, CUgraphNode twin) { return below().GraphEventWaitNodeSetEvent(twin, event); });
}
CUresult set_any(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams *params) {
  return tell_clone(below().GraphExecNodeSetParams(exec, node, params), exec, node,
                    [&](Exec &, CUgraphNode twin) { return below().GraphNodeSetParams(twin, params); });
}
CUresult set_enabled(CUgraphExec exec, CUgraphNode node, unsigned enabled) {
  return tell_clone(below().GraphNodeSetEnabled(exec, node, enabled), exec, node, [&](Exec &known, CUgraphNode twin) {
    enabled != 0 ? (void)known.disabled.erase(twin) : (void)known.disabled.insert(twin);
    return CUDA_SUCCESS;
  });
}
/// A child graph of an executable graph has no setter in the clone: the graph is launched as it is from now on.
CUresult set_child(CUgraphExec exec, CUgraphNode node, CUgraph child) {
  return tell_clone(below().GraphExecChildGraphNodeSetParams(exec, node, child), exec, node,
                    [](Exec &, CUgraphNode) { return CUDA_ERROR_NOT_SUPPORTED; });
}

}  // namespace

void put_exec_functions(DriverTable &table) {
  table.GraphInstantiateWithFlags = instantiate;
  table.GraphInstantiateWithParams = instantiate_with_params;
  table.GraphInstantiate_v2 = instantiate_v2;
  table.GraphExecDestroy = exec_destroy;
  table.GraphExecUpdate = exec_update;
  table.GraphExecUpdate_v1 = exec_update_v1;
  table.GraphLaunch = launch;
  table.GraphExecKernelNodeSetParams = set_kernel;
  table.GraphExecMemcpyNodeSetParams = set_copy;
  table.GraphExecMemsetNodeSetParams = set_memset;
  table.GraphExecHostNodeSetParams = set_host_call;
  table.GraphExecEventRecordNodeSetEvent = set_record;
  table.GraphExecEventWaitNodeSetEvent = set_wait;
  table.GraphExecNodeSetParams = set_any;
  table.GraphNodeSetEnabled = set_enabled;
  table.GraphExecChildGraphNodeSetParams = set_child;
}

}  // namespace hel::loader::comparing
