#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Print the rows that bench/run has gathered as tables in Markdown.

usage: tables.py ROWS.json [TABLE...]
"""
import json
import sys

SCALES = ((1, "s"), (1e-3, "ms"), (1e-6, "us"), (0, "ns"))


def text(figure, unit):
    if unit != "s":
        return f"{figure:.4g} {unit}"
    scale, name = next(each for each in SCALES if abs(figure) >= each[0])
    return f"{figure / (scale or 1e-9):.3g} {name}"


def print_table(name, rows):
    print(f"\n### {name}\n\n| row | who | median | range | ratio | how |\n|---|---|---|---|---|---|")
    last = None
    for row in rows:
        span = f"{text(row['min'], row['unit'])} to {text(row['max'], row['unit'])}"
        ratio = "" if row["ratio"] is None else f"{row['ratio']:.3g}"
        how = row["how"] + ("" if row["quiet"] else " (not quiet)")
        print(f"| {'' if row['row'] == last else row['row']} | {row['who']} | {text(row['median'], row['unit'])} | "
              f"{span} | {ratio} | {how} |")
        last = row["row"]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        run = json.load(file)
    print(f"{run['date']}, {run['processors']} processors ({run['processor']}), {run['system']}, {run['compiler']} "
          f"{run['flags']}, commit {run['commit']}, size {run['size']}.")
    for name in dict.fromkeys(row["table"] for row in run["rows"]):
        if name in sys.argv[2:] or len(sys.argv) == 2:
            print_table(name, [row for row in run["rows"] if row["table"] == name])


if __name__ == "__main__":
    main()
