// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mutexes with clang's thread-safety attributes, so that `-Wthread-safety` proves which lock guards what.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define HEL_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define HEL_THREAD_ATTRIBUTE(x)
#endif
#define HEL_GUARDED_BY(m) HEL_THREAD_ATTRIBUTE(guarded_by(m))
#define HEL_REQUIRES(...) HEL_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define HEL_EXCLUDES(...) HEL_THREAD_ATTRIBUTE(locks_excluded(__VA_ARGS__))

namespace hel {

class HEL_THREAD_ATTRIBUTE(capability("mutex")) Mutex {
public:
  void lock() HEL_THREAD_ATTRIBUTE(acquire_capability()) { mutex_.lock(); }
  void unlock() HEL_THREAD_ATTRIBUTE(release_capability()) { mutex_.unlock(); }
  bool try_lock() HEL_THREAD_ATTRIBUTE(try_acquire_capability(true)) { return mutex_.try_lock(); }

private:
  std::mutex mutex_;
};

/// For sections of a few instructions that many threads enter at once: who finds it taken looks again for a while
/// before it sleeps, since to sleep and to be woken takes much longer than the section.
class HEL_THREAD_ATTRIBUTE(capability("mutex")) SpinMutex {
public:
  void lock() HEL_THREAD_ATTRIBUTE(acquire_capability()) {
    for (int looks = 0; looks < kLooks; ++looks) {
      if (state_.load(std::memory_order_relaxed) == kFree && try_lock()) {
        return;
      }
      __builtin_ia32_pause();
    }
    while (state_.exchange(kWaitedFor, std::memory_order_acquire) != kFree) {
      state_.wait(kWaitedFor, std::memory_order_relaxed);
    }
  }
  void unlock() HEL_THREAD_ATTRIBUTE(release_capability()) {
    if (state_.exchange(kFree, std::memory_order_release) == kWaitedFor) {
      state_.notify_one();
    }
  }
  bool try_lock() HEL_THREAD_ATTRIBUTE(try_acquire_capability(true)) {
    int free = kFree;
    return state_.compare_exchange_strong(free, kTaken, std::memory_order_acquire, std::memory_order_relaxed);
  }

private:
  static constexpr int kFree = 0, kTaken = 1, kWaitedFor = 2, kLooks = 1000;
  std::atomic<int> state_{kFree};
};

template <typename M> class HEL_THREAD_ATTRIBUTE(scoped_lockable) ScopedLock {
public:
  explicit ScopedLock(M &m) HEL_THREAD_ATTRIBUTE(acquire_capability(m)) : mutex_(m) { mutex_.lock(); }
  ~ScopedLock() HEL_THREAD_ATTRIBUTE(release_capability()) { mutex_.unlock(); }
  ScopedLock(const ScopedLock &) = delete;
  ScopedLock &operator=(const ScopedLock &) = delete;

private:
  M &mutex_;
};

using Lock = ScopedLock<Mutex>;
using SpinLock = ScopedLock<SpinMutex>;

/// A condition variable to wait on with a Mutex held: `while (!ready) changed.wait(mutex);`
class Condition {
public:
  void wait(Mutex &m) HEL_REQUIRES(m) { any_.wait(m); }
  template <typename Clock, typename Duration>
  std::cv_status wait_until(Mutex &m, const std::chrono::time_point<Clock, Duration> &t) HEL_REQUIRES(m) {
    return any_.wait_until(m, t);
  }
  void notify_one() { any_.notify_one(); }
  void notify_all() { any_.notify_all(); }

private:
  std::condition_variable_any any_;
};

}  // namespace hel
