// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stream capture.
#include "helicon/gen/runtime_impl.h"
#include "runtime/core/context.h"
#include "runtime/graph/edges.h"

namespace hel::rt {

Result<void> stream_begin_capture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return check(HEL_TRY(bound_driver())->StreamBeginCapture(stream, static_cast<CUstreamCaptureMode>(mode)));
}

Result<void> stream_begin_capture_to_graph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                           const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                                           cudaStreamCaptureMode mode) {
  return check(HEL_TRY(bound_driver())
                   ->StreamBeginCaptureToGraph(stream, graph, dependencies, driver_edges(dependencyData),
                                               numDependencies, static_cast<CUstreamCaptureMode>(mode)));
}

Result<void> stream_end_capture(cudaStream_t stream, cudaGraph_t *pGraph) {
  return check(HEL_TRY(bound_driver())->StreamEndCapture(stream, pGraph));
}

Result<void> stream_is_capturing(cudaStream_t stream, cudaStreamCaptureStatus *pCaptureStatus) {
  return check(
      HEL_TRY(bound_driver())->StreamIsCapturing(stream, reinterpret_cast<CUstreamCaptureStatus *>(pCaptureStatus)));
}

Result<void> stream_get_capture_info(cudaStream_t stream, cudaStreamCaptureStatus *captureStatus_out,
                                     unsigned long long *id_out, cudaGraph_t *graph_out,
                                     const cudaGraphNode_t **dependencies_out, const cudaGraphEdgeData **edgeData_out,
                                     size_t *numDependencies_out) {
  return check(HEL_TRY(bound_driver())
                   ->StreamGetCaptureInfo(stream, reinterpret_cast<CUstreamCaptureStatus *>(captureStatus_out),
                                          reinterpret_cast<cuuint64_t *>(id_out), graph_out, dependencies_out,
                                          reinterpret_cast<const CUgraphEdgeData **>(edgeData_out),
                                          numDependencies_out));
}

Result<void> stream_update_capture_dependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                                                unsigned int flags) {
  return check(HEL_TRY(bound_driver())
                   ->StreamUpdateCaptureDependencies(stream, dependencies, driver_edges(dependencyData),
                                                     numDependencies, flags));
}

Result<void> thread_exchange_stream_capture_mode(cudaStreamCaptureMode *mode) {
  return check(HEL_TRY(bound_driver())->ThreadExchangeStreamCaptureMode(reinterpret_cast<CUstreamCaptureMode *>(mode)));
}

}  // namespace hel::rt
