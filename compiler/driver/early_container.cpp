// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stands in for the pipeline while the tree has none: a container with the bitcode alone.
#include "compiler/compile.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"

#include <cstring>

namespace hel::cc {

Result<std::vector<uint8_t>> compile_device(std::unique_ptr<llvm::Module> module, const CompileOptions &options) {
  llvm::SmallString<0> bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(*module, stream);
  abi::ImageHeader header{};
  memcpy(header.magic, abi::kImageMagic, sizeof header.magic);
  header.version = abi::kImageVersion;
  header.header_bytes = sizeof header;
  header.entry_count = 1;
  header.flags = options.relocatable ? abi::kImageRelocatable : 0;
  header.language = options.language;
  snprintf(header.module_id, sizeof header.module_id, "%s", options.module_id.c_str());
  abi::ImageEntry entry{};
  entry.kind = abi::ImageKind::Bitcode;
  entry.offset = 192;
  entry.bytes = entry.unpacked_bytes = bitcode.size();
  snprintf(entry.target, sizeof entry.target, "simt");
  header.total_bytes = entry.offset + entry.bytes;
  std::vector<uint8_t> out(header.total_bytes);
  memcpy(out.data(), &header, sizeof header);
  memcpy(out.data() + sizeof header, &entry, sizeof entry);
  memcpy(out.data() + entry.offset, bitcode.data(), bitcode.size());
  return out;
}

}  // namespace hel::cc
