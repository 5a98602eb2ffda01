# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what the records promise with headers: every enumerator, constant, size, offset and function type.

    compare_headers.py --ours DIR [--theirs DIR] --cxx COMPILER --work DIR

One program is made from the records for each spelling; it prints a line for each fact. The MUSA program's lines must be
those of the CUDA program, and with --theirs the lines under a foreign set of CUDA headers must be the same, too.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

API = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(API / "gen"))
import names  # noqa: E402
import parse  # noqa: E402

HEADERS = ["xpu.h", "xpuProfiler.h", "xpu_runtime_api.h", "xpu_profiler_api.h", "library_types.h", "xpuTypedefs.h", "xpuProfilerTypedefs.h"]

# Functions whose pointer types a vendor's headers show to itself alone.
HIDDEN = {"xpStreamBeginCapture"}


def field_paths(lines):
    """The members of a structure, those of nested ones as a.b; bit fields have no offset and are left out."""
    paths, stack = [], []
    for line in (line.strip() for line in lines):
        if re.match(r"^(struct|union)\b[^;]*\{$", line):
            stack.append(len(paths))
        elif line.startswith("}"):
            start, name = stack.pop(), line.strip("};").strip().split("[")[0]
            if name:
                paths[start:] = [name] + [f"{name}.{p}" for p in paths[start:]]
        elif line:
            declaration = line.rstrip(";")
            pointer = re.search(r"\(\*\s*(\w+)\)", declaration)
            if pointer:
                paths.append(pointer.group(1))
                continue
            for part in declaration.split(","):
                if ":" not in part:
                    paths.append(re.search(r"(\w+)\s*(\[[^\]]*\]\s*)*$", part).group(1))
    return paths


def type_name(r):
    return r.name if r.tag is not None else f"{r.kind} {r.name}"


def versions_below(f):
    """True if the function also stands for versions whose types had 32 bits, which nobody can use."""
    base, version = names.version_of(f.name)
    return len(f.since) > 1 and version > 1


def facts(records, spelling):
    """(what it is, an expression for it) in neutral words."""
    scalars = ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "longlong", "ulonglong", "double"]
    wide = [f"{t}4_{a}a" for t in ("long", "ulong", "longlong", "ulonglong", "double") for a in (16, 32)]
    for vector in [f"{t}{n}" for t in scalars for n in (1, 2, 3, 4)] + wide + ["dim3"]:
        yield f"size {vector}", f"NUMBER(sizeof({vector}))"
        yield f"align {vector}", f"NUMBER(alignof({vector}))"
        yield f"member {vector}.x", f"TYPE(decltype((({vector} *)nullptr)->x))"
    for r in records:
        if r.kind == "enum":
            yield from ((f"value {name}", f"NUMBER({name})") for name, _ in r.body)
            yield f"size {r.name}", f"NUMBER(sizeof({type_name(r)}))"
        elif r.kind == "macro" and not re.search(r"^xpu\w+Attr(ID|Value)$", r.name):
            yield f"macro {r.name}", f"NUMBER({r.name})"
        elif r.kind in ("struct", "union"):
            yield f"size {r.name}", f"NUMBER(sizeof({type_name(r)}))"
            yield f"align {r.name}", f"NUMBER(alignof({type_name(r)}))"
            for path in (p for p in field_paths(r.body) if p not in r.earlier):
                yield f"offset {r.name}.{path}", f"NUMBER(offsetof({type_name(r)}, {path}))"
                yield f"member {r.name}.{path}", f"TYPE(decltype((({type_name(r)} *)nullptr)->{path}))"
        elif r.kind in ("typedef", "handle"):
            yield f"type {r.name}", f"TYPE({r.name})"
        if r.kind == "function" and r.api == "driver" and r.name not in HIDDEN and not versions_below(r):
            twin = [f"{r.twin_since}_{r.twin}"] if r.twin_since else []
            for version in r.since + twin:
                pointer = f"PFN_{names.version_of(r.name)[0]}_v{version}"
                yield f"type {pointer}", f"TYPE({pointer})"
        if r.kind == "function" and not r.older and len(set(r.public.values()) or {1}) == 1 and len(r.public) != 1:
            yield f"function {r.name}", f"TYPE(decltype({r.public.get(spelling, r.name)}))"


def program(records, speller):
    rows = "".join(f'  {{"{what}", {expression}}},\n' for what, expression in facts(records, speller.spelling))
    includes = "".join(f"#include <{speller.header(h)}>\n" for h in HEADERS)
    return includes + "#include <stddef.h>\n#include <stdio.h>\n" + re.sub(
        r'"[^"]*"|[^"]+',
        lambda m: m.group(0) if m.group(0).startswith('"') else speller.text(m.group(0)),
        f"""
template <class T> constexpr const char *type_text() {{ return __PRETTY_FUNCTION__; }}
#define NUMBER(e) (long long)(e), nullptr
#define TYPE(...) 0, type_text<__VA_ARGS__>()
struct Fact {{ const char *what; long long number; const char *type; }};
static const Fact facts[] = {{
{rows}}};
int main() {{
  for (const Fact &f : facts) {{
    if (f.type) printf("%s: %s\\n", f.what, f.type); else printf("%s: %lld\\n", f.what, f.number);
  }}
}}
""",
    )


def output(records, speller, include, args, label):
    source = Path(args.work) / f"facts_{label}.cpp"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(program(records, speller))
    binary = source.with_suffix("")
    flags = ["-DHELICON_NO_EARLIER", "-std=c++17", "-w", "-O0", f"-I{include}", str(source), "-o", str(binary), "-fuse-ld=lld", "-Wl,--unresolved-symbols=ignore-all"]
    subprocess.run([args.cxx, *flags], check=True)
    lines = subprocess.run([str(binary)], capture_output=True, text=True, check=True).stdout.splitlines()
    return [re.sub(r" at [^ )]+:\d+:\d+\)", ")", line) for line in lines]  # unnamed types are named by their place


def as_cuda(line):
    """A line of the MUSA program with its types as the CUDA program has them."""
    head, _, text = line.partition(": ")
    text = text.replace("musa", "cuda").replace("MUSA", "CUDA")
    text = re.sub(r"\bmu_cl_", "cl_", text)
    text = re.sub(r"\bmu(?=[A-Z]|uint)", "cu", text)
    return f"{head}: " + re.sub(r"\bMU(?=[a-z_]|GPUDirect|Coredump)", "CU", text)


def differences(what, expected, found):
    bad = [f"  {a}\n  {b}" for a, b in zip(expected, found) if a != b]
    for text in bad[:20]:
        print(f"{what}:\n{text}")
    print(f"{what}: {len(expected)} facts, {len(bad)} differ")
    return len(bad) + abs(len(expected) - len(found))


def main():
    parser = argparse.ArgumentParser()
    for name in ("ours", "theirs", "cxx", "work"):
        parser.add_argument(f"--{name}")
    args = parser.parse_args()
    records = [r for r in parse.parse_tree(API) if r.header not in names.INTEROP_HEADERS]
    cuda, musa = (names.Speller(API / "spellings.txt", s) for s in names.SPELLINGS)
    ours = output(records, cuda, args.ours, args, "cuda")
    twins = [as_cuda(line) for line in output(records, musa, args.ours, args, "musa")]
    bad = differences("CUDA and MUSA spelling", ours, twins)
    if args.theirs:
        bad += differences("ours and " + args.theirs, output(records, cuda, args.theirs, args, "theirs"), ours)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
