// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Synchronisation types of libcu++ between host threads and a kernel that runs: references to atomics in memory of malloc
// and of a file, atomics, barriers and semaphores in managed memory.
// REQUIRES: cccl
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// gpu: no (memory of the system is not every GPU's)
// covers: C-4.1.1.2.3-01 C-4.1.1.2.3-02
#include "check.h"

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/semaphore>
#include <new>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

struct Letters {
  int question, answer, turn;  ///< turn 1: the kernel's, 2: the host's
};

/// Answers each question with its square, until the question is 0.
__global__ void answer(Letters *letters) {
  for (;;) {
    while (cuda::atomic_ref{letters->turn}.load(cuda::memory_order_acquire) != 1) {
    }
    const int question = letters->question;
    letters->answer = question * question;
    cuda::atomic_ref{letters->turn}.store(2, cuda::memory_order_release);
    if (question == 0) {
      return;
    }
  }
}

static int ask(Letters &letters, int question) {
  letters.question = question;
  cuda::atomic_ref{letters.turn}.store(1, cuda::memory_order_release);
  while (cuda::atomic_ref{letters.turn}.load(cuda::memory_order_acquire) != 2) {
  }
  return letters.answer;
}

static void talk(Letters *letters) {
  *letters = {};
  answer<<<1, 1>>>(letters);
  for (int question : {3, 7, 1000, 0}) {
    CHECK_EQ(ask(*letters, question), question * question);  // while the kernel runs
  }
  CHECK_CUDA(cudaDeviceSynchronize());
}

static void system_memory() {
  Letters *heap = static_cast<Letters *>(malloc(sizeof(Letters)));
  talk(heap);
  free(heap);
  const int file = memfd_create("letters", MFD_CLOEXEC);
  CHECK(file >= 0 && ftruncate(file, 4096) == 0);
  void *mapped = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  talk(static_cast<Letters *>(mapped));
  munmap(mapped, 4096);
  close(file);
}

template <typename T, typename... Arguments> T *make_managed(Arguments... arguments) {
  void *memory = nullptr;
  CHECK_CUDA(cudaMallocManaged(&memory, sizeof(T)));
  return new (memory) T(arguments...);
}

using Counter = cuda::atomic<int, cuda::thread_scope_system>;
using Barrier = cuda::barrier<cuda::thread_scope_system>;
using Semaphore = cuda::counting_semaphore<cuda::thread_scope_system, 8>;

__global__ void count(Counter *counter) { counter->fetch_add(1); }

static void atomics() {
  Counter *counter = make_managed<Counter>(0);
  count<<<8, 64>>>(counter);
  std::thread other([&] {
    for (int i = 0; i < 1000; i++) {
      counter->fetch_add(1);
    }
  });
  other.join();
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(counter->load(), 8 * 64 + 1000);
  CHECK_CUDA(cudaFree(counter));
}

/// Two rounds in which both sides write, meet, and read what the other wrote.
__global__ void meet(Barrier *barrier, int *cells, int *seen) {
  for (int round = 1; round <= 2; round++) {
    cells[0] = 10 * round;
    barrier->arrive_and_wait();
    seen[round - 1] = cells[1];
    barrier->arrive_and_wait();
  }
}

static void barriers() {
  Barrier *barrier = make_managed<Barrier>(2);
  int *cells = nullptr;
  CHECK_CUDA(cudaMallocManaged(&cells, 4 * sizeof(int)));
  meet<<<1, 1>>>(barrier, cells, cells + 2);
  for (int round = 1; round <= 2; round++) {
    cells[1] = round;
    barrier->arrive_and_wait();
    CHECK_EQ(cells[0], 10 * round);
    barrier->arrive_and_wait();
  }
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK(cells[2] == 1 && cells[3] == 2);
  CHECK_CUDA(cudaFree(cells));
  CHECK_CUDA(cudaFree(barrier));
}

/// Takes a token for each of `n` items; the host gives them.
__global__ void take(Semaphore *given, Semaphore *taken, int *sum, int n) {
  for (int i = 0; i < n; i++) {
    given->acquire();
    *sum += i;
    taken->release();
  }
}

static void semaphores() {
  Semaphore *given = make_managed<Semaphore>(0), *taken = make_managed<Semaphore>(0);
  int *sum = nullptr;
  CHECK_CUDA(cudaMallocManaged(&sum, sizeof *sum));
  *sum = 0;
  take<<<1, 1>>>(given, taken, sum, 20);
  for (int i = 0, expected = 0; i < 20; i++) {
    given->release();
    taken->acquire();
    expected += i;
    CHECK_EQ(*sum, expected);
  }
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_CUDA(cudaFree(sum));
  CHECK_CUDA(cudaFree(given));
  CHECK_CUDA(cudaFree(taken));
}

int main() {
  system_memory();
  atomics();
  barriers();
  semaphores();
  return check_report();
}
