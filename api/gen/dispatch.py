# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The driver table over several drivers: each function finds the driver that its arguments belong to (loader/dispatch.h)."""

from names import member
from wrappers import arguments, banner, functions, gives_result, parameters

JOINT = {"XPkernel", "XPfunction", "XPlibrary"}  # one handle may stand for one in each driver


def candidate(f, p, handles):
    """The expression that tells a parameter's driver, or None for what belongs to nobody."""
    if p.type == "XPdevice":
        return f"side_of_device({p.name})"
    if p.type in handles:
        return f"side_of_handle({p.name})"
    if p.type == "XPdeviceptr":
        return f"side_of_address({p.name})"
    if p.type == "void *" and member(f) in {"MemFreeHost", "MemHostUnregister", "MemHostGetFlags", "MemHostGetDevicePointer"}:
        return f"side_of_address(reinterpret_cast<XPdeviceptr>({p.name}))"
    return None


def passed(p):
    return f"own_{p.name}" if p.type in JOINT else p.name


def translations(f):
    """Lines that make a driver's own handles of joint ones."""
    return "".join(
        f"  const {p.type} own_{p.name} = on_side(at, {p.name});\n  if (own_{p.name} == nullptr && {p.name} != nullptr) return why_not_on_side();\n"
        for p in f.parameters
        if p.type in JOINT
    )


def body(f, handles):
    found = [c for c in (candidate(f, p, handles) for p in f.parameters) if c]
    if any(p.type == "XPfunction" for p in f.parameters) and any(p.type == "XPstream" for p in f.parameters):
        found.append("current_side()")  # a launch into another device's stream fails
    call = f"side(at).{member(f)}({', '.join(passed(p) for p in f.parameters)})"
    if not gives_result(f):
        return f"  return side(0).{member(f)}({arguments(f)});\n"
    if not found:
        return f"  const int at = current_side();\n  return {call};\n"
    return f"""  const int at = choose_side({{{', '.join(found)}}});
  if (at < 0) return of_several_drivers("{f.name}");
  const Visit visit(at);
{translations(f)}  return {call};
"""


def dispatch_source(records, spell):
    handles = {r.name for r in records if r.kind == "handle"}
    fs = functions(records, "driver")
    shims = "".join(f"{f.returns} {member(f)}({parameters(f)}) {{\n{body(f, handles)}}}\n\n" for f in fs)
    members = "".join(f"    .{member(f)} = {member(f)},\n" for f in fs)
    return banner("The DriverTable over several drivers.", "api/driver") + spell(
        f"""#include "loader/dispatch.h"

namespace hel::loader {{
namespace {{

{shims}constexpr DriverTable kTable = {{
{members}}};

}}  // namespace

const DriverTable &plain_dispatch_table() {{ return kTable; }}

}}  // namespace hel::loader
"""
    )
