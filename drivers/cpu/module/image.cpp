// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/module/image.h"

#include "base/log.h"
#include "base/platform_variable.h"
#include "base/settings.h"
#include "drivers/cpu/memory/copy_plan.h"

#include <cuda.h>
#include <elf.h>
#include <zstd.h>

#include <cstring>

namespace hel::cpu {
namespace {

constexpr uint64_t kLargestImage = 1ull << 32;

std::unique_ptr<Failure> invalid(const char *why) {
  return HEL_FAIL(CUDA_ERROR_INVALID_IMAGE, "the image is invalid: %s", why);
}

/// Size of an ELF file from its headers, whose extent is checked by and by.
Result<size_t> elf_bytes(const uint8_t *data, size_t known) {
  const size_t limit = known == 0 ? kLargestImage : known;
  if (limit < sizeof(Elf64_Ehdr) || !check_memory(reinterpret_cast<uintptr_t>(data), sizeof(Elf64_Ehdr), "image")) {
    return invalid("it is cut off");
  }
  Elf64_Ehdr header;
  std::memcpy(&header, data, sizeof header);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64 || header.e_type != ET_DYN ||
      header.e_phentsize != sizeof(Elf64_Phdr)) {
    return HEL_FAIL(CUDA_ERROR_NO_BINARY_FOR_GPU, "the image is an ELF file, but no shared object for x86-64");
  }
  size_t bytes = sizeof header;
  if (header.e_phoff > limit || header.e_phnum * sizeof(Elf64_Phdr) > limit - header.e_phoff) {
    return invalid("its program headers lie outside");
  }
  bytes = std::max<size_t>(bytes, header.e_phoff + header.e_phnum * sizeof(Elf64_Phdr));
  if (header.e_shoff <= limit && header.e_shnum * sizeof(Elf64_Shdr) <= limit - header.e_shoff) {
    bytes = std::max<size_t>(bytes, header.e_shoff + header.e_shnum * sizeof(Elf64_Shdr));
  } else {
    return invalid("its section headers lie outside");
  }
  if (known == 0 && !check_memory(reinterpret_cast<uintptr_t>(data), bytes, "image")) {
    return invalid("it is cut off");
  }
  for (unsigned i = 0; i < header.e_phnum; i++) {
    Elf64_Phdr segment;
    std::memcpy(&segment, data + header.e_phoff + i * sizeof segment, sizeof segment);
    if (segment.p_offset > limit || segment.p_filesz > limit - segment.p_offset) {
      return invalid("a segment lies outside");
    }
    bytes = std::max<size_t>(bytes, segment.p_offset + segment.p_filesz);
  }
  return bytes;
}

Result<void> check_container(const uint8_t *data, size_t known) {
  const uintptr_t at = reinterpret_cast<uintptr_t>(data);
  if ((known != 0 && known < sizeof(abi::ImageHeader)) || !check_memory(at, sizeof(abi::ImageHeader), "image")) {
    return invalid("it is cut off");
  }
  abi::ImageHeader header;
  std::memcpy(&header, data, sizeof header);
  if (header.version != abi::kImageVersion || header.header_bytes != sizeof header) {
    return HEL_FAIL(CUDA_ERROR_INVALID_IMAGE, "the image has version %u, this library reads %u", header.version,
                    abi::kImageVersion);
  }
  if (header.total_bytes > kLargestImage || (known != 0 && header.total_bytes > known) ||
      header.entry_count > (header.total_bytes - sizeof header) / sizeof(abi::ImageEntry) ||
      header.total_bytes < sizeof header || !check_memory(at, header.total_bytes, "image")) {
    return invalid("it is cut off");
  }
  for (uint32_t i = 0; i < header.entry_count; i++) {
    abi::ImageEntry entry;
    std::memcpy(&entry, data + sizeof header + i * sizeof entry, sizeof entry);
    if (entry.offset > header.total_bytes || entry.bytes > header.total_bytes - entry.offset ||
        entry.unpacked_bytes > kLargestImage || std::memchr(entry.target, 0, sizeof entry.target) == nullptr ||
        ((entry.flags & abi::kEntryZstd) == 0 && entry.unpacked_bytes != entry.bytes)) {
      return invalid("an entry lies outside");
    }
  }
  return {};
}

/// The level that an entry's target asks for; 0 if the target is none of ours.
int level_of(const abi::ImageEntry &entry) {
  return std::strncmp(entry.target, "x86-64-v", 8) == 0 ? entry.target[8] - '0' : 0;
}

Result<ElfBytes> unpack(const ImageSource &source, const abi::ImageEntry &entry) {
  ElfBytes elf;
  elf.language = source.language();
  elf.data = source.data + entry.offset;
  elf.bytes = entry.bytes;
  if ((entry.flags & abi::kEntryZstd) != 0) {
    elf.owned.resize(entry.unpacked_bytes);
    size_t got = ZSTD_decompress(elf.owned.data(), elf.owned.size(), elf.data, elf.bytes);
    if (ZSTD_isError(got) || got != entry.unpacked_bytes) {
      return invalid("an entry cannot be decompressed");
    }
    elf.data = elf.owned.data();
    elf.bytes = elf.owned.size();
  }
  if (elf.bytes < SELFMAG || std::memcmp(elf.data, ELFMAG, SELFMAG) != 0) {
    return invalid("an entry is no ELF file");
  }
  if (HEL_TRY(elf_bytes(elf.data, elf.bytes)) > elf.bytes) {
    return invalid("an entry is cut off");
  }
  return elf;
}

/// Of two variables that mean the same, the one that speaks of PTX comes first.
bool either(PlatformVariable of_ptx, PlatformVariable of_all) {
  return is_on(platform_text(of_ptx) != nullptr ? of_ptx : of_all);
}

}  // namespace

int usable_level() {
  static const int processor = [] {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("x86-64-v4")) {
      return 4;
    }
    if (__builtin_cpu_supports("x86-64-v3")) {
      return 3;
    }
    return __builtin_cpu_supports("x86-64-v2") ? 2 : 1;
  }();
  const int64_t asked = settings().cpu_level;
  return asked < 1 || asked > processor ? processor : static_cast<int>(asked);
}

Result<ImageSource> open_image(const void *image, size_t bytes) {
  const size_t first = bytes == 0 ? sizeof(uint32_t) : bytes;
  if (image == nullptr) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "image is null");
  }
  if (first < sizeof(uint32_t) || !check_memory(reinterpret_cast<uintptr_t>(image), first, "image")) {
    return invalid("there is nothing to read");
  }
  ImageSource source;
  source.data = static_cast<const uint8_t *>(image);
  uint32_t magic = 0;
  std::memcpy(&magic, image, sizeof magic);
  if (magic == abi::FatbinWrapper::kMagic) {
    if (!check_memory(reinterpret_cast<uintptr_t>(image), sizeof(abi::FatbinWrapper), "image")) {
      return invalid("the wrapper is cut off");
    }
    return open_image(static_cast<const abi::FatbinWrapper *>(image)->data, 0);
  }
  if (std::memcmp(&magic, ELFMAG, SELFMAG) == 0) {
    source.elf = true;
    source.bytes = HEL_TRY(elf_bytes(source.data, bytes));
    return source;
  }
  if (std::memcmp(&magic, abi::kImageMagic, sizeof magic) == 0 &&
      check_memory(reinterpret_cast<uintptr_t>(image), sizeof abi::kImageMagic, "image") &&
      std::memcmp(image, abi::kImageMagic, sizeof abi::kImageMagic) == 0) {
    HEL_TRY(check_container(source.data, bytes));
    source.bytes = source.header().total_bytes;
    return source;
  }
  if (std::memcmp(&magic, ".ver", 4) == 0 || std::memcmp(&magic, "//", 2) == 0) {
    return HEL_FAIL_KIND(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, Unsupported, "PTX text cannot be loaded by this version");
  }
  return invalid("it is neither a container nor an ELF file");
}

Result<ElfBytes> choose_elf(const ImageSource &source) {
  if (source.elf) {
    ElfBytes elf;
    elf.data = source.data;
    elf.bytes = source.bytes;
    return elf;
  }
  const auto *entries = reinterpret_cast<const abi::ImageEntry *>(source.data + sizeof(abi::ImageHeader));
  const abi::ImageEntry *best = nullptr;
  bool bitcode = false;
  for (uint32_t i = 0; i < source.header().entry_count; i++) {
    const abi::ImageEntry &entry = entries[i];
    bitcode |= entry.kind == abi::ImageKind::Bitcode;
    const int level = level_of(entry);
    if (entry.kind == abi::ImageKind::Elf && level >= 1 && level <= usable_level() &&
        (best == nullptr || level > level_of(*best))) {
      best = &entry;
    }
  }
  const bool relocatable = (source.header().flags & abi::kImageRelocatable) != 0;
  const bool forced = either(PlatformVariable::ForcePtxJit, PlatformVariable::ForceJit);
  if (best != nullptr && !relocatable && !forced) {
    HEL_LOG(module, 1, "image=%.32s target=%s bytes=%llu", source.header().module_id, best->target,
            static_cast<unsigned long long>(best->bytes));
    return unpack(source, *best);
  }
  if (!bitcode) {
    return HEL_FAIL(CUDA_ERROR_NO_BINARY_FOR_GPU, "none of the image's %u entries runs on an x86-64-v%d processor",
                    source.header().entry_count, usable_level());
  }
  if (!relocatable && either(PlatformVariable::DisablePtxJit, PlatformVariable::DisableJit)) {
    return HEL_FAIL(CUDA_ERROR_JIT_COMPILATION_DISABLED, "the image would have to be compiled for this processor");
  }
  ElfBytes elf;
  elf.owned = HEL_TRY_CONTEXT(jit_link({source.data}, ""), "compiling an image for this processor");
  elf.data = elf.owned.data();
  elf.bytes = elf.owned.size();
  elf.language = source.language();
  return elf;
}

}  // namespace hel::cpu
