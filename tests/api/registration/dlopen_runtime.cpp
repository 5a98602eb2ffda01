// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime opened by its name, as interpreters do; both names are one library.
// gpu: no (needs the toolkit's libraries under all their names)
// RUN: %mcc %s -o %t -cudart none -ldl && env LD_LIBRARY_PATH=%toolkit/lib %run %t
#include "check.h"

#include <dlfcn.h>

int main() {
  void *runtime = dlopen("libcudart.so.13", RTLD_NOW);
  CHECK(runtime != nullptr);
  void *musa = dlopen("libmusart.so", RTLD_NOW);
  CHECK_EQ(runtime, musa);
  if (runtime == nullptr) {
    fprintf(stderr, "%s\n", dlerror());
    return check_report();
  }
  auto get_count = reinterpret_cast<int (*)(int *)>(dlsym(runtime, "cudaGetDeviceCount"));
  CHECK_EQ(reinterpret_cast<void *>(get_count), dlsym(musa, "musaGetDeviceCount"));
  int count = 0;
  CHECK_EQ(get_count(&count), 0);
  CHECK_EQ(count, 1);
  CHECK(dlsym(runtime, "cuMemAlloc_v2") != nullptr);
  CHECK(dlsym(runtime, "muMemAlloc_v2") != nullptr);
  return check_report();
}
