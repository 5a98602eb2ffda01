// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// However a process ends while work is in flight, it ends: exit, return from main, a signal, an exception out of a
// function of the program, a reset, a fork in between.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>

__global__ void spin(volatile int *flag) {
  while (*flag == 0) {
  }
}
__global__ void store(int *p, int value) { *p = value; }
static void nothing(void *) {}
static void throws(void *) { throw std::runtime_error("out of a host function"); }
static void throws_too(cudaStream_t, cudaError_t, void *) { throws(nullptr); }
static void interrupts(void *) { kill(getpid(), SIGINT); }
static void raises(void *) { raise(SIGINT); }

/// A kernel that does not end by itself, behind it more work, and a graph.
static int *start_work() {
  int *flag;
  cudaStream_t s;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  if (cudaMallocManaged(&flag, 64) != cudaSuccess) {
    _exit(77);
  }
  *flag = 0;
  cudaStreamCreate(&s);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
  spin<<<1, 1, 0, s>>>(flag);
  store<<<4, 32, 0, s>>>(flag + 8, 3);
  cudaLaunchHostFunc(s, nothing, nullptr);
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, s);
  cudaLaunchHostFunc(s, nothing, nullptr);
  return flag;
}

/// The ways in which the library calls the program, from its own threads.
static void throw_from(const std::string &where) {
  std::set_terminate([] { _exit(8); });
  if (where == "host function") {
    cudaLaunchHostFunc(0, throws, nullptr);
  } else if (where == "callback") {
    cudaStreamAddCallback(0, throws_too, nullptr, 0);
  } else {
    cudaUserObject_t object;
    cudaUserObjectCreate(&object, nullptr, throws, 1, cudaUserObjectNoDestructorSync);
    cudaUserObjectRelease(object, 1);
    for (;;) {
      pause();
    }
  }
  cudaDeviceSynchronize();
}

/// Another thread launches and copies while this one resets the device, again and again.
static int reset_under_work() {
  std::atomic<bool> stop{false};
  std::thread other([&] {
    while (!stop) {
      int *p = nullptr;
      if (cudaMalloc(&p, 4096) == cudaSuccess) {
        store<<<1, 1>>>(p, 1);
        int value = 0;
        cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost);
        cudaFree(p);
      }
    }
  });
  bool good = true;
  for (int i = 0; i < 50; i++) {
    good = cudaDeviceReset() == cudaSuccess && good;
  }
  stop = true;
  other.join();
  int *p = nullptr;
  return good && cudaMalloc(&p, 64) == cudaSuccess && cudaMemset(p, 0, 64) == cudaSuccess ? 11 : 1;
}

static int child(const std::string &how) {
  if (how.rfind("throw from ", 0) == 0) {
    throw_from(how.substr(11));
  } else if (how == "reset under work") {
    return reset_under_work();
  }
  int *flag = start_work();
  if (how == "exit") {
    exit(5);
  } else if (how == "_exit") {
    _exit(6);
  } else if (how == "interrupt") {
    raise(SIGINT);
  } else if (how == "interrupt in a host function" || how == "raise in a host function") {
    cudaStream_t other;
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaLaunchHostFunc(other, how == "raise in a host function" ? raises : interrupts, nullptr);
    cudaStreamSynchronize(other);
  } else if (how == "reset") {
    *flag = 1;
    return cudaDeviceReset() == cudaSuccess ? 9 : 1;
  } else if (how == "fork") {
    pid_t forked = fork();
    if (forked == 0) {
      _exit(3);
    }
    int status = 0;
    waitpid(forked, &status, 0);
    *flag = 1;
    return WIFEXITED(status) && WEXITSTATUS(status) == 3 && cudaDeviceSynchronize() == cudaSuccess ? 10 : 1;
  }
  return 7;
}

int main(int argc, char **argv) {
  if (argc > 1) {
    alarm(20);  // instead of hanging
    return child(argv[1]);
  }
  struct {
    const char *how;
    int code, signal;
  } const cases[] = {{"exit", 5, 0},
                     {"_exit", 6, 0},
                     {"return", 7, 0},
                     {"interrupt", 0, SIGINT},
                     {"interrupt in a host function", 0, SIGINT},
                     {"raise in a host function", 0, SIGINT},
                     {"throw from host function", 8, 0},
                     {"throw from callback", 8, 0},
                     {"throw from destructor", 8, 0},
                     {"reset", 9, 0},
                     {"reset under work", 11, 0},
                     {"fork", 10, 0}};
  for (auto &c : cases) {
    if (strcmp(c.how, "raise in a host function") == 0 && !check::is_own_driver()) {
      continue;  // whether another vendor's thread takes signals is not said
    }
    pid_t pid = fork();
    if (pid == 0) {
      execl(argv[0], argv[0], c.how, nullptr);
      _exit(99);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    const bool right = c.signal != 0 ? WIFSIGNALED(status) && WTERMSIG(status) == c.signal
                                     : WIFEXITED(status) && WEXITSTATUS(status) == c.code;
    if (!right) {
      fprintf(stderr, "%s: status 0x%x\n", c.how, status);
    }
    CHECK(right);
  }
  return check_report();
}
