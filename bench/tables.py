#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Print the rows that bench/run has gathered as tables in Markdown, those of bench/apps with the lines of their sources.

usage: tables.py ROWS.json [TABLE...]
"""
import json
import pathlib
import re
import sys

SCALES = ((1, "s"), (1e-3, "ms"), (1e-6, "us"), (0, "ns"))


def text(figure, unit):
    if unit != "s":
        return f"{figure:.4g} {unit}"
    scale, name = next(each for each in SCALES if abs(figure) >= each[0])
    return f"{figure / (scale or 1e-9):.3g} {name}"


def key(row):
    return row["row"], row["who"], row["how"]


def native_cell(row):
    """The second column: median and ratio with the flags of this machine."""
    if row is None:
        return ""
    ratio = "" if row["ratio"] is None else f" ({row['ratio']:.3g})"
    return text(row["median"], row["unit"]) + ratio + ("" if row["quiet"] else " (not quiet)")


def print_table(name, rows):
    """What has flags of its own stands in the column behind what has those of the build."""
    native = {key(row): row for row in rows if row.get("flags")}
    flags = next((row["flags"] for row in native.values()), "native")
    print(f"\n### {name}\n\n| row | who | median | range | ratio | {flags} (ratio) | how |\n|---|---|---|---|---|---|---|")
    last = None
    for row in rows:
        if row.get("flags"):
            continue
        span = f"{text(row['min'], row['unit'])} to {text(row['max'], row['unit'])}"
        ratio = "" if row["ratio"] is None else f"{row['ratio']:.3g}"
        how = row["how"] + ("" if row["quiet"] else " (not quiet)")
        print(f"| {'' if row['row'] == last else row['row']} | {row['who']} | {text(row['median'], row['unit'])} | "
              f"{span} | {ratio} | {native_cell(native.get(key(row)))} | {how} |")
        last = row["row"]


def count_lines(path):
    """Lines of code of each part of an app's file: no blank lines, no comments."""
    text = re.sub(r"/\*(?! ---- ).*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    counts, part = {}, "All sides"
    for line in text.splitlines():
        if line.startswith("/* ---- "):
            part = re.match(r"/\* ---- (\w+( sides)?)", line).group(1)
        elif line.strip() and not line.startswith((" *", "#include")):
            counts[part] = counts.get(part, 0) + 1
    return counts


def apps_lines():
    """By name, as in the rows."""
    lines = {}
    for path in pathlib.Path(__file__).parent.glob("app/*.c"):
        name = re.search(r'const app app_\w+ = \{\s*"([^"]*)"', path.read_text(encoding="utf-8"))
        if name:
            lines[name.group(1)] = count_lines(path)
    return lines


def ratios(rows, row, limit, whos):
    times = {f"{each['who']} {each['how']}": each["min"] for each in rows if each["row"] == row}
    if limit not in times:
        return ["", *("" for _ in whos)]
    return [text(times[limit], "s"), *(f"{times[who] / times[limit]:.2f}" for who in whos)]


def print_apps(name, rows):
    """A line for each program and size: the least times, and what Cohort's are of them, with both columns of flags."""
    lines = apps_lines()
    plain, native = ([row for row in rows if bool(row.get("flags")) == is_native] for is_native in (False, True))
    print(f"\n### {name}\n\nLeast times of all turns; lines of code of each side.\n\n"
          "| program, working set | lines: OpenMP, Cohort, OpenCL | OpenMP | host:0 | host/2 | native: OpenMP | host:0 | host/2 |"
          " OpenCL by hand | opencl:0 |\n|---|---|---|---|---|---|---|---|---|---|")
    seen = set()
    for row in dict.fromkeys(row["row"] for row in rows):
        app = row.split(",")[0]
        code = "" if app in seen else ", ".join(str(lines[app].get(part, "")) for part in ("OpenMP", "Cohort", "OpenCL"))
        seen.add(app)
        host = ["Cohort host:0", "Cohort host/2"]
        print("| " + " | ".join([row, code, *ratios(plain, row, "OpenMP by hand", host), *ratios(native, row, "OpenMP by hand", host),
                                 *ratios(plain, row, "OpenCL by hand", ["Cohort opencl:0"])]) + " |")
    if not all(row["quiet"] for row in rows):
        print("\nThe machine was not quiet.")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        run = json.load(file)
    print(f"{run['date']}, {run['processors']} processors ({run['processor']}), {run['system']}, {run['compiler']} "
          f"{run['flags']}, commit {run['commit']}, size {run['size']}.")
    for name in dict.fromkeys(row["table"] for row in run["rows"]):
        if name in sys.argv[2:] or len(sys.argv) == 2:
            rows = [row for row in run["rows"] if row["table"] == name]
            (print_apps if name == "apps" else print_table)(name, rows)


if __name__ == "__main__":
    main()
