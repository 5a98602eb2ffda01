// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of commands in streams, through the runtime API, on the null driver: commands happen only when somebody
// waits, so that a wrong order shows in every run.
#include "drivers/null/state.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

namespace hel::null {
namespace {

class Order : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&memory_, 64), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    take_record();
  }

  cudaStream_t stream(unsigned flags = cudaStreamDefault) {
    cudaStream_t made = nullptr;
    EXPECT_EQ(cudaStreamCreateWithFlags(&made, flags), cudaSuccess);
    return made;
  }

  /// Queues a command that the record shows as "fill <bytes> bytes".
  void fill(size_t bytes, cudaStream_t stream) {
    EXPECT_EQ(cudaMemsetAsync(memory_, 0, bytes, stream), cudaSuccess);
  }

  /// The sizes of the fills that have happened.
  std::vector<int> happened() {
    std::vector<int> sizes;
    for (const std::string &line : take_record()) {
      size_t at = line.find("fill ");
      if (at != std::string::npos) {
        sizes.push_back(std::stoi(line.substr(at + 5)));
      }
    }
    return sizes;
  }

  void *memory_ = nullptr;
};

using Sizes = std::vector<int>;

TEST_F(Order, NothingHappensUntilSomebodyWaits) {
  cudaStream_t s = stream();
  fill(1, s);
  EXPECT_EQ(happened(), Sizes{});
  EXPECT_EQ(cudaStreamSynchronize(s), cudaSuccess);
  EXPECT_EQ(happened(), Sizes{1});
}

TEST_F(Order, AStreamKeepsItsOrder) {
  cudaStream_t s = stream();
  fill(1, s);
  fill(2, s);
  fill(3, s);
  EXPECT_EQ(cudaStreamSynchronize(s), cudaSuccess);
  EXPECT_EQ(happened(), (Sizes{1, 2, 3}));
}

TEST_F(Order, StreamsAreIndependent) {
  cudaStream_t a = stream();
  cudaStream_t b = stream();
  fill(1, a);
  fill(2, b);
  EXPECT_EQ(cudaStreamSynchronize(b), cudaSuccess);
  EXPECT_EQ(happened(), Sizes{2});
}

TEST_F(Order, TheLegacyStreamWaitsForBlockingStreams) {
  cudaStream_t a = stream();
  cudaStream_t free = stream(cudaStreamNonBlocking);
  fill(1, a);
  fill(2, free);
  fill(3, cudaStreamLegacy);
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  EXPECT_EQ(happened(), (Sizes{1, 3}));
}

TEST_F(Order, BlockingStreamsWaitForTheLegacyStream) {
  cudaStream_t a = stream();
  cudaStream_t free = stream(cudaStreamNonBlocking);
  fill(1, nullptr);
  fill(2, free);
  fill(3, a);
  EXPECT_EQ(cudaStreamSynchronize(free), cudaSuccess);
  EXPECT_EQ(happened(), Sizes{2});
  EXPECT_EQ(cudaStreamSynchronize(a), cudaSuccess);
  EXPECT_EQ(happened(), (Sizes{1, 3}));
}

TEST_F(Order, ThePerThreadStreamIsABlockingStream) {
  fill(1, nullptr);
  fill(2, cudaStreamPerThread);
  EXPECT_EQ(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
  EXPECT_EQ(happened(), (Sizes{1, 2}));
}

TEST_F(Order, AnEventJoinsStreams) {
  cudaStream_t a = stream(cudaStreamNonBlocking);
  cudaStream_t b = stream(cudaStreamNonBlocking);
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  fill(1, a);
  EXPECT_EQ(cudaEventRecord(event, a), cudaSuccess);
  fill(2, a);
  EXPECT_EQ(cudaStreamWaitEvent(b, event, 0), cudaSuccess);
  fill(3, b);
  EXPECT_EQ(cudaStreamSynchronize(b), cudaSuccess);
  EXPECT_EQ(happened(), (Sizes{1, 3}));
}

TEST_F(Order, WaitingForAnEventThatIsNotRecordedWaitsForNothing) {
  cudaStream_t a = stream(cudaStreamNonBlocking);
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(a, event, 0), cudaSuccess);
  fill(1, a);
  EXPECT_EQ(cudaStreamSynchronize(a), cudaSuccess);
  EXPECT_EQ(happened(), Sizes{1});
}

TEST_F(Order, ASynchronousCopyFollowsWhatIsQueued) {
  cudaStream_t a = stream();
  char host = 1;
  EXPECT_EQ(cudaMemsetAsync(memory_, 7, 1, a), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(&host, memory_, 1, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(host, 7);
}

TEST_F(Order, HostFunctionsRunInOrder) {
  cudaStream_t a = stream();
  fill(1, a);
  int calls = 0;
  EXPECT_EQ(cudaLaunchHostFunc(a, [](void *count) { ++*static_cast<int *>(count); }, &calls), cudaSuccess);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace hel::null
