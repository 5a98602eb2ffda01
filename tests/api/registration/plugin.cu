// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plugins with device code, opened with RTLD_LOCAL and closed again, in a program that has device code itself.
// RUN: %mcc -shared -Xcompiler -fPIC -I%S/Inputs %S/Inputs/plugin.cu -o %t.so
// RUN: %mcc -I%S/Inputs %s -o %t -ldl && %run %t %t.so
#include "check.h"
#include "shared.h"

#include <dlfcn.h>

static int run(const char *path, int *device) {
  void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) {
    fprintf(stderr, "%s\n", dlerror());
    return -1;
  }
  auto run = reinterpret_cast<int (*)(int *)>(dlsym(plugin, "plugin_run"));
  auto calls = reinterpret_cast<int (*)()>(dlsym(plugin, "plugin_calls"));
  int result = run(device);
  CHECK_EQ(calls(), 1);
  CHECK_CUDA(cudaDeviceSynchronize());
  dlclose(plugin);
  return result;
}

int main(int, char **argv) {
  int *device = nullptr;
  int host[32] = {};
  REQUIRE_CUDA(cudaMalloc(&device, sizeof host));
  for (int round = 0; round < 3; ++round) {
    CHECK_EQ(run(argv[1], device), 0);
    twice<<<1, 32>>>(device);  // this program's own, with or without the plugin
    CHECK_CUDA(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
    CHECK_EQ(host[0], 4000);
    CHECK_EQ(host[31], 4 * 1031);
  }
  CHECK_CUDA(cudaFree(device));
  return check_report();
}
