// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/exec/fiber/shared_window.h"

#include <sys/mman.h>

namespace hel::cpu::exec {
namespace {

constexpr size_t kPage = 4096;

}  // namespace

SharedWindow::~SharedWindow() { release(); }

void SharedWindow::release() {
  if (base_ != nullptr) {
    munmap(base_ - kPage, bytes_ + 2 * kPage);
  }
}

uint8_t *SharedWindow::reserve(size_t bytes) {
  if (base_ != nullptr && bytes <= bytes_) {
    return base_;
  }
  const size_t room = bytes == 0 ? kPage : (bytes + kPage - 1) / kPage * kPage;
  void *p = mmap(nullptr, room + 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) {
    return nullptr;
  }
  auto *front = static_cast<uint8_t *>(p), *base = front + kPage;
  mprotect(front, kPage, PROT_READ);
  mprotect(base + room, kPage, PROT_NONE);
  (void)*static_cast<volatile uint8_t *>(front);  // a read in part would not bring it in
  release();
  base_ = base;
  bytes_ = room;
  return base;
}

}  // namespace hel::cpu::exec
