// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands: the elements of the streams' queues. A command knows how many commands it still waits for; who finishes
// starts those that waited. A stream is therefore no more than its last command, and no thread belongs to it.
#pragma once

#include "base/result.h"
#include "base/thread_value.h"

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

namespace hel::cpu {

class Context;
class Command;

/// A counted reference to a Command.
class HEL_IN_REGISTERS CommandRef {
public:
  CommandRef() = default;
  CommandRef(std::nullptr_t) {}
  explicit CommandRef(Command &command);
  CommandRef(const CommandRef &other);
  CommandRef(CommandRef &&other) noexcept : command_(std::exchange(other.command_, nullptr)) {}
  CommandRef &operator=(CommandRef other) noexcept {
    std::swap(command_, other.command_);
    return *this;
  }
  ~CommandRef() {
    if (command_ != nullptr) {
      drop();
    }
  }
  Command *operator->() const { return command_; }
  Command &operator*() const { return *command_; }
  explicit operator bool() const { return command_ != nullptr; }
  /// Gives the reference away, to be taken back by adopt().
  Command *leak() { return std::exchange(command_, nullptr); }
  /// Takes a reference that somebody gave away; of a new command, the one that it is made with.
  static CommandRef adopt(Command *command) {
    CommandRef ref;
    ref.command_ = command;
    return ref;
  }

private:
  void drop();
  Command *command_ = nullptr;
};

class Command {
public:
  enum class Progress {
    Done,   ///< run() did it all
    Later,  ///< somebody will call complete()
  };
  /// Where a command runs when nothing holds it up at the moment it is queued.
  enum class Place {
    Caller,  ///< in the thread that queues it: it is short, or the caller waits for it anyway
    Worker,
  };

  explicit Command(Context &context) : context_(&context) {}
  Command(const Command &) = delete;
  Command &operator=(const Command &) = delete;
  virtual ~Command() = default;

  /// Makes this command wait for `other`. Only before release().
  void after(const CommandRef &other);
  /// The queue is set up: runs as soon as nothing is awaited. The caller has a reference.
  void release(Place place);
  /// For commands whose run() said Later. Any thread; the caller has a reference.
  void complete();
  bool done() const { return done_.load(std::memory_order_acquire) != 0; }
  /// Blocks the calling thread. Not on a worker.
  void wait() const;
  Context &context() const { return *context_; }
  /// The stream, as the worker pool's name for "work of the same queue".
  /// For the log.
  virtual const char *name() const = 0;
  /// True for the user's code, which may block: it gets a thread of its own.
  virtual bool may_block() const { return false; }
  void set_owner(const void *owner) { owner_ = owner; }
  const void *owner() const { return owner_; }

protected:
  /// Does the work; nothing is locked. On a worker, or on the queueing thread (Place::Caller).
  virtual Progress run() = 0;
  /// False for work that is pointless in a context that has faulted.
  virtual bool runs_after_fault() const { return false; }
  /// Frees what only the run needed; called once, before those who wait see done().
  virtual void drop_payload() {}

private:
  friend class CommandRef;
  friend void execute(CommandRef first);
  friend void submit(CommandRef command);
  /// One that waits for this command.
  struct Dependent {
    CommandRef command;
    Dependent *next;
  };
  /// Takes the place of the dependents of a command that is done.
  static Dependent *closed() { return reinterpret_cast<Dependent *>(1); }
  std::vector<CommandRef> finish();
  bool nothing_awaited();
  Progress run_unless_faulted();

  Context *const context_;  ///< lives on: a context waits for its commands before it goes
  const void *owner_ = nullptr;
  std::atomic<uint32_t> references_{1};
  std::atomic<uint32_t> awaited_{1};  ///< unfinished commands, and one until release()
  std::atomic<uint32_t> done_{0};
  std::atomic<Dependent *> dependents_{nullptr};  ///< the last one first; closed() once done
};

/// True on a thread that is inside a host function of a stream, where API calls are not permitted.
inline HEL_THREAD_LOCAL constinit bool in_host_function = false;

}  // namespace hel::cpu
