// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plugin of separately compiled objects, opened and closed several times by a program that is one itself. Each is
// linked on its own: both have a device function of the same name.
// RUN: %mcc -rdc=true -shared -Xcompiler -fPIC %S/Inputs/separate_one.cu %S/Inputs/separate_two.cu -o %t.so
// RUN: %mcc -rdc=true %s -o %t -ldl && %run %t %t.so
// covers: C-2.7.3-04
#include "check.h"

#include <dlfcn.h>

__device__ int twice(int x) { return 200 * x; }
__global__ void own(int *p) { *p = twice(*p); }

int main(int, char **argv) {
  int *p = nullptr;
  REQUIRE_CUDA(cudaMallocManaged(&p, sizeof(int)));
  for (int round = 0; round < 3; ++round) {
    void *plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (plugin == nullptr) {
      fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    auto run = reinterpret_cast<int (*)(int)>(dlsym(plugin, "plugin_run"));
    CHECK_EQ(run(10), 25);
    *p = 3;
    own<<<1, 1>>>(p);
    CHECK_CUDA(cudaDeviceSynchronize());
    CHECK_EQ(*p, 600);
    dlclose(plugin);
  }
  CHECK_CUDA(cudaFree(p));
  return check_report();
}
