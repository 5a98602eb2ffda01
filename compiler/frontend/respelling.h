// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spellings that nvcc accepts and that are no tokens of C++, found in programs that editors have formatted:
//
//   kernel << <grid, block >> > (x)   ->   kernel <<<  grid, block >>>   (x)
//   extern "C"__global__ void f()     ->   extern"C" __global__ void f()
//   kernel<<<grid, {16, 16}>>>(x)     ->   kernel<<<grid, dim3{16, 16}>>>(x)
//
// The text keeps its lines, and but for the last kind every position in them, so that messages point to the right
// place.
#pragma once

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace llvm::vfs {
class FileSystem;
}

namespace hel::cc {

/// The text as C++, or nothing when it needs no change.
std::optional<std::string> respell(llvm::StringRef text);

/// `files`, with the text of source files respelt; those of the system and the toolkit are left alone.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> respelling_files(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files);

}  // namespace hel::cc
