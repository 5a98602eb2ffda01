// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Separate compilation: puts the container of a translation unit into its host object, so that any linker joins the
// containers and the lists of kernels and variables of all objects of a program or shared object:
//
//   section hl_offload            the containers, one after the other, each 64-byte aligned
//   section llvm_offload_entries  what clang's host pass writes (__tgt_offload_entry)
//   symbols __hl_device_<name>    definitions and references of the device code (device_symbols.h)
//   one constructor per program or shared object (a group that the linker keeps once) that calls
//   __hl_register_rdc(entries_begin, entries_end, images_begin, images_end)
//   and one destructor that calls __hl_unregister_rdc(entries_begin)
//
// and, for --default-stream per-thread, lets the launches that clang makes of <<<>>> go to the per-thread entry point.
#pragma once

#include "compiler/frontend/device_symbols.h"

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class PassBuilder;
}

namespace hel::cc {

/// Puts the toolkit's library folder into the host object, as `__hl_toolkit_lib` (once in a program): the static runtime
/// library finds libhelicon by it.
void embed_toolkit_path(llvm::PassBuilder &builder, const std::string &folder);

/// Registers the step at the start of the builder's pipeline. The references must outlive the pipeline.
void embed_relocatable_image(llvm::PassBuilder &builder, const std::vector<uint8_t> &container, const DeviceSymbols &symbols);

/// Registers device code before the constructors of the program's objects, which may use it.
void register_first(llvm::PassBuilder &builder);

void use_per_thread_launches(llvm::PassBuilder &builder);

}  // namespace hel::cc
