// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/graph/capture.h"

#include "drivers/cpu/core/capture_rules.h"
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/event.h"
#include "helicon/gen/cpu_impl.h"

#include <algorithm>
#include <unordered_set>

namespace hel::cpu {

std::atomic<uint32_t> running_captures{0};

namespace {

std::vector<std::shared_ptr<Capture>> captures HEL_GUARDED_BY(graph_mutex);
thread_local CUstreamCaptureMode mode_local = CU_STREAM_CAPTURE_MODE_GLOBAL;

void join(Stream &stream, const std::shared_ptr<Capture> &capture, std::vector<Edge> tail) {
  stream.capture = std::make_unique<StreamCapture>(StreamCapture{capture, std::move(tail), {}, {}});
  stream.set_captured(true);
  capture->streams.emplace_back(stream);
}

/// Takes all streams out of a capture.
void finish(const std::shared_ptr<Capture> &capture) HEL_REQUIRES(graph_mutex) {
  capture->active = false;
  capture->graph->capturing = false;
  for (const Ref<Stream> &stream : capture->streams) {
    stream->capture = nullptr;
    stream->set_captured(false);
  }
  capture->streams.clear();
  std::erase(captures, capture);
  running_captures.fetch_sub(1);
}

void drop_graph(Capture &capture) {
  if (capture.owns_graph) {
    capture.graph->close();
  }
}

std::unique_ptr<Failure> invalid_capture() {
  return HEL_FAIL(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "the capture broke a rule earlier and is invalid");
}

void add_tail(std::vector<Edge> &tail, const std::vector<Edge> &more) {
  for (const Edge &edge : more) {
    const bool known = std::any_of(tail.begin(), tail.end(), [&](const Edge &own) { return own.node == edge.node; });
    if (!known) {
      tail.push_back(edge);
    }
  }
}

/// All that the next node of the origin would wait for.
std::unordered_set<const Node *> before_origin(const Capture &capture) {
  std::unordered_set<const Node *> seen;
  std::vector<const Node *> open;
  for (const Edge &edge : capture.origin->capture->tail) {
    open.push_back(edge.node);
  }
  while (!open.empty()) {
    const Node *node = open.back();
    open.pop_back();
    if (seen.insert(node).second) {
      for (const Edge &edge : node->dependencies) {
        open.push_back(edge.node);
      }
    }
  }
  return seen;
}

/// The stream's last nodes are among those that the origin waits for.
bool is_joined(const Stream &stream, const std::unordered_set<const Node *> &before_origin) {
  const std::vector<Edge> &tail = stream.capture->tail;
  return std::all_of(tail.begin(), tail.end(), [&](const Edge &edge) { return before_origin.count(edge.node) != 0; });
}

bool all_joined(const Capture &capture) {
  const std::unordered_set<const Node *> before = before_origin(capture);
  return std::all_of(capture.streams.begin(), capture.streams.end(),
                     [&](const Ref<Stream> &stream) { return is_joined(*stream, before); });
}

Result<void> check_mode(CUstreamCaptureMode mode) {
  if (mode < CU_STREAM_CAPTURE_MODE_GLOBAL || mode > CU_STREAM_CAPTURE_MODE_RELAXED) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no capture mode has the number %d", static_cast<int>(mode));
  }
  return {};
}

/// Begins a capture; `graph` null: into a graph of its own.
Result<void> begin(CUstream handle, Ref<Graph> graph, std::vector<Edge> tail, CUstreamCaptureMode mode)
    HEL_REQUIRES(graph_mutex) {
  Ref<Stream> stream = HEL_TRY(find_stream(handle));
  if (stream->kind() == Stream::Kind::Legacy) {
    return HEL_FAIL(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "the legacy default stream cannot be captured");
  }
  if (stream->capture != nullptr) {
    return HEL_FAIL(CUDA_ERROR_ILLEGAL_STATE, "the stream is captured already");
  }
  static uint64_t last_id = 0;
  auto capture = std::make_shared<Capture>();
  capture->id = ++last_id;
  capture->owns_graph = !graph;
  capture->graph = graph ? graph : HEL_TRY(publish(new Graph));
  capture->graph->capturing = true;
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->origin = stream.get();
  captures.push_back(capture);
  running_captures.fetch_add(1);
  join(*stream, capture, std::move(tail));
  return {};
}

struct InfoPlaces {
  cuuint64_t *id;
  CUgraph *graph;
  const CUgraphNode **nodes;
  const CUgraphEdgeData **data;
  size_t *count;
};

Result<void> get_info(CUstream handle, CUstreamCaptureStatus *status, const InfoPlaces &out) {
  Ref<Stream> stream = HEL_TRY(find_stream(handle));
  HEL_TRY(check_out(status, "captureStatus_out"));
  if (stream->kind() == Stream::Kind::Legacy && stream->context().captured_blocking_streams.load() != 0) {
    return HEL_FAIL(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
                    "a blocking stream is captured, and the legacy stream would wait for it");
  }
  Lock lock(graph_mutex);
  if (stream->capture == nullptr) {
    *status = CU_STREAM_CAPTURE_STATUS_NONE;
    return {};
  }
  StreamCapture &own = *stream->capture;
  *status = own.capture->invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED : CU_STREAM_CAPTURE_STATUS_ACTIVE;
  if (own.capture->invalid) {
    return {};
  }
  own.nodes.clear();
  own.data.clear();
  bool plain = true;
  for (const Edge &edge : own.tail) {
    own.nodes.push_back(edge.node->handle());
    own.data.push_back(edge.data);
    plain &= is_plain(edge.data);
  }
  if (out.nodes != nullptr && out.data == nullptr && !plain) {
    return HEL_FAIL(CUDA_ERROR_LOSSY_QUERY, "dependencies have data, and no place for it was given");
  }
  auto give = [](auto *place, auto value) { place != nullptr ? void(*place = value) : void(); };
  give(out.id, own.capture->id);
  give(out.graph, own.capture->graph->handle());
  give(out.nodes, own.nodes.data());
  give(out.data, own.data.data());
  give(out.count, own.nodes.size());
  return {};
}

bool forbids(const Capture &capture) {
  if (capture.mode == CU_STREAM_CAPTURE_MODE_RELAXED) {
    return false;
  }
  const bool own = capture.thread == std::this_thread::get_id();
  return own || (capture.mode == CU_STREAM_CAPTURE_MODE_GLOBAL && mode_local == CU_STREAM_CAPTURE_MODE_GLOBAL);
}

/// Invalidates the captures with a stream that `concerned` holds for. True if there are any.
template <typename Concerned> bool invalidate(Concerned concerned) HEL_REQUIRES(graph_mutex) {
  bool any = false;
  for (const std::shared_ptr<Capture> &capture : captures) {
    for (const Ref<Stream> &stream : capture->streams) {
      if (concerned(*stream)) {
        capture->invalid = any = true;
      }
    }
  }
  return any;
}

}  // namespace

Result<void> capture(Stream &stream, Work work, bool programmatic) {
  Lock lock(graph_mutex);
  return capture_locked(stream, std::move(work), programmatic);
}

Result<void> capture_locked(Stream &stream, Work work, bool programmatic) {
  if (stream.capture == nullptr) {
    return HEL_FAIL(CUDA_ERROR_ILLEGAL_STATE, "the capture was ended at the same time");
  }
  StreamCapture &own = *stream.capture;
  if (own.capture->invalid) {
    return invalid_capture();
  }
  std::vector<Edge> dependencies = own.tail;
  for (Edge &edge : dependencies) {
    if (programmatic && edge.node->type() == CU_GRAPH_NODE_TYPE_KERNEL) {
      edge.data.from_port = CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC;
      edge.data.type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
    }
  }
  Ref<Node> node = HEL_TRY(own.capture->graph->add(std::move(work), dependencies));
  own.tail.assign(1, {node.get(), {}});
  return {};
}

Result<void> capture_record(Stream &stream, Event &event) {
  Lock lock(graph_mutex);
  if (stream.capture == nullptr || stream.capture->capture->invalid) {
    return invalid_capture();
  }
  event.set_captured(std::make_shared<CapturedRecord>(CapturedRecord{stream.capture->capture, stream.capture->tail}));
  return {};
}

Result<void> capture_wait(Stream &stream, Event &event) {
  Lock lock(graph_mutex);
  const std::shared_ptr<CapturedRecord> record = event.captured_record();
  StreamCapture *own = stream.capture.get();
  if (own != nullptr && own->capture->invalid) {
    return invalid_capture();
  }
  if (record == nullptr) {
    own->capture->invalid = true;
    return HEL_FAIL(CUDA_ERROR_STREAM_CAPTURE_ISOLATION,
                    "a captured stream waits for an event that was recorded outside of the capture");
  }
  if (!record->capture->active || record->capture->invalid) {
    if (own != nullptr) {
      own->capture->invalid = true;
    }
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the event was last recorded in a capture that has ended or failed");
  }
  if (own == nullptr) {
    if (stream.kind() == Stream::Kind::Legacy) {
      record->capture->invalid = true;
      return HEL_FAIL(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "the legacy default stream cannot join a capture");
    }
    join(stream, record->capture, record->nodes);
    return {};
  }
  if (own->capture != record->capture) {
    own->capture->invalid = record->capture->invalid = true;
    return HEL_FAIL(CUDA_ERROR_STREAM_CAPTURE_MERGE, "two captures would become one");
  }
  add_tail(own->tail, record->nodes);
  return {};
}

std::unique_ptr<Failure> refuse_captured_event(Event &event) {
  Lock lock(graph_mutex);
  if (const std::shared_ptr<CapturedRecord> record = event.captured_record(); record != nullptr) {
    if (!record->capture->active) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the event was last recorded in a capture that has ended");
    }
    record->capture->invalid = true;
  }
  return HEL_FAIL(CUDA_ERROR_CAPTURED_EVENT, "the event was last recorded in a stream that is captured");
}

void abandon_capture(Stream &stream) {
  Lock lock(graph_mutex);
  if (stream.capture == nullptr) {
    return;
  }
  const std::shared_ptr<Capture> capture = stream.capture->capture;
  const bool was_joined = !stream.capture->tail.empty() && is_joined(stream, before_origin(*capture));
  if (capture->origin == &stream || !was_joined) {
    capture->invalid = true;
  }
  if (capture->origin == &stream) {
    drop_graph(*capture);
    finish(capture);
    return;
  }
  stream.capture = nullptr;
  stream.set_captured(false);
  std::erase_if(capture->streams, [&](const Ref<Stream> &other) { return other.get() == &stream; });
}

std::unique_ptr<Failure> refuse_in_capture(Stream &stream, const char *what) {
  Lock lock(graph_mutex);
  if (stream.capture != nullptr) {
    if (stream.capture->capture->invalid) {
      return invalid_capture();
    }
    stream.capture->capture->invalid = true;
  }
  return HEL_FAIL(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "%s is not possible while the stream is captured", what);
}

Result<void> check_legacy_stream(Context &context) {
  if (context.captured_blocking_streams.load(std::memory_order_relaxed) == 0) {
    return {};
  }
  Lock lock(graph_mutex);
  if (!invalidate([&](Stream &stream) { return &stream.context() == &context && stream.blocking(); })) {
    return {};
  }
  return HEL_FAIL(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
                  "the legacy default stream is used while a stream is captured that it would wait for");
}

Result<void> check_no_captured_stream(Context &context) {
  if (running_captures.load(std::memory_order_relaxed) == 0) {
    return {};
  }
  Lock lock(graph_mutex);
  if (!invalidate([&](Stream &stream) { return &stream.context() == &context; })) {
    return {};
  }
  return HEL_FAIL(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "waiting for a context with a captured stream");
}

Result<void> check_unsafe_call_slow(const char *what) {
  if (mode_local == CU_STREAM_CAPTURE_MODE_RELAXED) {
    return {};
  }
  Lock lock(graph_mutex);
  bool any = false;
  for (const std::shared_ptr<Capture> &capture : captures) {
    if (forbids(*capture)) {
      capture->invalid = any = true;
    }
  }
  if (!any) {
    return {};
  }
  return HEL_FAIL(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "%s is not permitted while a stream is captured in this mode",
                  what);
}

// Entry points.

Result<void> stream_begin_capture(CUstream hStream, CUstreamCaptureMode mode) {
  HEL_TRY(check_mode(mode));
  Lock lock(graph_mutex);
  return begin(hStream, nullptr, {}, mode);
}

/// As it was before there were modes.
Result<void> stream_begin_capture_v1(CUstream hStream) {
  return stream_begin_capture(hStream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

Result<void> stream_begin_capture_to_graph(CUstream hStream, CUgraph hGraph, const CUgraphNode *dependencies,
                                           const CUgraphEdgeData *dependencyData, size_t numDependencies,
                                           CUstreamCaptureMode mode) {
  HEL_TRY(check_mode(mode));
  Lock lock(graph_mutex);
  Ref<Graph> graph = HEL_TRY(find_graph(hGraph));
  if (graph->capturing || graph->inside_node) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the graph is in a capture, or belongs to a node");
  }
  std::vector<Edge> tail = HEL_TRY(read_dependencies(*graph, dependencies, dependencyData, numDependencies));
  return begin(hStream, graph, std::move(tail), mode);
}

Result<void> stream_end_capture(CUstream hStream, CUgraph *phGraph) {
  Ref<Stream> stream = HEL_TRY(find_stream(hStream));
  Lock lock(graph_mutex);
  if (stream->capture == nullptr) {
    return HEL_FAIL(CUDA_ERROR_ILLEGAL_STATE, "the stream is not captured");
  }
  const std::shared_ptr<Capture> capture = stream->capture->capture;
  if (capture->origin != stream.get()) {
    capture->invalid = true;
    return HEL_FAIL(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, "the capture did not begin in this stream");
  }
  if (capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED && capture->thread != std::this_thread::get_id()) {
    return HEL_FAIL(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, "the capture began in another thread");
  }
  if (phGraph != nullptr) {
    *phGraph = nullptr;
  }
  const bool joined = capture->invalid || all_joined(*capture);
  finish(capture);
  if (capture->invalid || !joined) {
    drop_graph(*capture);
    return capture->invalid ? invalid_capture()
                            : HEL_FAIL(CUDA_ERROR_STREAM_CAPTURE_UNJOINED,
                                       "work of another stream in the capture is not waited for");
  }
  if (phGraph == nullptr) {
    drop_graph(*capture);  // nobody wants it
    return {};
  }
  *phGraph = capture->graph->handle();
  return {};
}

Result<void> stream_is_capturing(CUstream hStream, CUstreamCaptureStatus *captureStatus) {
  return get_info(hStream, captureStatus, {});
}

Result<void> stream_get_capture_info(CUstream hStream, CUstreamCaptureStatus *captureStatus_out, cuuint64_t *id_out,
                                     CUgraph *graph_out, const CUgraphNode **dependencies_out,
                                     const CUgraphEdgeData **edgeData_out, size_t *numDependencies_out) {
  return get_info(hStream, captureStatus_out, {id_out, graph_out, dependencies_out, edgeData_out, numDependencies_out});
}

Result<void> stream_get_capture_info_v1(CUstream hStream, CUstreamCaptureStatus *captureStatus_out,
                                        cuuint64_t *id_out) {
  return get_info(hStream, captureStatus_out, {id_out, nullptr, nullptr, nullptr, nullptr});
}

Result<void> stream_get_capture_info_v2(CUstream hStream, CUstreamCaptureStatus *captureStatus_out, cuuint64_t *id_out,
                                        CUgraph *graph_out, const CUgraphNode **dependencies_out,
                                        size_t *numDependencies_out) {
  return get_info(hStream, captureStatus_out, {id_out, graph_out, dependencies_out, nullptr, numDependencies_out});
}

Result<void> stream_update_capture_dependencies(CUstream hStream, CUgraphNode *dependencies,
                                                const CUgraphEdgeData *dependencyData, size_t numDependencies,
                                                unsigned int flags) {
  Ref<Stream> stream = HEL_TRY(find_stream(hStream));
  HEL_TRY(check_flags(flags, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  Lock lock(graph_mutex);
  if (stream->capture == nullptr) {
    return HEL_FAIL(CUDA_ERROR_ILLEGAL_STATE, "the stream is not captured");
  }
  StreamCapture &own = *stream->capture;
  if (own.capture->invalid) {
    return invalid_capture();
  }
  std::vector<Edge> edges =
      HEL_TRY(read_dependencies(*own.capture->graph, dependencies, dependencyData, numDependencies));
  if (flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES) {
    own.tail = std::move(edges);
  } else {
    add_tail(own.tail, edges);
  }
  return {};
}

Result<void> stream_update_capture_dependencies_v1(CUstream hStream, CUgraphNode *dependencies, size_t numDependencies,
                                                   unsigned int flags) {
  return stream_update_capture_dependencies(hStream, dependencies, nullptr, numDependencies, flags);
}

Result<void> thread_exchange_stream_capture_mode(CUstreamCaptureMode *mode) {
  HEL_TRY(check_out(mode, "mode"));
  HEL_TRY(check_mode(*mode));
  std::swap(*mode, mode_local);
  return {};
}

}  // namespace hel::cpu
