// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA_DEVICE_ORDER: devices in the order of their bus numbers, which is also the order of those that are equally fast.
// RUN: %mcc -std=c++17 %s -o %t && env HELICON_CPU_DEVICES=3 HELICON_DRIVERS=cpu CUDA_DEVICE_ORDER=PCI_BUS_ID %run %t
// RUN: env HELICON_CPU_DEVICES=3 HELICON_DRIVERS=cpu CUDA_DEVICE_ORDER=FASTEST_FIRST %run %t
// covers: C-5.2.1.2-01
#include <cuda_runtime_api.h>

#include <string>

#include "check.h"

int main() {
  int count = 0;
  CHECK_CUDA(cudaGetDeviceCount(&count));
  CHECK_EQ(count, 3);
  std::string before;
  for (int device = 0; device < count; device++) {
    char id[32] = {};
    CHECK_CUDA(cudaDeviceGetPCIBusId(id, sizeof id, device));
    CHECK(before < id);
    before = id;
    int found = -1;
    CHECK_CUDA(cudaDeviceGetByPCIBusId(&found, id));
    CHECK_EQ(found, device);
  }
  return check_report();
}
