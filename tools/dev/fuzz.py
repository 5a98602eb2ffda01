#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""./dev fuzz [--count N] [--seed S] [--keep DIR] [--levels L]: random kernels on both engines, which must agree bit for bit.

Each program holds several kernels. Every thread runs a random mix of integer and floating-point arithmetic, divergent
branches, math functions, loops with bounds that depend on the thread, switch, break, continue, early return, local arrays with divergent
indices, reads of global memory by indices that may wrap around, accesses of struct members, warp functions and barriers where the whole block comes by, rows of other lengths in each thread, functions by pointers, virtual and recursive ones, and commutative atomics. What
a kernel computes depends on nothing but its input, so that the thread engine's output is the right one.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile

KERNELS_A_PROGRAM = 8
BLOCKS = [(32, 1, 1), (64, 1, 1), (96, 1, 1), (100, 1, 1), (16, 16, 1), (16, 4, 2), (16, 3, 1), (8, 8, 1), (8, 4, 4), (8, 5, 1), (33, 2, 1),
          (256, 1, 1), (7, 1, 1), (64, 2, 1), (48, 2, 1), (4, 4, 8)]
TYPES = ["int", "unsigned", "long long", "unsigned long long", "short", "unsigned char", "float", "double"]


class Kernel:
    """Writes one kernel. `depth` bounds nesting; `uniform` is true where all threads of the block come by."""

    def __init__(self, rng, name):
        self.rng = rng
        self.name = name
        self.lines = []
        self.variables = []  # (name, type)
        self.counter = 0
        self.stores = 0
        self.left = False  # some threads may have left the kernel

    def fresh(self, stem):
        self.counter += 1
        return f"{stem}{self.counter}"

    def of_kind(self, floating):
        return [n for n, t in self.variables if (t in ("float", "double")) == floating]

    def integer(self, depth=2):
        rng = self.rng
        if rng.random() < 0.08:
            return self.read()
        if depth == 0 or rng.random() < 0.25:
            names = self.of_kind(False)
            if names and rng.random() < 0.8:
                return rng.choice(names)
            return rng.choice(["tid", "n", "(int)blockIdx.x", "(int)threadIdx.x", "(int)threadIdx.y", "lane",
                               str(rng.randrange(-40, 300)), "0x7fffffff", f"in[tid % {rng.choice([64, 61, 7])}]", "in[tid]", "in[(tid + 3) & 1023]",
                               "in[n & 31]"])
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        kind = rng.randrange(10)
        if kind < 4:
            # Unsigned inside: overflow of signed numbers is undefined.
            signed, plain = rng.choice([("int", "unsigned"), ("long long", "unsigned long long")])
            return f"({signed})(({plain})({a}) {rng.choice(['+', '-', '*', '&', '|', '^'])} ({plain})({b}))"
        if kind == 4:
            if rng.random() < 0.5:
                return f"(int)((unsigned)({a}) << {rng.randrange(0, 7)})"
            return f"({a} >> {rng.randrange(0, 7)})"
        if kind == 5:
            return f"({a} {rng.choice(['/', '%'])} {b})" if rng.random() < 0.5 else f"((unsigned)({a}) {rng.choice(['/', '%'])} {rng.randrange(1, 99)}u)"
        if kind == 6:
            return f"({self.condition(depth - 1)} ? {a} : {b})"
        if kind == 7:
            return f"{rng.choice(['__popc', '__clz', '__brev', '__ffs'])}((unsigned)({a}))"
        if kind == 8:
            return f"{rng.choice(['min', 'max', '__mulhi', '__hadd'])}((int)({a}), (int)({b}))"
        return f"({rng.choice(['int', 'short', 'unsigned char', 'long long', 'unsigned'])})({self.number(depth - 1)} + zero)"

    def index(self):
        """Steps by a constant from thread to thread, and may wrap around."""
        rng = self.rng
        who = rng.choice(["tid", "threadIdx.x", "threadIdx.y", "(blockIdx.x * blockDim.x + threadIdx.x)", "lane",
                          "(threadIdx.y * blockDim.x + threadIdx.x)", "(threadIdx.y * n + threadIdx.x)", "thread"])
        start = rng.choice(["0u", "7u", "0xfffffff0u", "0xffffffe9u", "(unsigned)n", "(0u - (unsigned)n)", "40u"])
        return f"((unsigned)({who}) * {rng.choice(['1u', '1u', '1u', '2u', '3u', '0xffffffffu'])} + {start})"

    def read(self):
        rng = self.rng
        form = rng.choice(["at(in, {i})", "at(in, {i})", "at(in, {i})", "in4[tid].{m}", "(in4[tid].y ^ in4[tid].{m})", "in3[tid].{t}",
                           "(in3[tid].x + in3[tid].{t})", "in2[tid + 1].{d}", "in2[thread + n].{d}", "((const short *)in)[2 * tid + 1]",
                           "(int)((const long long *)in)[tid]", "((const unsigned char *)in)[4 * tid + {k}]", "rows[threadIdx.y][threadIdx.x]",
                           "rows[threadIdx.y + n][0]", "rows[n][threadIdx.x]", "rows[threadIdx.x][threadIdx.y]"])
        return form.format(i=self.index(), m=rng.choice("xyzw"), t=rng.choice("xyz"), d=rng.choice("xy"), k=rng.randrange(4))

    def number(self, depth=2):
        rng = self.rng
        if depth == 0 or rng.random() < 0.3:
            names = self.of_kind(True)
            return rng.choice(names) if names and rng.random() < 0.8 else f"{rng.uniform(-8, 8):.3f}f"
        a, b = self.number(depth - 1), self.number(depth - 1)
        kind = rng.randrange(6)
        if kind < 3:
            return f"({a} {rng.choice(['+', '-', '*'])} {b})"
        if kind == 3:
            return f"fmaf((float)({a}), (float)({b}), 0.5f)"
        if kind == 4:
            return f"{rng.choice(['fabsf', 'floorf', 'sqrtf', 'expf', 'sinf', 'logf', 'atanf'])}((float)({a}))"
        return f"(float)({self.integer(depth - 1)})"

    def condition(self, depth=1):
        rng = self.rng
        if rng.random() < 0.3:
            return rng.choice(["(tid & 1)", "(lane < 9)", f"(threadIdx.x < {rng.choice([32, 64, 5])})", "(n > 3)", "(in[tid] > 0)", "(blockIdx.x & 1)"])
        if rng.random() < 0.2 and depth > 0:
            return f"({self.condition(depth - 1)} {rng.choice(['&&', '||'])} {self.condition(depth - 1)})"
        return f"({self.integer(1)} {rng.choice(['<', '>', '==', '!=', '<=', '>='])} {self.integer(1)})"

    def put(self, indent, text):
        self.lines.append("  " * indent + text)

    def block(self, indent, depth, uniform, loop):
        scope = len(self.variables)
        for _ in range(self.rng.randrange(1, 4)):
            self.statement(indent, depth, uniform, loop)
        del self.variables[scope:]

    def assign(self, indent):
        name, kind = self.rng.choice(self.variables)
        value = self.number() if kind in ("float", "double") else self.integer()
        if kind not in ("float", "double") and self.rng.random() < 0.4:
            value = f"(unsigned long long)({name}) + (unsigned long long)({value})"
        self.put(indent, f"{name} = ({kind})({value});")

    def statement(self, indent, depth, uniform, loop):
        rng = self.rng
        kind = rng.randrange(22)
        if kind < 3 or not self.variables:
            name, of = self.fresh("v"), rng.choice(TYPES)
            value = self.number() if of in ("float", "double") else self.integer()
            self.put(indent, f"{of} {name} = ({of})({value});")
            self.variables.append((name, of))
        elif kind < 7 or depth == 0:
            self.assign(indent)
        elif kind < 10:
            self.put(indent, f"if {self.condition()} {{")
            self.block(indent + 1, depth - 1, False, loop)
            if rng.random() < 0.5:
                self.put(indent, "} else {")
                self.block(indent + 1, depth - 1, False, loop)
            self.put(indent, "}")
        elif kind < 12:
            i = self.fresh("i")
            bound = rng.choice(["(tid & 7)", "n", "5", f"(in[tid] & {rng.choice([3, 15])})", "(lane % 5)", "(int)(blockIdx.x + 2)"])
            even = bound in ("n", "5", "(int)(blockIdx.x + 2)")
            self.put(indent, f"for (int {i} = 0; {i} < {bound}; {i}++) {{")
            self.variables.append((i, "const"))
            self.variables.pop()
            self.block(indent + 1, depth - 1, uniform and even, "even" if even and uniform else "any")
            self.put(indent, "}")
        elif kind == 12 and loop and not (uniform and loop == "even"):
            self.put(indent, f"if {self.condition()} {rng.choice(['break', 'continue'])};")
        elif kind == 13:
            self.put(indent, f"switch ((unsigned)({self.integer(1)}) % {rng.randrange(2, 5)}u) {{")
            for case in range(rng.randrange(1, 4)):
                self.put(indent, f"  case {case}:")
                self.put(indent, "  {")
                self.block(indent + 2, depth - 1, False, None)
                self.put(indent, "  }" + (" break;" if rng.random() < 0.7 else ""))
            self.put(indent, "  default:")
            self.assign(indent + 2)
            self.put(indent, "}")
        elif kind == 14:
            self.put(indent, f"local[(unsigned)({self.integer(1)}) % 8u] {rng.choice(['=', '+='])} (unsigned)({self.integer(1)});")
            self.assign(indent)
            self.put(indent, f"acc += local[(unsigned)({self.integer(1)}) % 8u];")
        elif kind == 15 and uniform:
            self.meeting(indent)
        elif kind == 16:
            # No two threads write the same place, and no other statement does.
            place = self.fresh("p")
            self.put(indent, f"{{ unsigned {place} = (unsigned)tid * {rng.choice(['1u', '2u', '3u', '0xffffffffu'])} + "
                             f"{rng.choice(['0u', '9u', '0xfffffff3u', '800u', '(unsigned)n'])};")
            self.put(indent, f"  if ({place} < 4096u) extra[{self.stores % 4} * 4096 + {place}] = (unsigned)({self.integer(1)}); }}")
            self.stores += 1
            if self.stores > 4:
                self.lines.pop()
                self.lines.pop()
        elif kind == 17:
            member = rng.choice(["mine4[tid].x", "mine4[tid].z", "mine3[tid].y", "mine3[tid].z"])
            self.put(indent, f"{member} {rng.choice(['=', '+='])} (unsigned)({self.integer(1)});")
            if rng.random() < 0.5:
                self.put(indent, f"acc += {rng.choice([member, 'mine4[tid].x', 'mine3[tid].y'])};")
            if rng.random() < 0.3:
                self.put(indent, f"mine4[tid] = make_uint4(acc, (unsigned)({self.integer(1)}), 3u, (unsigned)tid);")
        elif kind == 18:
            op, array = rng.choice([("Add", "hist"), ("Max", "most"), ("Min", "least"), ("Xor", "odd"), ("Or", "any")])
            where = rng.choice(["(unsigned)({}) % 16u", "(unsigned)({}) % 16u", "n", "threadIdx.y % 16u", "threadIdx.x & 15u"])
            self.put(indent, f"atomic{op}(&{array}[{where.format(self.integer(1))}], (unsigned)({self.integer(1)}));")
        elif kind == 19:
            self.row(indent)
        elif kind == 20:
            call = rng.choice(["table[(unsigned)({a}) % 4u]((unsigned)({b}), n)", "depth((unsigned)({a}) % 9u, {k})", "thing((unsigned)({a}) % 3u)->of((int)({b}))"])
            self.put(indent, f"acc {rng.choice(['+=', '^='])} (unsigned){call.format(a=self.integer(1), b=self.integer(1), k=rng.randrange(4))};")
        elif rng.random() < 0.2:
            self.put(indent, f"{{ unsigned *place = &sums[(unsigned)({self.integer(1)}) % 16u], expected, seen = *place;")
            self.put(indent, f"  const unsigned more = (unsigned)({self.integer(1)});")
            self.put(indent, "  do { expected = seen; seen = atomicCAS(place, expected, expected + more); } while (seen != expected); }")
        else:
            op, array = rng.choice([("Add", "sums"), ("Max", "sums + 16"), ("Min", "sums + 32"), ("Xor", "sums + 48"), ("And", "sums + 64")])
            where = rng.choice(["(unsigned)({}) % 16u", "n", "3", "blockIdx.x"])
            self.put(indent, f"atomic{op}({array} + {where.format(self.integer(1))}, (unsigned)({self.integer(1)}));")

    def row(self, indent):
        """Each thread goes its own way through the input, by indices that it reads there."""
        rng = self.rng
        j, end, c, s = (self.fresh(stem) for stem in "jecs")
        step = rng.choice(["++", "++", " += 3", " += n + 1"])
        self.put(indent, f"{{ int {j} = in[tid & {rng.choice([63, 1023])}] & {rng.choice([31, 255])}; unsigned {s} = 0;")
        self.put(indent, f"  const int {end} = {j} - 2 + (int)((unsigned)({self.integer(1)}) % {rng.choice([5, 40])}u);")
        self.put(indent, f"  for (; {j} < {end}; {j}{step}) {{ const int {c} = in[{j} & 1023];")
        if rng.random() < 0.4:
            self.put(indent, f"    if ({c} % 7 == {rng.randrange(3)}) {rng.choice(['break', 'continue'])};")
        self.put(indent, f"    {s} {rng.choice(['+=', '^='])} (unsigned)in[{c} & 4095] * {rng.choice(['3u', '(unsigned)n'])} + (unsigned){rng.choice([j, c])}; }}")
        self.put(indent, f"  acc += {s}{rng.choice(['', f' + (unsigned){j}'])}; }}")

    def meeting(self, indent):
        """All threads of the block come by, but for those that have left the kernel: then only barriers."""
        rng = self.rng
        what = rng.randrange(2 if self.left else 5)
        if what == 0:
            self.put(indent, "__syncthreads();")
            self.put(indent, f"shared[thread] = (int)({self.integer(1)});")
            self.put(indent, "__syncthreads();")
            self.put(indent, f"acc ^= (unsigned)shared[(thread + {rng.choice([1, 5, 16, 33])}) % threads];")
        elif what == 1:
            vote = rng.choice(["count", "count", "or", "and"])
            self.put(indent, f"acc = acc * 3u + (unsigned)__syncthreads_{vote}({self.condition()});")
        elif what == 2:
            form = rng.choice(["__shfl_xor_sync(members, (int)({v}), {k})", "__shfl_down_sync(members, (int)({v}), {k})",
                               "__shfl_up_sync(members, (int)({v}), {k}, 8)", "__shfl_sync(members, (int)({v}), {k}, 16)",
                               "__shfl_sync(members, (int)({v}), lane ^ {k})"])
            text = form.format(v=self.integer(1), k=rng.choice([1, 2, 4, 7]))
            self.put(indent, f"if (whole) acc += (unsigned){text};")
        elif what == 3:
            self.put(indent, f"if (whole) acc ^= __ballot_sync(members, {self.condition()});")
        else:
            self.put(indent, f"if (whole) acc += (unsigned)__reduce_add_sync(members, (unsigned)({self.integer(1)}));")

    def write(self):
        rng = self.rng
        self.put(0, f"__global__ void {self.name}(const int *in, unsigned *out, unsigned *sums, unsigned *extra, int n) {{")
        self.put(1, "__shared__ int shared[1024];")
        self.put(1, "__shared__ unsigned hist[16], most[16], least[16], odd[16], any[16];")
        self.put(1, "const int4 *in4 = (const int4 *)in; const int3 *in3 = (const int3 *)in; const int2 *in2 = (const int2 *)in;")
        self.put(1, "const int (*rows)[32] = (const int (*)[32])in;")
        self.put(1, "uint4 *mine4 = (uint4 *)(extra + 4 * 4096); uint3 *mine3 = (uint3 *)(extra + 5 * 4096);")
        self.put(1, "const int threads = blockDim.x * blockDim.y * blockDim.z;")
        self.put(1, "const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);")
        self.put(1, "const int tid = blockIdx.x * threads + thread, lane = thread & 31;")
        self.put(1, "const bool whole = (thread | 31) < threads;  // the warp has 32 lanes")
        self.put(1, "const unsigned members = 0xffffffffu;")
        self.put(1, "unsigned local[8] = {(unsigned)tid, 1, 2, 3, 4, 5, 6, 7};")
        self.put(1, "const float zero = (float)(in[n & 31] & 0);  // a constant out of range is undefined")
        self.put(1, "unsigned acc = 0;")
        self.put(1, "shared[thread] = 0;")
        self.put(1, "if (thread == 0) for (int i = 0; i < 16; i++) hist[i] = most[i] = odd[i] = any[i] = 0, least[i] = ~0u;")
        self.put(1, "__syncthreads();")
        for _ in range(rng.randrange(5, 14)):
            self.statement(1, 3, True, None)
            if rng.random() < 0.07:
                self.put(1, f"if {self.condition()} {{ out[tid] = acc; return; }}")
                self.left = True
        for name, kind in self.variables:
            bits = f"__float_as_uint((float){name} + 0.0f)" if kind in ("float", "double") else f"(unsigned){name}"
            nan = f"({name} != {name} ? 1u : {bits})" if kind in ("float", "double") else bits
            self.put(1, f"acc = acc * 31u + {nan};")
        if not self.left:
            self.put(1, "__syncthreads();")
            self.put(1, "if (thread == 0) for (int i = 0; i < 16; i++) "
                        "atomicAdd(&sums[i], hist[i] + 3 * most[i] + 5 * least[i] + 7 * odd[i] + 11 * any[i]);")
        self.put(1, "out[tid] = acc + local[3];")
        self.put(0, "}")
        return "\n".join(self.lines)


# What stays a call: by a pointer, recursive, virtual.
CALLED = """
__device__ unsigned same(unsigned x, int n) { return x + n; }
__device__ unsigned mine(unsigned x, int) { return x * 3u + threadIdx.x + 5u * threadIdx.y + blockIdx.x; }
__device__ unsigned turns(unsigned x, int n) { for (int i = 0; i < (int)(x % 5u) + n; i++) x = x * 5u + 1u; return x; }
__device__ unsigned wide(unsigned x, int n) { return (unsigned)(((unsigned long long)x * x) >> (n + 7)); }
__device__ unsigned (*const table[])(unsigned, int) = {same, mine, turns, wide};
__device__ unsigned depth(unsigned n, int k) { return n < 2u ? n + k : depth(n - 1u, k) * 2u + depth(n - 2u, k + 1); }
struct Thing { __device__ virtual int of(int x) const { return x + 1; } };
struct Lane : Thing { __device__ int of(int x) const override { return x ^ (int)threadIdx.x; } };
struct Far : Thing { __device__ int of(int x) const override { return (int)((unsigned)x * 77u); } };
__device__ const Thing *thing(unsigned which) {
  static __device__ char places[3][16];
  return which == 0 ? new (places[0]) Thing : which == 1 ? (const Thing *)new (places[1]) Lane : (const Thing *)new (places[2]) Far;
}
"""


def write_program(rng):
    kernels = [Kernel(rng, f"k{i}") for i in range(KERNELS_A_PROGRAM)]
    text = ["#include <cstdio>", "#include <cstring>",
            "__device__ int at(const int *in, unsigned i) { return i < 4096u ? in[i] : (int)i; }", CALLED] + [k.write() for k in kernels]
    text.append("""
int main() {
  static int in[32 * 1024];  // a row of 32 for each thread along x
  static unsigned out[4096], sums[80], extra[9 * 4096], mix;
  unsigned seed = 12345;
  for (int &x : in) { seed = seed * 1664525u + 1013904223u; x = (int)(seed >> 8) % 1000 - 300; }
  int *din; unsigned *dout, *dsums, *dextra;
  cudaMalloc(&dextra, sizeof extra);
  cudaMalloc(&din, sizeof in); cudaMalloc(&dout, sizeof out); cudaMalloc(&dsums, sizeof sums);
  cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice);
""")
    for kernel in kernels:
        x, y, z = rng.choice(BLOCKS)
        grid = rng.choice([1, 2, 3])
        text.append(f"""  cudaMemset(dout, 0, sizeof out); cudaMemset(dsums, 0, sizeof sums);
  cudaMemset(dsums + 32, 0xff, 64); cudaMemset(dsums + 64, 0xff, 64); cudaMemset(dextra, 0, sizeof extra);
  {kernel.name}<<<{grid}, dim3({x}, {y}, {z})>>>(din, dout, dsums, dextra, {rng.randrange(0, 9)});
  std::printf("{kernel.name} ({x},{y},{z}) %s\\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost); cudaMemcpy(sums, dsums, sizeof sums, cudaMemcpyDeviceToHost);
  for (int i = 0; i < {grid * x * y * z}; i++) std::printf("%08x%c", out[i], i % 16 == 15 ? '\\n' : ' ');
  for (unsigned s : sums) std::printf(" %08x", s);
  cudaMemcpy(extra, dextra, sizeof extra, cudaMemcpyDeviceToHost);
  mix = 0;
  for (unsigned e : extra) mix = mix * 31u + e;
  std::printf("\\nextra %08x", mix);
  std::puts("");""")
    text.append("  return 0;\n}\n")
    return "\n".join(text)


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, **more)


def first_difference(a, b):
    kernel = "?"
    for x, y in zip(a.splitlines(), b.splitlines()):
        if x.startswith("k"):
            kernel = x
        if x != y:
            return kernel
    return kernel


def main():
    parser = argparse.ArgumentParser(prog="./dev fuzz")
    parser.add_argument("--count", type=int, default=40, help="kernels")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="folder for programs that show a difference")
    parser.add_argument("--levels", default="", help="levels of x86-64 whose code must agree as well, as 3,4")
    parser.add_argument("--mcc", default="build/toolkit/bin/mcc")
    options = parser.parse_args()
    levels = [level for level in options.levels.split(",") if level]
    target = [f"--device-cpu=x86-64-v{level}" for level in levels]
    different = failed = widened = kernels = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range((options.count + KERNELS_A_PROGRAM - 1) // KERNELS_A_PROGRAM):
            seed = options.seed * 1000003 + number
            source, program = os.path.join(folder, "fuzz.cu"), os.path.join(folder, "fuzz")
            text = write_program(random.Random(seed))
            with open(source, "w") as file:
                file.write(text)
            kernels += KERNELS_A_PROGRAM
            compiled = run([options.mcc, "-w", *target, source, "-o", program])
            problem = None
            if compiled.returncode != 0:
                failed += 1
                problem = "does not compile: " + (compiled.stderr.strip().splitlines() or ["mcc crashed"])[0]
            else:
                environment = dict(os.environ, HELICON_LOG="engine")
                thread = run([program], env=dict(environment, HELICON_ENGINE="thread"))
                for level in levels or ["0"]:
                    warp = run([program], env=dict(environment, HELICON_ENGINE="", HELICON_CPU_LEVEL=level))
                    if thread.stdout != warp.stdout or thread.returncode != 0 or warp.returncode != 0:
                        different += 1
                        problem = "differs at " + first_difference(thread.stdout, warp.stdout)
                        break
                widened += warp.stderr.count("engine=warp")
            if problem:
                print(f"seed {seed}: {problem}", flush=True)
                if options.keep:
                    os.makedirs(options.keep, exist_ok=True)
                    with open(os.path.join(options.keep, f"{seed}.cu"), "w") as file:
                        file.write(text)
    print(f"{kernels} kernels, {widened} on the warp engine, {different} programs different, {failed} not compiled")
    return 1 if different or failed else 0


if __name__ == "__main__":
    sys.exit(main())
