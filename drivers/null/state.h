// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The null driver: answers the driver API, keeps the order of commands, records it, and runs no kernel. It has one lock, no
// threads and no tricks: read it to learn what a driver must do, and test stream order with it.
//
// Memory is real, so copies, fills and host functions happen; kernels do not. A command does not happen when it is
// queued: it happens when somebody waits for it (or asks whether it is done), after everything that it must follow.
// That makes the order, and the record of it, the same in every run.
#pragma once

#include "base/mutex.h"
#include "base/result.h"

#include <cuda.h>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace hel::null {

inline constexpr int kDeviceCount = 2;
inline constexpr size_t kDeviceBytes = size_t{1} << 30;

struct Command {
  std::string text;  ///< one line of the record
  std::function<void()> work;
  std::vector<Command *> after;
  bool done = false;
};

struct Context;

struct Stream {
  Context *context;
  std::string name;  ///< in the record: "legacy", "thread", or "stream 1"
  unsigned flags;
  int priority;
  std::vector<Command *> queue;  ///< all commands, oldest first
};

struct Event {
  unsigned flags;
  Command *recorded = nullptr;
};

struct Function {
  struct Module *module;
  std::string name;
  std::map<int, int> attributes;  ///< what cuFuncSetAttribute set
};

struct Module {
  std::map<std::string, std::unique_ptr<Function>> functions;
  std::map<std::string, CUdeviceptr> variables;
};

struct Context {
  int device;
  bool primary;
  unsigned flags = 0;
  unsigned long long id = 0;
  std::vector<Stream *> streams = {};  ///< [0]: the legacy default stream
  std::map<int, size_t> limits = {};
};

struct Allocation {
  size_t bytes;
  enum Kind { Device, Host, Managed, Registered } kind;
  int device;
  unsigned flags;
};

/// Everything. Objects are owned by their set of live handles.
struct State {
  Mutex mutex;
  bool initialised HEL_GUARDED_BY(mutex) = false;
  std::vector<int> shown HEL_GUARDED_BY(mutex);  ///< device i is shown[i]
  std::set<Context *> contexts HEL_GUARDED_BY(mutex);
  std::set<Stream *> streams HEL_GUARDED_BY(mutex);
  std::set<Event *> events HEL_GUARDED_BY(mutex);
  std::set<Module *> modules HEL_GUARDED_BY(mutex);
  std::set<Function *> functions HEL_GUARDED_BY(mutex);
  std::map<int, Context *> primaries HEL_GUARDED_BY(mutex);
  std::map<CUdeviceptr, Allocation> memory HEL_GUARDED_BY(mutex);
  std::vector<std::unique_ptr<Command>> commands HEL_GUARDED_BY(mutex);
  std::vector<std::string> record HEL_GUARDED_BY(mutex);
  int next_stream HEL_GUARDED_BY(mutex) = 1;
  unsigned long long next_context HEL_GUARDED_BY(mutex) = 1;
};
State &state();

/// What has happened since the last call, a line each ("stream 1: copy 64 bytes"), in order. For tests.
std::vector<std::string> take_record();

/// The calling thread's context; fails like the driver API without one.
Result<Context *> current_context() HEL_REQUIRES(state().mutex);
std::vector<Context *> &context_stack();

/// The stream that a handle means in the current context: null is the default stream, 1 and 2 its two kinds.
Result<Stream *> find_stream(CUstream handle) HEL_REQUIRES(state().mutex);
Stream *new_stream(Context *context, std::string name, unsigned flags, int priority) HEL_REQUIRES(state().mutex);

/// Queues a command, behind all that the order of streams puts before it.
Command *enqueue(Stream *stream, const std::string &text, std::function<void()> work) HEL_REQUIRES(state().mutex);
/// Makes a command happen, after those that it must follow.
void perform(Command *command) HEL_REQUIRES(state().mutex);
void drain(Stream *stream) HEL_REQUIRES(state().mutex);
void drain_all(Context *context) HEL_REQUIRES(state().mutex);

/// The allocation that has [at, at + bytes) in it; null if there is none.
const Allocation *find_allocation(CUdeviceptr at, size_t bytes) HEL_REQUIRES(state().mutex);
CUdeviceptr new_memory(size_t bytes, Allocation::Kind kind, int device, unsigned flags) HEL_REQUIRES(state().mutex);

template <typename T> Result<T *> find_in(const std::set<T *> &live, const void *handle) {
  T *object = static_cast<T *>(const_cast<void *>(handle));
  if (live.count(object) == 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_HANDLE, "%p is no live handle", handle);
  }
  return object;
}

Result<void> need(const void *pointer, const char *what);

}  // namespace hel::null
