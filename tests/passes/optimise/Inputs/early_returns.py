# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""early_returns.py N: LLVM IR of a function that may return N times before it compares its arguments."""

import sys

print('target triple = "x86_64-unknown-linux-gnu"')
print("define void @k(ptr %p, i32 %a, i32 %b, i32 %c) {")
for i in range(int(sys.argv[1])):
    print(f"  %x{i} = load volatile i32, ptr %p\n  %less{i} = icmp slt i32 %x{i}, %a\n  br i1 %less{i}, label %out, label %on{i}\non{i}:")
print("  %ab = icmp slt i32 %a, %b\n  br i1 %ab, label %then, label %out\nthen:")
print("  %bc = icmp slt i32 %b, %c\n  br i1 %bc, label %last, label %out\nlast:")
print("  %ac = icmp slt i32 %a, %c\n  %wide = zext i1 %ac to i32\n  store i32 %wide, ptr %p\n  br label %out\nout:\n  ret void\n}")
