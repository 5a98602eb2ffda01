// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/exec/fault/fault_handler.h"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cstdint>

#include "base/mutex.h"
#include "drivers/cpu/exec/worker.h"

namespace hel::cpu::exec {
namespace {

constexpr size_t kSignalStackBytes = 64 << 10;
constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
constexpr int kSignalCount = 4;

struct sigaction previous[kSignalCount];  // written before our handler can run
Mutex install_mutex;

int signal_index(int signal) {
  for (int i = 0; i < kSignalCount; ++i) {
    if (kSignals[i] == signal) {
      return i;
    }
  }
  return 0;
}

/// Does what would have happened without us.
void pass_on(int signal, siginfo_t *info, void *context) {
  const struct sigaction &old = previous[signal_index(signal)];
  const bool takes_info = (old.sa_flags & SA_SIGINFO) != 0;
  if (!takes_info && (old.sa_handler == SIG_DFL || old.sa_handler == SIG_IGN)) {
    if (old.sa_handler == SIG_IGN && info->si_code <= 0) {
      return;
    }
    struct sigaction standard = {};
    standard.sa_handler = SIG_DFL;
    sigaction(signal, &standard, nullptr);
    if (info->si_code <= 0) {
      raise(signal);  // sent, not caused: it would not come again by itself
    }
    return;
  }
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &old.sa_mask, &before);
  if (takes_info) {
    old.sa_sigaction(signal, info, context);
  } else {
    old.sa_handler(signal);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

/// On the alternative stack. Async-signal-safe: fills the worker's Fault and sends the thread to its worker's stack.
void on_signal(int signal, siginfo_t *info, void *context) {
  Worker *worker = Worker::current();
  if (worker == nullptr || worker->running() == nullptr || info->si_code <= 0) {
    pass_on(signal, info, context);
    return;
  }
  auto *registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
  Fault &fault = worker->fault();
  fault.signal = signal;
  fault.signal_code = info->si_code;
  fault.address = info->si_addr;
  fault.write = (registers[REG_ERR] & 2) != 0;
  fault.place = reinterpret_cast<const void *>(registers[REG_RIP]);
  registers[REG_RSP] = reinterpret_cast<greg_t>(worker->home_stack());
  registers[REG_RIP] = reinterpret_cast<greg_t>(fault_landing());
}

}  // namespace

void install_fault_handlers() {
  static bool installed = false;
  Lock lock(install_mutex);
  if (installed) {
    return;
  }
  installed = true;
  struct sigaction ours = {};
  ours.sa_sigaction = on_signal;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  for (int i = 0; i < kSignalCount; ++i) {
    sigaction(kSignals[i], nullptr, &previous[i]);
    sigaction(kSignals[i], &ours, nullptr);
  }
}

SignalStack::~SignalStack() {
  if (memory_ != nullptr) {
    stack_t off = {};
    off.ss_flags = SS_DISABLE;
    sigaltstack(&off, nullptr);
    munmap(memory_, kSignalStackBytes);
    memory_ = nullptr;  // the thread may come back in a later destructor
  }
}

void SignalStack::install() {
  stack_t now = {};
  if (memory_ != nullptr || (sigaltstack(nullptr, &now) == 0 && (now.ss_flags & SS_DISABLE) == 0)) {
    return;
  }
  void *p = mmap(nullptr, kSignalStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (p == MAP_FAILED) {
    return;
  }
  memory_ = p;
  stack_t ours = {};
  ours.ss_sp = p;
  ours.ss_size = kSignalStackBytes;
  sigaltstack(&ours, nullptr);
}

}  // namespace hel::cpu::exec
