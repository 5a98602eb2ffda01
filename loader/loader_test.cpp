// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loader's decisions: which driver, which devices, which names.
// covers: C-5.2.1.1-01
#include "loader/driver.h"
#include "loader/proc_address.h"
#include "loader/spelling.h"
#include "loader/visible_devices.h"

#include <gtest/gtest.h>

namespace hel::loader {
namespace {

const std::vector<std::string> kUuids = {"GPU-8932f937-d72c-4106-c12f-20bd9faed9f6",
                                         "GPU-8932aaaa-d72c-4106-c12f-20bd9faed9f6",
                                         "GPU-11111111-d72c-4106-c12f-20bd9faed9f6"};

TEST(VisibleDevices, KeepsTheOrderOfTheList) {
  EXPECT_EQ(parse_visible_devices("2,1", kUuids), (std::vector<int>{2, 1}));
  EXPECT_EQ(parse_visible_devices(" 1 , 0", kUuids), (std::vector<int>{1, 0}));
}

TEST(VisibleDevices, TheFirstInvalidItemEndsTheList) {
  EXPECT_EQ(parse_visible_devices("0,2,-1,1", kUuids), (std::vector<int>{0, 2}));
  EXPECT_EQ(parse_visible_devices("0,3,1", kUuids), (std::vector<int>{0}));
  EXPECT_EQ(parse_visible_devices("x", kUuids), (std::vector<int>{}));
  EXPECT_EQ(parse_visible_devices("0,0,1", kUuids), (std::vector<int>{0}));
  EXPECT_EQ(parse_visible_devices("", kUuids), (std::vector<int>{}));
}

TEST(VisibleDevices, AUuidMayBeCutShortWhileItIsUnique) {
  EXPECT_EQ(parse_visible_devices(kUuids[2], kUuids), (std::vector<int>{2}));
  EXPECT_EQ(parse_visible_devices("GPU-11,GPU-8932F", kUuids), (std::vector<int>{2, 0}));
  EXPECT_EQ(parse_visible_devices("GPU-8932", kUuids), (std::vector<int>{}));
  EXPECT_EQ(parse_visible_devices("GPU-", kUuids), (std::vector<int>{}));
}

TEST(VisibleDevices, WritesUuidsAsToolsShowThem) {
  const unsigned char bytes[16] = {0x89, 0x32, 0xf9, 0x37, 0xd7, 0x2c, 0x41, 0x06,
                                   0xc1, 0x2f, 0x20, 0xbd, 0x9f, 0xae, 0xd9, 0xf6};
  EXPECT_EQ(uuid_text(bytes), kUuids[0]);
}

TEST(Drivers, AreChosenByName) {
  std::string error;
  std::vector<Driver> chosen = choose_drivers("null", &error);
  ASSERT_EQ(chosen.size(), 1u);
  EXPECT_STREQ(chosen[0].name, "null");
  EXPECT_EQ(choose_drivers("", &error).size(), 1u);
  EXPECT_EQ(error, "");
}

TEST(Drivers, AnUnknownNameIsRefused) {
  std::string error;
  EXPECT_TRUE(choose_drivers("null,nvidia", &error).empty());
  EXPECT_NE(error.find("'nvidia'"), std::string::npos);
}

TEST(Spelling, RespellsWholeNamesOnly) {
  EXPECT_EQ(musa_spelling("cudaMalloc"), "musaMalloc");
  EXPECT_EQ(musa_spelling("cuMemAlloc(dptr=cudaSuccess)"), "muMemAlloc(dptr=musaSuccess)");
  EXPECT_EQ(musa_spelling("CUDA_ERROR_INVALID_VALUE, CU_CTX_MAP_HOST, CUDA"),
            "MUSA_ERROR_INVALID_VALUE, MU_CTX_MAP_HOST, MUSA");
  EXPECT_EQ(musa_spelling("cute current_cuda accumulate"), "cute current_cuda accumulate");
}

TEST(ProcAddress, FindsBothSpellings) {
  void *cuda = nullptr;
  void *musa = nullptr;
  CUdriverProcAddressQueryResult status{};
  EXPECT_EQ(get_proc_address("cuMemAlloc", &cuda, 13000, 0, &status), CUDA_SUCCESS);
  EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SUCCESS);
  EXPECT_EQ(get_proc_address("muMemAlloc", &musa, 13000, 0, nullptr), CUDA_SUCCESS);
  EXPECT_NE(cuda, nullptr);
  EXPECT_EQ(cuda, musa);
}

TEST(ProcAddress, SaysWhyAFunctionIsNotThere) {
  void *found = &found;
  CUdriverProcAddressQueryResult status{};
  EXPECT_EQ(get_proc_address("cuNoSuchThing", &found, 13000, 0, &status), CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  EXPECT_EQ(found, nullptr);
  EXPECT_EQ(get_proc_address("cuLaunchKernelEx", &found, 5000, 0, &status), CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(status, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  EXPECT_EQ(get_proc_address(nullptr, &found, 13000, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(get_proc_address("cuMemAlloc", nullptr, 13000, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(get_proc_address("cuMemAlloc", &found, 13000, 0x80, nullptr), CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace hel::loader
