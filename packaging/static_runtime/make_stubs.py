# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the stubs of the static runtime library: make_stubs.py NM LIBHELICON OUT.S

A stub is a hidden function with the name of a runtime entry point. It jumps through a slot; the first call fills the slot
from libhelicon (bind.cpp). So a program that is linked with `-lcudart_static` by any linker driver has no run-time
search path to get right, and still shares the one libhelicon of its process.

    name:  mov slot(%rip), %r11 ; test ; jz bind ; jmp *%r11
"""

import re
import subprocess
import sys

WANTED = re.compile(r"^(cuda|musa|__cuda|__musa|__hl_register|__hl_unregister)\w*$")

BIND = """
// Keeps every register that may carry an argument, asks hel_bind for the name in %r10, stores the address in the slot
// %r11 and goes there.
        .hidden hel_stub_bind
        .type hel_stub_bind, @function
hel_stub_bind:
        .cfi_startproc
        pushq %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        movq %rsp, %rbp
        .cfi_def_cfa_register %rbp
        pushq %rdi
        pushq %rsi
        pushq %rdx
        pushq %rcx
        pushq %r8
        pushq %r9
        pushq %rax
        pushq %r11
        subq $128, %rsp
{save}
        movq %r10, %rdi
        call hel_bind
        movq %rax, %r10
{restore}
        addq $128, %rsp
        popq %r11
        movq %r10, (%r11)
        popq %rax
        popq %r9
        popq %r8
        popq %rcx
        popq %rdx
        popq %rsi
        popq %rdi
        popq %rbp
        .cfi_def_cfa %rsp, 8
        jmpq *%r10
        .cfi_endproc
"""

STUB = """
        .section .text.{name},"ax",@progbits
        .globl {name}
        .hidden {name}
        .type {name}, @function
{name}:
        movq .Lslot_{name}(%rip), %r11
        testq %r11, %r11
        jz 1f
        jmpq *%r11
1:      leaq .Lname_{name}(%rip), %r10
        leaq .Lslot_{name}(%rip), %r11
        jmp hel_stub_bind
        .size {name}, . - {name}
        .section .bss.{name},"aw",@nobits
        .p2align 3
.Lslot_{name}:
        .zero 8
        .section .rodata.{name},"a",@progbits
.Lname_{name}:
        .asciz "{name}"
"""


def main():
    nm, library, out = sys.argv[1:]
    listing = subprocess.run([nm, "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    names = set()
    for line in listing.splitlines():
        _, kind, name = line.split()
        name = name.split("@")[0]
        if kind in "TW" and WANTED.match(name):
            names.add(name)
    moves = [f"        movups %xmm{i}, {16 * i}(%rsp)" for i in range(8)]
    loads = [f"        movups {16 * i}(%rsp), %xmm{i}" for i in range(8)]
    with open(out, "w") as f:
        f.write("// Made by packaging/static_runtime/make_stubs.py.\n        .text\n")
        f.write(BIND.format(save="\n".join(moves), restore="\n".join(loads)))
        for name in sorted(names):
            f.write(STUB.format(name=name))
        f.write('        .section .note.GNU-stack,"",@progbits\n')


if __name__ == "__main__":
    main()
