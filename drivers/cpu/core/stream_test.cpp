// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams, events and host functions: order, waiting, stale handles.
#include "drivers/cpu/core/driver_test.h"

#include <atomic>
#include <thread>
#include <vector>

namespace hel::cpu {
namespace {

/// A host function that blocks its stream until it is opened.
struct Gate {
  std::atomic<bool> open{false};
  static void wait(void *user) { static_cast<Gate *>(user)->open.wait(false); }
  void release() {
    open = true;
    open.notify_all();
  }
};

struct Log {
  std::atomic<int> count{0};
  int order[64] = {};
  void add(int what) { order[count.fetch_add(1)] = what; }
};

struct Entry {
  Log *log;
  int what;
  static void run(void *user) {
    auto *entry = static_cast<Entry *>(user);
    entry->log->add(entry->what);
  }
};

TEST_F(DriverTest, AStreamKeepsItsOrder) {
  CUstream stream = nullptr;
  ASSERT_OK(cu.StreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  Gate gate;
  Log log;
  std::vector<Entry> entries;
  for (int i = 0; i < 50; i++) {
    entries.push_back({&log, i});
  }
  EXPECT_OK(cu.LaunchHostFunc(stream, Gate::wait, &gate));
  for (Entry &entry : entries) {
    EXPECT_OK(cu.LaunchHostFunc(stream, Entry::run, &entry));
  }
  EXPECT_EQ(cu.StreamQuery(stream), CUDA_ERROR_NOT_READY);
  EXPECT_EQ(log.count, 0);
  gate.release();
  EXPECT_OK(cu.StreamSynchronize(stream));
  EXPECT_OK(cu.StreamQuery(stream));
  ASSERT_EQ(log.count, 50);
  for (int i = 0; i < 50; i++) {
    EXPECT_EQ(log.order[i], i);
  }
  EXPECT_OK(cu.StreamDestroy(stream));
  EXPECT_EQ(cu.StreamDestroy(stream), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.StreamQuery(stream), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(DriverTest, TheLegacyStreamWaitsForBlockingStreamsOnly) {
  CUstream blocking = nullptr, free = nullptr;
  ASSERT_OK(cu.StreamCreate(&blocking, CU_STREAM_DEFAULT));
  ASSERT_OK(cu.StreamCreate(&free, CU_STREAM_NON_BLOCKING));
  CUdeviceptr memory = 0;
  ASSERT_OK(cu.MemAlloc(&memory, 64));
  Gate gate;
  EXPECT_OK(cu.LaunchHostFunc(free, Gate::wait, &gate));
  EXPECT_OK(cu.MemsetD8(memory, 1, 64));
  EXPECT_OK(cu.StreamSynchronize(nullptr));
  gate.release();
  EXPECT_OK(cu.StreamSynchronize(free));

  Gate second;
  EXPECT_OK(cu.LaunchHostFunc(blocking, Gate::wait, &second));
  EXPECT_OK(cu.MemsetD8Async(memory, 2, 64, nullptr));
  EXPECT_EQ(cu.StreamQuery(nullptr), CUDA_ERROR_NOT_READY);
  EXPECT_OK(cu.StreamQuery(free));
  second.release();
  EXPECT_OK(cu.StreamSynchronize(CU_STREAM_LEGACY));
  unsigned char bytes[64] = {};
  EXPECT_OK(cu.MemcpyDtoH(bytes, memory, 64));
  EXPECT_EQ(bytes[63], 2);
}

TEST_F(DriverTest, BlockingStreamsWaitForTheLegacyStream) {
  CUstream blocking = nullptr, free = nullptr;
  ASSERT_OK(cu.StreamCreate(&blocking, CU_STREAM_DEFAULT));
  ASSERT_OK(cu.StreamCreate(&free, CU_STREAM_NON_BLOCKING));
  Gate gate;
  Log log;
  Entry first{&log, 1}, second{&log, 2};
  EXPECT_OK(cu.LaunchHostFunc(nullptr, Gate::wait, &gate));
  EXPECT_OK(cu.LaunchHostFunc(nullptr, Entry::run, &first));
  EXPECT_OK(cu.LaunchHostFunc(blocking, Entry::run, &second));
  EXPECT_EQ(cu.StreamQuery(blocking), CUDA_ERROR_NOT_READY);
  EXPECT_OK(cu.StreamQuery(free));
  gate.release();
  EXPECT_OK(cu.StreamSynchronize(blocking));
  ASSERT_EQ(log.count, 2);
  EXPECT_EQ(log.order[0], 1);
}

TEST_F(DriverTest, EventsOrderStreamsAndMeasureTime) {
  CUstream a = nullptr, b = nullptr;
  CUevent event = nullptr, start = nullptr, untimed = nullptr;
  ASSERT_OK(cu.StreamCreate(&a, CU_STREAM_NON_BLOCKING));
  ASSERT_OK(cu.StreamCreate(&b, CU_STREAM_NON_BLOCKING));
  ASSERT_OK(cu.EventCreate(&event, 0));
  ASSERT_OK(cu.EventCreate(&start, 0));
  ASSERT_OK(cu.EventCreate(&untimed, CU_EVENT_DISABLE_TIMING));
  EXPECT_OK(cu.EventQuery(event));
  EXPECT_OK(cu.EventSynchronize(event));
  float ms = -1;
  EXPECT_EQ(cu.EventElapsedTime(&ms, start, event), CUDA_ERROR_INVALID_HANDLE);
  Gate gate;
  Log log;
  Entry first{&log, 1}, second{&log, 2};
  EXPECT_OK(cu.EventRecord(start, a));
  EXPECT_OK(cu.LaunchHostFunc(a, Gate::wait, &gate));
  EXPECT_OK(cu.LaunchHostFunc(a, Entry::run, &first));
  EXPECT_OK(cu.EventRecord(event, a));
  EXPECT_OK(cu.EventRecord(untimed, a));
  EXPECT_OK(cu.StreamWaitEvent(b, event, 0));
  EXPECT_OK(cu.LaunchHostFunc(b, Entry::run, &second));
  EXPECT_EQ(cu.EventQuery(event), CUDA_ERROR_NOT_READY);
  EXPECT_EQ(cu.EventElapsedTime(&ms, start, event), CUDA_ERROR_NOT_READY);
  EXPECT_EQ(cu.EventElapsedTime(&ms, start, untimed), CUDA_ERROR_INVALID_HANDLE);
  gate.release();
  EXPECT_OK(cu.StreamSynchronize(b));
  ASSERT_EQ(log.count, 2);
  EXPECT_EQ(log.order[0], 1);
  EXPECT_OK(cu.EventSynchronize(event));
  EXPECT_OK(cu.EventElapsedTime(&ms, start, event));
  EXPECT_GT(ms, 0);
  EXPECT_OK(cu.EventDestroy(event));
  EXPECT_EQ(cu.EventDestroy(event), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.EventRecord(event, a), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(DriverTest, ADestroyedBusyStreamFinishesItsWork) {
  CUstream stream = nullptr;
  ASSERT_OK(cu.StreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  Gate gate;
  Log log;
  Entry entry{&log, 7};
  EXPECT_OK(cu.LaunchHostFunc(stream, Gate::wait, &gate));
  EXPECT_OK(cu.LaunchHostFunc(stream, Entry::run, &entry));
  EXPECT_OK(cu.StreamDestroy(stream));
  EXPECT_EQ(log.count, 0);
  gate.release();
  EXPECT_OK(cu.CtxSynchronize());
  EXPECT_EQ(log.count, 1);
}

TEST_F(DriverTest, HostFunctionsMayNotCallTheApi) {
  static CUresult code;
  code = CUDA_SUCCESS;
  auto call = [](void *) { code = driver_table().CtxSynchronize(); };
  EXPECT_OK(cu.LaunchHostFunc(nullptr, call, nullptr));
  EXPECT_OK(cu.CtxSynchronize());
  EXPECT_EQ(code, CUDA_ERROR_NOT_PERMITTED);
}

TEST_F(DriverTest, EachThreadHasItsOwnDefaultStream) {
  unsigned long long mine = 0, again = 0, theirs = 0;
  EXPECT_OK(cu.StreamGetId(CU_STREAM_PER_THREAD, &mine));
  EXPECT_OK(cu.StreamGetId(CU_STREAM_PER_THREAD, &again));
  std::thread([&] {
    EXPECT_OK(cu.CtxSetCurrent(context));
    EXPECT_OK(cu.StreamGetId(CU_STREAM_PER_THREAD, &theirs));
  }).join();
  EXPECT_EQ(mine, again);
  EXPECT_NE(mine, theirs);
}

TEST_F(DriverTest, ForeignHandlesAreRefused) {
  CUevent event = nullptr;
  ASSERT_OK(cu.EventCreate(&event, 0));
  EXPECT_EQ(cu.StreamSynchronize(reinterpret_cast<CUstream>(event)), CUDA_ERROR_INVALID_HANDLE);
  int local = 0;
  EXPECT_EQ(cu.EventQuery(reinterpret_cast<CUevent>(&local)), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.EventQuery(nullptr), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.EventCreate(&event, 0x80), CUDA_ERROR_INVALID_VALUE);
  CUstream stream = nullptr;
  EXPECT_EQ(cu.StreamCreate(&stream, 0x40), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.StreamCreate(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverTest, ManyThreadsQueueAtOnce) {
  std::atomic<int> sum{0};
  auto add = [](void *user) { static_cast<std::atomic<int> *>(user)->fetch_add(1); };
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; t++) {
    threads.emplace_back([&, t] {
      ASSERT_OK(cu.CtxSetCurrent(context));
      CUstream own = nullptr;
      ASSERT_OK(cu.StreamCreate(&own, t % 2 == 0 ? CU_STREAM_DEFAULT : CU_STREAM_NON_BLOCKING));
      for (int i = 0; i < 100; i++) {
        CUstream where = i % 3 == 0 ? nullptr : i % 3 == 1 ? own : CU_STREAM_PER_THREAD;
        EXPECT_OK(cu.LaunchHostFunc(where, add, &sum));
      }
      EXPECT_OK(cu.StreamDestroy(own));
    });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  EXPECT_OK(cu.CtxSynchronize());
  EXPECT_EQ(sum, 800);
}

}  // namespace
}  // namespace hel::cpu
