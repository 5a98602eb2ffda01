// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spellings that nvcc accepts and that are no tokens of C++, found in programs that editors have formatted:
//
//   kernel << <grid, block >> > (x)   ->   kernel <<<  grid, block >>>   (x)
//   extern "C"__global__ void f()     ->   extern"C" __global__ void f()
//
// The text keeps its length and its lines, so that every position in a message is right.
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
