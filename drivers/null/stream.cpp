// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Null driver: streams and events.
#include "base/default_stream.h"
#include "base/thread_value.h"
#include "drivers/null/state.h"
#include "helicon/gen/null_impl.h"

#include <algorithm>

namespace hel::null {
namespace {

Result<Event *> find_event(CUevent event) HEL_REQUIRES(state().mutex) {
  HEL_TRY(current_context());
  return find_in(state().events, event);
}

/// One default stream a thread and context.
Stream *per_thread_stream(Context *context) HEL_REQUIRES(state().mutex) {
  struct DefaultStreams;
  Stream *&stream = thread_value<std::map<unsigned long long, Stream *>, DefaultStreams>()[context->id];
  if (stream == nullptr) {
    stream = new_stream(context, "thread", 0, 0);
  }
  return stream;
}

}  // namespace

Stream *new_stream(Context *context, std::string name, unsigned flags, int priority) {
  auto *stream = new Stream{context, std::move(name), flags, priority, {}};
  context->streams.push_back(stream);
  state().streams.insert(stream);
  return stream;
}

Result<Stream *> find_stream(CUstream handle) {
  Context *context = HEL_TRY(current_context());
  if (handle == CU_STREAM_PER_THREAD || (handle == nullptr && null_stream_is_per_thread())) {
    return per_thread_stream(context);
  }
  if (handle == nullptr || handle == CU_STREAM_LEGACY) {
    return context->streams[0];
  }
  return find_in(state().streams, handle);
}

Result<void> stream_create(CUstream *phStream, unsigned int Flags) {
  return stream_create_with_priority(phStream, Flags, 0);
}

Result<void> stream_create_with_priority(CUstream *phStream, unsigned int flags, int priority) {
  Lock lock(state().mutex);
  Context *context = HEL_TRY(current_context());
  HEL_TRY(need(phStream, "phStream"));
  if ((flags & ~unsigned{CU_STREAM_NON_BLOCKING}) != 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "flags 0x%x are not defined", flags);
  }
  std::string name = "stream " + std::to_string(state().next_stream++);
  *phStream = reinterpret_cast<CUstream>(new_stream(context, name, flags, std::clamp(priority, -1, 0)));
  return {};
}

Result<void> stream_destroy(CUstream hStream) {
  Lock lock(state().mutex);
  HEL_TRY(current_context());
  Stream *stream = HEL_TRY(find_in(state().streams, hStream));
  drain(stream);
  std::vector<Stream *> &all = stream->context->streams;
  all.erase(std::find(all.begin(), all.end(), stream));
  state().streams.erase(stream);
  delete stream;
  return {};
}

Result<void> stream_get_flags(CUstream hStream, unsigned int *flags) {
  Lock lock(state().mutex);
  HEL_TRY(need(flags, "flags"));
  *flags = HEL_TRY(find_stream(hStream))->flags;
  return {};
}

Result<void> stream_get_priority(CUstream hStream, int *priority) {
  Lock lock(state().mutex);
  HEL_TRY(need(priority, "priority"));
  *priority = HEL_TRY(find_stream(hStream))->priority;
  return {};
}

Result<void> stream_synchronize(CUstream hStream) {
  Lock lock(state().mutex);
  drain(HEL_TRY(find_stream(hStream)));
  return {};
}

Result<void> stream_query(CUstream hStream) {
  Lock lock(state().mutex);
  drain(HEL_TRY(find_stream(hStream)));
  return {};
}

Result<void> stream_wait_event(CUstream hStream, CUevent hEvent, unsigned int Flags) {
  Lock lock(state().mutex);
  Stream *stream = HEL_TRY(find_stream(hStream));
  Event *event = HEL_TRY(find_event(hEvent));
  Command *wait = enqueue(stream, "wait for an event", nullptr);
  if (event->recorded != nullptr) {
    wait->after.push_back(event->recorded);
  }
  return {};
}

Result<void> launch_host_func(CUstream hStream, CUhostFn fn, void *userData) {
  Lock lock(state().mutex);
  Stream *stream = HEL_TRY(find_stream(hStream));
  if (fn == nullptr) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "fn is null");
  }
  enqueue(stream, "host function", [=] { fn(userData); });
  return {};
}

Result<void> stream_add_callback(CUstream hStream, CUstreamCallback callback, void *userData, unsigned int flags) {
  Lock lock(state().mutex);
  Stream *stream = HEL_TRY(find_stream(hStream));
  if (callback == nullptr || flags != 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "callback is null or flags are %u", flags);
  }
  enqueue(stream, "callback", [=] { callback(hStream, CUDA_SUCCESS, userData); });
  return {};
}

Result<void> event_create(CUevent *phEvent, unsigned int Flags) {
  Lock lock(state().mutex);
  HEL_TRY(current_context());
  HEL_TRY(need(phEvent, "phEvent"));
  if (Flags > 7) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "flags 0x%x are not defined", Flags);
  }
  auto *event = new Event{Flags};
  state().events.insert(event);
  *phEvent = reinterpret_cast<CUevent>(event);
  return {};
}

Result<void> event_destroy(CUevent hEvent) {
  Lock lock(state().mutex);
  Event *event = HEL_TRY(find_event(hEvent));
  state().events.erase(event);
  delete event;
  return {};
}

Result<void> event_record(CUevent hEvent, CUstream hStream) { return event_record_with_flags(hEvent, hStream, 0); }

Result<void> event_record_with_flags(CUevent hEvent, CUstream hStream, unsigned int flags) {
  Lock lock(state().mutex);
  Event *event = HEL_TRY(find_event(hEvent));
  event->recorded = enqueue(HEL_TRY(find_stream(hStream)), "record an event", nullptr);
  return {};
}

Result<void> event_synchronize(CUevent hEvent) {
  Lock lock(state().mutex);
  Event *event = HEL_TRY(find_event(hEvent));
  if (event->recorded != nullptr) {
    perform(event->recorded);
  }
  return {};
}

Result<void> event_query(CUevent hEvent) { return event_synchronize(hEvent); }

Result<void> event_elapsed_time(float *pMilliseconds, CUevent hStart, CUevent hEnd) {
  Lock lock(state().mutex);
  HEL_TRY(need(pMilliseconds, "pMilliseconds"));
  for (CUevent handle : {hStart, hEnd}) {
    Event *event = HEL_TRY(find_event(handle));
    if (event->recorded == nullptr || (event->flags & CU_EVENT_DISABLE_TIMING) != 0) {
      return HEL_FAIL(CUDA_ERROR_INVALID_HANDLE, "an event is not recorded or has no time");
    }
    if (!event->recorded->done) {
      return HEL_FAIL(CUDA_ERROR_NOT_READY, "an event has not happened");
    }
  }
  *pMilliseconds = 0;  // nothing takes time here
  return {};
}

}  // namespace hel::null
