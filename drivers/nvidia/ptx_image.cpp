// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/nvidia/ptx_image.h"

#include "abi/image.h"

#include <cuda.h>

#include <cstring>
#include <zstd.h>

namespace hel::nvidia {
namespace {

constexpr uint64_t kLargestImage = uint64_t{1} << 32;

bool is_whole(const abi::ImageHeader &header) {
  return header.header_bytes == sizeof header && header.total_bytes >= sizeof header && header.total_bytes <= kLargestImage &&
         header.entry_count <= (header.total_bytes - sizeof header) / sizeof(abi::ImageEntry);
}

const abi::ImageEntry *find_ptx(const abi::ImageHeader &header) {
  auto *entries = reinterpret_cast<const abi::ImageEntry *>(reinterpret_cast<const char *>(&header) + header.header_bytes);
  for (uint32_t i = 0; i < header.entry_count; i++) {
    const abi::ImageEntry &entry = entries[i];
    bool inside = entry.offset <= header.total_bytes && entry.bytes <= header.total_bytes - entry.offset;
    if (entry.kind == abi::ImageKind::Ptx && inside) {
      return &entry;
    }
  }
  return nullptr;
}

Result<std::string> unpack(const abi::ImageHeader &header, const abi::ImageEntry &entry) {
  const char *stored = reinterpret_cast<const char *>(&header) + entry.offset;
  if ((entry.flags & abi::kEntryZstd) == 0) {
    return std::string(stored, entry.bytes);
  }
  if (ZSTD_getFrameContentSize(stored, entry.bytes) != entry.unpacked_bytes) {
    return HEL_FAIL(CUDA_ERROR_INVALID_IMAGE, "image container with damaged PTX");
  }
  std::string text(entry.unpacked_bytes, '\0');
  size_t bytes = ZSTD_decompress(text.data(), text.size(), stored, entry.bytes);
  if (ZSTD_isError(bytes) != 0 || bytes != text.size()) {
    return HEL_FAIL(CUDA_ERROR_INVALID_IMAGE, "image container with damaged PTX");
  }
  return text;
}

}  // namespace

Result<Code> Code::of(const void *image, size_t known) {
  Code code;
  code.image_ = image;
  if (image == nullptr || (known != 0 && known < sizeof(abi::ImageHeader)) ||
      std::memcmp(image, abi::kImageMagic, sizeof abi::kImageMagic) != 0) {
    return code;
  }
  auto &header = *static_cast<const abi::ImageHeader *>(image);
  if (header.version != abi::kImageVersion) {
    return HEL_FAIL(CUDA_ERROR_INVALID_IMAGE, "image container of version %u, this library knows %u", header.version,
                    abi::kImageVersion);
  }
  if (!is_whole(header) || (known != 0 && header.total_bytes > known)) {
    return HEL_FAIL(CUDA_ERROR_INVALID_IMAGE, "image container with a damaged header");
  }
  const abi::ImageEntry *entry = find_ptx(header);
  if (entry == nullptr) {
    return HEL_FAIL(CUDA_ERROR_NO_BINARY_FOR_GPU, "module %.31s was compiled without code for NVIDIA GPUs", header.module_id);
  }
  code.text_ = HEL_TRY(unpack(header, *entry));
  return code;
}

}  // namespace hel::nvidia
