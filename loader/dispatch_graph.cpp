// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs over several drivers: a graph belongs to one side, and the kernels that its nodes' parameters name are those
// of that side. Parameters that come back name the kernels as the program knows them.
#include "loader/dispatch.h"

namespace hel::loader {
namespace {

// --- the kernels in parameters

bool take_kernels(int at, CUDA_KERNEL_NODE_PARAMS_v1 &params) {
  CUfunction function = params.func;
  params.func = on_side(at, function);
  return params.func != nullptr || function == nullptr;
}

template <typename Params> bool take_kernels(int at, Params &params) {
  CUfunction function = params.func;
  CUkernel kernel = params.kern;
  params.func = on_side(at, function);
  params.kern = function != nullptr && params.func == nullptr ? nullptr : on_side(at, kernel);
  return (params.func != nullptr || function == nullptr) && (params.kern != nullptr || kernel == nullptr);
}

bool take_kernels(int at, CUgraphNodeParams &params) {
  return params.type != CU_GRAPH_NODE_TYPE_KERNEL || take_kernels(at, params.kernel);
}

void give_kernels(int at, CUDA_KERNEL_NODE_PARAMS_v1 &params) { params.func = joint_of(at, params.func); }
void give_kernels(int at, CUDA_KERNEL_NODE_PARAMS &params) {
  params.func = joint_of(at, params.func);
  params.kern = joint_of(at, params.kern);
}

/// `call(table, own)` gets the parameters with the kernels of side `at`.
template <typename Params, typename Call>
CUresult with_kernels(int at, const char *function, Params *params, Call call) {
  if (at < 0) {
    return of_several_drivers(function);
  }
  const Visit visit(at);
  if (params == nullptr) {
    return call(side(at), params);
  }
  std::remove_const_t<Params> own = *params;
  return take_kernels(at, own) ? call(side(at), &own) : why_not_on_side();
}

// --- the functions

template <auto Member> struct Add;
template <typename Params,
          CUresult (*DriverTable::*Member)(CUgraphNode *, CUgraph, const CUgraphNode *, size_t, Params *)>
struct Add<Member> {
  static CUresult call(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                       Params *params) {
    return with_kernels(
        choose_side({side_of_handle(graph)}), "cuGraphAddKernelNode", params,
        [&](const DriverTable &cu, Params *own) { return (cu.*Member)(node, graph, dependencies, count, own); });
  }
};

template <auto Member> struct SetOfNode;
template <typename Params, CUresult (*DriverTable::*Member)(CUgraphNode, Params *)> struct SetOfNode<Member> {
  static CUresult call(CUgraphNode node, Params *params) {
    return with_kernels(choose_side({side_of_handle(node)}), "cuGraphKernelNodeSetParams", params,
                        [&](const DriverTable &cu, Params *own) { return (cu.*Member)(node, own); });
  }
};

template <auto Member> struct SetOfExec;
template <typename Params, CUresult (*DriverTable::*Member)(CUgraphExec, CUgraphNode, Params *)>
struct SetOfExec<Member> {
  static CUresult call(CUgraphExec exec, CUgraphNode node, Params *params) {
    return with_kernels(choose_side({side_of_handle(exec), side_of_handle(node)}), "cuGraphExecKernelNodeSetParams",
                        params, [&](const DriverTable &cu, Params *own) { return (cu.*Member)(exec, node, own); });
  }
};

template <auto Member> struct Get;
template <typename Params, CUresult (*DriverTable::*Member)(CUgraphNode, Params *)> struct Get<Member> {
  static CUresult call(CUgraphNode node, Params *params) {
    int at = choose_side({side_of_handle(node)});
    CUresult code = (side(at).*Member)(node, params);
    if (code == CUDA_SUCCESS && params != nullptr) {
      give_kernels(at, *params);
    }
    return code;
  }
};

/// What the program's parameters hold back (addresses of memory nodes) goes to the program's own struct.
CUresult add_node(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, const CUgraphEdgeData *data,
                  size_t count, CUgraphNodeParams *params) {
  if (params == nullptr || params->type != CU_GRAPH_NODE_TYPE_KERNEL) {
    int at = choose_side({side_of_handle(graph)});
    const Visit visit(at);
    return side(at).GraphAddNode(node, graph, dependencies, data, count, params);
  }
  return with_kernels(choose_side({side_of_handle(graph)}), "cuGraphAddNode", params,
                      [&](const DriverTable &cu, CUgraphNodeParams *own) {
                        return cu.GraphAddNode(node, graph, dependencies, data, count, own);
                      });
}

CUresult add_node_v1(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                     CUgraphNodeParams *params) {
  return add_node(node, graph, dependencies, nullptr, count, params);
}

}  // namespace

void put_graph_functions(DriverTable &table) {
  table.GraphAddKernelNode = Add<&DriverTable::GraphAddKernelNode>::call;
  table.GraphAddKernelNode_v1 = Add<&DriverTable::GraphAddKernelNode_v1>::call;
  table.GraphKernelNodeSetParams = SetOfNode<&DriverTable::GraphKernelNodeSetParams>::call;
  table.GraphKernelNodeSetParams_v1 = SetOfNode<&DriverTable::GraphKernelNodeSetParams_v1>::call;
  table.GraphNodeSetParams = SetOfNode<&DriverTable::GraphNodeSetParams>::call;
  table.GraphExecKernelNodeSetParams = SetOfExec<&DriverTable::GraphExecKernelNodeSetParams>::call;
  table.GraphExecKernelNodeSetParams_v1 = SetOfExec<&DriverTable::GraphExecKernelNodeSetParams_v1>::call;
  table.GraphExecNodeSetParams = SetOfExec<&DriverTable::GraphExecNodeSetParams>::call;
  table.GraphKernelNodeGetParams = Get<&DriverTable::GraphKernelNodeGetParams>::call;
  table.GraphKernelNodeGetParams_v1 = Get<&DriverTable::GraphKernelNodeGetParams_v1>::call;
  table.GraphAddNode = add_node;
  table.GraphAddNode_v1 = add_node_v1;
}

}  // namespace hel::loader
