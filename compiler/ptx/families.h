// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instructions, family by family. To add one: a row in its family's table; to add a family: a file and a row below.
#pragma once

#include "compiler/ptx/lowering.h"

namespace hel::cc::ptx {

/// Emits an instruction. False: this form is not the handler's, and nothing was emitted.
using Handler = bool (*)(Lowering &lowering, const Instruction &inst);

struct Opcode {
  llvm::StringLiteral name;
  Handler handler;
};
using Opcodes = llvm::ArrayRef<Opcode>;

Opcodes integer_opcodes();   ///< add sub mul mad div rem abs neg min max sad popc clz bfind brev bfe bfi bmsk szext dp4a …
Opcodes carry_opcodes();     ///< add.cc addc sub.cc subc mad.cc madc
Opcodes floating_opcodes();  ///< add sub mul fma mad div abs neg min max rcp sqrt rsqrt sin cos lg2 ex2 tanh copysign testp
Opcodes compare_opcodes();   ///< setp set selp slct
Opcodes logic_opcodes();     ///< and or xor not cnot lop3 shl shr shf
Opcodes move_opcodes();      ///< mov prmt cvta isspacep mapa
Opcodes convert_opcodes();   ///< cvt
Opcodes narrow_opcodes();    ///< cvt of floating-point numbers of 8, 6 and 4 bits
Opcodes memory_opcodes();    ///< ld ldu st prefetch …
Opcodes atomic_opcodes();    ///< atom red fence membar
Opcodes warp_opcodes();      ///< shfl vote match redux activemask elect bar.warp.sync
Opcodes control_opcodes();   ///< bra bar barrier exit trap nanosleep
Opcodes async_opcodes();     ///< cp.async mbarrier griddepcontrol
Opcodes matrix_opcodes();    ///< ldmatrix stmatrix movmatrix mma
Opcodes wmma_opcodes();      ///< wmma.load wmma.store wmma.mma
Opcodes video_opcodes();     ///< vadd vsub vabsdiff vmin vmax vset, also of 2 and 4 lanes

inline constexpr Opcodes (*kFamilies[])() = {
    integer_opcodes, carry_opcodes,  floating_opcodes, compare_opcodes, logic_opcodes, move_opcodes,
    convert_opcodes, narrow_opcodes, memory_opcodes,   atomic_opcodes,  warp_opcodes,  control_opcodes,
    async_opcodes,   matrix_opcodes, wmma_opcodes,     video_opcodes,
};

}  // namespace hel::cc::ptx
