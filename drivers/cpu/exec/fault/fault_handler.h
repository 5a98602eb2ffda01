// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signals that CUDA threads cause (SIGSEGV, SIGBUS, SIGFPE, SIGILL). One that hits a running fiber becomes a Fault of
// its worker, which goes on; every other one is passed on to whoever handled it before.
#pragma once

namespace hel::cpu::exec {

/// Installs the handlers, once. A handler that the program installs later should call the one it replaces.
void install_fault_handlers();

/// Gives the running OS thread an alternative signal stack, unless it has one. `signal_stack` keeps it.
class SignalStack {
public:
  SignalStack() = default;
  ~SignalStack();
  SignalStack(const SignalStack &) = delete;
  SignalStack &operator=(const SignalStack &) = delete;
  void install();

private:
  void *memory_ = nullptr;
};

}  // namespace hel::cpu::exec
