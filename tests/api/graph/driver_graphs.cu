// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs as a whole by the driver API: nodes and edges, copies, instantiation, update, printing, user objects, and
// captures into a graph that is there.
// RUN: %mcc %s -o %t && %run %t %t.dot
// covers: C-4.2.1-01 C-4.2.2-01 C-4.2.1-02
#include "check.h"

#include <cuda.h>

#include <atomic>
#include <fstream>
#include <string>

static CUcontext context;
static CUstream stream;
static CUdeviceptr memory;

static CUgraphNode fill(CUgraph graph, unsigned value, const CUgraphNode *after = nullptr) {
  CUgraphNode node = nullptr;
  CUDA_MEMSET_NODE_PARAMS params = {memory, 0, value, 4, 1, 1};
  CHECK_CU(cuGraphAddMemsetNode(&node, graph, after, after == nullptr ? 0 : 1, &params, context));
  return node;
}

static int cell() {
  int value = -1;
  CHECK_CU(cuMemcpyDtoH(&value, memory, 4));
  return value;
}

static void nodes_and_edges() {
  CUgraph graph;
  CHECK_CU(cuGraphCreate(&graph, 0));
  CUgraphNode a = fill(graph, 1), b = fill(graph, 2), c = fill(graph, 3), list[4] = {}, ends[4] = {};
  CUgraphEdgeData plain[2] = {}, told[4] = {};
  CUgraphNode from[] = {a, b}, to[] = {b, c};
  size_t count = 0;
  CHECK_CU(cuGraphAddDependencies(graph, from, to, plain, 2));
  CHECK_CU(cuGraphGetNodes(graph, nullptr, &count));
  CHECK_EQ(count, 3u);
  CHECK_CU(cuGraphGetNodes(graph, list, &count));
  CHECK(list[0] == a && list[1] == b && list[2] == c);
  count = 4;
  CHECK_CU(cuGraphGetRootNodes(graph, list, &count));
  CHECK(count == 1 && list[0] == a);
  count = 4;
  CHECK_CU(cuGraphGetEdges(graph, list, ends, told, &count));
  CHECK(count == 2 && list[0] == a && ends[0] == b && list[1] == b && ends[1] == c);
  count = 4;
  CHECK_CU(cuGraphNodeGetDependencies(b, list, told, &count));
  CHECK(count == 1 && list[0] == a);
  count = 4;
  CHECK_CU(cuGraphNodeGetDependentNodes(b, list, told, &count));
  CHECK(count == 1 && list[0] == c);
  CUgraphExec exec;
  CUDA_GRAPH_INSTANTIATE_PARAMS how = {};
  CHECK_CU(cuGraphAddDependencies(graph, &c, &a, plain, 1));
  CHECK_ERROR(cuGraphInstantiateWithParams(&exec, graph, &how), CUDA_ERROR_INVALID_VALUE);  // a circle
  CHECK_EQ(how.result_out, CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE);
  CHECK_CU(cuGraphRemoveDependencies(graph, &c, &a, plain, 1));
  CHECK_ERROR(cuGraphAddDependencies(graph, nullptr, to, plain, 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphGetNodes(graph, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphGetRootNodes(graph, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphGetEdges(graph, list, nullptr, told, &count), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphNodeGetDependentNodes(b, list, told, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuGraphRemoveDependencies(graph, &a, &b, plain, 1));
  CHECK_ERROR(cuGraphRemoveDependencies(graph, &a, &b, plain, 1), CUDA_ERROR_INVALID_VALUE);  // gone
  CHECK_CU(cuGraphGetRootNodes(graph, nullptr, &count));
  CHECK_EQ(count, 2u);
  CHECK_CU(cuGraphDestroyNode(b));
  CHECK_OWN_ERROR(cuGraphDestroyNode(b), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuGraphGetNodes(graph, nullptr, &count));
  CHECK_EQ(count, 2u);

  CUgraph copy;
  CUgraphNode in_copy = nullptr;
  CHECK_CU(cuGraphClone(&copy, graph));
  CHECK_CU(cuGraphNodeFindInClone(&in_copy, c, copy));
  CHECK(in_copy != nullptr && in_copy != c);
  CHECK_ERROR(cuGraphNodeFindInClone(nullptr, c, copy), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphNodeFindInClone(&in_copy, c, graph), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphClone(nullptr, graph), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuGraphClone(&copy, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuGraphDestroy(copy));
  CHECK_OWN_ERROR(cuGraphGetNodes(copy, nullptr, &count), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuGraphDestroy(graph));
}

static void instantiation() {
  CUgraph graph;
  CUgraphExec exec, none = nullptr;
  CHECK_CU(cuGraphCreate(&graph, 0));
  CUgraphNode node = fill(graph, 9);
  CUDA_GRAPH_INSTANTIATE_PARAMS how = {};
  how.flags = CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD | CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
  how.hUploadStream = stream;
  CHECK_CU(cuGraphInstantiateWithParams(&exec, graph, &how));
  CHECK_EQ(how.result_out, CUDA_GRAPH_INSTANTIATE_SUCCESS);
  cuuint64_t flags = 0;
  CHECK_CU(cuGraphExecGetFlags(exec, &flags));
  CHECK(flags == CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY || !check::is_own_driver());
  CHECK_CU(cuGraphUpload(exec, stream));
  CHECK_CU(cuGraphLaunch(exec, stream));
  CHECK_CU(cuStreamSynchronize(stream));
  CHECK_EQ(cell(), 9);
  CHECK_ERROR(cuGraphInstantiateWithParams(nullptr, graph, &how), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphInstantiateWithParams(&none, graph, nullptr), CUDA_ERROR_INVALID_VALUE);
  how.flags = 1u << 30;
  CHECK_ERROR(cuGraphInstantiateWithParams(&none, graph, &how), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphExecGetFlags(exec, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuGraphExecGetFlags(nullptr, &flags), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuGraphUpload(nullptr, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuGraphUpload(exec, (CUstream)0x1234), CUDA_ERROR_INVALID_HANDLE);

  // The same shape with other values, then another shape.
  CUgraph other;
  CHECK_CU(cuGraphCreate(&other, 0));
  CUgraphNode fresh = fill(other, 19);
  CUgraphExecUpdateResultInfo report = {};
  CHECK_CU(cuGraphExecUpdate(exec, other, &report));
  CHECK_EQ(report.result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
  CHECK_CU(cuGraphLaunch(exec, stream));
  CHECK_CU(cuStreamSynchronize(stream));
  CHECK_EQ(cell(), 19);
  fill(other, 20, &fresh);
  CHECK_ERROR(cuGraphExecUpdate(exec, other, &report), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
  CHECK_EQ(report.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
  CHECK_ERROR(cuGraphExecUpdate(exec, other, nullptr), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);  // it may be left out
  CHECK_OWN_ERROR(cuGraphExecUpdate(nullptr, other, &report), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuGraphExecUpdate(exec, nullptr, &report), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuGraphDestroy(other));
  CHECK_CU(cuGraphDestroyNode(node));
  CHECK_CU(cuGraphExecDestroy(exec));
  CHECK_OWN_ERROR(cuGraphExecDestroy(exec), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuGraphDestroy(graph));
}

static void printing(const char *path) {
  CUgraph graph;
  CHECK_CU(cuGraphCreate(&graph, 0));
  CUgraphNode first = fill(graph, 1);
  fill(graph, 2, &first);
  CHECK_CU(cuGraphDebugDotPrint(graph, path, CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE));
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  CHECK(text.find("digraph") != std::string::npos && text.find("->") != std::string::npos);
  CHECK_ERROR(cuGraphDebugDotPrint(graph, nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuGraphDebugDotPrint(nullptr, path, 0), CUDA_ERROR_INVALID_VALUE);
  if (check::is_own_driver()) {
    CHECK(cuGraphDebugDotPrint(graph, "/nowhere/graph.dot", 0) != CUDA_SUCCESS);
  }
  CHECK_CU(cuGraphDestroy(graph));
}

static std::atomic<int> destroyed{0};
static void destroy(void *object) { destroyed += *(int *)object; }

static void wait_until_destroyed(int count) {
  while (destroyed.load() < count) {  // a thread of the library calls the destructor
  }
  CHECK_EQ(destroyed.load(), count);
}

static void user_objects() {
  static int first = 1, second = 10;
  CUuserObject object, other;
  CUgraph graph;
  CHECK_CU(cuGraphCreate(&graph, 0));
  CHECK_CU(cuUserObjectCreate(&object, &first, destroy, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  CHECK_CU(cuUserObjectRetain(object, 2));
  CHECK_CU(cuUserObjectRelease(object, 2));
  CHECK_CU(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
  CHECK_EQ(destroyed.load(), 0);
  CHECK_CU(cuGraphReleaseUserObject(graph, object, 1));
  wait_until_destroyed(1);
  CHECK_CU(cuUserObjectCreate(&other, &second, destroy, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  CHECK_CU(cuGraphRetainUserObject(graph, other, 2, 0));
  CHECK_OWN_ERROR(cuGraphReleaseUserObject(graph, other, 3), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuUserObjectRelease(other, 1));
  CHECK_EQ(destroyed.load(), 1);
  CHECK_ERROR(cuUserObjectCreate(nullptr, &first, destroy, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuUserObjectCreate(&object, &first, nullptr, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuUserObjectCreate(&object, &first, destroy, 0, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuUserObjectCreate(&object, &first, destroy, 1, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuUserObjectRetain(other, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuUserObjectRelease(other, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphRetainUserObject(graph, other, 0, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphRetainUserObject(graph, other, 1, 8), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuUserObjectRetain(nullptr, 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuUserObjectRelease(nullptr, 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuGraphRetainUserObject(graph, nullptr, 1, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuGraphReleaseUserObject(graph, nullptr, 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuGraphDestroy(graph));
  wait_until_destroyed(11);
}

static void captures() {
  CUgraph graph, captured = nullptr;
  CHECK_CU(cuGraphCreate(&graph, 0));
  CUgraphNode first = fill(graph, 1), more[2] = {};
  CHECK_CU(cuStreamBeginCaptureToGraph(stream, graph, &first, nullptr, 1, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  cuuint64_t id = 0;
  const CUgraphNode *dependencies = nullptr;
  const CUgraphEdgeData *edges = nullptr;
  size_t count = 0;
  CHECK_CU(cuStreamGetCaptureInfo(stream, &status, &id, &captured, &dependencies, &edges, &count));
  CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE && id != 0 && captured == graph && count == 1 &&
        dependencies[0] == first);
  CHECK_CU(cuMemsetD32Async(memory, 5, 1, stream));
  CHECK_CU(cuStreamUpdateCaptureDependencies(stream, &first, nullptr, 1, CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
  CHECK_CU(cuStreamGetCaptureInfo(stream, &status, nullptr, nullptr, nullptr, nullptr, &count));
  CHECK_EQ(count, 2u);
  CHECK_CU(cuStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  CHECK_CU(cuStreamGetCaptureInfo(stream, &status, nullptr, nullptr, nullptr, nullptr, &count));
  CHECK_EQ(count, 0u);
  CHECK_ERROR(cuStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 1, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuStreamUpdateCaptureDependencies(stream, &first, nullptr, 1, 9), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuStreamGetCaptureInfo(stream, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuStreamEndCapture(stream, &captured));
  CHECK_EQ(captured, graph);
  CHECK_CU(cuGraphGetNodes(graph, nullptr, &count));
  CHECK_EQ(count, 2u);
  count = 2;
  CHECK_CU(cuGraphNodeGetDependentNodes(first, more, nullptr, &count));
  CHECK_EQ(count, 1u);
  CHECK_CU(cuStreamGetCaptureInfo(stream, &status, nullptr, nullptr, nullptr, nullptr, nullptr));
  CHECK_EQ(status, CU_STREAM_CAPTURE_STATUS_NONE);
  CHECK_ERROR(cuStreamUpdateCaptureDependencies(stream, &first, nullptr, 1, 0), CUDA_ERROR_ILLEGAL_STATE);
  CHECK_ERROR(cuStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 1, CU_STREAM_CAPTURE_MODE_RELAXED),
              CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuStreamBeginCaptureToGraph(stream, nullptr, nullptr, nullptr, 0, CU_STREAM_CAPTURE_MODE_RELAXED),
                  CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, (CUstreamCaptureMode)9),
              CUDA_ERROR_INVALID_VALUE);

  // What a thread may do beside others' captures.
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  CHECK_CU(cuThreadExchangeStreamCaptureMode(&mode));
  CHECK_EQ(mode, CU_STREAM_CAPTURE_MODE_GLOBAL);
  CHECK_CU(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CUdeviceptr allowed = 0;
  CHECK_CU(cuMemAlloc(&allowed, 64));
  CHECK_CU(cuThreadExchangeStreamCaptureMode(&mode));
  CHECK_EQ(mode, CU_STREAM_CAPTURE_MODE_RELAXED);
  CUdeviceptr refused = 0;
  CHECK_ERROR(cuMemAlloc(&refused, 64), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  CHECK_ERROR(cuStreamEndCapture(stream, &captured), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  CHECK_OWN_ERROR(cuThreadExchangeStreamCaptureMode(nullptr), CUDA_ERROR_INVALID_VALUE);
  mode = (CUstreamCaptureMode)9;
  CHECK_OWN_ERROR(cuThreadExchangeStreamCaptureMode(&mode), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuMemFree(allowed));
  CHECK_CU(cuGraphDestroy(graph));
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  REQUIRE_CUDA(cudaFree(nullptr));
  CHECK_CU(cuCtxGetCurrent(&context));
  CHECK_CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK_CU(cuMemAlloc(&memory, 64));
  nodes_and_edges();
  instantiation();
  printing(argv[1]);
  user_objects();
  captures();
  CHECK_CU(cuMemFree(memory));
  CHECK_CU(cuStreamDestroy(stream));
  return check_report();
}
