# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Public headers: the texts of api/text/**.in, in each spelling, with the records' declarations put in."""

import re
from pathlib import Path

from names import INTEROP_HEADERS, SPELLINGS, version_of

WORD = re.compile(r"\b[A-Za-z_]\w*\b")


def banner(source):
    return f"/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */\n/* Made by api/gen from {source}. */\n"


def in_dependency_order(records):
    """Stable order in which each type stands after the types that it mentions."""
    by_name = {r.name: r for r in records}
    by_name.update({r.tag: r for r in records if r.tag})
    done, order = set(), []

    def visit(r):
        if r.name in done:
            return
        done.add(r.name)
        text = r.text if r.kind == "typedef" else "\n".join(r.body) if r.kind in ("struct", "union") else ""
        for word in WORD.findall(text):
            if word in by_name:
                visit(by_name[word])
        order.append(r)

    for r in records:
        visit(r)
    return order


def member_text(line, earlier):
    """A member of a struct; programs are warned of one that only earlier versions had."""
    m = re.match(r"^.*?(\w+);$", line)
    return f"{line[:-1]} __HL_EARLIER;" if m and m.group(1) in earlier else line


def type_text(r):
    doc = f"/* {r.doc} */\n" if r.doc else ""
    if r.kind == "macro":
        return f"#define {r.name} {r.text}\n"
    if r.kind == "handle":
        return f"{doc}typedef struct {r.text} *{r.name};\n"
    if r.kind == "typedef":
        return f"{doc}typedef {r.text};\n"
    if r.kind == "enum":
        body = ",\n".join(f"  {n} = {v}" for n, v in r.body)
    else:
        body = "\n".join("  " + member_text(line, r.earlier) for line in r.body)
    if r.tag is None:
        return f"{doc}{r.kind} {r.name} {{\n{body}\n}};\n\n"
    return f"{doc}typedef {r.kind} {(r.tag + ' ') if r.tag else ''}{{\n{body}\n}} {r.name};\n\n"


def types_text(records):
    rank = {"macro": 0, "handle": 1, "enum": 2}
    ordered = sorted(records, key=lambda r: rank.get(r.kind, 3))
    split = sum(rank.get(r.kind, 3) < 3 for r in ordered)
    out, previous = "", None
    for r in ordered[:split] + in_dependency_order(ordered[split:]):
        if previous and previous != r.kind and not out.endswith("\n\n"):
            out += "\n"
        out += type_text(r)
        previous = r.kind
    return out


def parameter_text(p):
    return p.text + (f" __HL_DEFAULT({p.default})" if p.default else "")


def function_text(f, spelling, symbol):
    """The declaration of a function. MUSA has the plain name for a versioned symbol, CUDA a macro, as programs expect."""
    name, label, after = f.name, "", ""
    public = f.public.get(spelling)
    if spelling == "cuda" and public:
        after = f"#define {public} {f.name}\n"
    elif public:
        name = public
        label = f' __asm__("{symbol}")'
    if f.twin:
        own = f'"{symbol}", ' if label else ""
        label = f' __XPU_{"VERSION_" if label else ""}TWIN({own}"{symbol}_{f.twin}")'
    deprecated = " __HL_DEPRECATED" if f.deprecated else ""
    parameters = ", ".join(map(parameter_text, f.parameters)) or "void"
    doc = f"/* {f.doc} */\n" if f.doc else ""
    stop = "" if f.returns.endswith("*") else " "
    return f"{doc}extern {f.returns}{stop}{name}({parameters}){label}{deprecated};\n{after}"


def functions_text(records, spelling, speller):
    declared = [f for f in records if not f.older or spelling in f.public]
    return "\n".join(function_text(f, spelling, speller.text(f.name)) for f in declared)


def pointers_text(records, header):
    """PFN_name_vNNNN: the type of each version of a driver function, and PFN_name for the one that programs are given now.

    xpuGLTypedefs.h has those of xpuGL.h; xpuTypedefs.h all that belong to no graphics interface.
    """
    out, newest = "", {}
    own = header.replace("Typedefs", "")
    for f in records:
        mine = f.header == own if own in INTEROP_HEADERS else f.header not in INTEROP_HEADERS
        if f.kind != "function" or f.api != "driver" or not mine:
            continue
        name = version_of(f.name)[0]
        parameters = ", ".join(p.text for p in f.parameters) or "void"
        twin = [f"{f.twin_since}_{f.twin}"] if f.twin_since else []
        for version in [str(v) for v in f.since] + twin:
            stop = "" if f.returns.endswith("*") else " "
            out += f"typedef {f.returns}{stop}(XPUAPI *PFN_{name}_v{version})({parameters});\n"
        latest = max(f.since)
        if latest >= newest.get(name, (0, ""))[0] and (f.public or version_of(f.name)[1] == 1):
            newest[name] = (latest, twin[0] if twin else "")
    for name, (version, twin) in newest.items():
        if twin:
            out += f"#define PFN_{name} __XPU_POINTER(PFN_{name}_v{version}, PFN_{name}_v{twin})\n"
        else:
            out += f"#define PFN_{name} PFN_{name}_v{version}\n"
    return out.rstrip("\n")


def header_text(template, name, records, spelling, speller):
    mine = [r for r in records if r.header == name]
    used = sorted({f"api/{r.api}/{r.object}.api" for r in mine})
    out = []
    for line in template.splitlines():
        if line.startswith("/* SPDX"):
            continue
        if line.strip() == "//@types":
            out.append(types_text([r for r in mine if r.kind != "function"]).rstrip("\n"))
        elif line.strip() == "//@pointers":
            out.append(pointers_text(records, name))
        elif line.strip() == "//@functions":
            out.append(functions_text([r for r in mine if r.kind == "function"], spelling, speller).rstrip("\n"))
        else:
            out.append(line)
    return banner(", ".join([f"api/text/{name}.in", *used])) + speller.text("\n".join(out) + "\n")


def all_headers(text_dir, records, spellers):
    """{path below the include folder: text} for every template and spelling."""
    out, known = {}, set()
    for path in sorted(Path(text_dir).rglob("*.in")):
        name = str(path.relative_to(text_dir))[: -len(".in")]
        known.add(name)
        shared = name in spellers["cuda"].shared
        for spelling in ["cuda"] if shared else SPELLINGS:
            speller = spellers[spelling]
            out[speller.header(name)] = header_text(path.read_text(), name, records, spelling, speller)
    for r in records:
        if r.header not in known:
            raise ValueError(f"{r.place}: there is no text/{r.header}.in")
    return out
