// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/exec/worker_pool.h"

#include <immintrin.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <memory>
#include <new>
#include <thread>
#include <utility>

#include "base/mutex.h"
#include "base/result.h"
#include "base/settings.h"
#include "base/thread_value.h"
#include "drivers/cpu/exec/fault/fault_handler.h"
#include "drivers/cpu/exec/work_queue.h"

namespace hel::cpu::exec {
namespace {

constexpr int kSpinsBeforeSleep = 4096;
constexpr int kMostWorkers = 1024;

/// Workers take no signals but those that their own code causes: handlers of the program run on its own threads.
void block_signals() {
  sigset_t blocked;
  sigfillset(&blocked);
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGPROF}) {
    sigdelset(&blocked, signal);
  }
  pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
}

/// Of the thread that started the workers: what reaches the functions of the program that are called from a thread of
/// ours.
sigset_t program_signals;

bool start_thread(void *(*main)(void *), void *argument, const char *name) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const bool started = pthread_create(&thread, &attributes, main, argument) == 0;
  if (started) {
    pthread_setname_np(thread, name);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  return started;
}

/// The thread that runs the program's host functions, one after the other, so that one that blocks stops no kernel.
class HostFunctionThread {
public:
  static HostFunctionThread &instance() {
    static HostFunctionThread &thread = *new HostFunctionThread;  // outlives every thread
    return thread;
  }

  void submit(const Task &task) {
    Lock lock(mutex_);
    tasks_.push_back(task);
    if (!started_) {
      started_ = start_thread(main, this, "hl-host");
      HEL_ENSURE(started_, "the system starts no further thread");
    }
    changed_.notify_one();
  }

  void lock_for_fork() HEL_THREAD_ATTRIBUTE(acquire_capability(mutex_)) { mutex_.lock(); }
  void unlock_after_fork() HEL_THREAD_ATTRIBUTE(release_capability(mutex_)) { mutex_.unlock(); }
  void empty_in_child() HEL_THREAD_ATTRIBUTE(release_capability(mutex_)) {
    tasks_.clear();
    started_ = false;
    new (&changed_) Condition;  // the parent's may have waiters that do not exist here
    mutex_.unlock();
  }

private:
  static void *main(void *self) {
    block_signals();
    static_cast<HostFunctionThread *>(self)->run();
    return nullptr;
  }

  [[noreturn]] void run() {
    for (;;) {
      Task task{};
      {
        Lock lock(mutex_);
        while (tasks_.empty()) {
          changed_.wait(mutex_);
        }
        task = tasks_.front();
        tasks_.pop_front();
      }
      pthread_sigmask(SIG_SETMASK, &program_signals, nullptr);
      task.run(task.user);
      block_signals();
    }
  }

  Mutex mutex_;
  Condition changed_;
  std::deque<Task> tasks_ HEL_GUARDED_BY(mutex_);
  bool started_ HEL_GUARDED_BY(mutex_) = false;
};

std::atomic<bool> workers_started{false};
Mutex start_mutex;
std::atomic<uint32_t> helpers{0};

void *worker_main(void *index) {
  block_signals();
  auto *worker = new Worker(static_cast<uint32_t>(reinterpret_cast<uintptr_t>(index)));
  worker->bind_to_thread();
  worker->run();
}

void before_fork() HEL_THREAD_ATTRIBUTE(no_thread_safety_analysis) {
  start_mutex.lock();
  HostFunctionThread::instance().lock_for_fork();
  WorkQueue::instance().lock_for_fork();
  lock_stacks_for_fork();
}

void after_fork_in_parent() HEL_THREAD_ATTRIBUTE(no_thread_safety_analysis) {
  unlock_stacks_after_fork();
  WorkQueue::instance().unlock_after_fork();
  HostFunctionThread::instance().unlock_after_fork();
  start_mutex.unlock();
}

void after_fork_in_child() HEL_THREAD_ATTRIBUTE(no_thread_safety_analysis) {
  unlock_stacks_after_fork();
  WorkQueue::instance().empty_in_child();
  HostFunctionThread::instance().empty_in_child();
  workers_started.store(false);
  start_mutex.unlock();
}

void start_workers() {
  Lock lock(start_mutex);
  if (workers_started.load(std::memory_order_relaxed)) {
    return;
  }
  static bool watches_fork = false;
  if (!watches_fork) {
    watches_fork = true;
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  }
  install_fault_handlers();
  pthread_sigmask(SIG_SETMASK, nullptr, &program_signals);
  const int count = WorkerPool::instance().worker_count();
  for (int i = 0; i < count; ++i) {
    const bool started = start_thread(worker_main, reinterpret_cast<void *>(static_cast<uintptr_t>(i)), "hl-worker");
    HEL_ENSURE(started || i > 0, "the system starts no further thread");
  }
  workers_started.store(true, std::memory_order_release);
}

/// A host thread's Worker, made when it first helps.
HEL_THREAD_LOCAL constinit Worker *own_worker = nullptr;

void make_own_worker() {
  struct Owner {
    ~Owner() {
      delete own_worker;
      own_worker = nullptr;
    }
    void arm() {}
  };
  static thread_local Owner owner;
  owner.arm();
  const auto workers = static_cast<uint32_t>(WorkerPool::instance().worker_count());
  const uint32_t number = helpers.fetch_add(1, std::memory_order_relaxed);
  own_worker = new Worker(workers - 1 - number % workers);  // as the worker that rests meanwhile
  own_worker->bind_to_thread();
}

/// The running host thread's Worker. Null on a worker's thread, and inside of a kernel.
Worker *helper() {
  Worker *present = Worker::current();
  if (present != own_worker || (present != nullptr && (present->busy() || present->running() != nullptr))) {
    return nullptr;
  }
  if (own_worker == nullptr) [[unlikely]] {
    make_own_worker();
  }
  return own_worker;
}

/// Cores that the control group grants (a container's limit), or a large number.
int granted_cores() {
  long quota = 0;
  long period = 0;
  if (FILE *file = fopen("/sys/fs/cgroup/cpu.max", "r")) {
    if (fscanf(file, "%ld %ld", &quota, &period) != 2) {  // "max" means no limit
      quota = period = 0;
    }
    fclose(file);
  }
  return quota > 0 && period > 0 ? static_cast<int>((quota + period - 1) / period) : kMostWorkers;
}

int count_cores() {
  if (settings().threads > 0) {
    return static_cast<int>(std::min<long>(settings().threads, kMostWorkers));
  }
  cpu_set_t set;
  const int usable = sched_getaffinity(0, sizeof(set), &set) == 0
                         ? CPU_COUNT(&set)
                         : static_cast<int>(std::thread::hardware_concurrency());
  return std::clamp(usable, 1, granted_cores());
}

}  // namespace

WorkerPool &WorkerPool::instance() {
  static WorkerPool &pool = *new WorkerPool;
  return pool;
}

int WorkerPool::worker_count() const {
  static const int count = count_cores();
  return count;
}

bool WorkerPool::begins_at_end() const {
  const Worker *worker = Worker::current();
  return worker != nullptr && 2 * worker->index() >= static_cast<uint32_t>(worker_count());
}

void WorkerPool::ensure_started() {
  if (!workers_started.load(std::memory_order_acquire)) {
    start_workers();
  }
}

void WorkerPool::submit(const Task &task) {
  ensure_started();
  if (task.kind == TaskKind::Host) {
    HostFunctionThread::instance().submit(task);
  } else {
    WorkQueue::instance().add_task(task);
  }
}

Worker *WorkerPool::idle_worker() {
  Worker *present = Worker::current() != nullptr ? Worker::current() : helper();
  return present != nullptr && present->idle() ? present : nullptr;
}

/// Runs a task, or blocks of a grid. False if there was nothing to do, or this thread cannot help now.
bool WorkerPool::help_once(const HelpOrder &order) {
  Worker *own = helper();
  if (own == nullptr) {
    return false;
  }
  WorkQueue &queue = WorkQueue::instance();
  if (queue.run_task(order.owner)) {
    return true;
  }
  Chunk chunk;
  if (!queue.deal({DealFor::Helper, own->index(), order.owner}, &chunk)) {
    return false;
  }
  own->run_chunk(chunk, &order);
  return true;
}

void WorkerPool::help_while(const std::atomic<uint32_t> &word, uint32_t value, const void *owner) {
  const HelpOrder order{word, value, owner};
  bool helps = false;
  const auto change = [&helps](bool now) {
    if (now != helps) {
      helps = now;
      now ? WorkQueue::instance().helper_comes() : WorkQueue::instance().helper_goes();
    }
  };
  for (int spins = 0; order.stands();) {
    change(true);
    if (help_once(order)) {
      spins = 0;
    } else if (++spins < kSpinsBeforeSleep) {
      _mm_pause();
    } else {
      change(false);
      sleeping_hosts_.fetch_add(1, std::memory_order_relaxed);
      word.wait(value, std::memory_order_acquire);
      sleeping_hosts_.fetch_sub(1, std::memory_order_relaxed);
    }
  }
  change(false);
}

}  // namespace hel::cpu::exec
