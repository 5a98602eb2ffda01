// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an ELF image tells the loader: its kernels and its variables. The compiler emits one ImageInfo a module, under
// the symbol `__hl_image_info`; the driver finds it with dlsym.
#pragma once

#include <cstdint>

namespace hel::abi {

struct BlockState;
struct LaunchState;

inline constexpr uint32_t kImageInfoVersion = 4;
inline constexpr char kImageInfoSymbol[] = "__hl_image_info";

/// Of all threads of a grid in x: what kernels with kKernelOneRow take for numbers that do not wrap.
inline constexpr uint64_t kMostInRow = uint64_t{1} << 31;

/// Runs one CUDA thread: the caller has set `__hl_thread` (abi/thread.h). `params` is laid out by ParamInfo.
using ThreadEntry = void (*)(const void *params);

/// Runs the warps [begin, end) of BlockState::blocks blocks (warp engine, abi/block.h), each to its end.
using BlockEntry = void (*)(const LaunchState *launch, BlockState *block, uint32_t begin, uint32_t end);

struct ParamInfo {
  uint32_t offset;  ///< in the parameter buffer, as the device ABI lays it out
  uint32_t bytes;
};

enum KernelFlags : uint32_t {
  kKernelUsesBarrier = 1u << 0,        ///< block barriers or warp-synchronous functions
  kKernelCanWait = 1u << 1,            ///< has a loop that may wait for another thread
  kKernelUsesDynamicShared = 1u << 2,  ///< refers to an extern __shared__ array
  kKernelIndirectCalls = 1u << 3,
  kKernelRecursive = 1u << 4,
  kKernelHasBlockFunction = 1u << 5,  ///< block_entry is there
  kKernelWarpsMeet = 1u << 6,         ///< the block function has barriers: each warp needs a context of its own
  kKernelPhases = 1u << 7,            ///< the block function lets its warps meet itself: one call for all of them
  kKernelBrief = 1u << 8,             ///< a thread's way is short and known to end: no loop, no call that could be long
  kKernelOneRow = 1u << 9,            ///< block_entry takes blocks of one row alone, up to kMostInRow threads in x,
  kKernelWholeRows = 1u << 10,        ///< or of several whose length is a multiple of 32,
  kKernelWholeWarps = 1u << 11,       ///< as that of one has to be here
};

struct KernelInfo {
  const char *name;  ///< mangled, as the host registers it
  ThreadEntry thread_entry;
  BlockEntry block_entry;  ///< null: the kernel is left to the thread engine
  const ParamInfo *params;
  uint32_t param_count;
  uint32_t param_bytes;          ///< size of the whole parameter buffer
  uint32_t static_shared_bytes;  ///< of the __shared__ variables that the kernel can reach
  uint32_t local_bytes;          ///< stack per thread without recursion; 0 if unknown
  uint32_t max_threads;          ///< __launch_bounds__ or __block_size__ product; 0: none
  uint32_t min_blocks;           ///< __launch_bounds__' second argument; 0: none
  uint32_t required_block[3];    ///< __block_size__; zeros: none
  uint32_t cluster[3];           ///< __cluster_dims__; zeros: none
  uint32_t flags;                ///< KernelFlags
  uint32_t block_stack_bytes;  ///< stack of the block function
  const char *engine_note;  ///< why there is no block_entry, or not the best; else null
  uint32_t arch;            ///< NN of the sm_NN that its source was compiled for; 0: not known
};

enum class VariableKind : uint32_t { Device = 0, Constant = 1, Managed = 2, Texture = 3, Surface = 4 };

struct VariableInfo {
  const char *name;
  void *address;  ///< storage in this loaded copy; for Managed: a pointer variable that the driver fills
  uint64_t bytes;
  uint32_t align;
  VariableKind kind;
  const void *init;  ///< Managed: initial contents (`bytes` long) or null for zeros
};

struct ImageInfo {
  uint32_t version;  ///< kImageInfoVersion
  uint32_t kernel_count;
  const KernelInfo *kernels;
  uint32_t variable_count;
  uint32_t reserved;
  const VariableInfo *variables;
};

}  // namespace hel::abi
