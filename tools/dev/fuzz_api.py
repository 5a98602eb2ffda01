# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random API calls: every function of both APIs, with null, stale, foreign and good handles and sizes near limits.

    ./dev fuzz-api --count N --seed S

The calls are made from the API records: a function needs no work here. The program must never crash nor hang, and every
result must be a documented code. Arguments that a program has to get right because nobody can check them (the length of an
array, a pointer inside a struct) are right. Ends with one line of counts; a failure names its seed and its last call.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "api" / "gen"))
import names  # noqa: E402
import parse  # noqa: E402

# Functions that wait for somebody else, end the process, or take memory of a form that cannot be made at random.
LEFT_OUT = re.compile(
    r"WaitValue|BatchMemOp|Checkpoint|CoreDump|Coredump|ExternalSemaphores|Launch(Cooperative)?Kernel|LaunchGrid"
    r"|cuLaunch$|cuParamSetv|LibraryLoad|ModuleLoad|LinkAdd|LinkComplete|KernelNode|HostNode|GraphAddNode|NodeSetParams|BatchAsync|IpcOpen"
    r"|TensorMap|GraphMemcpyNode|DebugDotPrint|LogsDumpToFile|GetProcAddress$|EntryPointByVersion$|DevResource|GreenCtx|FuncGetParamInfo|GetAttributes$|RangeGetAttribute")
COUNTS = re.compile(r"^(num|len$|count|n[A-Z]|length$|numAttrs)|[Cc]ount$|Num|References$|instances", re.ASCII)
CALLS_A_PROGRAM = 4000

PROGRAM = r"""
#include <cuda.h>
#include <cudaProfiler.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

static unsigned long long state;
static unsigned next(unsigned limit) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)(state >> 33) % limit;
}
static std::map<std::string, std::vector<void *>> handles;  // by the tag of the struct, live and stale
static std::vector<void *> memory;
static char last_call[256] = "none";
constexpr size_t kArea = 64 << 10;

/// Memory of its own for each pointer, with nothing readable behind it.
static char *area(int which) {
  static char *areas[16];
  char *&a = areas[which % 16];
  if (!a) {
    // In the middle of a hole: a range that leaves it is not mapped.
    constexpr size_t kHole = (size_t)1 << 34;
    char *hole = (char *)mmap(nullptr, kHole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    a = hole + kHole / 2;
    munmap(hole, kHole);
    mmap(a, kArea, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  }
  return a;
}
static char *fresh(int which) {
  char *a = area(which);
  memset(a, 0, 4096);
  if (next(3) == 0) *(int *)a = (int)next(14);
  return a;
}
static void *handle(const char *tag) {
  unsigned kind = next(20);
  if (kind == 0) return nullptr;
  if (kind == 1) { void *odd[] = {(void *)1, (void *)2, (void *)8, area(0), (void *)~0ull, (void *)0x7fff00001000}; return odd[next(6)]; }
  std::vector<void *> *pool = &handles[tag];
  if (kind == 2 || pool->empty()) { auto it = handles.begin(); std::advance(it, next((unsigned)handles.size())); pool = &it->second; }
  return pool->empty() ? nullptr : (*pool)[next((unsigned)pool->size())];
}
static void *pointer(int which) {
  unsigned kind = next(10);
  if (kind == 0) return nullptr;
  if (kind == 1) return (void *)(size_t)next(64);
  if (kind < 6 && !memory.empty()) return (char *)memory[next((unsigned)memory.size())] + (next(4) ? 0 : next(5000));
  return fresh(which) + (next(4) ? 0 : next(64));
}
static size_t size() {
  static const size_t sizes[] = {0, 1, 4, 63, 64, 511, 4096, 65536, 1 << 20, (size_t)1 << 31, (size_t)1 << 40, ((size_t)1 << 63) - 1, ~(size_t)0};
  return sizes[next(4) ? next(9) : next(13)];
}
static void nothing(void *) {}
struct Any { template <typename T> static T value(unsigned limit) { T t; memset(&t, 0, sizeof t); if (next(3) == 0) *(unsigned char *)&t = (unsigned char)next(limit); return t; } };
template <typename T> static T number(bool small) {
  static const long long odd[] = {-1, 0x7fffffff, -0x7fffffffll - 1, 255, 256, 65535, 65536, 99};
  if constexpr (std::is_class<T>::value) return Any::value<T>(8); else return (T)(small ? next(9) : next(6) ? next(14) : odd[next(8)]);
}
static void keep(const char *tag, void *made) {
  std::vector<void *> &pool = handles[tag];
  if (made && pool.size() < 64) pool.push_back(made); else if (made) pool[next(64)] = made;
}
static int bad;
static void check(const char *name, int code, const char *known) {
  if (code == 999 || known == nullptr || strcmp(known, "unrecognized error code") == 0) {
    if (bad++ < 10) printf("undocumented: %s returned %d\n", name, code);
  }
}
static void check_rt(const char *name, cudaError_t code) { check(name, code, cudaGetErrorName(code)); }
static void check_cu(const char *name, CUresult code) { const char *text = nullptr; cuGetErrorName(code, &text); check(name, code, text); }
static void crashed(int sig) { dprintf(1, "signal %d in %s\n", sig, last_call); _exit(3); }
#define CALL(name) snprintf(last_call, sizeof last_call, "%s", #name)
@FUNCTIONS@
static void (*const functions[])() = {@TABLE@};
static void refresh() {
  int count = 0;
  cudaGetDeviceCount(&count);
  void *p = nullptr;
  if (memory.size() < 24 && cudaMalloc(&p, 4096) == cudaSuccess) memory.push_back(p);
  if (memory.size() < 24 && cudaMallocManaged(&p, 4096, cudaMemAttachGlobal) == cudaSuccess) memory.push_back(p);
  if (memory.size() < 24 && cudaMallocHost(&p, 4096) == cudaSuccess) memory.push_back(p);
}
int main(int argc, char **argv) {
  state = strtoull(argv[1], nullptr, 10) * 2654435761u + 12345;
  long calls = atol(argv[2]);
  for (int sig : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGALRM}) signal(sig, crashed);
  handles["CUctx_st"];
  cuInit(0);
  cudaFree(0);
  for (long i = 0; i < calls; i++) {
    if (i % 100 == 0) { refresh(); alarm(60); }
    functions[next(sizeof(functions) / sizeof(*functions))]();
  }
  alarm(60);
  CALL(cudaDeviceReset);
  cudaDeviceReset();
  printf("%ld calls, %d undocumented\n", calls, bad);
  return bad != 0;
}
"""


class Writer:
    """C++ that calls one function with random arguments."""

    def __init__(self, records, speller):
        self.speller = speller
        self.tags = {speller.text(r.name): speller.text(r.text) for r in records if r.kind == "handle"}
        self.enums = {speller.text(r.name) for r in records if r.kind == "enum"}
        self.structs = {speller.text(r.name) for r in records if r.kind in ("struct", "union")}
        self.callbacks = {speller.text(re.search(r"\(\*(\w+)\)", r.text).group(1)) for r in records
                          if r.kind == "typedef" and "(*" in r.text}

    def argument(self, at, type_text, name):
        """An expression, and what to do after success."""
        bare = re.sub(r"\b(const|enum|struct|union)\b", "", type_text).strip()
        base = bare.rstrip("* ").strip()
        stars = bare.count("*")
        if base in self.callbacks and stars == 0:
            return f"(next(6) ? ({base})(void *)nothing : ({base})nullptr)", ""
        if base in self.tags and stars == 0:
            return f'({base})handle("{self.tags[base]}")', ""
        if base in self.tags and stars == 1:
            slot = f"s{at}"
            pre = f'  {base} *{slot} = ({base} *)fresh({at}); for (int i = 0; i < 16; i++) {slot}[i] = ({base})handle("{self.tags[base]}");\n'
            after = "" if "const" in type_text else f'keep("{self.tags[base]}", (void *){slot}[0]);'
            return (pre, f"next(16) ? {slot} : nullptr"), after
        if stars == 0 and base == "CUdeviceptr":
            return f"(CUdeviceptr)pointer({at})", ""
        if stars == 0 and base in self.structs or base == "dim3" and stars == 0:
            return f"Any::value<{base}>(8)", ""
        if stars == 0 and base == "size_t":
            return ("(size_t)next(9)" if COUNTS.search(name) else "size()"), ""
        if stars == 0:
            return f"number<{type_text.replace('const ', '')}>({'true' if COUNTS.search(name) else 'false'})", ""
        if base == "char" and stars == 1:
            return (f'next(8) ? "cuInit" : nullptr' if "const" in type_text else f"next(8) ? fresh({at}) : nullptr"), ""
        if base == "void" and stars == 1:
            place = re.search(r"^(value|data|userData)$|_out$", name)
            return (f"(next(8) ? (void *)fresh({at}) : nullptr)" if place else f"pointer({at})"), ""
        if base == "size_t" and stars == 1:
            pre = f"  size_t *s{at} = (size_t *)fresh({at}); *s{at} = next(17);\n"
            return (pre, f"next(16) ? s{at} : nullptr"), ""
        return f"next(16) ? ({type_text})fresh({at}) : nullptr", ""

    def function(self, f):
        name = self.speller.text(f.name)
        body, arguments, after = "", [], ""
        for at, p in enumerate(f.parameters):
            expression, then = self.argument(at, self.speller.text(p.type), p.name)
            if isinstance(expression, tuple):
                body += expression[0]
                expression = expression[1]
            arguments.append(expression)
            after += then
        call = f"{name}({', '.join(arguments)})"
        check = "check_rt" if f.returns.startswith("xpu") else "check_cu"
        good = "cudaSuccess" if f.returns.startswith("xpu") else "CUDA_SUCCESS"
        return (f"static void call_{name}() {{\n  CALL({name});\n{body}  auto code = {call};\n"
                f'  {check}("{name}", code);\n  if (code == {good}) {{ {after} }}\n}}\n')


def program():
    records = parse.parse_tree(ROOT / "api")
    speller = names.Speller(ROOT / "api/spellings.txt", "cuda")
    chosen = [f for f in records if f.kind == "function" and f.returns in parse.RESULT_TYPES and not f.older
              and f.header not in names.INTEROP_HEADERS
              and not LEFT_OUT.search(speller.text(f.name))]
    writer = Writer(records, speller)
    functions = "".join(writer.function(f) for f in chosen)
    table = ", ".join(f"call_{speller.text(f.name)}" for f in chosen)
    return PROGRAM.replace("@FUNCTIONS@", functions).replace("@TABLE@", table), len(chosen)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mcc", default=str(ROOT / "build/toolkit/bin/mcc"))
    parser.add_argument("--count", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="write the program here")
    args = parser.parse_args()
    text, functions = program()
    failed = done = 0
    with tempfile.TemporaryDirectory() as folder:
        source = Path(args.keep or folder) / "fuzz_api.cpp"
        source.write_text(text)
        binary = Path(folder) / "fuzz_api"
        subprocess.run([args.mcc, "-O0", "-w", "-DHELICON_NO_EARLIER", str(source), "-o", str(binary)], check=True)
        for seed in range(args.seed, args.seed + max(1, args.count // CALLS_A_PROGRAM)):
            run = subprocess.run([str(binary), str(seed), str(min(args.count, CALLS_A_PROGRAM))], stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, text=True, errors="replace")
            done += CALLS_A_PROGRAM if args.count > CALLS_A_PROGRAM else args.count
            if run.returncode != 0:
                failed += 1
                print(f"seed {seed}: exit {run.returncode}: {' / '.join(run.stdout.split(chr(10))[-4:])}")
    print(f"{done} calls of {functions} functions, {failed} programs failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
