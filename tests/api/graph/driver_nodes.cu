// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes of every kind by the driver API: added, asked, changed in the graph and in the executable graph, and refused.
// RUN: %mcc %s -o %t && %run %t
// covers: C-4.2.1-01 C-4.2.3-03
#include "check.h"

#include <cuda.h>

__global__ void add(int *data, int value) { *data += value; }

static CUcontext context;
static CUstream stream;
static CUgraph graph;
static CUdeviceptr memory;
static CUgraphNode nothing;
static const CUgraphNode kForeign = (CUgraphNode)0x1234;

static int cell(int index) {
  int value = -1;
  CHECK_CU(cuMemcpyDtoH(&value, memory + 4 * index, 4));
  return value;
}

static CUgraphExec make() {
  CUgraphExec exec = nullptr;
  CHECK_CU(cuGraphInstantiateWithFlags(&exec, graph, 0));
  return exec;
}

static void run(CUgraphExec exec) {
  CHECK_CU(cuGraphLaunch(exec, stream));
  CHECK_CU(cuStreamSynchronize(stream));
}

static void end(CUgraphExec exec, CUgraphNode node) {
  CHECK_CU(cuGraphExecDestroy(exec));
  CHECK_CU(cuGraphDestroyNode(node));
}

static void kernels() {
  cudaFunction_t function;
  CHECK_CUDA(cudaGetFuncBySymbol(&function, (void *)add));
  int value = 5;
  void *args[] = {&memory, &value};
  CUDA_KERNEL_NODE_PARAMS params = {};
  params.func = function;
  params.gridDimX = params.gridDimY = params.gridDimZ = params.blockDimX = params.blockDimY = params.blockDimZ = 1;
  params.kernelParams = args;
  CUgraphNode node, second;
  CHECK_CU(cuGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  CHECK_CU(cuMemsetD32(memory, 0, 16));
  CUgraphExec exec = make();
  run(exec);
  CHECK_EQ(cell(0), 5);
  value = 7;
  CHECK_CU(cuGraphExecKernelNodeSetParams(exec, node, &params));
  run(exec);
  CHECK_EQ(cell(0), 12);
  value = 100;
  CHECK_CU(cuGraphKernelNodeSetParams(node, &params));
  run(exec);  // still the old one
  CHECK_EQ(cell(0), 19);
  CUgraphExec fresh = make();
  run(fresh);
  CHECK_EQ(cell(0), 119);

  unsigned enabled = 9;
  CHECK_CU(cuGraphNodeGetEnabled(exec, node, &enabled));
  CHECK_EQ(enabled, 1u);
  CHECK_CU(cuGraphNodeSetEnabled(exec, node, 0));
  CHECK_CU(cuGraphNodeGetEnabled(exec, node, &enabled));
  CHECK_EQ(enabled, 0u);
  run(exec);
  CHECK_EQ(cell(0), 119);
  value = 1;
  CHECK_CU(cuGraphExecKernelNodeSetParams(exec, node, &params));  // kept for when it is enabled
  CHECK_CU(cuGraphNodeSetEnabled(exec, node, 1));
  run(exec);
  CHECK_EQ(cell(0), 120);
  CHECK_ERROR(cuGraphNodeGetEnabled(exec, node, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphNodeSetEnabled(exec, nothing, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuGraphNodeSetEnabled(nullptr, node, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuGraphNodeGetEnabled(exec, kForeign, &enabled), CUDA_ERROR_INVALID_VALUE);

  CUkernelNodeAttrValue wanted = {}, told = {};
  CHECK_CU(cuGraphAddKernelNode(&second, graph, nullptr, 0, &params));
  wanted.priority = -2;
  CHECK_CU(cuGraphKernelNodeSetAttribute(node, CU_LAUNCH_ATTRIBUTE_PRIORITY, &wanted));
  CHECK_CU(cuGraphKernelNodeGetAttribute(node, CU_LAUNCH_ATTRIBUTE_PRIORITY, &told));
  CHECK_EQ(told.priority, -2);
  CHECK_CU(cuGraphKernelNodeCopyAttributes(second, node));
  told.priority = 0;
  CHECK_CU(cuGraphKernelNodeGetAttribute(second, CU_LAUNCH_ATTRIBUTE_PRIORITY, &told));
  CHECK_EQ(told.priority, -2);
  CHECK_ERROR(cuGraphKernelNodeSetAttribute(node, (CUkernelNodeAttrID)999, &wanted), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphKernelNodeGetAttribute(node, (CUkernelNodeAttrID)999, &told), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuGraphKernelNodeGetAttribute(node, CU_LAUNCH_ATTRIBUTE_PRIORITY, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuGraphKernelNodeSetAttribute(node, CU_LAUNCH_ATTRIBUTE_PRIORITY, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphKernelNodeSetAttribute(nothing, CU_LAUNCH_ATTRIBUTE_PRIORITY, &wanted), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphKernelNodeCopyAttributes(nothing, node), CUDA_ERROR_INVALID_VALUE);

  CHECK_ERROR(cuGraphKernelNodeSetParams(node, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphKernelNodeSetParams(nothing, &params), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphExecKernelNodeSetParams(exec, node, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphExecKernelNodeSetParams(exec, nothing, &params), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuGraphExecKernelNodeSetParams(nullptr, node, &params), CUDA_ERROR_INVALID_VALUE);
  params.gridDimX = 0;
  CHECK_ERROR(cuGraphExecKernelNodeSetParams(exec, node, &params), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuGraphExecDestroy(fresh));
  CHECK_CU(cuGraphDestroyNode(second));
  end(exec, node);
}

static CUDA_MEMCPY3D copy_of(int from, int to) {
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = memory + 4 * from;
  copy.dstDevice = memory + 4 * to;
  copy.WidthInBytes = 4;
  copy.Height = copy.Depth = 1;
  return copy;
}

static void copies() {
  for (int i = 0; i < 4; i++) {
    CHECK_CU(cuMemsetD32(memory + 4 * i, 10 + i, 1));
  }
  CUDA_MEMCPY3D copy = copy_of(0, 5), told = {};
  CUgraphNode node;
  CHECK_CU(cuGraphAddMemcpyNode(&node, graph, nullptr, 0, &copy, context));
  CHECK_CU(cuGraphMemcpyNodeGetParams(node, &told));
  CHECK(told.srcDevice == copy.srcDevice && told.dstDevice == copy.dstDevice && told.WidthInBytes == 4);
  CUgraphExec exec = make();
  run(exec);
  CHECK_EQ(cell(5), 10);
  copy = copy_of(1, 6);
  CHECK_CU(cuGraphMemcpyNodeSetParams(node, &copy));
  CHECK_CU(cuGraphMemcpyNodeGetParams(node, &told));
  CHECK_EQ(told.srcDevice, copy.srcDevice);
  CUgraphExec fresh = make();
  run(fresh);
  CHECK_EQ(cell(6), 11);
  CHECK_ERROR(cuGraphMemcpyNodeGetParams(node, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphMemcpyNodeGetParams(nothing, &told), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphMemcpyNodeSetParams(node, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphMemcpyNodeSetParams(nothing, &copy), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuGraphExecDestroy(fresh));
  end(exec, node);
}

static void fills() {
  CUDA_MEMSET_NODE_PARAMS fill = {memory, 0, 0x55, 1, 4, 1}, told = {};
  CUgraphNode node, none = nullptr;
  CHECK_CU(cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, context));
  CHECK_CU(cuGraphMemsetNodeGetParams(node, &told));
  CHECK(told.dst == memory && told.value == 0x55 && told.elementSize == 1 && told.width == 4 && told.height == 1);
  CUgraphExec exec = make();
  run(exec);
  CHECK_EQ(cell(0), 0x55555555);
  fill.value = 0x66;
  CHECK_CU(cuGraphExecMemsetNodeSetParams(exec, node, &fill, context));
  run(exec);
  CHECK_EQ(cell(0), 0x66666666);
  fill.elementSize = 4;
  fill.width = 1;
  fill.value = 0x1234;
  CHECK_CU(cuGraphMemsetNodeSetParams(node, &fill));
  CUgraphExec fresh = make();
  run(fresh);
  CHECK_EQ(cell(0), 0x1234);
  CHECK_ERROR(cuGraphAddMemsetNode(nullptr, graph, nullptr, 0, &fill, context), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphAddMemsetNode(&none, graph, nullptr, 0, nullptr, context), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphAddMemsetNode(&none, graph, nullptr, 1, &fill, context), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphMemsetNodeGetParams(node, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphMemsetNodeGetParams(nothing, &told), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphMemsetNodeSetParams(nothing, &fill), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphExecMemsetNodeSetParams(exec, nothing, &fill, context), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphExecMemsetNodeSetParams(exec, node, nullptr, context), CUDA_ERROR_INVALID_VALUE);
  fill.elementSize = 3;
  CHECK_ERROR(cuGraphMemsetNodeSetParams(node, &fill), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphAddMemsetNode(&none, graph, nullptr, 0, &fill, context), CUDA_ERROR_INVALID_VALUE);
  CHECK(none == nullptr);
  CHECK_CU(cuGraphExecDestroy(fresh));
  end(exec, node);
}

static void count_up(void *counter) { ++*(int *)counter; }

static void host_functions() {
  int first = 0, second = 0;
  CUDA_HOST_NODE_PARAMS call = {count_up, &first}, told = {};
  CUgraphNode node, none = nullptr;
  CHECK_CU(cuGraphAddHostNode(&node, graph, nullptr, 0, &call));
  CHECK_CU(cuGraphHostNodeGetParams(node, &told));
  CHECK(told.fn == count_up && told.userData == &first);
  CUgraphExec exec = make();
  run(exec);
  call.userData = &second;
  CHECK_CU(cuGraphExecHostNodeSetParams(exec, node, &call));
  run(exec);
  run(exec);
  CHECK(first == 1 && second == 2);
  CHECK_CU(cuGraphHostNodeSetParams(node, &call));
  CHECK_CU(cuGraphHostNodeGetParams(node, &told));
  CHECK(told.userData == &second);
  CHECK_ERROR(cuGraphAddHostNode(nullptr, graph, nullptr, 0, &call), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphAddHostNode(&none, graph, nullptr, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphHostNodeGetParams(node, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphHostNodeGetParams(nothing, &told), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphHostNodeSetParams(nothing, &call), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphExecHostNodeSetParams(exec, nothing, &call), CUDA_ERROR_INVALID_VALUE);
  call.fn = nullptr;
  CHECK_OWN_ERROR(cuGraphAddHostNode(&none, graph, nullptr, 0, &call), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuGraphHostNodeSetParams(node, &call), CUDA_ERROR_INVALID_VALUE);
  end(exec, node);
}

static CUgraph small(int value) {
  CUgraph made;
  CUgraphNode node;
  CUDA_MEMSET_NODE_PARAMS fill = {memory, 0, (unsigned)value, 4, 1, 1};
  CHECK_CU(cuGraphCreate(&made, 0));
  CHECK_CU(cuGraphAddMemsetNode(&node, made, nullptr, 0, &fill, context));
  return made;
}

static void children() {
  CUgraph child = small(111), inside = nullptr, other = small(222);
  CUgraphNode node, none = nullptr;
  CHECK_CU(cuGraphAddChildGraphNode(&node, graph, nullptr, 0, child));
  CHECK_CU(cuGraphChildGraphNodeGetGraph(node, &inside));
  CHECK(inside != nullptr && inside != child);  // a copy
  size_t count = 0;
  CHECK_CU(cuGraphGetNodes(inside, nullptr, &count));
  CHECK_EQ(count, 1u);
  CUgraphExec exec = make();
  run(exec);
  CHECK_EQ(cell(0), 111);
  CHECK_CU(cuGraphExecChildGraphNodeSetParams(exec, node, other));
  run(exec);
  CHECK_EQ(cell(0), 222);
  CHECK_ERROR(cuGraphAddChildGraphNode(nullptr, graph, nullptr, 0, child), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuGraphAddChildGraphNode(&none, graph, nullptr, 0, graph), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuGraphAddChildGraphNode(&none, graph, nullptr, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphChildGraphNodeGetGraph(node, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphChildGraphNodeGetGraph(nothing, &inside), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphExecChildGraphNodeSetParams(exec, nothing, other), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphExecChildGraphNodeSetParams(exec, node, graph), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
  CHECK_CU(cuGraphDestroy(child));
  CHECK_CU(cuGraphDestroy(other));
  end(exec, node);
}

static void events() {
  CUevent first, second, told = nullptr;
  CUgraphNode record, wait, none = nullptr;
  CHECK_CU(cuEventCreate(&first, CU_EVENT_DISABLE_TIMING));
  CHECK_CU(cuEventCreate(&second, CU_EVENT_DISABLE_TIMING));
  CHECK_CU(cuGraphAddEventWaitNode(&wait, graph, nullptr, 0, first));
  CHECK_CU(cuGraphAddEventRecordNode(&record, graph, &wait, 1, second));
  CHECK_CU(cuGraphEventWaitNodeGetEvent(wait, &told));
  CHECK_EQ(told, first);
  CHECK_CU(cuGraphEventRecordNodeGetEvent(record, &told));
  CHECK_EQ(told, second);
  CUgraphExec exec = make();
  run(exec);
  CHECK_CU(cuEventQuery(second));
  CHECK_CU(cuGraphExecEventRecordNodeSetEvent(exec, record, first));
  CHECK_CU(cuGraphExecEventWaitNodeSetEvent(exec, wait, second));
  run(exec);
  CHECK_CU(cuEventQuery(first));
  CHECK_CU(cuGraphEventRecordNodeSetEvent(record, first));
  CHECK_CU(cuGraphEventRecordNodeGetEvent(record, &told));
  CHECK_EQ(told, first);
  CHECK_CU(cuGraphEventWaitNodeSetEvent(wait, second));
  CHECK_CU(cuGraphEventWaitNodeGetEvent(wait, &told));
  CHECK_EQ(told, second);
  CHECK_ERROR(cuGraphAddEventWaitNode(nullptr, graph, nullptr, 0, first), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphAddEventRecordNode(nullptr, graph, nullptr, 0, first), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphEventWaitNodeGetEvent(wait, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphEventRecordNodeGetEvent(record, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphEventWaitNodeGetEvent(record, &told), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphEventRecordNodeGetEvent(wait, &told), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphEventWaitNodeSetEvent(record, first), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphEventRecordNodeSetEvent(wait, first), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphExecEventWaitNodeSetEvent(exec, record, first), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphExecEventRecordNodeSetEvent(exec, wait, first), CUDA_ERROR_INVALID_VALUE);
  if (check::is_own_driver()) {
    CHECK(cuGraphAddEventWaitNode(&none, graph, nullptr, 0, nullptr) != CUDA_SUCCESS);
    CHECK(cuGraphAddEventRecordNode(&none, graph, nullptr, 0, nullptr) != CUDA_SUCCESS);
  }
  CHECK_CU(cuGraphDestroyNode(record));
  end(exec, wait);
  CHECK_CU(cuEventDestroy(first));
  CHECK_CU(cuEventDestroy(second));
}

static void operations() {
  CUstreamBatchMemOpParams op = {};
  op.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  op.writeValue.address = memory;
  op.writeValue.value = 31;
  CUDA_BATCH_MEM_OP_NODE_PARAMS batch = {context, 1, &op, 0}, told = {};
  CUgraphNode node;
  CHECK_CU(cuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &batch));
  op.writeValue.value = 32;
  CHECK_CU(cuGraphBatchMemOpNodeSetParams(node, &batch));
  CHECK_CU(cuGraphBatchMemOpNodeGetParams(node, &told));
  CHECK(told.count == 1 && told.paramArray[0].writeValue.value == 32);
  CUgraphExec exec = make();
  run(exec);
  CHECK_EQ(cell(0), 32);
  CHECK_ERROR(cuGraphBatchMemOpNodeSetParams(node, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphBatchMemOpNodeSetParams(nothing, &batch), CUDA_ERROR_INVALID_VALUE);
  op.operation = (CUstreamBatchMemOpType)99;
  CHECK_OWN_ERROR(cuGraphBatchMemOpNodeSetParams(node, &batch), CUDA_ERROR_INVALID_VALUE);
  end(exec, node);
}

static void memory_nodes() {
  CUDA_MEM_ALLOC_NODE_PARAMS wanted = {}, told = {};
  wanted.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  wanted.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  wanted.bytesize = 4096;
  CUgraph own;
  CUgraphNode allocate, fill_node, copy_node, release, none = nullptr;
  CUdeviceptr freed = 0;
  CHECK_CU(cuGraphCreate(&own, 0));
  CHECK_CU(cuGraphAddMemAllocNode(&allocate, own, nullptr, 0, &wanted));
  CHECK(wanted.dptr != 0);
  CHECK_CU(cuGraphMemAllocNodeGetParams(allocate, &told));
  CHECK(told.dptr == wanted.dptr && told.bytesize == 4096);
  CUDA_MEMSET_NODE_PARAMS fill = {wanted.dptr, 0, 77, 4, 1024, 1};
  CHECK_CU(cuGraphAddMemsetNode(&fill_node, own, &allocate, 1, &fill, context));
  CUDA_MEMCPY3D copy = copy_of(0, 0);
  copy.srcDevice = wanted.dptr + 4092;
  CHECK_CU(cuGraphAddMemcpyNode(&copy_node, own, &fill_node, 1, &copy, context));
  CHECK_CU(cuGraphAddMemFreeNode(&release, own, &copy_node, 1, wanted.dptr));
  CHECK_CU(cuGraphMemFreeNodeGetParams(release, &freed));
  CHECK_EQ(freed, wanted.dptr);
  CUgraphExec exec;
  CHECK_CU(cuGraphInstantiateWithFlags(&exec, own, 0));
  run(exec);
  CHECK_EQ(cell(0), 77);
  CHECK_ERROR(cuGraphAddMemAllocNode(nullptr, own, nullptr, 0, &wanted), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphAddMemAllocNode(&none, own, nullptr, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphMemAllocNodeGetParams(allocate, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphMemAllocNodeGetParams(release, &told), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphMemFreeNodeGetParams(release, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphMemFreeNodeGetParams(allocate, &freed), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphAddMemFreeNode(nullptr, own, nullptr, 0, wanted.dptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphAddMemFreeNode(&none, own, nullptr, 0, memory), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphDestroyNode(allocate), CUDA_ERROR_NOT_SUPPORTED);
  wanted.bytesize = 0;
  CHECK_ERROR(cuGraphAddMemAllocNode(&none, own, nullptr, 0, &wanted), CUDA_ERROR_INVALID_VALUE);
  wanted.bytesize = 64;
  wanted.poolProps.location.id = 99;
  CHECK_ERROR(cuGraphAddMemAllocNode(&none, own, nullptr, 0, &wanted), CUDA_ERROR_INVALID_VALUE);
  CHECK(none == nullptr);
  CHECK_CU(cuGraphExecDestroy(exec));
  CHECK_CU(cuGraphDestroy(own));
}

/// The functions for nodes of any kind.
static void any_kind() {
  CUgraphNodeParams params = {};
  params.type = CU_GRAPH_NODE_TYPE_MEMSET;
  params.memset = {memory, 0, 41, 4, 1, 1, context};
  CUgraphNode node, none = nullptr;
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
  CHECK_CU(cuGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  CHECK_CU(cuGraphNodeGetType(node, &type));
  CHECK_EQ(type, CU_GRAPH_NODE_TYPE_MEMSET);
  CUgraphExec exec = make();
  params.memset.value = 42;
  CHECK_CU(cuGraphExecNodeSetParams(exec, node, &params));
  run(exec);
  CHECK_EQ(cell(0), 42);
  params.memset.value = 43;
  CHECK_CU(cuGraphNodeSetParams(node, &params));
  CUgraphExec fresh = make();
  run(fresh);
  CHECK_EQ(cell(0), 43);
  CHECK_ERROR(cuGraphAddNode(nullptr, graph, nullptr, nullptr, 0, &params), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphAddNode(&none, graph, nullptr, nullptr, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuGraphAddNode(&none, nullptr, nullptr, nullptr, 0, &params), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphNodeGetType(node, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuGraphNodeGetType(kForeign, &type), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphNodeSetParams(node, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphExecNodeSetParams(exec, node, nullptr), CUDA_ERROR_INVALID_VALUE);
  params.type = CU_GRAPH_NODE_TYPE_HOST;  // not the node's kind
  CHECK_ERROR(cuGraphNodeSetParams(node, &params), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphExecNodeSetParams(exec, node, &params), CUDA_ERROR_INVALID_VALUE);
  params.type = (CUgraphNodeType)99;
  CHECK_ERROR(cuGraphAddNode(&none, graph, nullptr, nullptr, 0, &params), CUDA_ERROR_INVALID_VALUE);
  CUgraphConditionalHandle condition;
  CHECK_OWN_ERROR(cuGraphConditionalHandleCreate(&condition, graph, context, 0, 0), CUDA_ERROR_NOT_SUPPORTED);
  CHECK_CU(cuGraphExecDestroy(fresh));
  end(exec, node);
}

int main() {
  REQUIRE_CUDA(cudaFree(nullptr));
  CHECK_CU(cuCtxGetCurrent(&context));
  CHECK_CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK_CU(cuMemAlloc(&memory, 64));
  CHECK_CU(cuGraphCreate(&graph, 0));
  CHECK_CU(cuGraphAddEmptyNode(&nothing, graph, nullptr, 0));
  kernels();
  copies();
  fills();
  host_functions();
  children();
  events();
  operations();
  memory_nodes();
  any_kind();
  CHECK_CU(cuGraphDestroy(graph));
  CHECK_CU(cuMemFree(memory));
  CHECK_CU(cuStreamDestroy(stream));
  return check_report();
}
