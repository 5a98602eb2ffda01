// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compiled objects tell the runtime, and launches by the stubs that they registered. On the null driver, which has
// every function of every module.
#include "abi/image.h"
#include "drivers/null/state.h"

#include <cstring>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

extern "C" {
void **__cudaRegisterFatBinary(const void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *stub, char *device_function, const char *name, int thread_limit,
                            void *tid, void *bid, void *block, void *grid, int *warp);
void __cudaRegisterVar(void **handle, char *shadow, char *device_name, const char *name, int external, size_t bytes,
                       int constant, int global);
void __cudaRegisterManagedVar(void **handle, void **pointer, void *init, const char *name, size_t bytes, unsigned align);
void __hl_register_rdc(const void *entries_begin, const void *entries_end, const void *images_begin,
                       const void *images_end);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, CUstream_st *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
}

namespace hel::rt {
namespace {

abi::ImageHeader container() {
  abi::ImageHeader header{};
  std::memcpy(header.magic, abi::kImageMagic, sizeof header.magic);
  header.version = abi::kImageVersion;
  header.header_bytes = sizeof header;
  header.total_bytes = sizeof header;
  return header;
}

/// An object file of a program: one container, registered while this lives.
struct Object {
  abi::ImageHeader header = container();
  abi::FatbinWrapper wrapper{abi::FatbinWrapper::kMagic, 1, &header, nullptr};
  void **handle = __cudaRegisterFatBinary(&wrapper);
  void kernel(const char *stub, const char *name) {
    __cudaRegisterFunction(handle, stub, const_cast<char *>(name), name, -1, nullptr, nullptr, nullptr, nullptr,
                           nullptr);
  }
  void end() { __cudaRegisterFatBinaryEnd(handle); }
  ~Object() { __cudaUnregisterFatBinary(handle); }
};

cudaError_t launch(const void *stub) { return cudaLaunchKernel(stub, dim3(2), dim3(32), nullptr, 0, nullptr); }

std::string last_command() {
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  std::vector<std::string> record = null::take_record();
  return record.empty() ? "" : record.back();
}

TEST(Registration, AStubLaunchesItsKernel) {
  static const char stub = 0;
  Object object;
  object.kernel(&stub, "_Z1kv");
  object.end();
  EXPECT_EQ(launch(&stub), cudaSuccess);
  EXPECT_EQ(last_command(), "legacy: kernel _Z1kv grid=(2,1,1) block=(32,1,1) shared=0");
}

TEST(Registration, AStubThatNobodyRegisteredIsRefused) {
  static const char stub = 0;
  EXPECT_EQ(launch(&stub), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(launch(nullptr), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDeviceFunction);
}

TEST(Registration, TwoObjectsMayRegisterOneStub) {
  static const char stub = 0;
  Object first;
  first.kernel(&stub, "_Z1tIiEvv");
  first.end();
  {
    Object second;
    second.kernel(&stub, "_Z1tIiEvv");
    second.end();
    EXPECT_EQ(launch(&stub), cudaSuccess);
  }
  EXPECT_EQ(launch(&stub), cudaSuccess);
}

TEST(Registration, AnUnregisteredObjectIsForgotten) {
  static const char stub = 0;
  {
    Object object;
    object.kernel(&stub, "_Z1kv");
    object.end();
    EXPECT_EQ(launch(&stub), cudaSuccess);
  }
  EXPECT_EQ(launch(&stub), cudaErrorInvalidDeviceFunction);
}

TEST(Registration, AResetLoadsModulesAnew) {
  static const char stub = 0;
  Object object;
  object.kernel(&stub, "_Z1kv");
  object.end();
  EXPECT_EQ(launch(&stub), cudaSuccess);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(launch(&stub), cudaSuccess);
}

TEST(Registration, ForeignObjectsAreSetAside) {
  const char blob[128] = "not a container";
  abi::FatbinWrapper wrapper{abi::FatbinWrapper::kMagic, 1, blob, nullptr};
  void **handle = __cudaRegisterFatBinary(&wrapper);
  static const char stub = 0;
  __cudaRegisterFunction(handle, &stub, nullptr, "k", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  __cudaRegisterFatBinaryEnd(handle);
  EXPECT_EQ(launch(&stub), cudaErrorInvalidDeviceFunction);
  __cudaUnregisterFatBinary(handle);
}

TEST(Registration, VariablesAreFoundByTheirShadow) {
  static char shadow[16];
  Object object;
  __cudaRegisterVar(object.handle, shadow, const_cast<char *>("v"), "v", 0, sizeof shadow, 0, 0);
  object.end();
  int value = 5;
  EXPECT_EQ(cudaMemcpyToSymbol(shadow, &value, sizeof value, 4, cudaMemcpyHostToDevice), cudaSuccess);
  value = 0;
  EXPECT_EQ(cudaMemcpyFromSymbol(&value, shadow, sizeof value, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(value, 5);
  EXPECT_EQ(cudaMemcpyToSymbol(&value, &value, sizeof value, 0, cudaMemcpyHostToDevice), cudaErrorInvalidSymbol);
}

TEST(Registration, ManagedVariablesHaveStorageAtOnce) {
  static void *pointer = nullptr;
  Object object;
  __cudaRegisterManagedVar(object.handle, &pointer, nullptr, "m", 4, 4);
  object.end();
  EXPECT_NE(pointer, nullptr);
  void *address = nullptr;
  EXPECT_EQ(cudaGetSymbolAddress(&address, pointer), cudaSuccess);
  EXPECT_EQ(address, pointer);
}

TEST(Registration, SeparatelyCompiledObjectsRegisterTheirEntries) {
  struct Entry {
    uint64_t reserved;
    uint16_t version, kind;
    uint32_t flags;
    const void *address;
    const char *name;
    uint64_t size, data;
    void *auxiliary;
  };
  static const char stub = 0;
  const Entry entries[] = {{0, 1, 2, 0, &stub, "_Z1rv", 0, 0, nullptr}};
  static abi::ImageHeader image = container();
  __hl_register_rdc(entries, entries + 1, &image, &image + 1);
  EXPECT_EQ(launch(&stub), cudaSuccess);
  EXPECT_EQ(last_command(), "legacy: kernel _Z1rv grid=(2,1,1) block=(32,1,1) shared=0");
}

TEST(CallConfiguration, IsAStack) {
  __cudaPushCallConfiguration(dim3(1), dim3(2), 3, nullptr);
  __cudaPushCallConfiguration(dim3(4), dim3(5), 6, cudaStreamPerThread);
  dim3 grid, block;
  size_t shared = 0;
  cudaStream_t stream = nullptr;
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
  EXPECT_EQ(grid.x, 4u);
  EXPECT_EQ(block.x, 5u);
  EXPECT_EQ(shared, 6u);
  EXPECT_EQ(stream, cudaStreamPerThread);
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
  EXPECT_EQ(grid.x, 1u);
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaErrorMissingConfiguration);
}

TEST(Launch, RefusesShapesThatNoKernelCanHave) {
  static const char stub = 0;
  Object object;
  object.kernel(&stub, "_Z1kv");
  object.end();
  EXPECT_EQ(cudaLaunchKernel(&stub, dim3(1), dim3(1025), nullptr, 0, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaLaunchKernel(&stub, dim3(0), dim3(1), nullptr, 0, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaLaunchKernel(&stub, dim3(1), dim3(1, 0), nullptr, 0, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(last_command(), "");
}

TEST(LastError, IsKeptUntilItIsTaken) {
  EXPECT_EQ(cudaSetDevice(99), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

}  // namespace
}  // namespace hel::rt
