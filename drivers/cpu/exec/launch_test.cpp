// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grids: every thread runs once with the right indices, in all sizes, many at a time, by helpers and workers.
#include "drivers/cpu/exec/launch.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <vector>

#include "drivers/cpu/exec/fiber/fiber.h"
#include "drivers/cpu/exec/test_grid.h"

namespace hel::cpu::exec {
namespace {

void count_thread(const void *params) {
  argument_of<std::atomic<uint32_t>>(params)[global_thread()].fetch_add(1, std::memory_order_relaxed);
}

void nothing(const void *) {}

TEST(Launch, EveryThreadRunsOnce) {
  for (uint32_t threads : {1u, 31u, 32u, 33u, 256u, 1024u}) {
    std::vector<std::atomic<uint32_t>> counts(17 * threads);
    TestGrid grid(count_thread, {17, 1, 1}, {threads, 1, 1}, counts.data(), 0);
    ASSERT_EQ(grid.run(), nullptr);
    for (auto &c : counts) {
      ASSERT_EQ(c.load(), 1u);
    }
  }
}

struct Indices {
  std::atomic<uint32_t> wrong{0};
  std::atomic<uint32_t> seen{0};
};

void check_indices(const void *params) {
  auto *out = argument_of<Indices>(params);
  const abi::ThreadState &t = *__hl_thread;
  const uint32_t linear = t.tid.x + t.ntid.x * (t.tid.y + t.ntid.y * t.tid.z);
  const bool right = linear == linear_thread() && t.tid.x < 3 && t.tid.y < 5 && t.tid.z < 7 && t.ctaid.x < 2 &&
                     t.ctaid.y < 3 && t.ctaid.z < 4 && t.ntid.y == 5 && t.nctaid.z == 4 &&
                     t.dynamic_shared == t.shared + 256;
  out->wrong += !right;
  out->seen += linear + 105 * linear_block();
}

TEST(Launch, IndicesInThreeDimensions) {
  Indices result;
  TestGrid grid(check_indices, {2, 3, 4}, {3, 5, 7}, &result);
  grid.launch.state.static_shared_bytes = 200;
  grid.launch.state.dynamic_shared_bytes = 5000;
  ASSERT_EQ(grid.run(), nullptr);
  EXPECT_EQ(result.wrong, 0u);
  EXPECT_EQ(result.seen, 2520u * 2519u / 2);
}

TEST(Launch, ManyBlocks) {
  std::vector<std::atomic<uint32_t>> counts(65535);
  TestGrid grid(count_thread, {65535, 1, 1}, {1, 1, 1}, counts.data(), 0);
  ASSERT_EQ(grid.run(), nullptr);
  for (auto &c : counts) {
    ASSERT_EQ(c.load(), 1u);
  }
}

TEST(Launch, TinyBriefGridsRunInTheCallingThread) {
  pthread_t ran{};
  const auto note_thread = [](const void *params) { *argument_of<pthread_t>(params) = pthread_self(); };
  TestGrid tiny(note_thread, {4, 1, 1}, {256, 1, 1}, &ran, abi::kKernelBrief);
  tiny.start();
  EXPECT_EQ(tiny.ended, 1u);
  EXPECT_EQ(tiny.fault, nullptr);
  EXPECT_TRUE(pthread_equal(ran, pthread_self()));

  std::vector<std::atomic<uint32_t>> counts(1025);
  TestGrid large(count_thread, {1025, 1, 1}, {1, 1, 1}, counts.data(), abi::kKernelBrief);
  ASSERT_EQ(large.run(), nullptr);
  for (auto &c : counts) {
    ASSERT_EQ(c.load(), 1u);
  }
}

TEST(Launch, ABriefGridThatFaultsEndsWithAReport) {
  TestGrid grid([](const void *) { *reinterpret_cast<volatile int *>(8) = 1; }, {1, 1, 1}, {1, 1, 1}, nullptr,
                abi::kKernelBrief);
  EXPECT_NE(grid.run(), nullptr);
  TestGrid next(nothing, {1, 1, 1}, {1, 1, 1}, nullptr, abi::kKernelBrief);
  EXPECT_EQ(next.run(), nullptr);
}

TEST(Launch, ManySmallLaunches) {
  TestGrid grid(nothing, {1, 1, 1}, {1, 1, 1}, nullptr, 0);
  const int launches = 20000;
  const auto before = std::chrono::steady_clock::now();
  for (int i = 0; i < launches; ++i) {
    ASSERT_EQ(grid.run(), nullptr);
  }
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - before;
  printf("launch and wait: %.2f us\n", took.count() / launches);
}

TEST(Launch, ManyAtATime) {
  std::vector<std::atomic<uint32_t>> counts(64);
  std::vector<std::unique_ptr<TestGrid>> grids;
  for (uint32_t i = 0; i < 200; ++i) {
    grids.push_back(std::make_unique<TestGrid>(count_thread, abi::Dim3{2, 1, 1}, abi::Dim3{32, 1, 1}, counts.data(),
                                               i % 2 != 0 ? 0u : uint32_t{abi::kKernelCanWait}));
    grids.back()->start();
  }
  for (auto &g : grids) {
    g->wait();
    ASSERT_EQ(g->fault, nullptr);
  }
  for (auto &c : counts) {
    EXPECT_EQ(c.load(), 200u);
  }
}

TEST(Launch, TasksRun) {
  std::atomic<uint32_t> left{100};
  for (int i = 0; i < 100; ++i) {
    const TaskKind kind = i % 2 != 0 ? TaskKind::Short : TaskKind::Host;
    WorkerPool::instance().submit({[](void *p) {
                                     auto *count = static_cast<std::atomic<uint32_t> *>(p);
                                     count->fetch_sub(1);
                                     count->notify_all();
                                   },
                                   &left, nullptr, kind});
  }
  for (uint32_t now = left; now != 0; now = left) {
    WorkerPool::instance().help_while(left, now);
  }
}

#if !defined(HEL_TSAN_FIBERS)  // which allows no threads in a forked child
TEST(Launch, ForkedChildStartsItsOwnWorkers) {
  TestGrid grid(nothing, {64, 1, 1}, {32, 1, 1});
  ASSERT_EQ(grid.run(), nullptr);
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(grid.run() == nullptr ? 7 : 8);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_EQ(grid.run(), nullptr);
}

void spin_for_ever(const void *params) {
  argument_of<std::atomic<uint32_t>>(params)->store(1);
  for (;;) {
    __hl_yield();
  }
}

TEST(Launch, ProcessExitsWhileKernelsRun) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    static std::atomic<uint32_t> runs{0};
    auto *grid = new TestGrid(spin_for_ever, {8, 1, 1}, {64, 1, 1}, &runs);
    grid->start();
    while (runs == 0) {
    }
    exit(7);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
}
#endif

}  // namespace
}  // namespace hel::cpu::exec
