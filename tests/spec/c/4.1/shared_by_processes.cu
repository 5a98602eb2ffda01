// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the system that two processes share: kernels of both work on it.
// RUN: %mcc %s -o %t && %run %t
// gpu: no (memory of the system is not every GPU's)
// covers: C-4.1.1.1-03
#include "check.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

__global__ void add(int *cells, int value) { atomicAdd_system(&cells[threadIdx.x], value); }

int main() {
  void *shared = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(shared != MAP_FAILED);
  int *cells = static_cast<int *>(shared);
  const pid_t child = fork();  // before the library is used
  for (int i = 0; i < 100; i++) {
    add<<<1, 256>>>(cells, child == 0 ? 1000 : 1);
  }
  CHECK_CUDA(cudaDeviceSynchronize());
  if (child == 0) {
    _exit(check::failures());
  }
  int status = -1;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
  for (int i = 0; i < 256; i++) {
    CHECK_EQ(cells[i], 100 * 1001);
  }
  munmap(shared, 4096);
  return check_report();
}
