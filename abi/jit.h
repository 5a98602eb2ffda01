// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one function of libhelicon-jit.so.0, which the driver opens on demand: device link and compilation at run time.
#pragma once

#include <cstddef>

namespace hel::abi {

inline constexpr char kJitLibrary[] = "libhelicon-jit.so.0";
inline constexpr char kJitLinkSymbol[] = "hel_jit_link";

/// Links the SIMT bitcode of `count` image containers (abi/image.h) into one module, compiles it for this machine and
/// returns the bytes of an ELF shared object with an ImageInfo. `options`: words separated by spaces, may be null:
///   -cpu=x86-64-v3 (default: native)  -O0 … -O3  -G  -lineinfo
/// Returns 0, or the value of a CUresult; then *error is a message. *out and *error belong to the caller (free()).
/// Callable from any thread. Results are kept on disk (HELICON_CACHE, HELICON_CACHE_DIR).
using JitLink = int (*)(const void *const *containers, size_t count, const char *options, void **out, size_t *out_bytes,
                        char **error);

}  // namespace hel::abi
