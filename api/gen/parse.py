# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads api/**/*.api into records. The grammar is described in docs/adding-an-entry-point.md."""

import re
from dataclasses import dataclass, field
from pathlib import Path


class RecordError(Exception):
    """A record that cannot be read; the message starts with file:line."""


@dataclass
class Parameter:
    type: str  # without the name; an array parameter is spelled as a pointer
    name: str
    text: str  # the C declaration
    default: str | None = None


@dataclass
class Record:
    kind: str  # function, enum, struct, union, typedef, handle, macro
    name: str
    api: str  # driver, runtime
    object: str  # the file's stem
    header: str
    place: str  # file:line
    doc: str = ""
    tag: str | None = None  # of `typedef enum tag {…} name`; None: no typedef; "": no tag
    text: str = ""  # typedef: the C declaration; macro: the value; handle: the struct tag
    body: list = field(default_factory=list)  # enum: (name, value); struct, union: lines of C
    texts: dict = field(default_factory=dict)  # enum: enumerator -> what it means to a user
    earlier: set = field(default_factory=set)  # struct: members that only earlier versions of the interface had
    # functions
    returns: str = ""
    parameters: list = field(default_factory=list)
    twin: str | None = None  # ptsz, ptds: has a per-thread default stream twin
    public: dict = field(default_factory=dict)  # spelling -> name that users write, where it differs from the symbol
    aliases: list = field(default_factory=list)  # further symbols for the same body
    deprecated: bool = False
    older: bool = False  # kept for programs built against older headers; not declared
    plain: bool = False  # returns its value as it is: no error handling
    spelled: bool = False  # the result shows the spelling: each has its own body, made from the error tables
    since: list = field(default_factory=list)  # versions of the interface at which this function was (re)defined
    twin_since: int = 0  # the version that brought the twin


KINDS = ("function", "enum", "struct", "union", "typedef", "handle", "macro")
RESULT_TYPES = ("XPresult", "xpuError_t")


def split_parameters(text):
    parts, depth, current = [], 0, ""
    for c in text:
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += c
    if current.strip() and current.strip() != "void":
        parts.append(current.strip())
    return parts


def parse_parameter(text):
    default = None
    if " = " in text:
        text, default = text.split(" = ")
    m = re.match(r"^(.*?)(\w+)(\[\w*\])?$", text)
    if not m or not m.group(1).strip():
        raise ValueError(f"cannot read the parameter '{text}'")
    kind = m.group(1).strip() + (" *" if m.group(3) else "")
    return Parameter(kind, m.group(2), text.strip(), default)


def parse_head(record, rest):
    """Fills a record from the text after its kind word."""
    if record.kind == "function":
        m = re.match(r"^(.*?)(\w+)\((.*)\)$", rest)
        if not m:
            raise ValueError("expected: function <type> <name>(<parameters>)")
        record.returns, record.name = m.group(1).strip(), m.group(2)
        record.parameters = [parse_parameter(p) for p in split_parameters(m.group(3))]
    elif record.kind == "typedef":
        m = re.search(r"\(\*\s*(\w+)\)\(", rest) or re.search(r"(\w+)(\[\w+\])?$", rest)
        record.name, record.text = m.group(1), rest
    elif record.kind in ("handle", "macro"):
        record.name, record.text = rest.split(None, 1)
    else:
        name, _, tag = rest.partition(":")
        record.name, record.tag = name.strip(), tag.strip() if ":" in rest else None


def parse_line(record, line):
    """One indented line below a record."""
    if line.startswith('"'):
        record.doc = line.strip('"')
    elif record.kind == "enum":
        m = re.match(r'^(\w+) = ([^"]+?)(?: "(.*)")?$', line)
        if not m:
            raise ValueError('expected: <name> = <value> "text"')
        record.body.append((m.group(1), m.group(2)))
        if m.group(3):
            record.texts[m.group(1)] = m.group(3)
    elif record.kind in ("struct", "union"):
        line, _, note = line.partition("  # ")
        record.body.append(line)
        if note == "earlier":
            record.earlier.add(re.search(r"(\w+)(\[\d+\])?;$", line).group(1))
        elif note:
            raise ValueError(f"unknown note '{note}'")
    else:
        word, _, rest = line.partition(" ")
        if record.kind == "function" and word == "twin" and re.match(r"^(ptsz|ptds)( \d+)?$", rest):
            record.twin, _, version = rest.partition(" ")
            record.twin_since = int(version or 0)
        elif record.kind == "function" and word == "public":
            name, _, spelling = rest.partition(" ")
            for s in [spelling] if spelling else ["cuda", "musa"]:
                record.public[s] = name
        elif record.kind == "function" and word == "since":
            record.since = [int(version) for version in rest.split()]
        elif record.kind == "function" and word == "alias":
            record.aliases.append(rest)
        elif record.kind == "function" and line in ("deprecated", "older", "plain", "spelled"):
            setattr(record, line, True)
        else:
            raise ValueError(f"unknown attribute '{line}'")


def parse_file(path, api):
    records, header, record = [], None, None
    for number, raw in enumerate(Path(path).read_text().splitlines(), 1):
        line = raw.rstrip()
        if not line or line.startswith("#"):
            continue
        place = f"{path}:{number}"
        try:
            if line.startswith("  "):
                if record is None:
                    raise ValueError("an indented line belongs below a record")
                depth = (len(line) - len(line.lstrip())) // 2 - 1
                parse_line(record, "  " * depth + line.strip())
                continue
            kind, _, rest = line.partition(" ")
            if kind == "header":
                header = rest
                continue
            if kind not in KINDS:
                raise ValueError(f"unknown kind '{kind}'")
            if header is None:
                raise ValueError("no header line before the first record")
            record = Record(kind, "", api, Path(path).stem, header, place)
            parse_head(record, rest)
            records.append(record)
        except ValueError as e:
            raise RecordError(f"{place}: {e}") from e
    return records


def parse_tree(root):
    """All records below root/driver and root/runtime, in the order of their files' names."""
    records, seen = [], {}
    for api in ("driver", "runtime"):
        for path in sorted((Path(root) / api).glob("*.api")):
            records += parse_file(path, api)
    for r in records:
        text = "\n".join(r.body) if r.kind in ("struct", "union") else ""
        if text.count("{") != text.count("}"):
            raise RecordError(f"{r.place}: the braces of '{r.name}' do not match")
        key = (r.kind == "function", r.name)
        if key in seen:
            raise RecordError(f"{r.place}: '{r.name}' is already defined at {seen[key].place}")
        seen[key] = r
    return records
