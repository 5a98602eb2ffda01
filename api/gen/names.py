# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names: from the neutral words of the records to the two spellings, and to the names that our own code uses."""

import re
from pathlib import Path

SPELLINGS = ("cuda", "musa")

# The headers that declare functions, and those of them that belong to a graphics interface.
INTEROP_HEADERS = ("xpuGL.h", "xpuEGL.h", "xpuVDPAU.h", "xpu_gl_interop.h", "xpu_egl_interop.h", "xpu_vdpau_interop.h")
DRIVER_HEADERS = ("xpu.h", "xpuProfiler.h", *INTEROP_HEADERS[:3])
RUNTIME_HEADERS = ("xpu_profiler_api.h", "xpu_runtime_api.h", *INTEROP_HEADERS[3:])


def includes(headers):
    return "\n".join(f"#include <{header}>" for header in headers)


class Speller:
    """Turns neutral text into one spelling, by the rules of spellings.txt."""

    def __init__(self, path, spelling):
        self.spelling = spelling
        column = 2 + SPELLINGS.index(spelling)
        self.words, self.files, self.shared, self.rules = {}, {}, set(), []
        for line in Path(path).read_text().splitlines():
            row = line.split()
            if not row or row[0].startswith("#"):
                continue
            if row[0] == "shared":
                self.shared.add(row[1])
            elif row[0] == "prefix":
                follow = {"A": "[A-Z]", "a": "[a-z_]"}.get(row[2], row[2])
                self.rules.append((re.compile(rf"(?<![A-Za-z0-9]){row[1]}(?={follow})"), row[column + 1]))
            elif row[0] == "stem":
                self.rules.append((re.compile(re.escape(row[1])), row[column]))
            elif row[0] == "word":
                self.words[row[1]] = row[column]
            elif row[0] == "file":
                self.files[row[1]] = row[column]
            else:
                raise ValueError(f"{path}: unknown rule '{row[0]}'")
        self.word_pattern = re.compile(r"\b(" + "|".join(map(re.escape, self.words)) + r")\b")
        self.include_pattern = re.compile(r'(#\s*include\s+["<])([\w./]+)([">])')

    def text(self, s):
        s = self.include_pattern.sub(lambda m: m.group(1) + self.files.get(m.group(2), m.group(2)) + m.group(3), s)
        s = self.word_pattern.sub(lambda m: self.words[m.group(1)], s)
        for pattern, replacement in self.rules:
            s = pattern.sub(replacement, s)
        return s

    def header(self, neutral):
        return self.files.get(neutral) or self.text(neutral)


def version_of(name):
    """('xpMemAlloc_v2') -> ('xpMemAlloc', 2); a name without a suffix is version 1."""
    m = re.match(r"^(.*)_v(\d+)$", name)
    return (m.group(1), int(m.group(2))) if m else (name, 1)


def member(function):
    """The DriverTable member: no prefix; a version suffix only where the plain name means another function."""
    base, version = version_of(function.name)
    if not function.older and (function.public or version == 1):
        return re.sub(r"^(xpu|xp)", "", base)
    return re.sub(r"^(xpu|xp)", "", f"{base}_v{version}")


def snake(name):
    """MemcpyHtoDAsync -> memcpy_htod_async, Memcpy3DPeer -> memcpy3d_peer, MemsetD2D8 -> memset_d2d8."""
    name = re.sub(r"([AHD])to([AHD])", lambda m: m.group(1) + "to" + m.group(2).lower(), name)
    name = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z0-9])(?=[A-Z][a-z])", "_", name)
    return name.lower()


def implementation(function):
    return snake(member(function))
