// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that spin: between lanes, warps, blocks and grids, and for the host. Each must let the other one get on.
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "drivers/cpu/exec/test_grid.h"

namespace hel::cpu::exec {
namespace {

struct Shared {
  std::atomic<uint32_t> lock{0};
  std::atomic<uint32_t> turn{0};
  uint32_t counter = 0;
  std::atomic<uint32_t> wrong{0};
};

void acquire(std::atomic<uint32_t> &lock) {
  uint32_t free = 0;
  while (!lock.compare_exchange_strong(free, 1, std::memory_order_acquire)) {
    free = 0;
    __hl_yield();
  }
}

void spin_lock(const void *params) {
  auto *s = argument_of<Shared>(params);
  acquire(s->lock);
  const uint32_t before = s->counter;
  __hl_yield();  // others try meanwhile
  s->counter = before + 1;
  s->lock.store(0, std::memory_order_release);
}

TEST(Waiting, SpinLockBetweenLanesAndBlocks) {
  Shared s;
  TestGrid grid(spin_lock, {20, 1, 1}, {48, 1, 1}, &s);
  ASSERT_EQ(grid.run(), nullptr) << grid.fault->text;
  EXPECT_EQ(s.counter, 960u);
}

// Lane order reversed: each thread waits for the next higher one.
void wait_for_next(const void *params) {
  auto *s = argument_of<Shared>(params);
  while (s->turn.load(std::memory_order_acquire) != __hl_thread->ntid.x - 1 - __hl_thread->tid.x) {
    __hl_yield();
  }
  s->turn.fetch_add(1, std::memory_order_release);
}

TEST(Waiting, ThreadsInReverseOrder) {
  Shared s;
  TestGrid grid(wait_for_next, {1, 1, 1}, {200, 1, 1}, &s);
  ASSERT_EQ(grid.run(), nullptr) << grid.fault->text;
  EXPECT_EQ(s.turn, 200u);
}

// Every block waits for all others: more blocks than workers must be live.
void hand_made_grid_barrier(const void *params) {
  auto *s = argument_of<Shared>(params);
  __hl_barrier(0, 0);
  if (__hl_thread->tid.x == 0) {
    s->turn.fetch_add(1);
    while (s->turn.load() < __hl_thread->nctaid.x) {
      __hl_yield();
    }
  }
  __hl_barrier(0, 0);
  s->wrong += s->turn.load() != __hl_thread->nctaid.x;
}

TEST(Waiting, HandMadeGridBarrier) {
  Shared s;
  TestGrid grid(hand_made_grid_barrier, {60, 1, 1}, {64, 1, 1}, &s);
  ASSERT_EQ(grid.run(), nullptr) << grid.fault->text;
  EXPECT_EQ(s.wrong, 0u);
}

// As decoupled look-back does: each block waits for the one before it.
void look_back(const void *params) {
  auto *s = argument_of<Shared>(params);
  if (__hl_thread->tid.x == 0) {
    while (s->turn.load() != linear_block()) {
      __hl_yield();
    }
    s->turn.fetch_add(1);
  }
}

TEST(Waiting, ChainOfBlocks) {
  Shared s;
  TestGrid grid(look_back, {3000, 1, 1}, {32, 1, 1}, &s);
  ASSERT_EQ(grid.run(), nullptr) << grid.fault->text;
  EXPECT_EQ(s.turn, 3000u);
}

void loop_with_barriers(const void *params) {
  auto *s = argument_of<Shared>(params);
  while (s->turn.load() == 0) {
    __hl_barrier(0, 0);
    __hl_yield();
    __hl_barrier(0, 0);
  }
}

void release_others(const void *params) { argument_of<Shared>(params)->turn.store(1); }

// Two blocks for each worker loop until a later grid releases them.
TEST(Waiting, ForALaterGrid) {
  Shared s;
  TestGrid waiting(loop_with_barriers, {64, 1, 1}, {1, 1, 1}, &s);
  TestGrid releasing(release_others, {1, 1, 1}, {1, 1, 1}, &s);
  waiting.start();
  releasing.start();
  waiting.wait();
  releasing.wait();
  EXPECT_EQ(waiting.fault, nullptr);
}

TEST(Waiting, ForATask) {
  Shared s;
  TestGrid waiting(loop_with_barriers, {64, 1, 1}, {1, 1, 1}, &s);
  waiting.start();
  WorkerPool::instance().submit({[](void *p) { static_cast<Shared *>(p)->turn.store(1); }, &s});
  waiting.wait();
  EXPECT_EQ(waiting.fault, nullptr);
}

// The host must come back from waiting for another grid.
TEST(Waiting, ForTheHost) {
  Shared s;
  Shared other;
  TestGrid waiting(loop_with_barriers, {64, 1, 1}, {8, 1, 1}, &s);
  TestGrid quick(release_others, {10, 1, 1}, {8, 1, 1}, &other, 0);
  waiting.start();
  for (int i = 0; i < 20; ++i) {
    quick.run();
  }
  s.turn.store(1);
  waiting.wait();
  EXPECT_EQ(waiting.fault, nullptr);
}

void barrier_against_spinning(const void *params) {
  auto *s = argument_of<Shared>(params);
  if (__hl_thread->tid.x == 3) {
    while (s->turn.load() == 0) {
      __hl_yield();
    }
  }
  __hl_barrier(0, 0);
}

/// What the process writes to its standard error while this lives.
class Messages {
public:
  Messages() { dup2(fileno(file_), STDERR_FILENO); }
  ~Messages() {
    dup2(saved_, STDERR_FILENO);
    close(saved_);
    fclose(file_);
  }

  std::string text() const {
    std::string text(static_cast<size_t>(lseek(fileno(file_), 0, SEEK_END)), ' ');
    text.resize(static_cast<size_t>(pread(fileno(file_), text.data(), text.size(), 0)));
    return text;
  }

private:
  FILE *file_ = tmpfile();
  int saved_ = dup(STDERR_FILENO);
};

TEST(Waiting, WarnsOfABarrierThatOthersSpinBefore) {
  Shared s;
  const Messages messages;
  TestGrid grid(barrier_against_spinning, {1, 1, 1}, {40, 1, 1}, &s);
  grid.start();
  std::thread release([&] {
    for (int i = 0; i < 3000 && messages.text().empty(); i++) {  // a second, or more on a busy machine
      usleep(10'000);
    }
    s.turn.store(1);
  });
  grid.wait();
  release.join();
  const std::string out = messages.text();
  EXPECT_EQ(grid.fault, nullptr);
  EXPECT_NE(out.find("39 threads wait at barrier 0"), std::string::npos) << out;
  EXPECT_NE(out.find("1 thread spins at"), std::string::npos) << out;
}

void sleep_then_count(const void *params) {
  const uint64_t before = __hl_globaltimer();
  __hl_nanosleep(200'000);
  auto *s = argument_of<Shared>(params);
  s->wrong += __hl_globaltimer() - before < 200'000;
  s->wrong += __hl_sm_id() >= __hl_sm_count();
  s->turn += 1;
}

TEST(Waiting, Nanosleep) {
  Shared s;
  TestGrid grid(sleep_then_count, {4, 1, 1}, {64, 1, 1}, &s);
  ASSERT_EQ(grid.run(), nullptr) << grid.fault->text;
  EXPECT_EQ(s.wrong, 0u);
  EXPECT_EQ(s.turn, 256u);
}

// The compiler's flags are hints: a kernel that waits although its flags deny it works as well.
TEST(Waiting, WithoutTheFlag) {
  Shared s;
  TestGrid grid(wait_for_next, {1, 1, 1}, {64, 1, 1}, &s, 0);
  ASSERT_EQ(grid.run(), nullptr) << grid.fault->text;
  EXPECT_EQ(s.turn, 64u);
}

}  // namespace
}  // namespace hel::cpu::exec
