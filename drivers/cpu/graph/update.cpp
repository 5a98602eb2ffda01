// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Updating an executable graph from a graph of the same shape. Nodes are paired in the order in which they were added.
#include "drivers/cpu/graph/exec.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace hel::cpu {
namespace {

/// What an update changes: the id of the node, and its new work.
using Changes = std::vector<std::pair<const Node *, const Node *>>;

std::unique_ptr<Failure> fail(CUgraphExecUpdateResultInfo &info, CUgraphExecUpdateResult result, const Node *node,
                              const char *what) {
  info.result = result;
  info.errorNode = node == nullptr ? nullptr : node->handle();
  return HEL_FAIL(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "the graph cannot take the place of the other: %s", what);
}

/// What a node waits for, by the places of nodes in their graph.
std::vector<std::pair<size_t, uint64_t>> places(const Node &node,
                                                const std::unordered_map<const Node *, size_t> &order) {
  std::vector<std::pair<size_t, uint64_t>> result;
  for (const Edge &edge : node.dependencies) {
    uint64_t data = 0;
    static_assert(sizeof(data) == sizeof(edge.data));
    std::memcpy(&data, &edge.data, sizeof(data));
    result.emplace_back(order.at(edge.node), data);
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::unordered_map<const Node *, size_t> order_of(const Graph &graph) {
  std::unordered_map<const Node *, size_t> order;
  for (const Ref<Node> &node : graph.nodes()) {
    order.emplace(node.get(), order.size());
  }
  return order;
}

CUgraphExecUpdateResult reason(const Work &from, const Work &to) {
  if (from.index() != to.index()) {
    return CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
  }
  if (std::holds_alternative<KernelWork>(from)) {
    return CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE;
  }
  return std::holds_alternative<AllocWork>(from) || std::holds_alternative<FreeWork>(from)
             ? CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED
             : CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
}

Result<void> compare(const Graph &from, const Graph &to, CUgraphExecUpdateResultInfo &info, Changes &changes) {
  if (from.nodes().size() != to.nodes().size()) {
    return fail(info, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, nullptr, "the numbers of nodes differ");
  }
  const auto from_order = order_of(from), to_order = order_of(to);
  for (size_t i = 0; i < from.nodes().size(); i++) {
    const Node &old = *from.nodes()[i], &node = *to.nodes()[i];
    if (old.type() != node.type()) {
      return fail(info, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED, &node, "a node is of another kind");
    }
    if (places(old, from_order) != places(node, to_order)) {
      return fail(info, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, &node, "a node waits for other nodes");
    }
    if (const auto *child = std::get_if<ChildWork>(&node.work)) {
      HEL_TRY(compare(*std::get<ChildWork>(old.work).graph, *child->graph, info, changes));
      continue;
    }
    if (Result<void> change = check_change(old.work, node.work); !change) {
      return fail(info, reason(old.work, node.work), &node, change.failure().message.c_str());
    }
    changes.emplace_back(&old, &node);
  }
  return {};
}

}  // namespace

/// Between which types of memory a copy is, however its addresses are given.
static std::pair<CUmemorytype, CUmemorytype> memory_types(const CUDA_MEMCPY3D &copy) {
  auto type = [](CUmemorytype given, CUdeviceptr address) {
    return given == CU_MEMORYTYPE_UNIFIED ? memory_type_of(address) : given;
  };
  return {type(copy.srcMemoryType, copy.srcDevice), type(copy.dstMemoryType, copy.dstDevice)};
}

Result<void> check_change(const Work &from, const Work &to) {
  if (from.index() != to.index()) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "a %s node cannot become a %s node", name_of(type_of(from)),
                    name_of(type_of(to)));
  }
  if (const auto *kernel = std::get_if<KernelWork>(&from)) {
    if (&kernel->module->context() != &std::get<KernelWork>(to).module->context()) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the kernel belongs to another context");
    }
  } else if (const auto *copy = std::get_if<CopyWork>(&from)) {
    if (memory_types(copy->copy) != memory_types(std::get<CopyWork>(to).copy)) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the copy is between other types of memory");
    }
  } else if (const auto *fill = std::get_if<FillWork>(&from)) {
    if (fill->fill.height != std::get<FillWork>(to).fill.height) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "only one-dimensional fills can change");
    }
  } else if (const auto *alloc = std::get_if<AllocWork>(&from)) {
    if (alloc->memory != std::get<AllocWork>(to).memory) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "allocation nodes cannot change");
    }
  } else if (const auto *release = std::get_if<FreeWork>(&from)) {
    if (release->memory != std::get<FreeWork>(to).memory) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "free nodes cannot change");
    }
  }
  return {};
}

Result<void> GraphExec::apply(Graph &shape, Graph &graph, CUgraphExecUpdateResultInfo &info) {
  Changes changes;
  HEL_TRY(compare(shape, graph, info, changes));
  Plan &plan = own_plan();
  for (auto [old, node] : changes) {
    const int item = plan.find(old->original);
    HEL_ENSURE(item >= 0, "a node of the shape has no item");
    plan.items()[static_cast<size_t>(item)].work = node->work;
    const_cast<Node *>(old)->work = node->work;
    plan.renew(static_cast<size_t>(item));
  }
  if (!uses_node_priority()) {
    plan.clear_priorities();
  }
  collect();
  return {};
}

Result<void> GraphExec::update(Graph &graph, CUgraphExecUpdateResultInfo &info) {
  Lock lock(mutex_);
  return apply(*source_, graph, info);
}

Result<void> GraphExec::update_child(const Node &node, Graph &graph) {
  Lock lock(mutex_);
  HEL_TRY(item_of(node));
  for (const Ref<Node> &own : source_->nodes()) {
    if (own->original != node.unique_id()) {
      continue;
    }
    auto *child = std::get_if<ChildWork>(&own->work);
    if (child == nullptr) {
      break;
    }
    CUgraphExecUpdateResultInfo info{};
    return apply(*child->graph, graph, info);
  }
  return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the node is no child graph node of the graph that was instantiated");
}

}  // namespace hel::cpu
