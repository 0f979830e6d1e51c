# SPDX-License-Identifier: BSD-3-Clause
"""What tests that compare `cohort run` with NumPy share: a table of cases, and TAP.

A case is a claim, the words of the command before the values, the values by name (arrays go through .npy files), and
what is expected of each output by name: an array, flat for structs, or a number for "result". A case that not every
device can do names the words of the error that says so, which make it a SKIP.
"""
import json
import os
import subprocess
import sys
import tempfile
from collections import namedtuple

import numpy as np

Case = namedtuple("Case", "claim words values expected tolerance unless")
COHORT = os.path.join(os.environ["builddir"], "cli", "cohort")


def case(claim, words, values, expected, tolerance=0, unless=None):
    return Case(claim, words, values, expected, tolerance, unless)


def words_of(values, folder):
    for name, value in values.items():
        if isinstance(value, str):
            yield f"{name}={value}"
        elif isinstance(value, np.ndarray):
            path = os.path.join(folder, name + ".npy")
            np.save(path, value)
            yield f"{name}=@{path}"
        else:
            yield f"{name}={value!r}"


def run(words, values, folder):
    """The command's JSON, or its error as text."""
    done = subprocess.run([COHORT, "run", *words, *words_of(values, folder), "--json"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr


def numbers(flat):
    """JSON's numbers: text where they are not finite, lists of two where they are complex."""
    return [complex(float(x[0]), float(x[1])) if isinstance(x, list) else float(x) if isinstance(x, str) else x
            for x in flat]


def found(answer, name):
    if name == "result":
        is_one = answer["replicas"] == 1 or not isinstance(answer["result"], list)
        return numbers([answer["result"]])[0] if is_one else numbers(answer["result"])
    output = answer["outputs"][name]
    flat = np.array(numbers(output["data"]))
    return flat.reshape(output["shape"]) if flat.size == np.prod(output["shape"], dtype=int) else flat


def is_same(got, wanted, tolerance):
    got, wanted = np.asarray(got), np.asarray(wanted)
    if got.shape != wanted.shape:
        return False
    if tolerance == 0:
        return bool(np.array_equal(got, wanted, equal_nan=wanted.dtype.kind in "fc"))
    return bool(np.allclose(got, wanted, rtol=tolerance, atol=tolerance))


def check(one, folder):
    """What is wrong, or None."""
    answer = run(one.words, one.values, folder)
    if isinstance(answer, str):
        return answer
    for name, wanted in one.expected.items():
        got = found(answer, name)
        if not is_same(got, wanted, one.tolerance):
            return f"{name}: found {got!r}\nwanted {wanted!r}"
    return None


def main(cases):
    failures = 0
    for number, one in enumerate(cases, 1):
        with tempfile.TemporaryDirectory() as folder:
            reason = one.words if isinstance(one.words, str) else None
            wrong = reason or check(one, folder)
        if wrong and one.unless and one.unless in wrong:
            reason = one.unless
        if reason:
            print(f"ok {number} - {one.claim} # SKIP {reason}")
        else:
            failures += wrong is not None
            print(f"{'ok' if wrong is None else 'not ok'} {number} - {one.claim}")
            if wrong is not None:
                print("\n".join("# " + line for line in wrong.splitlines()))
        sys.stdout.flush()
    print(f"1..{len(cases)}")
    sys.exit(failures > 0)
