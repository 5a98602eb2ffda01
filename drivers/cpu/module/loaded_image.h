// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A shared object with device code in this process: a file in memory, opened by the system's loader. Each load is a
// copy of its own, with its own variables. The file stays open as long as the code is loaded, so that its name is
// unique and debuggers can read it.
#pragma once

#include "abi/kernel.h"
#include "base/result.h"
#include "drivers/cpu/module/image.h"

#include <memory>

namespace hel::cpu {

class LoadedImage {
public:
  static Result<std::unique_ptr<LoadedImage>> load(const ElfBytes &elf);
  ~LoadedImage();
  LoadedImage(const LoadedImage &) = delete;
  LoadedImage &operator=(const LoadedImage &) = delete;

  const abi::ImageInfo &info() const { return *info_; }
  void *dl_handle() const { return library_; }
  abi::ImageLanguage language() const { return language_; }

private:
  LoadedImage() = default;
  int file_ = -1;
  void *library_ = nullptr;
  const abi::ImageInfo *info_ = nullptr;
  abi::ImageLanguage language_ = abi::ImageLanguage::Cuda;
};

}  // namespace hel::cpu
