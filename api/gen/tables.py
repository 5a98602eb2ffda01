# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables made from the records: printers, names of errors, name -> pointer, exports, status."""

import json
import re
import subprocess

from names import DRIVER_HEADERS, RUNTIME_HEADERS, implementation, includes, version_of
from wrappers import banner, claimed_symbols, functions, symbols

def enum_type(r):
    return r.name if r.tag is not None or r.kind != "enum" else f"enum {r.name}"


def printed_enums(records):
    """The enumerations that a function takes by value, also by another name."""
    names = {re.sub(r"^(const )?enum ", "", p.type) for f in records if f.kind == "function" for p in f.parameters}
    for r in reversed([r for r in records if r.kind == "typedef"]):
        if r.name in names:
            names.add(r.text.removeprefix("enum ").split()[0])
    return [r for r in records if r.kind == "enum" and r.name in names]


def enumerator_header(records, spell):
    rows = "".join(f"const char *enumerator_name({enum_type(r)} value);\n" for r in printed_enums(records))
    return banner("Names of the enumerators that functions take.") + spell(
        f"""#pragma once

{includes(DRIVER_HEADERS + RUNTIME_HEADERS)}

namespace hel::entry {{

/// The enumerator's name, or null if there is none with that value.
{rows}
}}  // namespace hel::entry
"""
    )


def enumerator_source(records, spell):
    out = ""
    for r in printed_enums(records):
        rows = "".join(f'      {{{n}, "{n}"}},\n' for n, _ in r.body)
        out += f"""const char *enumerator_name({enum_type(r)} value) {{
  static constexpr Row rows[] = {{
{rows}  }};
  return find(rows, static_cast<long long>(value));
}}

"""
    return banner("Names of the enumerators that functions take.") + spell(
        f"""#include "helicon/gen/enumerators.h"

namespace hel::entry {{
namespace {{

struct Row {{
  long long value;
  const char *name;
}};

template <int N> const char *find(const Row (&rows)[N], long long value) {{
  for (const Row &row : rows) {{
    if (row.value == value) {{
      return row.name;
    }}
  }}
  return nullptr;
}}

}}  // namespace

{out}}}  // namespace hel::entry
"""
    )


def error_rows(enum, speller):
    seen, rows = set(), ""
    for name, value in enum.body:
        if value in seen:
            continue
        seen.add(value)
        rows += f'    {{{value}, "{speller.text(name)}", "{speller.text(enum.texts.get(name, "unknown error"))}"}},\n'
    return rows


def error_source(records, spellers):
    """Names and texts of the result codes, and the entry points that give them to programs."""
    enums = {r.name: r for r in records if r.kind == "enum"}
    tables = "".join(
        f"constexpr Row {which}_{s}[] = {{\n{error_rows(enums[name], spellers[s])}}};\n\n"
        for which, name in (("runtime", "xpuError"), ("driver", "XPresult"))
        for s in ("cuda", "musa")
    )
    doors = ""
    for s in ("cuda", "musa"):
        prefix = {"cuda": "cu", "musa": "mu"}[s]
        for what, member_name in (("Name", "name"), ("String", "text")):
            doors += f"""HEL_EXPORT const char *{s}GetError{what}(cudaError_t error) {{
  const Row *row = find(runtime_{s}, error);
  return row ? row->{member_name} : "unrecognized error code";
}}

HEL_EXPORT CUresult {prefix}GetError{what}(CUresult error, const char **pStr) {{
  const Row *row = find(driver_{s}, error);
  if (pStr) {{
    *pStr = row ? row->{member_name} : nullptr;
  }}
  return pStr && row ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}}

"""
    return banner("Names and texts of the result codes.") + f"""#include "helicon/gen/error_names.h"

#include "helicon/gen/entry_macros.h"

namespace {{

struct Row {{
  int code;
  const char *name;
  const char *text;
}};

{tables}template <size_t N> const Row *find(const Row (&rows)[N], int code) {{
  for (const Row &row : rows) {{
    if (row.code == code) {{
      return &row;
    }}
  }}
  return nullptr;
}}

}}  // namespace

{doors}namespace hel {{

const char *error_name(cudaError_t code) {{ return cudaGetErrorName(code); }}
const char *error_text(cudaError_t code) {{ return cudaGetErrorString(code); }}

const char *error_name(CUresult code) {{
  const Row *row = find(driver_cuda, code);
  return row ? row->name : "unrecognized error code";
}}

const char *error_text(CUresult code) {{
  const Row *row = find(driver_cuda, code);
  return row ? row->text : "unrecognized error code";
}}

}}  // namespace hel
"""


def error_header():
    return banner("Names and texts of the result codes, for messages.") + """#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

namespace hel {

const char *error_name(cudaError_t code);
const char *error_text(cudaError_t code);
const char *error_name(CUresult code);
const char *error_text(CUresult code);

}  // namespace hel
"""


def entry_point_source(records, spellers):
    claimed = claimed_symbols(records)
    rows, declarations = [], ""
    for f in functions(records, "driver"):
        own, twin = symbols(f, claimed, spellers)
        n = len(rows)
        declarations += f'extern "C" void hel_entry_{n}() __asm__("{own[0]}");\n'
        if twin:
            declarations += f'extern "C" void hel_twin_{n}() __asm__("{twin[0]}");\n'
        name = version_of(f.name)[0].removeprefix("xp")
        rows.append((name, f.since[0], f"address(hel_entry_{n})", f"address(hel_twin_{n})" if twin else "nullptr"))
        for alias in f.public.values():
            if version_of(alias)[0] != version_of(f.name)[0]:  # an entry point that became a name for another one
                rows.append((alias.removeprefix("xp"), f.since[0], f"address(hel_entry_{n})", "nullptr"))
                break
    text = "".join(f'    {{"{a}", {b}, {c}, {d}}},\n' for a, b, c, d in sorted(rows, key=lambda r: (r[0], r[1])))
    return banner("The driver API's functions by name and version.", "api/driver") + f"""#include "loader/entry_points.h"

{declarations}
namespace hel::entry {{
namespace {{

void *address(void (*f)()) {{ return reinterpret_cast<void *>(f); }}

}}  // namespace

const EntryPoint driver_entry_points[] = {{
{text}}};
const size_t driver_entry_point_count = sizeof driver_entry_points / sizeof driver_entry_points[0];

}}  // namespace hel::entry
"""


def exported(records, spellers):
    claimed = claimed_symbols(records)
    names = [n for f in records if f.kind == "function" for group in symbols(f, claimed, spellers) for n in group]
    return sorted(set(names))


def export_map(records, spellers, patterns):
    """The runtime API's symbols have the version that programs ask for which were linked to another libcudart.so.13."""
    rows = {True: "", False: ""}
    for name in exported(records, spellers) + patterns:
        rows[re.match(r"(__)?cuda[A-Z]", name) is not None] += f"    {name};\n"
    return f"""/* Made by api/gen: the symbols of libhelicon.so. */
libcudart.so.13 {{
  global:
{rows[True]}}};
HELICON {{
  global:
{rows[False]}  local:
    *;
}};
"""


def status(records, library):
    """Which entry points are implemented, told from the symbols that the library defines."""
    output = subprocess.run(["nm", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    defined = set(re.findall(r"_ZN3hel(\d+[a-z]+\d+\w+?)E", output))
    rows = []
    for f in records:
        if f.kind != "function":
            continue
        spaces = ("cpu", "null") if f.api == "driver" else ("rt",)
        name = implementation(f)
        done = [s for s in spaces if f"{len(s)}{s}{len(name)}{name}" in defined]
        rows.append({"name": f.name, "api": f.api, "object": f.object, "in": ["generated"] if f.spelled else done})
    return json.dumps(rows, indent=0)


def all_tables(records, spellers, patterns):
    spell = spellers["cuda"].text
    return {
        "helicon/gen/enumerators.h": enumerator_header(records, spell),
        "enumerators.cpp": enumerator_source(records, spell),
        "helicon/gen/error_names.h": error_header(),
        "error_names.cpp": error_source(records, spellers),
        "entry_points.cpp": entry_point_source(records, spellers),
        "exports.map": export_map(records, spellers, patterns),
    }
