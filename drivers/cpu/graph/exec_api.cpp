// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: executable graphs.
#include "drivers/cpu/core/capture_rules.h"
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/core/stream.h"
#include "drivers/cpu/graph/capture.h"
#include "drivers/cpu/graph/exec.h"
#include "helicon/gen/cpu_impl.h"

#include <cstring>

namespace hel::cpu {
namespace {

Result<Ref<GraphExec>> find_exec(CUgraphExec handle) {
  HEL_TRY(check_initialized());
  return find<GraphExec>(handle);
}

struct Instantiation {
  CUgraphInstantiateResult result = CUDA_GRAPH_INSTANTIATE_ERROR;
  CUgraphNode error_node = nullptr;
};

Result<void> instantiate(CUgraphExec *out, CUgraph handle, unsigned long long flags, Instantiation &report) {
  HEL_TRY(check_out(out, "phGraphExec"));
  Lock lock(graph_mutex);
  Ref<Graph> graph = HEL_TRY(find_graph(handle));
  if (graph->capturing) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the graph is being captured");
  }
  Node *error_node = nullptr;
  Result<Ref<GraphExec>> made = GraphExec::make(*graph, flags, &report.result, &error_node);
  report.error_node = error_node == nullptr ? nullptr : error_node->handle();
  *out = HEL_TRY(std::move(made))->handle();
  return {};
}

}  // namespace

Result<void> graph_instantiate_with_flags(CUgraphExec *phGraphExec, CUgraph hGraph, unsigned long long flags) {
  Instantiation report;
  return instantiate(phGraphExec, hGraph, flags, report);
}

Result<void> graph_instantiate_v2(CUgraphExec *phGraphExec, CUgraph hGraph, CUgraphNode *phErrorNode, char *logBuffer,
                                  size_t bufferSize) {
  Instantiation report;
  Result<void> result = instantiate(phGraphExec, hGraph, 0, report);
  if (phErrorNode != nullptr) {
    *phErrorNode = report.error_node;
  }
  if (logBuffer != nullptr && bufferSize != 0) {
    std::strncpy(logBuffer, result ? "" : result.failure().message.c_str(), bufferSize - 1);
    logBuffer[bufferSize - 1] = '\0';
  }
  return result;
}

Result<void> graph_instantiate_with_params(CUgraphExec *phGraphExec, CUgraph hGraph,
                                           CUDA_GRAPH_INSTANTIATE_PARAMS *instantiateParams) {
  HEL_TRY(check_out(instantiateParams, "instantiateParams"));
  Instantiation report;
  if ((instantiateParams->flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD) != 0) {
    HEL_TRY(find_stream(instantiateParams->hUploadStream, StreamUse::Work));
  }
  Result<void> result = instantiate(phGraphExec, hGraph, instantiateParams->flags, report);
  instantiateParams->result_out = report.result;
  instantiateParams->hErrNode_out = report.error_node;
  return result;
}

Result<void> graph_exec_get_flags(CUgraphExec hGraphExec, cuuint64_t *flags) {
  Ref<GraphExec> exec = HEL_TRY(find_exec(hGraphExec));
  HEL_TRY(check_out(flags, "flags"));
  *flags = exec->flags() & ~CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD;
  return {};
}

/// Everything is prepared when the graph is made executable.
Result<void> graph_upload(CUgraphExec hGraphExec, CUstream hStream) {
  HEL_TRY(find_exec(hGraphExec));
  Ref<Stream> stream = HEL_TRY(find_stream(hStream, StreamUse::Work));
  if (stream->captured()) {
    return refuse_in_capture(*stream, "an upload");
  }
  return {};
}

Result<void> graph_launch(CUgraphExec hGraphExec, CUstream hStream) {
  Ref<GraphExec> exec = HEL_TRY(find_exec(hGraphExec));
  Ref<Stream> stream = HEL_TRY(find_stream(hStream, StreamUse::Work));
  if (stream->captured()) {
    Lock lock(graph_mutex);
    Ref<Graph> copy = HEL_TRY(exec->source()->clone());
    copy->inside_node = true;
    return capture_locked(*stream, ChildWork{std::move(copy)});
  }
  HEL_TRY(exec->launch(*stream));
  if (launch_blocking()) {
    stream->synchronize();
    return stream->context().check();
  }
  return {};
}

Result<void> graph_exec_destroy(CUgraphExec hGraphExec) {
  HEL_TRY(check_initialized());
  Lock lock(graph_mutex);
  HEL_TRY(retire<GraphExec>(hGraphExec))->retired();
  return {};
}

Result<void> graph_exec_update(CUgraphExec hGraphExec, CUgraph hGraph, CUgraphExecUpdateResultInfo *resultInfo) {
  CUgraphExecUpdateResultInfo unread;
  CUgraphExecUpdateResultInfo &info = resultInfo == nullptr ? unread : *resultInfo;
  info = {CU_GRAPH_EXEC_UPDATE_ERROR, nullptr, nullptr};
  Lock lock(graph_mutex);
  Ref<GraphExec> exec = HEL_TRY(find_exec(hGraphExec));
  Ref<Graph> graph = HEL_TRY(find_graph(hGraph));
  HEL_TRY(exec->update(*graph, info));
  info.result = CU_GRAPH_EXEC_UPDATE_SUCCESS;
  return {};
}

Result<void> graph_exec_update_v1(CUgraphExec hGraphExec, CUgraph hGraph, CUgraphNode *hErrorNode_out,
                                  CUgraphExecUpdateResult *updateResult_out) {
  CUgraphExecUpdateResultInfo info{};
  Result<void> result = graph_exec_update(hGraphExec, hGraph, &info);
  if (hErrorNode_out != nullptr) {
    *hErrorNode_out = info.errorNode;
  }
  if (updateResult_out != nullptr) {
    *updateResult_out = info.result;
  }
  return result;
}

Result<void> graph_node_set_enabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned int isEnabled) {
  Lock lock(graph_mutex);
  Ref<GraphExec> exec = HEL_TRY(find_exec(hGraphExec));
  return exec->set_enabled(*HEL_TRY(find_node(hNode)), isEnabled != 0);
}

Result<void> graph_node_get_enabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned int *isEnabled) {
  Lock lock(graph_mutex);
  Ref<GraphExec> exec = HEL_TRY(find_exec(hGraphExec));
  Ref<Node> node = HEL_TRY(find_node(hNode));
  HEL_TRY(check_out(isEnabled, "isEnabled"));
  *isEnabled = HEL_TRY(exec->enabled(*node));
  return {};
}

}  // namespace hel::cpu
