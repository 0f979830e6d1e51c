#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draw README's picture: one training step of Cohort beside its peers, from one run of bench/run.

usage: make_step_picture.py doc/training-step.json > doc/training-step.svg

The run is made by `make bench BENCH=train` on a quiet machine (doc/benchmarks.md says how); its rows.json is doc/training-step.json.
A dot is the median of the turns, the line through it their range; a dot is hollow where the machine was not quiet.
"""
import json
import math
import sys
from html import escape

TABLE = "training step"
MODELS = (  # the row of the table, what a reader calls it
    ("mlp 784-256-128-10, batch 32", "MLP 784-256-128-10, batch 32"),
    ("softmax 784-10, batch 32", "softmax regression 784-10, batch 32"),
)
SIDES = (  # who in the table, name in the picture
    ("by hand, one shared copy", "C by hand: threads, BLAS"),
    ("cohort, layer by layer, recorded", "Cohort, recorded"),
    ("cohort, layer by layer, calls", "Cohort, call by call"),
    ("JAX, 100 steps in a call", "JAX, 100 steps in a call"),
    ("JAX, jit", "JAX, a call a step"),
    ("TensorFlow, best form", "TensorFlow, 100 steps in a call"),
    ("PyTorch, eager", "PyTorch, eager"),
    ("TensorFlow, strategy.run", "TensorFlow, strategy.run"),
    ("PyTorch, DistributedDataParallel", "PyTorch, DDP"),
    ("TensorFlow, Keras fit", "TensorFlow, Keras fit"),
)
WIDTH, LEFT, RIGHT = 720, 230, 640
LINE, HEAD, AXIS = 22, 34, 40

STYLE = """  text { fill: #222 } .small { fill: #666; font-size: 11px } .grid { stroke: #ddd } .mark { stroke: #777; fill: #777 }
  .ours { stroke: #1b6ec2; fill: #1b6ec2 } text.ours { stroke: none; font-weight: bold } .hollow { fill: #fff }
  @media (prefers-color-scheme: dark) {
    text { fill: #ddd } .small { fill: #999 } .grid { stroke: #444 } .mark { stroke: #aaa; fill: #aaa }
    .ours { stroke: #6db3ff; fill: #6db3ff } .hollow { fill: #111 }
  }"""


def rows_of(run, model):
    """The rows of a model in the order of SIDES; all of them have to be there."""
    rows = {row["who"]: row for row in run["rows"]
            if row["table"] == TABLE and row["row"] == model and not row.get("flags")}
    missing = [who for who, _ in SIDES if who not in rows]
    if missing:
        sys.exit(f"make_step_picture.py: the run has no '{missing[0]}' in the row '{model}' of the table '{TABLE}'")
    return [(name, rows[who]) for who, name in SIDES]


def time_text(seconds):
    return f"{seconds * 1e6:.0f} µs" if seconds < 1e-3 else f"{seconds * 1e3:.3g} ms"


def ticks(low, high):
    """1, 2, 5 times powers of ten, between low and high."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    return [t for k in range(first, last + 1) for t in (10.0**k, 2 * 10.0**k, 5 * 10.0**k) if low <= t <= high]


def panel(title, rows, top):
    """One model: a line of SVG for each side, below them the axis of time, by logarithm."""
    low = min(row["min"] for _, row in rows) * 0.9
    high = max(row["max"] for _, row in rows) * 1.1
    scale = (RIGHT - LEFT) / math.log(high / low)
    bottom = top + HEAD + len(rows) * LINE

    def x(seconds):
        return round(LEFT + math.log(seconds / low) * scale, 1)

    out = [f'<text x="10" y="{top + 20}" font-weight="bold">{escape(title)}</text>']
    for tick in ticks(low, high):
        out.append(f'<path class="grid" d="M{x(tick)} {top + HEAD - 6}V{bottom}"/>')
        out.append(f'<text class="small" x="{x(tick)}" y="{bottom + 15}" text-anchor="middle">{time_text(tick)}</text>')
    for i, (name, row) in enumerate(rows):
        y = top + HEAD + i * LINE + LINE // 2
        kind = " ours" if row["who"].startswith("cohort") else ""
        hollow = "" if row["quiet"] else " hollow"
        times = row["median"] / rows[0][1]["median"]
        out.append(f'<text class="name{kind}" x="{LEFT - 12}" y="{y + 4}" text-anchor="end">{escape(name)}</text>')
        out.append(f'<path class="mark{kind}" stroke-width="2" d="M{x(row["min"])} {y}H{x(row["max"])}"/>')
        out.append(f'<circle class="mark{kind}{hollow}" cx="{x(row["median"])}" cy="{y}" r="5" stroke-width="2"/>')
        out.append(f'<text class="small" x="{WIDTH - 8}" y="{y + 4}" text-anchor="end">{times:.{2 if times < 10 else 0}f} x</text>')
    return out, bottom + AXIS


def notes(run):
    """What the figures depend on."""
    return (
        "A dot is the median of the turns, its line their range. 100 steps in a call: of one fixed batch.",
        f'{run["processor"]}, {run["processors"]} cores; 2 replicas of 1 thread; {run["date"][:10]}, commit {run["commit"]}',
        ", ".join(f"{name} {run['versions'][name]}" for name in ("JAX", "TensorFlow", "PyTorch", "OpenBLAS")),
    )


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: make_step_picture.py ROWS.json > PICTURE.svg")
    with open(sys.argv[1], encoding="utf-8") as file:
        run = json.load(file)
    body, y = [], 30
    for row, title in MODELS:
        lines, y = panel(title, rows_of(run, row), y)
        body += lines
    for text in notes(run):
        body.append(f'<text class="small" x="10" y="{y + 8}">{escape(text)}</text>')
        y += 15
    sys.stdout.reconfigure(encoding="utf-8")
    print(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y + 8}" width="{WIDTH}" height="{y + 8}" role="img" '
        'font-family="sans-serif" font-size="13">'
    )
    print("<!-- SPDX-License-Identifier: BSD-3-Clause -->")
    print("<title>Time of one training step: Cohort, C by hand, JAX, TensorFlow, PyTorch</title>")
    print(f"<style>\n{STYLE}\n</style>")
    print('<text x="10" y="20" font-size="15" font-weight="bold">Time of one training step, by logarithm; left is faster</text>')
    print("\n".join(body))
    print("</svg>")


if __name__ == "__main__":
    main()
