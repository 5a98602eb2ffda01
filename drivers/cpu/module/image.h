// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From what a program hands to a load function to an x86 ELF shared object for this processor. Whatever comes in is
// checked before it is believed.
#pragma once

#include "abi/image.h"
#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hel::cpu {

/// An image in memory that was found to be one: a container (abi/image.h) or a bare ELF shared object.
struct ImageSource {
  const uint8_t *data = nullptr;
  size_t bytes = 0;
  bool elf = false;
  const abi::ImageHeader &header() const { return *reinterpret_cast<const abi::ImageHeader *>(data); }
  abi::ImageLanguage language() const { return elf ? abi::ImageLanguage::Cuda : header().language; }
};

/// A shared object that can be loaded; `data` points into `owned` or into the source.
struct ElfBytes {
  const uint8_t *data = nullptr;
  size_t bytes = 0;
  std::vector<uint8_t> owned;
  abi::ImageLanguage language = abi::ImageLanguage::Cuda;
};

/// Looks at `image`: a container, an ELF, or the wrapper that compilers put around a container. `bytes` is 0 if
/// unknown.
Result<ImageSource> open_image(const void *image, size_t bytes);
/// The best form of the code for this processor, compiled now if the container has none.
Result<ElfBytes> choose_elf(const ImageSource &source);
/// The level of code that may run here, 2, 3 or 4 as in x86-64-v3: the processor's, or a lower one that
/// HELICON_CPU_LEVEL asks for; 1 for processors below.
int usable_level();

/// Links the SIMT bitcode of containers with libhelicon-jit, for the usable level. `options` may be empty.
Result<std::vector<uint8_t>> jit_link(const std::vector<const void *> &containers, const char *options);

}  // namespace hel::cpu
