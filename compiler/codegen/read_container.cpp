// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/read_container.h"

#include "compiler/compile.h"

#include <cstring>
#include <zstd.h>

namespace hel::cc {

const abi::ImageEntry *ContainerView::entries() const {
  return reinterpret_cast<const abi::ImageEntry *>(reinterpret_cast<const char *>(header_) + header_->header_bytes);
}

Result<ContainerView> ContainerView::open(const void *bytes) {
  if (!bytes) {
    return HEL_FAIL(CompileCode::InvalidValue, "no image container");
  }
  ContainerView view;
  view.header_ = static_cast<const abi::ImageHeader *>(bytes);
  const abi::ImageHeader &header = *view.header_;
  if (std::memcmp(header.magic, abi::kImageMagic, sizeof(header.magic)) != 0) {
    return HEL_FAIL(CompileCode::InvalidSource, "not an image container");
  }
  if (header.version != abi::kImageVersion || header.header_bytes < sizeof(header)) {
    return HEL_FAIL(CompileCode::InvalidSource, "image container of version %u, this compiler knows %u", header.version,
                    abi::kImageVersion);
  }
  for (uint32_t i = 0; i < header.entry_count; ++i) {
    const abi::ImageEntry &entry = view.entries()[i];
    if (entry.offset > header.total_bytes || entry.bytes > header.total_bytes - entry.offset) {
      return HEL_FAIL(CompileCode::InvalidSource, "image container with an entry outside of it");
    }
  }
  return view;
}

Result<std::vector<uint8_t>> ContainerView::read(abi::ImageKind kind) const {
  for (uint32_t i = 0; i < header_->entry_count; ++i) {
    const abi::ImageEntry &entry = entries()[i];
    if (entry.kind != kind) {
      continue;
    }
    const uint8_t *stored = reinterpret_cast<const uint8_t *>(header_) + entry.offset;
    if (!(entry.flags & abi::kEntryZstd)) {
      return std::vector<uint8_t>(stored, stored + entry.bytes);
    }
    std::vector<uint8_t> plain(entry.unpacked_bytes);
    size_t bytes = ZSTD_decompress(plain.data(), plain.size(), stored, entry.bytes);
    if (ZSTD_isError(bytes) || bytes != plain.size()) {
      return HEL_FAIL(CompileCode::InvalidSource, "image container with a damaged entry");
    }
    return plain;
  }
  return HEL_FAIL(CompileCode::InvalidSource, "image container without an entry of kind %u",
                  static_cast<uint32_t>(kind));
}

}  // namespace hel::cc
