# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Internal sources made from the functions: the DriverTable, declarations of implementations, entry points."""

from names import DRIVER_HEADERS, RUNTIME_HEADERS, implementation, includes, member, version_of

SPDX = "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
RESULTS = {"XPresult": "driver", "xpuError_t": "runtime"}

# Pointers that are not results, although their type looks like it.
INPUT_POINTERS = {"args", "kernelParams", "extra", "optionValues", "jitOptionsValues", "libraryOptionValues"}
SCALARS = {"int", "unsigned int", "size_t", "float", "unsigned long long", "wide_uint64", "XPdeviceptr", "XPdevice"}


def banner(what, sources="api/"):
    return f"{SPDX}// {what} Made by api/gen from {sources}.\n"


def functions(records, api):
    return [r for r in records if r.kind == "function" and r.api == api]


def gives_result(f):
    return f.returns in RESULTS and not f.plain


def parameters(f):
    return ", ".join(p.text for p in f.parameters)


def arguments(f):
    return ", ".join(p.name for p in f.parameters)


def driver_table(records, spell):
    rows = "".join(f"  {f.returns} (*{member(f)})({parameters(f)});\n" for f in functions(records, "driver"))
    return banner("What a driver is: one function for each entry point of the driver API.", "api/driver") + spell(
        f"""#pragma once

{includes(DRIVER_HEADERS)}

namespace hel {{

struct DriverTable {{
{rows}}};

namespace cpu {{
const DriverTable &driver_table();
}}
namespace null {{
const DriverTable &driver_table();
}}

}}  // namespace hel
"""
    )


def driver_symbols(records, spell):
    """Rows (member, symbol, name and version for GetProcAddress, version of the twin) from which a driver library's table is filled."""
    rows = "".join(
        f'HEL_DRIVER_SYMBOL({member(f)}, "{f.name}", "{version_of(f.name)[0]}", {f.since[-1] if f.since else 2000}, '
        f"{max(f.twin_since, f.since[-1] if f.since else 2000) if f.twin else 0})\n"
        for f in functions(records, "driver")
    )
    about = "HEL_DRIVER_SYMBOL(member of DriverTable, symbol, name and version to ask for, version of the per-thread twin or 0)."
    return banner(about, "api/driver") + spell(rows)


def implementation_declarations(records, api, namespace, spell):
    rows = ""
    for f in functions(records, api):
        if f.spelled and api == "runtime":
            continue
        kind = "Result<void>" if gives_result(f) else f.returns
        rows += f"HEL_IMPLEMENTATION {kind} {implementation(f)}({parameters(f)});\n"
    headers = DRIVER_HEADERS if api == "driver" else RUNTIME_HEADERS
    return banner(f"What hel::{namespace} implements: a function that nobody defines is null here.", f"api/{api}") + spell(
        f"""#pragma once

#include "base/result.h"

{includes(headers)}

#define HEL_IMPLEMENTATION [[gnu::weak, gnu::visibility("hidden")]]

namespace hel::{namespace} {{

{rows}
}}  // namespace hel::{namespace}

#undef HEL_IMPLEMENTATION
"""
    )


def table_source(records, namespace, spell):
    fs = functions(records, "driver")
    shims = ""
    for f in fs:
        name = implementation(f)
        if gives_result(f):
            body = f"""  if (!{namespace}::{name}) return missing("{f.name}");
  return driver_result("{f.name}", {namespace}::{name}({arguments(f)}));"""
        else:
            body = f"  return {namespace}::{name} ? {namespace}::{name}({arguments(f)}) : {f.returns}();"
        shims += f"{f.returns} {member(f)}({parameters(f)}) {{\n{body}\n}}\n\n"
    members = "".join(f"    .{member(f)} = shim::{member(f)},\n" for f in fs)
    return banner(f"The DriverTable of hel::{namespace}, filled with what it implements.", "api/driver") + spell(
        f"""#include "base/driver_result.h"
#include "helicon/gen/driver_table.h"
#include "helicon/gen/{namespace}_impl.h"

namespace hel {{
namespace {{

XPresult missing(const char *name) {{
  set_last_driver_message(std::string(name) + " is not implemented by the {namespace} driver");
  return XPU_ERROR_NOT_SUPPORTED;
}}

namespace shim {{

{shims}}}  // namespace shim

constexpr DriverTable kTable = {{
{members}}};

}}  // namespace

const DriverTable &{namespace}::driver_table() {{ return kTable; }}

}}  // namespace hel
"""
    )


def extra_symbols(f, claimed):
    """Further names of a function's body: aliases, the plain name of a versioned one."""
    base, version = version_of(f.name)
    extra = list(f.aliases)
    if version > 1 and not f.older and base not in claimed:
        extra.append(base)
    return extra


def claimed_symbols(records):
    fs = [r for r in records if r.kind == "function"]
    return {f.name for f in fs} | {a for f in fs for a in f.aliases}


def symbols(f, claimed, spellers):
    """All exported symbols of a function's body and of its twin's body, in both spellings; the first is its own."""
    own = [f.name] + extra_symbols(f, claimed)
    twin = [f"{s}_{f.twin}" for s in own] if f.twin else []
    return [[spellers[s].text(n) for s in ("cuda", "musa") for n in names] for names in (own, twin)]


def is_result(p, handles):
    base = p.type.removesuffix("*").strip()
    return (
        p.name not in INPUT_POINTERS
        and p.type.endswith("*")
        and not p.type.startswith("const")
        and (base in SCALARS or base in handles or base == "void *")
    )


def printable(f, handles):
    """The code that adds a function's arguments to a trace line."""
    return "".join(f'.add{"_result" if is_result(p, handles) else ""}("{p.name}", {p.name})' for p in f.parameters)


def entry_body(f, handles):
    name = f.name
    if f.api == "driver":
        call = f"hel::loader::table().{member(f)}({arguments(f)})"
        call = f'finish_driver("{name}", {call})' if gives_result(f) else call
        guard = ""
    else:
        call = f"hel::rt::{implementation(f)}({arguments(f)})"
        if gives_result(f):
            call = f'finish_runtime("{name}", {call})'
            guard = f'  if (!hel::rt::{implementation(f)}) return not_implemented_runtime("{name}");\n'
        else:
            guard = f"""  if (!hel::rt::{implementation(f)}) {{
    not_implemented_runtime("{name}");
    return {{}};
  }}
"""
    if f.returns not in RESULTS:
        return f"{guard}  return {call};\n"
    return f"""{guard}  const {f.returns} hel_result = {call};
  if (tracing()) [[unlikely]] trace("{name}", Arguments(hel_result){printable(f, handles)}.text(), hel_result);
  return hel_result;
"""


def entry_function(f, claimed, handles, spellers):
    own, twin = symbols(f, claimed, spellers)
    spell = spellers["cuda"].text
    hidden = f.older and version_of(f.name)[1] == 1  # its plain name is a macro for a newer version
    name = f"hel_{member(f)}" if hidden else f.name
    out = ""
    if hidden:
        out += f'HEL_EXPORT {f.returns} {name}({parameters(f)}) __asm__("{own[0]}");\n'
    out += f"HEL_EXPORT {f.returns} {name}({parameters(f)}) {{\n{entry_body(f, handles)}}}\n"
    out += "".join(f'HEL_ALIAS({name}, "{own[0]}", "{s}")\n' for s in own[1:])
    if twin:
        out += f'HEL_EXPORT {f.returns} hel_{member(f)}_twin({parameters(f)}) __asm__("{twin[0]}");\n'
        out += f"HEL_EXPORT {f.returns} hel_{member(f)}_twin({parameters(f)}) {{\n  const hel::PerThreadDefaultStream scope;\n"
        out += f"  return {name}({arguments(f)});\n}}\n"
        out += "".join(f'HEL_ALIAS({name}, "{twin[0]}", "{s}")\n' for s in twin[1:])
    return spell(out)


def entry_source(records, api, object_name, claimed, spellers):
    handles = {r.name for r in records if r.kind == "handle"}
    fs = [f for f in functions(records, api) if f.object == object_name and not f.spelled]
    own = '#include "loader/loader.h"' if api == "driver" else '#include "helicon/gen/runtime_impl.h"'
    text = "\n".join(entry_function(f, claimed, handles, spellers) for f in fs)
    return (
        banner(f"Exported entry points of the {api} API: {object_name}.", f"api/{api}/{object_name}.api")
        + f"""#include "helicon/gen/entry_macros.h"
{own}
#include "runtime/arguments.h"
#include "runtime/entry.h"

using hel::entry::Arguments;
using namespace hel::entry;

{text}"""
    )


def entry_macros():
    return banner("What generated entry points are written with.") + """#pragma once

#define HELICON_NO_EARLIER

#include "base/default_stream.h"

#pragma clang diagnostic ignored "-Wmissing-prototypes"
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

#define HEL_EXPORT extern "C" [[gnu::visibility("default")]]

// A further symbol for a function that has been defined here.
#define HEL_ALIAS(function, symbol, other) HEL_ALIAS_1(__COUNTER__, function, symbol, other)
#define HEL_ALIAS_1(n, function, symbol, other) HEL_ALIAS_2(n, function, symbol, other)
#define HEL_ALIAS_2(n, function, symbol, other) \\
  HEL_EXPORT [[gnu::alias(symbol)]] decltype(function) hel_alias_##n __asm__(other);
"""


def all_sources(records, spellers):
    from dispatch import dispatch_source

    spell = spellers["cuda"].text
    claimed = claimed_symbols(records)
    out = {
        "helicon/gen/driver_table.h": driver_table(records, spell),
        "helicon/gen/driver_symbols.def": driver_symbols(records, spell),
        "helicon/gen/cpu_impl.h": implementation_declarations(records, "driver", "cpu", spell),
        "helicon/gen/null_impl.h": implementation_declarations(records, "driver", "null", spell),
        "helicon/gen/runtime_impl.h": implementation_declarations(records, "runtime", "rt", spell),
        "helicon/gen/entry_macros.h": entry_macros(),
        "cpu_table.cpp": table_source(records, "cpu", spell),
        "null_table.cpp": table_source(records, "null", spell),
        "dispatch_table.cpp": dispatch_source(records, spell),
    }
    for api in ("driver", "runtime"):
        for name in sorted({f.object for f in functions(records, api) if not f.spelled}):
            out[f"{api}_entry_{name}.cpp"] = entry_source(records, api, name, claimed, spellers)
    return out
