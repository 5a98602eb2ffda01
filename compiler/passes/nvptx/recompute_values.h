// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes cheap values again where they are used, instead of keeping them in registers across code that needs many: on
// a GPU registers decide how many warps run at a time. LLVM's sharing of common subexpressions makes such values; this
// follows it.
//
// before: %digit = lshr i32 %key, %bit          after: %digit = lshr i32 %key, %bit
//         call void @large(i32 %digit)                 call void @large(i32 %digit)
//         …code that needs many registers…             …code that needs many registers…
//         call void @last(i32 %key, i32 %digit)        %again = lshr i32 %key, %bit
//                                                      call void @last(i32 %key, i32 %again)
#pragma once

namespace llvm {
class Function;
class LoopInfo;
}  // namespace llvm

namespace hel::cc {

/// Gives whether something changed. The control flow stays as it is.
bool recompute_values(llvm::Function &function, const llvm::LoopInfo &loops);

}  // namespace hel::cc
