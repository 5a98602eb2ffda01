// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler's door: SIMT IR in, finished image container (abi/image.h) out.
#pragma once

#include "abi/image.h"
#include "base/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace hel::cc {

/// Codes of the failures that the compiler makes; equal in value to the CUresult of the same meaning.
enum class CompileCode : int {
  InvalidValue = 1,      ///< an option that the compiler does not know
  InvalidSource = 300,   ///< the device code is wrong or uses something that is not supported
  FileNotFound = 301,
  Internal = 999,
};

struct CompileOptions {
  /// What the ELF entries may use: x86-64-v2, x86-64-v3, x86-64-v4, or native (the best of these that this machine has,
  /// tuned for it); several, with commas between them, make an entry each. An entry's `target` names the level, never
  /// "native".
  std::string cpu = "x86-64-v3";
  /// Device optimisation, 0 to 3. `debug` means 0.
  int optimise = 3;
  bool debug = false;        ///< -G: unoptimised, with full debug information
  bool line_info = false;    ///< -lineinfo: the image gets a line table (abi/lineinfo.h)
  bool relocatable = false;  ///< -rdc=true: only bitcode, to be linked by libhelicon-jit
  bool emit_elf = true;
  bool emit_bitcode = true;
  /// The NVIDIA GPU that the PTX entry is for (sm_NN): it runs on that and later ones. Empty: no PTX entry.
  std::string gpu;
  abi::ImageLanguage language = abi::ImageLanguage::Cuda;
  std::string module_id;  ///< hex digest of the translation unit, at most 31 characters are kept
  /// Path of the device library's bitcode; empty: the toolkit's own (see default_device_library()).
  std::string device_library;
  std::string source_name;  ///< the main source file, for messages without a line
  /// When set: gets the diagnostics that are no errors, one per line, as "file:line:column: warning: text".
  std::string *warnings = nullptr;
};

/// Compiles a module of SIMT IR (nvptx64, as clang's device pass emits it with LLVM's passes off) into a container.
/// A failure of kind Misuse or Unsupported carries the diagnostics for the user, one per line, as
/// "file:line:column: error: text"; a failure of kind Internal is our bug.
///
/// A function that stays undefined is an error ("unresolved extern function"), unless its declaration carries the
/// function attribute "hl.host" (a host function that device code calls, which the frontend has warned about): such a
/// call traps at run time and names the function.
Result<std::vector<uint8_t>> compile_device(std::unique_ptr<llvm::Module> module, const CompileOptions &options);

/// The part of compile_device that makes PTX text of SIMT IR. `bitcode` is read into a context of its own, so that what
/// LLVM cannot translate harms nothing else. Device code for which there is no PTX is a failure that says why.
Result<std::string> compile_to_ptx(const std::vector<uint8_t> &bitcode, const CompileOptions &options);

/// A module as bitcode.
std::vector<uint8_t> write_bitcode(const llvm::Module &module);

/// lib/helicon/libdevice.bc of the toolkit that this code belongs to (found from the address of this function);
/// empty when it does not exist.
std::string default_device_library();

/// An x86-64 ELF shared object.
struct ElfImage {
  std::string level;  ///< what its code may use: x86-64-v2, x86-64-v3 or x86-64-v4
  std::vector<uint8_t> bytes;
};

/// One image for each of CompileOptions::cpu. What does not depend on the level is done once for all of them.
Result<std::vector<ElfImage>> compile_to_elfs(std::unique_ptr<llvm::Module> module, const CompileOptions &options);

/// The only image where CompileOptions::cpu names one level (libhelicon-jit needs no other).
Result<std::vector<uint8_t>> compile_to_elf(std::unique_ptr<llvm::Module> module, const CompileOptions &options);

/// The payloads of a container; an empty one is left out.
struct Payloads {
  std::vector<ElfImage> elfs;
  std::vector<uint8_t> bitcode;
  std::string ptx;
};
Result<std::vector<uint8_t>> write_container(const CompileOptions &options, const Payloads &payloads);

}  // namespace hel::cc
