// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults in kernels end the grid with a report; the process, its workers and its own signal handlers live on.
#include <gtest/gtest.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

#include <string>

#include "base/result.h"
#include "drivers/cpu/exec/device_heap.h"
#include "drivers/cpu/exec/fiber/fiber.h"
#include "drivers/cpu/exec/test_grid.h"

namespace hel::cpu::exec {
namespace {

std::atomic<uint32_t> runs{0};

void fine(const void *) { runs += 1; }

/// Runs the kernel (as workers and as helpers do) and checks its report, then that everything still works.
void expect_fault(abi::ThreadEntry entry, int code, const char *text, const char *thread = "thread (5,0,0)") {
  for (uint32_t flags : {0u, uint32_t{abi::kKernelCanWait}}) {
    TestGrid grid(entry, {40, 1, 1}, {64, 1, 1}, nullptr, flags);
    FaultReport *fault = grid.run();
    ASSERT_NE(fault, nullptr);
    EXPECT_EQ(fault->code, code) << fault->text;
    EXPECT_NE(fault->text.find(text), std::string::npos) << fault->text;
    EXPECT_NE(fault->text.find("kernel test_kernel"), std::string::npos) << fault->text;
    EXPECT_NE(fault->text.find(thread), std::string::npos) << fault->text;
    runs = 0;
    TestGrid after(fine, {40, 1, 1}, {64, 1, 1}, nullptr, flags);
    ASSERT_EQ(after.run(), nullptr);
    EXPECT_EQ(runs, 2560u);
  }
}

int *volatile null_pointer = nullptr;
int *volatile wild_pointer = static_cast<int *>(mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
volatile int zero = 0;
volatile int sink = 0;

void write_null(const void *) {
  if (__hl_thread->tid.x == 5) {
    *null_pointer = 1;
  }
}

void read_wild(const void *) {
  __hl_barrier(0, 0);
  if (__hl_thread->tid.x == 5) {
    sink = *wild_pointer;
  }
  __hl_barrier(0, 0);
}

void divide(const void *) {
  if (__hl_thread->tid.x == 5) {
    sink = (sink + 12345) / zero;
  }
}

void illegal(const void *) {
  if (__hl_thread->tid.x == 5) {
    __builtin_trap();
  }
}

void trap(const void *) {
  if (__hl_thread->tid.x == 5) {
    __hl_trap();
  }
}

void unsupported(const void *) {
  if (__hl_thread->tid.x == 5) {
    __hl_unsupported("tensor things");
  }
}

[[gnu::noinline]] int recurse(int depth, volatile char *above) {
  volatile char frame[200];
  frame[depth % 200] = above[0];
  if (zero != 0) {
    return 0;
  }
  return recurse(depth + 1, frame) + frame[7];
}

void overflow(const void *) {
  volatile char start[1] = {0};
  if (__hl_thread->tid.x == 5) {
    sink = recurse(0, start);
  }
}

void shuffle_to_null(const void *) {
  if (__hl_thread->tid.x == 5) {
    __hl_shfl(HlShflIdx, 32, 1, 0, 31, reinterpret_cast<uint32_t *>(uintptr_t{16}));
  }
}

void print_wild(const void *) {
  if (__hl_thread->tid.x == 5) {
    const void *arguments[1] = {wild_pointer};
    __hl_vprintf("%s\n", arguments);
  }
}

void free_wild(const void *) {
  if (__hl_thread->tid.x == 5) {
    __hl_free(wild_pointer);
  }
}

void free_twice(const void *) {
  if (__hl_thread->tid.x == 5) {
    void *p = __hl_malloc(40);
    __hl_free(p);
    __hl_free(p);
  }
}

TEST(Fault, NullPointer) { expect_fault(write_null, 700, "write to illegal address 0x0 (a null pointer)"); }
TEST(Fault, WildPointerBetweenBarriers) {
  expect_fault(read_wild, 700, hel::format("read of illegal address %p", static_cast<void *>(wild_pointer)).c_str());
}
TEST(Fault, Division) { expect_fault(divide, 719, "integer division by zero"); }
TEST(Fault, IllegalInstruction) { expect_fault(illegal, 715, "illegal instruction"); }
TEST(Fault, Trap) { expect_fault(trap, 719, "trap"); }
TEST(Fault, Unsupported) { expect_fault(unsupported, 719, "tensor things is not supported"); }
TEST(Fault, StackOverflow) { expect_fault(overflow, 714, "stack overflow"); }
TEST(Fault, InsideAWarpFunction) { expect_fault(shuffle_to_null, 700, "address 0x10"); }
TEST(Fault, InsidePrintf) { expect_fault(print_wild, 700, "read of illegal address"); }
TEST(Fault, FreeOfWildPointer) { expect_fault(free_wild, 719, "free of a pointer"); }
TEST(Fault, FreeTwice) { expect_fault(free_twice, 719, "free of a pointer"); }

void fail_assertion(const void *) {
  if (__hl_thread->tid.x == 5) {
    __hl_assert_fail("x > 0", "file.cu", 12, "void kernel(int)");
  }
}

TEST(Fault, Assertion) {
  testing::internal::CaptureStderr();
  TestGrid grid(fail_assertion, {1, 1, 1}, {64, 1, 1});
  FaultReport *fault = grid.run();
  const std::string output = testing::internal::GetCapturedStderr();
  ASSERT_NE(fault, nullptr);
  EXPECT_EQ(fault->code, 710);
  EXPECT_EQ(output, "file.cu:12: void kernel(int): block: [0,0,0], thread: [5,0,0] Assertion `x > 0` failed.\n");
}

TEST(Fault, SpeaksTheLanguageOfTheModule) {
  TestGrid grid(overflow, {1, 1, 1}, {64, 1, 1});
  grid.launch.language = abi::ImageLanguage::Musa;
  ASSERT_NE(grid.run(), nullptr);
  EXPECT_NE(grid.fault->text.find("musaLimitStackSize"), std::string::npos) << grid.fault->text;
  EXPECT_EQ(grid.fault->text.find("cuda"), std::string::npos) << grid.fault->text;
}

void every_thread_faults(const void *) { *null_pointer = 1; }

TEST(Fault, ManyTimes) {
  for (int i = 0; i < 300; ++i) {
    TestGrid grid(every_thread_faults, {100, 1, 1}, {32, 1, 1}, nullptr,
                  i % 2 != 0 ? 0u : uint32_t{abi::kKernelCanWait});
    ASSERT_NE(grid.run(), nullptr);
  }
}

void hang_or_fault(const void *) {
  if (linear_block() == 7) {
    *null_pointer = 1;
  }
  for (;;) {
    __hl_yield();
  }
}

TEST(Fault, EndsBlocksThatWait) {
  TestGrid grid(hang_or_fault, {30, 1, 1}, {32, 1, 1});
  ASSERT_NE(grid.run(), nullptr);
  EXPECT_NE(grid.fault->text.find("block (7,0,0)"), std::string::npos);
}

void faults_at_other_grids_cost(const void *params) {
  for (int i = 0; i < 50; ++i) {
    __hl_barrier(0, 0);
    __hl_yield();
  }
  argument_of<std::atomic<uint32_t>>(params)->fetch_add(1);
}

TEST(Fault, OtherGridsGoOn) {
  std::atomic<uint32_t> count{0};
  TestGrid good(faults_at_other_grids_cost, {50, 1, 1}, {32, 1, 1}, &count);
  TestGrid bad(hang_or_fault, {30, 1, 1}, {32, 1, 1});
  good.start();
  ASSERT_NE(bad.run(), nullptr);
  good.wait();
  EXPECT_EQ(good.fault, nullptr);
  EXPECT_EQ(count, 1600u);
}

sigjmp_buf back;

void jump_back(int) { siglongjmp(back, 1); }

TEST(Fault, TheProgramsOwnHandlerStillWorks) {
  TestGrid grid(fine, {1, 1, 1}, {1, 1, 1});
  ASSERT_EQ(grid.run(), nullptr);
  struct sigaction mine = {};
  struct sigaction before;
  mine.sa_handler = jump_back;
  sigaction(SIGSEGV, &mine, &before);
  if (sigsetjmp(back, 1) == 0) {
    *null_pointer = 1;
    FAIL();
  }
  sigaction(SIGSEGV, &before, nullptr);
}

#if !defined(HEL_TSAN_FIBERS)  // its own handler ends the process
TEST(FaultDeathTest, OutsideKernelsTheProcessDies) {
  TestGrid grid(fine, {1, 1, 1}, {1, 1, 1});
  ASSERT_EQ(grid.run(), nullptr);
  EXPECT_EXIT(*null_pointer = 1, testing::KilledBySignal(SIGSEGV), "");
}
#endif

}  // namespace
}  // namespace hel::cpu::exec
