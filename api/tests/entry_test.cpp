// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The generated entry points as a program meets them: names in both spellings, versions, results, the trace's arguments.
#define HELICON_NO_EARLIER
#include "base/default_stream.h"
#include "helicon/gen/error_names.h"
#include "loader/entry_points.h"
#include "runtime/arguments.h"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <musa.h>
#include <musa_runtime_api.h>

#include <gtest/gtest.h>

using hel::entry::Arguments;
using hel::entry::find_driver_entry_point;

namespace {

/// Hidden from the optimiser, which takes two names for two functions.
template <typename F> const void *address(F *f) {
  const void *volatile p = reinterpret_cast<const void *>(f);
  return p;
}

TEST(Entry, BothSpellingsAreOneFunction) {
  EXPECT_EQ(address(cudaDeviceSynchronize), address(musaDeviceSynchronize));
  EXPECT_EQ(address(cuMemAlloc), address(muMemAlloc));
  EXPECT_EQ(address(cuInit), address(muInit));
}

TEST(Entry, MusaContextsHaveThreeParameters) {
  bool known = false;
  CUresult (*older)(CUcontext *, unsigned, CUdevice) = nullptr;
  older = reinterpret_cast<decltype(older)>(find_driver_entry_point("cuCtxCreate", 4000, &known)->address);
  EXPECT_EQ(address(muCtxCreate), address(older));
}

TEST(Entry, ErrorNamesAreSpelt) {
  EXPECT_STREQ(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue");
  EXPECT_STREQ(musaGetErrorName(musaErrorInvalidValue), "musaErrorInvalidValue");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorNoDevice), "no CUDA-capable device is detected");
  EXPECT_STREQ(musaGetErrorString(musaErrorNoDevice), "no MUSA-capable device is detected");
  const char *text = nullptr;
  EXPECT_EQ(cuGetErrorName(CUDA_ERROR_OUT_OF_MEMORY, &text), CUDA_SUCCESS);
  EXPECT_STREQ(text, "CUDA_ERROR_OUT_OF_MEMORY");
  EXPECT_EQ(muGetErrorName(MUSA_ERROR_OUT_OF_MEMORY, &text), MUSA_SUCCESS);
  EXPECT_STREQ(text, "MUSA_ERROR_OUT_OF_MEMORY");
  EXPECT_EQ(muGetErrorString(MUSA_ERROR_OUT_OF_MEMORY, &text), MUSA_SUCCESS);
  EXPECT_STREQ(text, "out of memory");
}

TEST(Entry, UnknownErrors) {
  const char *text = "";
  EXPECT_EQ(cuGetErrorName(static_cast<CUresult>(123456), &text), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(text, nullptr);
  EXPECT_EQ(cuGetErrorString(CUDA_SUCCESS, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError_t>(123456)), "unrecognized error code");
}

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"  // a name of earlier versions that nobody implements
TEST(Entry, NotImplementedIsAnError) {
  EXPECT_EQ(cudaMemcpyToArray(nullptr, 0, 0, nullptr, 0, cudaMemcpyHostToDevice), cudaErrorNotSupported);
  EXPECT_EQ(cudaGetLastError(), cudaErrorNotSupported);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}
#pragma clang diagnostic pop

TEST(EntryPoints, TheNewestVersionThatIsAllowed) {
  bool known = false;
  EXPECT_EQ(find_driver_entry_point("cuCtxCreate", 13000, &known)->address, address(cuCtxCreate));
  EXPECT_NE(find_driver_entry_point("cuCtxCreate", 12000, &known)->address, address(cuCtxCreate));
  EXPECT_EQ(find_driver_entry_point("muMemAlloc", 13000, &known)->address, address(cuMemAlloc));
  EXPECT_EQ(find_driver_entry_point("cuGraphInstantiate", 13000, &known)->address, address(cuGraphInstantiateWithFlags));
  EXPECT_EQ(find_driver_entry_point("cuGetErrorName", 13000, &known)->address, address(cuGetErrorName));
}

TEST(EntryPoints, TooOldAndUnknown) {
  bool known = false;
  EXPECT_EQ(find_driver_entry_point("cuGraphLaunch", 9000, &known), nullptr);
  EXPECT_TRUE(known);
  EXPECT_EQ(find_driver_entry_point("cuNoSuchThing", 13000, &known), nullptr);
  EXPECT_FALSE(known);
  EXPECT_EQ(find_driver_entry_point("Init", 13000, &known), nullptr);
}

TEST(EntryPoints, TwinsForThePerThreadStream) {
  bool known = false;
  const auto *copy = find_driver_entry_point("cuMemcpyHtoD", 13000, &known);
  ASSERT_NE(copy->per_thread, nullptr);
  EXPECT_NE(copy->per_thread, copy->address);
  EXPECT_EQ(find_driver_entry_point("cuMemAlloc", 13000, &known)->per_thread, nullptr);
}

TEST(DefaultStream, ScopesNest) {
  EXPECT_FALSE(hel::null_stream_is_per_thread());
  {
    hel::PerThreadDefaultStream outer;
    { hel::PerThreadDefaultStream inner; }
    EXPECT_TRUE(hel::null_stream_is_per_thread());
  }
  EXPECT_FALSE(hel::null_stream_is_per_thread());
}

TEST(Print, Arguments) {
  int value = 7;
  char buffer[4] = "abc";
  const void *const null = nullptr;
  EXPECT_EQ(Arguments(0).add("kind", cudaMemcpyHostToDevice).add("n", size_t{4}).add("name", "k").text(),
            "kind=cudaMemcpyHostToDevice, n=4, name=\"k\"");
  EXPECT_EQ(Arguments(0).add("p", null).add("grid", dim3(1, 2, 3)).text(), "p=null, grid=(1,2,3)");
  EXPECT_EQ(Arguments(0).add("flags", 3u).add("x", -1).add("f", 0.5f).text(), "flags=3, x=-1, f=0.5");
  EXPECT_NE(Arguments(0).add_result("device", &value).text().find("->7"), std::string::npos);
  EXPECT_EQ(Arguments(1).add_result("device", &value).text().find("->"), std::string::npos);
  EXPECT_EQ(Arguments(0).add("buffer", buffer).text().find("abc"), std::string::npos) << "it may hold anything";
  EXPECT_EQ(Arguments(0).add("attr", static_cast<cudaDeviceAttr>(9999)).text(), "attr=9999");
  EXPECT_EQ(Arguments(0).add("extent", cudaExtent{1, 2, 3}).text(), "extent={...}");
}

}  // namespace
