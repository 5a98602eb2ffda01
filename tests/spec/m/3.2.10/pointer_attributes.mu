// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One address space: the kind and the device of any pointer.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.10-01
#include "check.h"

__device__ int variable;

static void expect(const void *pointer, musaMemoryType type) {
  musaPointerAttributes attributes{};
  CHECK_MUSA(musaPointerGetAttributes(&attributes, pointer));
  CHECK_EQ((int)attributes.type, (int)type);
  if (type == musaMemoryTypeDevice || type == musaMemoryTypeManaged) {
    CHECK_EQ(attributes.device, 0);
    CHECK(attributes.devicePointer == pointer);
  }
  if (type == musaMemoryTypeHost || type == musaMemoryTypeManaged) {
    CHECK(attributes.hostPointer == pointer);
  }
}

int main() {
  musaDeviceProp properties{};
  CHECK_MUSA(musaGetDeviceProperties(&properties, 0));
  CHECK_EQ(properties.unifiedAddressing, 1);
  char *device = nullptr, *managed = nullptr, *pinned = nullptr;
  void *symbol = nullptr;
  int local = 0;
  CHECK_MUSA(musaMalloc(&device, 5000));
  CHECK_MUSA(musaMallocManaged(&managed, 5000));
  CHECK_MUSA(musaMallocHost(&pinned, 5000));
  CHECK_MUSA(musaGetSymbolAddress(&symbol, variable));
  expect(device, musaMemoryTypeDevice);
  expect(device + 4999, musaMemoryTypeDevice);
  expect(managed, musaMemoryTypeManaged);
  expect(pinned, musaMemoryTypeHost);
  expect(symbol, musaMemoryTypeDevice);
  expect(&local, musaMemoryTypeUnregistered);
  musaPointerAttributes attributes{};
  CHECK_ERROR(musaPointerGetAttributes(nullptr, device), musaErrorInvalidValue);
  CHECK_MUSA(musaPointerGetAttributes(&attributes, nullptr));
  CHECK_EQ((int)attributes.type, (int)musaMemoryTypeUnregistered);
  CHECK_MUSA(musaFree(device));
  CHECK_MUSA(musaFree(managed));
  CHECK_MUSA(musaFreeHost(pinned));
  return check_report();
}
