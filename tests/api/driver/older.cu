// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first forms of entry points that have changed since: programs that were built then find them by their symbols.
// RUN: %mcc %s -o %t && %run %t
// gpu: no (the symbols are those of this library)
// covers: C-3.3-01
#include "check.h"

#include <cuda.h>
#include <dlfcn.h>

__global__ void add(int *data, int value) { *data += value; }

/// The function behind a symbol, with the parameters that it had.
template <typename... Parameters> struct Early {
  CUresult (*function)(Parameters...);
  explicit Early(const char *symbol) : function((CUresult (*)(Parameters...))dlsym(RTLD_DEFAULT, symbol)) {
    CHECK(function != nullptr);
  }
  CUresult operator()(Parameters... parameters) const { return function(parameters...); }
};

static CUcontext context;
static CUdeviceptr memory;
static CUstream stream;

static void contexts() {
  CUcontext made = nullptr;
  for (const char *symbol : {"cuCtxCreate", "cuCtxCreate_v2"}) {
    const Early<CUcontext *, unsigned, CUdevice> create(symbol);
    CHECK_CU(create(&made, CU_CTX_SCHED_YIELD, 0));
    CHECK_CU(cuCtxDestroy(made));
    CHECK_ERROR(create(nullptr, 0, 0), CUDA_ERROR_INVALID_VALUE);
    CHECK_ERROR(create(&made, 0, 99), CUDA_ERROR_INVALID_DEVICE);
    CHECK_ERROR(create(&made, 1u << 20, 0), CUDA_ERROR_INVALID_VALUE);
  }
  const Early<CUcontext *, CUexecAffinityParam *, int, unsigned, CUdevice> create("cuCtxCreate_v3");
  CUexecAffinityParam affinity = {};
  CHECK_CU(create(&made, nullptr, 0, 0, 0));
  CHECK_CU(cuCtxDestroy(made));
  CHECK_ERROR(create(&made, &affinity, 1, 0, 0), CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY);
  CHECK_ERROR(create(&made, nullptr, 0, 0, 99), CUDA_ERROR_INVALID_DEVICE);
  CHECK_CU(cuCtxSetCurrent(context));
}

static void hints() {
  CUdeviceptr managed;
  int where = -7;
  CHECK_CU(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
  const Early<CUdeviceptr, size_t, CUmem_advise, CUdevice> advise("cuMemAdvise");
  const Early<CUdeviceptr, size_t, CUdevice, CUstream> prefetch("cuMemPrefetchAsync");
  CHECK_CU(advise(managed, 4096, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, CU_DEVICE_CPU));
  CHECK_CU(cuMemRangeGetAttribute(&where, 4, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, managed, 4096));
  CHECK_EQ(where, CU_DEVICE_CPU);
  CHECK_CU(prefetch(managed, 4096, 0, stream));
  CHECK_CU(cuMemRangeGetAttribute(&where, 4, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, managed, 4096));
  CHECK_EQ(where, 0);
  CHECK_ERROR(advise(managed, 4096, CU_MEM_ADVISE_SET_ACCESSED_BY, 99), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(advise(0, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(prefetch(managed, 0, 0, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(prefetch(managed, 4096, 99, stream), CUDA_ERROR_INVALID_DEVICE);
  CHECK_CU(cuMemFree(managed));
}

static int cell() {
  int value = -1;
  CHECK_CU(cuMemcpyDtoH(&value, memory, 4));
  return value;
}

static void nodes() {
  const Early<CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const CUDA_KERNEL_NODE_PARAMS_v1 *> add_kernel(
      "cuGraphAddKernelNode");
  const Early<CUgraphNode, CUDA_KERNEL_NODE_PARAMS_v1 *> get_kernel("cuGraphKernelNodeGetParams");
  const Early<CUgraphNode, const CUDA_KERNEL_NODE_PARAMS_v1 *> set_kernel("cuGraphKernelNodeSetParams");
  const Early<CUgraphExec, CUgraphNode, const CUDA_KERNEL_NODE_PARAMS_v1 *> set_exec("cuGraphExecKernelNodeSetParams");
  const Early<CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUgraphNodeParams *> add_node("cuGraphAddNode");
  const Early<CUgraphExec *, CUgraph, CUgraphNode *, char *, size_t> instantiate("cuGraphInstantiate_v2");
  const Early<CUgraphExec, CUgraph, CUgraphNode *, CUgraphExecUpdateResult *> update("cuGraphExecUpdate");
  cudaFunction_t function;
  CHECK_CUDA(cudaGetFuncBySymbol(&function, (void *)add));
  int value = 3;
  void *arguments[] = {&memory, &value};
  CUDA_KERNEL_NODE_PARAMS_v1 kernel = {function, 1, 1, 1, 1, 1, 1, 0, arguments, nullptr}, told = {};
  CUgraph graph;
  CUgraphNode node, other, failed = nullptr;
  CUgraphExec exec;
  char log[100] = "untouched";
  CHECK_CU(cuMemsetD32(memory, 0, 1));
  CHECK_CU(cuGraphCreate(&graph, 0));
  CHECK_CU(add_kernel(&node, graph, nullptr, 0, &kernel));
  CHECK_CU(get_kernel(node, &told));
  CHECK(told.func == function && *(int *)told.kernelParams[1] == 3);
  CHECK_CU(instantiate(&exec, graph, &failed, log, sizeof log));
  CHECK(failed == nullptr && log[0] == '\0');
  CHECK_CU(cuGraphLaunch(exec, stream));
  value = 10;
  CHECK_CU(set_exec(exec, node, &kernel));
  CHECK_CU(cuGraphLaunch(exec, stream));
  value = 100;
  CHECK_CU(set_kernel(node, &kernel));
  CUgraphExecUpdateResult result = CU_GRAPH_EXEC_UPDATE_ERROR;
  CHECK_CU(update(exec, graph, &failed, &result));
  CHECK_EQ(result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
  CHECK_CU(cuGraphLaunch(exec, stream));
  CHECK_CU(cuStreamSynchronize(stream));
  CHECK_EQ(cell(), 113);
  CUgraphNodeParams params = {};
  params.type = CU_GRAPH_NODE_TYPE_EMPTY;
  CHECK_CU(add_node(&other, graph, &node, 1, &params));
  CHECK_ERROR(update(exec, graph, &failed, &result), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
  CHECK_EQ(result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
  CHECK_ERROR(add_kernel(nullptr, graph, nullptr, 0, &kernel), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(add_kernel(&other, graph, nullptr, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(get_kernel(node, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(set_kernel(node, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(set_exec(exec, node, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(add_node(&other, graph, nullptr, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(instantiate(nullptr, graph, nullptr, log, sizeof log), CUDA_ERROR_INVALID_VALUE);
  CHECK(log[0] != '\0');
  CHECK_CU(cuGraphExecDestroy(exec));
  CHECK_CU(cuGraphDestroy(graph));
}

static void edges() {
  using Change = Early<CUgraph, const CUgraphNode *, const CUgraphNode *, size_t>;
  using Neighbours = Early<CUgraphNode, CUgraphNode *, size_t *>;
  const Change connect("cuGraphAddDependencies"), disconnect("cuGraphRemoveDependencies");
  const Early<CUgraph, CUgraphNode *, CUgraphNode *, size_t *> get_edges("cuGraphGetEdges");
  const Neighbours dependencies("cuGraphNodeGetDependencies"), dependents("cuGraphNodeGetDependentNodes");
  CUgraph graph;
  CUgraphNode a, b, from[2] = {}, to[2] = {};
  size_t count = 2;
  CHECK_CU(cuGraphCreate(&graph, 0));
  CHECK_CU(cuGraphAddEmptyNode(&a, graph, nullptr, 0));
  CHECK_CU(cuGraphAddEmptyNode(&b, graph, nullptr, 0));
  CHECK_CU(connect(graph, &a, &b, 1));
  CHECK_CU(get_edges(graph, from, to, &count));
  CHECK(count == 1 && from[0] == a && to[0] == b);
  CHECK_CU(dependencies(b, from, &count));
  CHECK(count == 1 && from[0] == a);
  CHECK_CU(dependents(a, to, &count));
  CHECK(count == 1 && to[0] == b);
  CHECK_CU(disconnect(graph, &a, &b, 1));
  CHECK_CU(dependencies(b, nullptr, &count));
  CHECK_EQ(count, 0u);
  CHECK_ERROR(connect(graph, nullptr, &b, 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(disconnect(graph, &a, &b, 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(get_edges(graph, from, nullptr, &count), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(dependencies(b, from, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(dependents(a, from, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuGraphDestroy(graph));
}

static void captures() {
  const Early<CUstream> begin("cuStreamBeginCapture");
  const Early<CUstream, CUstreamCaptureStatus *, cuuint64_t *> info("cuStreamGetCaptureInfo");
  const Early<CUstream, CUstreamCaptureStatus *, cuuint64_t *, CUgraph *, const CUgraphNode **, size_t *> info_v2(
      "cuStreamGetCaptureInfo_v2");
  const Early<CUstream, CUgraphNode *, size_t, unsigned> change("cuStreamUpdateCaptureDependencies");
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  cuuint64_t id = 0, same = 0;
  CUgraph graph = nullptr;
  const CUgraphNode *ahead = nullptr;
  size_t count = 0;
  CHECK_CU(begin(stream));
  CHECK_CU(cuMemsetD32Async(memory, 5, 1, stream));
  CHECK_CU(info(stream, &status, &id));
  CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE && id != 0);
  CHECK_CU(info_v2(stream, &status, &same, &graph, &ahead, &count));
  CHECK(same == id && graph != nullptr && count == 1 && ahead[0] != nullptr);
  CHECK_CU(change(stream, nullptr, 0, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  CHECK_CU(info_v2(stream, &status, nullptr, nullptr, nullptr, &count));
  CHECK_EQ(count, 0u);
  CHECK_ERROR(info(stream, nullptr, &id), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(info_v2(stream, nullptr, nullptr, nullptr, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(change(stream, nullptr, 0, 9), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuStreamEndCapture(stream, &graph));
  CHECK_ERROR(change(stream, nullptr, 0, 0), CUDA_ERROR_ILLEGAL_STATE);
  CHECK_ERROR(begin((CUstream)0x1234), CUDA_ERROR_INVALID_HANDLE);
  CHECK_CU(cuGraphDestroy(graph));
}

static void names() {
  const Early<const char *, void **, int, cuuint64_t> get("cuGetProcAddress");
  void *found = nullptr;
  CHECK_CU(get("cuInit", &found, 12000, CU_GET_PROC_ADDRESS_DEFAULT));
  CHECK(found == (void *)cuInit);
  CHECK_ERROR(get("cuNothing", &found, 12000, CU_GET_PROC_ADDRESS_DEFAULT), CUDA_ERROR_NOT_FOUND);
  CHECK_ERROR(get(nullptr, &found, 12000, CU_GET_PROC_ADDRESS_DEFAULT), CUDA_ERROR_INVALID_VALUE);
}

int main() {
  REQUIRE_CUDA(cudaFree(nullptr));
  CHECK_CU(cuCtxGetCurrent(&context));
  CHECK_CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK_CU(cuMemAlloc(&memory, 64));
  contexts();
  hints();
  nodes();
  edges();
  captures();
  names();
  CHECK_CU(cuMemFree(memory));
  CHECK_CU(cuStreamDestroy(stream));
  return check_report();
}
