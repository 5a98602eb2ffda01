// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The writer of image containers (abi/image.h).
#include "compiler/compile.h"

#include <algorithm>
#include <cstring>
#include <zstd.h>

namespace hel::cc {
namespace {

constexpr size_t kPayloadAlign = 64;
constexpr int kZstdLevel = 3;

struct Payload {
  abi::ImageEntry entry{};
  std::vector<uint8_t> bytes;
};

Payload make_payload(abi::ImageKind kind, const std::string &target, const std::vector<uint8_t> &bytes) {
  Payload payload;
  payload.entry.kind = kind;
  payload.entry.unpacked_bytes = bytes.size();
  payload.bytes = bytes;
  std::snprintf(payload.entry.target, sizeof(payload.entry.target), "%s", target.c_str());
  return payload;
}

Result<void> compress(Payload &payload) {
  std::vector<uint8_t> packed(ZSTD_compressBound(payload.bytes.size()));
  size_t bytes = ZSTD_compress(packed.data(), packed.size(), payload.bytes.data(), payload.bytes.size(), kZstdLevel);
  if (ZSTD_isError(bytes)) {
    return HEL_FAIL_KIND(CompileCode::Internal, Internal, "zstd: %s", ZSTD_getErrorName(bytes));
  }
  packed.resize(bytes);
  payload.bytes = std::move(packed);
  payload.entry.flags |= abi::kEntryZstd;
  return {};
}

abi::ImageHeader make_header(const CompileOptions &options) {
  abi::ImageHeader header{};
  std::memcpy(header.magic, abi::kImageMagic, sizeof(header.magic));
  header.version = abi::kImageVersion;
  header.header_bytes = sizeof(header);
  header.flags = (options.relocatable ? abi::kImageRelocatable : 0u) | (options.debug ? abi::kImageDebug : 0u) |
                 (options.line_info ? abi::kImageLineInfo : 0u);
  header.language = options.language;
  std::snprintf(header.module_id, sizeof(header.module_id), "%s", options.module_id.c_str());
  return header;
}

size_t align_up(size_t value) { return (value + kPayloadAlign - 1) / kPayloadAlign * kPayloadAlign; }

}  // namespace

Result<std::vector<uint8_t>> write_container(const CompileOptions &options, const Payloads &contents) {
  std::vector<Payload> payloads;
  for (const ElfImage &elf : contents.elfs) {
    payloads.push_back(make_payload(abi::ImageKind::Elf, elf.level, elf.bytes));
  }
  if (!contents.bitcode.empty()) {
    payloads.push_back(make_payload(abi::ImageKind::Bitcode, "simt", contents.bitcode));
    HEL_TRY(compress(payloads.back()));
  }
  if (!contents.ptx.empty()) {
    const std::string &text = contents.ptx;
    payloads.push_back(make_payload(abi::ImageKind::Ptx, options.gpu, std::vector<uint8_t>(text.begin(), text.end())));
    HEL_TRY(compress(payloads.back()));
  }
  abi::ImageHeader header = make_header(options);
  header.entry_count = payloads.size();
  size_t end = sizeof(header) + payloads.size() * sizeof(abi::ImageEntry);
  for (Payload &payload : payloads) {
    payload.entry.offset = align_up(end);
    payload.entry.bytes = payload.bytes.size();
    end = payload.entry.offset + payload.bytes.size();
  }
  header.total_bytes = end;
  std::vector<uint8_t> out(end, 0);
  std::memcpy(out.data(), &header, sizeof(header));
  for (size_t i = 0; i < payloads.size(); ++i) {
    const Payload &payload = payloads[i];
    std::memcpy(out.data() + sizeof(header) + i * sizeof(abi::ImageEntry), &payload.entry, sizeof(payload.entry));
    std::copy(payload.bytes.begin(), payload.bytes.end(), out.begin() + static_cast<ptrdiff_t>(payload.entry.offset));
  }
  return out;
}

}  // namespace hel::cc
