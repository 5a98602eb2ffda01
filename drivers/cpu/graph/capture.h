// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stream capture: work that is queued in a captured stream becomes nodes of a graph instead. Other streams join a
// capture by waiting for an event that was recorded in it, and must be joined again before it ends.
//
// A capture that breaks a rule is invalid: its streams refuse further work until it is ended, and it gives no graph.
#pragma once

#include "base/result.h"
#include "drivers/cpu/core/stream.h"
#include "drivers/cpu/graph/graph.h"

#include <cuda.h>

#include <memory>
#include <thread>
#include <vector>

namespace hel::cpu {

/// One capture. All of it is guarded by graph_mutex.
struct Capture {
  uint64_t id = 0;
  Ref<Graph> graph;
  bool owns_graph = true;  ///< made by the capture, not given to it
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
  std::thread::id thread;    ///< that began it
  Stream *origin = nullptr;  ///< one of `streams`
  bool active = true;        ///< not ended
  bool invalid = false;
  std::vector<Ref<Stream>> streams;
};

/// A stream's place in a capture: what its next node waits for.
struct StreamCapture {
  std::shared_ptr<Capture> capture;
  std::vector<Edge> tail;
  // What cuStreamGetCaptureInfo gave out.
  std::vector<CUgraphNode> nodes;
  std::vector<CUgraphEdgeData> data;
};

/// What an event stands for that was last recorded in a captured stream.
struct CapturedRecord {
  std::shared_ptr<Capture> capture;
  std::vector<Edge> nodes;
};

/// Adds a node to the graph of the capture that `stream` is in. `programmatic`: kernels before it may let it begin.
Result<void> capture(Stream &stream, Work work, bool programmatic = false);
/// The same with graph_mutex held.
Result<void> capture_locked(Stream &stream, Work work, bool programmatic = false);
Result<void> capture_record(Stream &stream, Event &event);
/// The stream waits for an event, and one of the two is in a capture: joins it, or fails.
Result<void> capture_wait(Stream &stream, Event &event);
/// An event whose last recording was captured is asked for its state: fails.
std::unique_ptr<Failure> refuse_captured_event(Event &event);
/// The stream leaves its capture because it ends; the capture is invalid unless the origin waits for all that it did.
void abandon_capture(Stream &stream);

}  // namespace hel::cpu
