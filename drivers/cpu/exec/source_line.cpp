// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/exec/source_line.h"

namespace hel::cpu::exec {

std::string source_line(void *image, const void *place) {
  (void)image;
  (void)place;
  return {};
}

}  // namespace hel::cpu::exec
