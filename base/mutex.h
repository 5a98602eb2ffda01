// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::mutex with clang's thread-safety attributes, so that `-Wthread-safety` proves which lock guards what.
#pragma once

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

class HEL_THREAD_ATTRIBUTE(scoped_lockable) Lock {
public:
  explicit Lock(Mutex &m) HEL_THREAD_ATTRIBUTE(acquire_capability(m)) : mutex_(m) { mutex_.lock(); }
  ~Lock() HEL_THREAD_ATTRIBUTE(release_capability()) { mutex_.unlock(); }
  Lock(const Lock &) = delete;
  Lock &operator=(const Lock &) = delete;

private:
  Mutex &mutex_;
};

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
