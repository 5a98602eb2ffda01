// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stacks for fibers: address space with a guard area below each, made in slabs, kept for ever, sorted in size classes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hel::cpu::exec {

struct FiberStack {
  uint8_t *low = nullptr;                  ///< lowest usable byte
  uint8_t *top = nullptr;                  ///< where execution starts (stacks start at different cache sets)
  bool guards(const void *address) const;  ///< in the guard area: a stack overflow
};

inline constexpr int kStackClasses = 12;

/// The smallest class with at least `bytes` usable bytes: 64 KiB in class 0, twice as much in each further one.
int stack_class(size_t bytes);
size_t stack_class_bytes(int stack_class);

/// False when there is no memory (or the kernel's limit on mappings is reached).
bool acquire_stack(int stack_class, FiberStack *stack);
void release_stack(int stack_class, const FiberStack &stack);

/// Around fork: no other thread is in the middle of acquire_stack.
void lock_stacks_for_fork();
void unlock_stacks_after_fork();

/// How many guarded stacks this system lets a process have.
uint64_t stack_limit();

}  // namespace hel::cpu::exec
