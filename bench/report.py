# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what helicon-bench measured (JSON lines) into docs/performance.md, between the markers, and draws docs/performance.svg.

report.py RESULTS DOCS
"""

import json
import math
import pathlib
import sys

BEGIN, END = "<!-- bench -->", "<!-- end bench -->"
FEATURES = ["sse4_2", "avx2", "fma", "avx512f", "avx512vl", "avx512bw", "avx512_bf16", "avx512_fp16", "amx_tile"]


def machine():
    text = pathlib.Path("/proc/cpuinfo").read_text()
    flags = next(line for line in text.splitlines() if line.startswith("flags")).split()
    cores = text.count("\nprocessor") + text.startswith("processor")
    return f"{cores} cores, x86-64 with " + ", ".join(f for f in FEATURES if f in flags)


def figure(row, value):
    return f"{value:.2f}" if row["unit"] == "ratio" else f"{value:.0f} {row['unit']}"


def table(rows):
    yield "| row | figure | quartiles | must | stretch | | hand-written, of the machine's limit | PoCL / Helicon |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for row in rows:
        limit = f"{row['limit']:.0%}" if row["limit"] else ""
        pocl = f"{row['opencl']:.1f}" if row["opencl"] else ""
        yield (
            f"| {row['row']} | {figure(row, row['median'])} | {figure(row, row['low'])} – {figure(row, row['high'])} | "
            f"{figure(row, row['must'])} | {figure(row, row['stretch'])} | {row['verdict']} | {limit} | {pocl} |"
        )


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else 0


def summary(rows):
    ratios = [row["median"] for row in rows if row["unit"] == "ratio" and row["kernel"]]
    pocl = [row["opencl"] for row in rows if row["opencl"] and row["kernel"]]
    yield f"Geometric mean of the kernels' ratios: {mean(ratios):.2f} (goal 1.70, stretch 1.25)."
    if pocl:
        yield f"PoCL / Helicon, geometric mean: {mean(pocl):.1f} (goal 5, stretch 7.5); least {min(pocl):.1f}."


def plot(rows):
    """Bars of the kernels' ratios on a logarithmic scale; a tick marks each row's goal."""
    rows = [row for row in rows if row["unit"] == "ratio" and row["kernel"]]
    left, width, step = 170, 560, 22
    top = max(4.0, *(row["high"] for row in rows), *(row["must"] for row in rows)) if rows else 4.0
    low = 0.25

    def x(value):
        return left + width * math.log(max(value, low) / low) / math.log(top / low)

    height = step * len(rows) + 50
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 30}" height="{height}" font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{left}" y="14">time of Helicon / time of hand-written code; bar: median, line: quartiles, tick: goal</text>',
    ]
    value = 0.5
    while value <= top:
        out.append(f'<line x1="{x(value):.1f}" x2="{x(value):.1f}" y1="22" y2="{height - 22}" stroke="{"#888" if value == 1 else "#ddd"}"/>')
        out.append(f'<text x="{x(value):.1f}" y="{height - 8}" text-anchor="middle">{value:g}</text>')
        value *= 2
    for i, row in enumerate(rows):
        y = 26 + i * step
        colour = {"stretch met": "#2e7d32", "must met": "#7cb342", "missed": "#e57373"}[row["verdict"]]
        middle = y + 8
        out.append(f'<text x="{left - 8}" y="{y + 12}" text-anchor="end">{row["row"]}</text>')
        out.append(f'<rect x="{left}" y="{y}" width="{x(row["median"]) - left:.1f}" height="16" fill="{colour}"/>')
        out.append(f'<line x1="{x(row["low"]):.1f}" x2="{x(row["high"]):.1f}" y1="{middle}" y2="{middle}" stroke="black"/>')
        out.append(f'<line x1="{x(row["must"]):.1f}" x2="{x(row["must"]):.1f}" y1="{y - 1}" y2="{y + 17}" stroke="#1565c0" stroke-width="3"/>')
    out.append("</svg>")
    return "\n".join(out) + "\n"


def main():
    results, docs = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    rows = [json.loads(line) for line in results.read_text().splitlines()]
    page = docs / "performance.md"
    text = page.read_text()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    made = [f"`./dev bench --write` measured this on {machine()}.", "", *table(rows), "", *summary(rows), "", "![ratios](performance.svg)"]
    page.write_text(before + BEGIN + "\n\n" + "\n".join(made) + "\n\n" + END + after)
    (docs / "performance.svg").write_text(plot(rows))


main()
