// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler for NVIDIA GPUs, read aloud: from SIMT IR to what LLVM's NVPTX back end takes.
#include "compiler/pipeline/stages.h"

#include "compiler/passes/analysis/read_annotations.h"
#include "compiler/passes/lower/calculate_in_doubles.h"
#include "compiler/passes/lower/contract_products.h"
#include "compiler/passes/lower/guard_division.h"
#include "compiler/passes/nvptx/align_stack.h"
#include "compiler/passes/nvptx/check_callable.h"
#include "compiler/passes/nvptx/convert_wide_integers.h"
#include "compiler/passes/nvptx/convert_with_cvt.h"
#include "compiler/passes/nvptx/copy_in_vectors.h"
#include "compiler/passes/nvptx/copy_written_parameters.h"
#include "compiler/passes/nvptx/infer_address_spaces.h"
#include "compiler/passes/nvptx/join_conditions.h"
#include "compiler/passes/nvptx/join_warp_barriers.h"
#include "compiler/passes/nvptx/keep_for_ptx.h"
#include "compiler/passes/nvptx/make_loops_reducible.h"
#include "compiler/passes/nvptx/mark_returning_calls.h"
#include "compiler/passes/nvptx/order_atomics.h"
#include "compiler/passes/nvptx/part_after_recursion.h"
#include "compiler/passes/nvptx/place_pointers.h"
#include "compiler/passes/nvptx/tell_strides_apart.h"
#include "compiler/passes/nvptx/unroll_inner_loops.h"
#include "compiler/passes/nvptx/widen_atomic_scope.h"
#include "compiler/passes/structure/expand_variadics.h"
#include "compiler/passes/structure/link_device_library.h"
#include "compiler/passes/structure/mark_short_functions.h"
#include "compiler/passes/structure/optimise.h"
#include "compiler/passes/structure/tidy.h"

namespace hel::cc {
namespace {

#define HEL_STAGE(name) Stage{#name, name}

constexpr Stage kStages[] = {
    // One module that holds all that its kernels may call, but for what the driver supplies.
    HEL_STAGE(link_device_library),
    HEL_STAGE(read_annotations),
    HEL_STAGE(keep_for_ptx),
    HEL_STAGE(check_callable),

    // What LLVM would leave open or drop is written out.
    HEL_STAGE(expand_variadics),
    HEL_STAGE(calculate_in_doubles),
    HEL_STAGE(guard_division),
    HEL_STAGE(convert_wide_integers),
    HEL_STAGE(convert_with_cvt),
    HEL_STAGE(order_atomics),
    HEL_STAGE(align_stack),
    HEL_STAGE(mark_returning_calls),

    // Values are in SSA form; products and sums are fused as in every other engine's code.
    HEL_STAGE(mark_short_functions),
    HEL_STAGE(tidy),
    HEL_STAGE(contract_products),
    HEL_STAGE(place_pointers),

    // LLVM's pipeline; what its back end would not do by itself stands where it sees most.
    HEL_STAGE(optimise_early),
    HEL_STAGE(copy_written_parameters),
    HEL_STAGE(unroll_inner_loops),
    HEL_STAGE(optimise_late),
    HEL_STAGE(join_conditions),
    HEL_STAGE(join_warp_barriers),
    HEL_STAGE(infer_address_spaces),
    HEL_STAGE(copy_in_vectors),
    HEL_STAGE(widen_atomic_scope),

    // What LLVM's back end and the GPU's own compiler get wrong is kept from them.
    HEL_STAGE(tell_strides_apart),
    HEL_STAGE(make_loops_reducible),
    HEL_STAGE(part_after_recursion),
};

#undef HEL_STAGE

}  // namespace

std::span<const Stage> nvptx_stages() { return kStages; }

}  // namespace hel::cc
