// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A host function and main write one variable, and nothing says in which order. Main is idle meanwhile: what it did after the
// function has run, with a lock of the runtime's, would be an order.
#include <cuda_runtime.h>

#include <chrono>
#include <thread>

static int count = 0;
static void add_one(void *) { count++; }

int main() {
  for (int i = 0; i < 100; i++) {
    cudaLaunchHostFunc(nullptr, add_one, nullptr);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    count++;
  }
  return cudaDeviceSynchronize();
}
