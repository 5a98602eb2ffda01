// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the unit tests of the CPU driver share: the driver's table, and a fixture with a fresh context.
#pragma once

#include "helicon/gen/driver_table.h"

#include <cuda.h>
#include <gtest/gtest.h>

namespace hel::cpu {

const DriverTable &driver_table();

#define EXPECT_OK(call) EXPECT_EQ(call, CUDA_SUCCESS)
#define ASSERT_OK(call) ASSERT_EQ(call, CUDA_SUCCESS)

/// Each test runs in a context of its own.
class DriverTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_OK(cu.Init(0));
    while (cu.CtxPopCurrent(nullptr) == CUDA_SUCCESS) {
    }
    ASSERT_OK(cu.CtxCreate(&context, nullptr, 0, 0));
  }
  void TearDown() override { cu.CtxDestroy(context); }

  const DriverTable &cu = driver_table();
  CUcontext context = nullptr;
};

}  // namespace hel::cpu
