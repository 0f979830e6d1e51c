#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Is every part of what the recorded cases want looked at? Each is changed, one at a time, in a row of its own, which
has to fail then.

usage: changed_rows.py GOLDEN TABLE.json... [-- WORD...]: the words go to golden (--devices LIST)

Prints TAP: a line for each table. Every leaf of what a row wants is changed, each list once loses its last element,
each object a member's name; what fails is made one that passes, and the other way round. Nothing is drawn at random."""
import copy
import json
import os
import re
import subprocess
import sys
import tempfile
import time


def changed_leaf(x):
    if isinstance(x, bool):
        return not x
    if x is None:
        return 0
    if isinstance(x, (int, float)):
        return -x if 256 <= abs(x) < 2**63 else x + 1  # no number beyond 64 bits
    if x in ("inf", "-inf", "nan"):
        return 0
    return "uint8" if x == "int8" else x + "?"


def changes(x):
    """Copies of x, each with one change."""
    if isinstance(x, dict):
        for key in x:
            for other in changes(x[key]):
                yield {**x, key: other}
            yield {("?" + k if k == key else k): v for k, v in x.items()}
    elif isinstance(x, list):
        for i, part in enumerate(x):
            for other in changes(part):
                yield x[:i] + [other] + x[i + 1:]
        if x:
            yield x[:-1]
        yield x + [x[-1] if x else 0]
    else:
        yield changed_leaf(x)


def says_anything(x):
    """Of an error it is enough that there is one, and <...> is any object of Python's."""
    return isinstance(x, str) and x.startswith("<")


def is_compared(wanted, other):
    """Not where the change is inside of what an error says."""
    if isinstance(wanted, dict) and isinstance(other, dict):
        if set(wanted) != set(other):
            return True
        return any(key != "error" and is_compared(wanted[key], other[key]) for key in wanted)
    if isinstance(wanted, list) and isinstance(other, list) and len(wanted) == len(other):
        return any(is_compared(a, b) for a, b in zip(wanted, other))
    return wanted != other and not says_anything(wanted)


def changed_rows(row):
    """Rows that must fail, and the end of the line that says so."""
    nothing = {"type": "ValueError", "text": ""}
    if "cohort_error" in row:
        yield {**row, "cohort_error": row["cohort_error"] + "?"}, ""
        yield {**{k: v for k, v in row.items() if k != "cohort_error"}, "cohort_result": {"value": "?"}}, ""
    elif "cohort_result" in row:
        for other in changes(row["cohort_result"]):
            if is_compared(row["cohort_result"], other):
                yield {**row, "cohort_result": other}, ""
        yield {**{k: v for k, v in row.items() if k != "cohort_result"}, "cohort_error": ""}, ""
    elif "error" in row:
        yield {**{k: v for k, v in row.items() if k != "error"}, "result": {"value": "?"}}, ""
    else:
        yield {**{k: v for k, v in row.items() if k != "result"}, "error": nothing}, ""
    if "result" in row and ("cohort" not in row or "cohort_ceil" in row):
        for other in changes(row["result"]):
            if is_compared(row["result"], other):
                yield {**row, "result": other}, ", split ceil" if "cohort_ceil" in row else ""


def run(golden, words, rows):
    """What golden says of rows: by the text of a line whether it is ok; what is skipped is left out."""
    with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as table:
        json.dump(rows, table)
    try:
        done = subprocess.run([golden, *words, table.name], capture_output=True, text=True, check=False)
    finally:
        os.unlink(table.name)
    if done.returncode not in (0, 1):
        sys.exit(f"Bail out! golden ends with {done.returncode}: {done.stderr}")
    lines = re.findall(r"^(not )?ok \d+ - (.*)$", done.stdout, re.M)
    return {text: verdict == "" for verdict, text in lines if " # SKIP " not in text}


def check(golden, words, path):
    with open(path, encoding="utf-8") as file:
        rows = json.load(file)
    run_as_they_are = run(golden, words, rows)
    wanted, table = [], []
    for row in rows:
        if row["id"] not in run_as_they_are:
            continue
        for k, (other, end) in enumerate(changed_rows(row)):
            other["id"] = f"{row['id']}#{k}"
            table.append(other)
            wanted.append((other["id"] + end, other))
    said = run(golden, words, table)
    passed = [(text, row) for text, row in wanted if said.get(text, True)]
    for text, row in passed[:20]:
        print(f"# passes, or is not run: {text}: {json.dumps(row)[:400]}")
    return len(wanted), len(passed)


def main(golden, *arguments):
    split = arguments.index("--") if "--" in arguments else len(arguments)
    tables, words = arguments[:split], arguments[split + 1:]
    failures = 0
    for i, path in enumerate(tables):
        start = time.monotonic()
        n, passed = check(golden, words, path)
        failures += passed > 0 or n == 0
        print(f"{'not ' if passed or n == 0 else ''}ok {i + 1} - {os.path.basename(path)}: {n - passed} of {n} changed "
              f"rows fail, {time.monotonic() - start:.1f} s", flush=True)
    print(f"1..{len(tables)}")
    return failures > 0


sys.exit(main(*sys.argv[1:]))
