// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The image container: what mcc embeds in a host object (or writes as .fatbin/.cubin) and the loader reads.
//
//   ImageHeader | ImageEntry[entry_count] | payloads (each 64-byte aligned)
//
// A module is one container; its entries are the same code in several forms. The driver picks one.
#pragma once

#include <cstdint>

namespace hel::abi {

inline constexpr char kImageMagic[8] = {'H', 'L', 'I', 'M', 'A', 'G', 'E', '1'};
inline constexpr uint32_t kImageVersion = 1;

enum class ImageKind : uint32_t {
  Elf = 1,      ///< x86-64 shared object with an ImageInfo (abi/kernel.h)
  Bitcode = 2,  ///< SIMT IR, LLVM 22 bitcode
  Ptx = 3,      ///< PTX text
};

/// A managed variable `x` is, in PTX, a pointer `x` to its storage, which has this behind its name.
inline constexpr char kManagedStorage[] = "__hl_managed";

/// Spelling of the source: decides the names in messages about this module.
enum class ImageLanguage : uint32_t { Cuda = 0, Musa = 1 };

enum ImageFlags : uint32_t {
  kImageRelocatable = 1u << 0,  ///< separate compilation: has undefined device symbols, needs a device link
  kImageDebug = 1u << 1,        ///< built with -G
  kImageLineInfo = 1u << 2,     ///< built with -lineinfo
};

struct ImageHeader {
  char magic[8];
  uint32_t version;
  uint32_t header_bytes;  ///< sizeof(ImageHeader)
  uint64_t total_bytes;   ///< of the whole container, header included
  uint32_t entry_count;
  uint32_t flags;  ///< ImageFlags
  ImageLanguage language;
  uint32_t reserved;
  char module_id[32];  ///< hex digest that identifies the translation unit
};

struct ImageEntry {
  ImageKind kind;
  uint32_t flags;           ///< kEntryZstd
  uint64_t offset;          ///< from the start of the container
  uint64_t bytes;           ///< as stored
  uint64_t unpacked_bytes;  ///< after decompression; equal to bytes when not compressed
  char target[32];          ///< "x86-64-v3", "sm_90", "simt"
};

enum ImageEntryFlags : uint32_t { kEntryZstd = 1u << 0 };

static_assert(sizeof(ImageHeader) == 72 && sizeof(ImageEntry) == 64);

/// What clang emits around the embedded bytes (`__cudaRegisterFatBinary`'s argument).
struct FatbinWrapper {
  static constexpr uint32_t kMagic = 0x466243B1;
  uint32_t magic;
  uint32_t version;
  const void *data;
  void *unused;
};

}  // namespace hel::abi
