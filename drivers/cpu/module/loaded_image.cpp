// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/module/loaded_image.h"

#include <cuda.h>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mutex>

namespace hel::cpu {
namespace {

/// Images call functions of this library by name. If it was opened for one library only, its names are made visible.
void make_engine_visible() {
  static std::once_flag once;
  std::call_once(once, [] {
    Dl_info info{};
    if (dladdr(reinterpret_cast<void *>(&make_engine_visible), &info) != 0 && info.dli_fname != nullptr) {
      dlopen(info.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
    }
  });
}

Result<int> make_file(const ElfBytes &elf) {
  int file = memfd_create("helicon-image", MFD_CLOEXEC);
  if (file < 0) {
    return HEL_FAIL(CUDA_ERROR_OPERATING_SYSTEM, "no file in memory can be made: %s", std::strerror(errno));
  }
  for (size_t done = 0; done < elf.bytes;) {
    ssize_t written = write(file, elf.data + done, elf.bytes - done);
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      int error = errno;
      close(file);
      return HEL_FAIL_KIND(CUDA_ERROR_OUT_OF_MEMORY, OutOfMemory, "a file in memory cannot be written: %s",
                           std::strerror(error));
    }
    done += static_cast<size_t>(written);
  }
  return file;
}

}  // namespace

Result<std::unique_ptr<LoadedImage>> LoadedImage::load(const ElfBytes &elf) {
  // Opening a shared object runs its initialisers: only those that say what they are get so far.
  if (memmem(elf.data, elf.bytes, abi::kImageInfoSymbol, sizeof abi::kImageInfoSymbol) == nullptr) {
    return HEL_FAIL(CUDA_ERROR_INVALID_IMAGE, "the image has no %s", abi::kImageInfoSymbol);
  }
  make_engine_visible();
  std::unique_ptr<LoadedImage> image(new LoadedImage);
  image->file_ = HEL_TRY(make_file(elf));
  image->language_ = elf.language;
  image->library_ = dlopen(format("/proc/self/fd/%d", image->file_).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (image->library_ == nullptr) {
    return HEL_FAIL(CUDA_ERROR_INVALID_IMAGE, "the image cannot be loaded: %s", dlerror());
  }
  image->info_ = static_cast<const abi::ImageInfo *>(dlsym(image->library_, abi::kImageInfoSymbol));
  if (image->info_ == nullptr) {
    return HEL_FAIL(CUDA_ERROR_INVALID_IMAGE, "the image has no %s", abi::kImageInfoSymbol);
  }
  if (image->info_->version != abi::kImageInfoVersion) {
    return HEL_FAIL(CUDA_ERROR_INVALID_IMAGE, "the image's tables have version %u, this library reads %u",
                    image->info_->version, abi::kImageInfoVersion);
  }
  return image;
}

LoadedImage::~LoadedImage() {
  if (library_ != nullptr) {
    dlclose(library_);
  }
  if (file_ >= 0) {
    close(file_);
  }
}

}  // namespace hel::cpu
