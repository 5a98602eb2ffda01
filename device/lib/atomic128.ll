; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; 16-byte atomics: LLVM IR because clang gives nvptx64 no builtin of this width.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define i128 @__hl_atomic_exchange_128(ptr %address, i128 %value) nounwind {
  %old = atomicrmw xchg ptr %address, i128 %value seq_cst, align 16
  ret i128 %old
}

define i128 @__hl_atomic_compare_exchange_128(ptr %address, i128 %expected, i128 %desired) nounwind {
  %pair = cmpxchg ptr %address, i128 %expected, i128 %desired seq_cst seq_cst, align 16
  %old = extractvalue { i128, i1 } %pair, 0
  ret i128 %old
}
