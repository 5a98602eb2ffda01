// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler, read aloud: what happens to a module of SIMT IR, in order, and what holds from each point on.
#include "compiler/pipeline/stages.h"

#include "compiler/passes/analysis/check_supported.h"
#include "compiler/passes/analysis/describe_kernels.h"
#include "compiler/passes/analysis/mark_waiting_loops.h"
#include "compiler/passes/analysis/read_annotations.h"
#include "compiler/passes/lower/calculate_in_doubles.h"
#include "compiler/passes/lower/clamp_shifts.h"
#include "compiler/passes/lower/contract_products.h"
#include "compiler/passes/lower/divide_in_floats.h"
#include "compiler/passes/lower/estimate_roots.h"
#include "compiler/passes/lower/flush_denormals.h"
#include "compiler/passes/lower/fold_extremes.h"
#include "compiler/passes/lower/guard_division.h"
#include "compiler/passes/lower/lower_atomics.h"
#include "compiler/passes/lower/lower_inline_asm.h"
#include "compiler/passes/lower/lower_math.h"
#include "compiler/passes/lower/lower_services.h"
#include "compiler/passes/lower/lower_simt_ops.h"
#include "compiler/passes/lower/permute_in_registers.h"
#include "compiler/passes/lower/saturate_conversions.h"
#include "compiler/passes/lower/saturate_in_vectors.h"
#include "compiler/passes/structure/align_spills.h"
#include "compiler/passes/structure/compare_counted_lanes.h"
#include "compiler/passes/structure/cut_long_blocks.h"
#include "compiler/passes/structure/expand_variadics.h"
#include "compiler/passes/structure/forward_lanes.h"
#include "compiler/passes/structure/keep_reachable.h"
#include "compiler/passes/structure/link_device_library.h"
#include "compiler/passes/structure/lower_shared_memory.h"
#include "compiler/passes/structure/make_constants_writable.h"
#include "compiler/passes/structure/make_thread_entries.h"
#include "compiler/passes/structure/mark_short_functions.h"
#include "compiler/passes/structure/narrow_lanes.h"
#include "compiler/passes/structure/optimise.h"
#include "compiler/passes/structure/place_thread_state.h"
#include "compiler/passes/structure/prefetch_masked_loads.h"
#include "compiler/passes/structure/provide_small_floats.h"
#include "compiler/passes/structure/read_by_registers.h"
#include "compiler/passes/structure/repeat_last_turns.h"
#include "compiler/passes/structure/retarget.h"
#include "compiler/passes/structure/split_high_products.h"
#include "compiler/passes/structure/strip_address_spaces.h"
#include "compiler/passes/structure/tidy.h"
#include "compiler/passes/vectorise/split_phases.h"
#include "compiler/passes/vectorise/widen_kernels.h"

#include <algorithm>

namespace hel::cc {
namespace {

#define HEL_STAGE(name) Stage{#name, name}

constexpr Stage kStages[] = {
    // No assembly: what becomes of it may call the device library.
    HEL_STAGE(lower_inline_asm),

    // One module that holds all that its kernels may call; what the source said about a kernel stands on the kernel.
    HEL_STAGE(link_device_library),
    HEL_STAGE(read_annotations),
    HEL_STAGE(keep_reachable),

    // Everything is LLVM IR with a fixed meaning: no variadic functions, no division that could trap, no conversion
    // that LLVM leaves undefined and PTX defines.
    HEL_STAGE(expand_variadics),
    HEL_STAGE(calculate_in_doubles),
    HEL_STAGE(guard_division),
    HEL_STAGE(clamp_shifts),
    HEL_STAGE(saturate_conversions),

    // Values are in SSA form; loops that may wait for another thread yield.
    HEL_STAGE(mark_short_functions),
    HEL_STAGE(tidy),
    HEL_STAGE(mark_waiting_loops),
    HEL_STAGE(contract_products),

    // Functions of other libraries and atomics have their form for this machine; a block's shared variables are offsets
    // in its window; there is one address space.
    HEL_STAGE(lower_math),
    HEL_STAGE(flush_denormals),
    HEL_STAGE(lower_services),
    HEL_STAGE(lower_atomics),
    HEL_STAGE(lower_shared_memory),
    HEL_STAGE(strip_address_spaces),

    // A kernel that the warp engine can run has a block function beside it.
    HEL_STAGE(widen_kernels),

    // From here on once for each level that an image is made for. The block function lets the warps run from barrier to
    // barrier where it can, as many at a time as the level has registers for.
    HEL_STAGE(split_phases),

    // No NVVM intrinsic remains: each is plain IR, a read of the thread's state or a call of the engine. A kernel is a
    // function of its parameter buffer.
    HEL_STAGE(lower_simt_ops),
    HEL_STAGE(make_thread_entries),
    HEL_STAGE(check_supported),

    // x86-64 from here on.
    HEL_STAGE(retarget),
    HEL_STAGE(permute_in_registers),
    HEL_STAGE(optimise),
    HEL_STAGE(compare_counted_lanes),
    HEL_STAGE(forward_lanes),
    HEL_STAGE(divide_in_floats),
    HEL_STAGE(saturate_in_vectors),
    HEL_STAGE(narrow_lanes),
    HEL_STAGE(estimate_roots),
    HEL_STAGE(fold_extremes),
    HEL_STAGE(split_high_products),
    HEL_STAGE(prefetch_masked_loads),
    HEL_STAGE(repeat_last_turns),
    HEL_STAGE(read_by_registers),
    HEL_STAGE(make_constants_writable),
    HEL_STAGE(provide_small_floats),
    HEL_STAGE(describe_kernels),
    HEL_STAGE(cut_long_blocks),
    HEL_STAGE(align_spills),
    HEL_STAGE(place_thread_state),
};

#undef HEL_STAGE

}  // namespace

std::span<const Stage> compiler_stages() { return kStages; }

size_t first_target_stage() {
  constexpr const Stage *first = std::ranges::find(kStages, &split_phases, &Stage::run);
  static_assert(first != std::end(kStages));
  return first - kStages;
}

}  // namespace hel::cc
