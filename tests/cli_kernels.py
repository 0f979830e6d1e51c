#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""cohort run on the kernels of tests/kernels, against NumPy, each with the declaration that it has in its file.

A new kernel is one more row of CASES: file, name, geometry, values, expected outputs.
"""
import os
import re
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cohort_run import case, main  # noqa: E402

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernels")
RANDOM = np.random.RandomState(2)
DEVICES = sys.argv[1] if len(sys.argv) > 1 else "opencl:0"


def declaration(file, name):
    """The words of the file from "kernel" to the parenthesis that closes."""
    with open(os.path.join(FOLDER, file + ".cl"), encoding="ascii") as source:
        found = re.search(r"kernel void " + name + r"\([^)]*\)", source.read())
    return " ".join(found.group().split())


def kernel(file, name, geometry, values, expected, tolerance=0, prototype=None, more=()):
    words = [prototype or declaration(file, name), "--opencl", os.path.join(FOLDER, file + ".cl"), "--devices", DEVICES,
             "--global", geometry, *more]
    unless = "this device has no float64" if file == "double" else None
    return case(f"{name} of {file}.cl", words, values, expected, tolerance, unless)


def integers(dtype, *shape):
    limits = np.iinfo(dtype)
    x = RANDOM.randint(max(limits.min, -2**31), min(limits.max, 2**31 - 1), shape, dtype=np.int64).astype(dtype)
    x.flat[0], x.flat[1] = limits.min, limits.max
    return x


def small(*shape):
    return RANDOM.randint(0, 100, shape).astype(np.int32)


def reals(*shape):
    return RANDOM.rand(*shape).astype(np.float32)


def blurred(x):
    padded = np.pad(x, 1)
    return sum(padded[i:i + x.shape[0], j:j + x.shape[1]] for i in range(3) for j in range(3))


def laplace(x):
    y = np.zeros_like(x)
    inside = (slice(1, -1),) * 3
    y[inside] = -6 * x[inside]
    for axis in range(3):
        for by in -1, 1:
            y[inside] += np.roll(x, by, axis)[inside]
    return y


I8, U8, I16, U16 = integers(np.int8, 37), integers(np.uint8, 37), integers(np.int16, 37), integers(np.uint16, 37)
I32, U32, I64, U64 = integers(np.int32, 37), integers(np.uint32, 37), integers(np.int64, 37), integers(np.uint64, 37)
F, G, V4, W4 = reals(37), reals(37), reals(9, 4), reals(9, 4)
D, C = RANDOM.rand(37), RANDOM.rand(5)
A, B, GRID, CUBE = reals(6, 5), reals(5, 7), small(6, 9), small(5, 6, 7).astype(np.float32)
GROUPS, BYTES, PAIRS, TILES = small(64), small(200).astype(np.uint8), small(18, 2), small(4, 6)
WHERE, ODD = "where={ float x; float y; int n; }", "odd={ uint8_t tag; int64_t much; }"
WHERE_WORDS, ODD_WORDS = ["--type", WHERE], ["--type", ODD]

with np.errstate(over="ignore"):
    CASES = [
        kernel("elementwise", "negate_char", "37", {"x": I8, "y": "zeros(37)"}, {"y": -I8}),
        kernel("elementwise", "invert_uchar", "37", {"x": U8, "y": "zeros(37)"}, {"y": ~U8}),
        kernel("elementwise", "double_short", "37", {"x": I16, "y": "zeros(37)"}, {"y": 2 * I16}),
        kernel("elementwise", "swap_ushort", "37", {"x": U16, "y": "zeros(37)"}, {"y": U16.byteswap()}),
        kernel("elementwise", "shift_int", "n", {"n": 37, "by": 3, "x": I32, "y": "zeros(37)"}, {"y": I32 >> 3}),
        kernel("elementwise", "rotate_uint", "n", {"n": 37, "by": 5, "x": U32, "y": "zeros(37)"},
               {"y": U32 << np.uint32(5) | U32 >> np.uint32(27)}),
        kernel("elementwise", "multiply_long", "n", {"n": 37, "by": -3, "x": I64 >> 3, "y": "zeros(37)"},
               {"y": (I64 >> 3) * -3}),
        kernel("elementwise", "or_ulong", "n", {"n": 37, "bits": 2**63 + 1, "x": U64, "y": "zeros(37)"},
               {"y": U64 | np.uint64(2**63 + 1)}),
        kernel("elementwise", "saxpy", "n", {"n": 37, "a": 0.5, "x": F, "y": G}, {"y": G + np.float32(0.5) * F}, 1e-7),
        kernel("elementwise", "fill", "n", {"n": 3, "by": 0.1, "y": "zeros(3)"}, {"y": np.full(3, 0.1, np.float32)}, 1e-7),
        kernel("elementwise", "popcounts", "37", {"x": U32, "y": "zeros(37)"},
               {"y": np.array([bin(x).count("1") for x in U32])}),
        kernel("elementwise", "to_float", "37", {"x": I32, "y": "zeros(37)"}, {"y": I32.astype(np.float32)}, 1e-7),
        kernel("elementwise", "clamp_int", "54", {"least": 10, "most": 60, "x": GRID}, {"x": GRID.clip(10, 60)}),
        kernel("elementwise", "choose", "37", {"which": I32 % 2, "a": F, "b": G, "c": "zeros(37)"},
               {"c": np.where(I32 % 2, F, G)}, 1e-7),
        kernel("elementwise", "weigh_halves", "37", {"x": F.astype(np.float16), "y": "zeros(37)"},
               {"y": 2 * F.astype(np.float16).astype(np.float32)}, 1e-7),
        kernel("double", "daxpy", "n", {"n": 37, "a": -1.25, "x": D, "y": D[::-1].copy()}, {"y": D[::-1] - 1.25 * D}, 1e-15),
        kernel("double", "roots", "37", {"x": D, "y": "zeros(37)"}, {"y": np.sqrt(D)}, 1e-15),
        kernel("double", "horner", "37", {"degree": 4, "c": C, "x": D, "y": "zeros(37)"},
               {"y": np.polyval(C[::-1], D)}, 1e-14),
        kernel("vectors", "scale4", "9", {"by": "1,2,3,4", "x": V4, "y": "zeros(9,4)"},
               {"y": V4 * np.array([1, 2, 3, 4], np.float32)}, 1e-7),
        kernel("vectors", "dot4", "9", {"x": V4, "y": W4, "z": "zeros(9)"}, {"z": (V4 * W4).sum(1)}, 1e-6),
        kernel("vectors", "flip2", "18", {"x": PAIRS}, {"x": PAIRS[:, ::-1]}),
        kernel("vectors", "sums8", "25", {"x": BYTES.reshape(25, 8), "y": "zeros(25)"},
               {"y": BYTES.reshape(25, 8).sum(1)}),
        kernel("vectors", "add16", "2", {"by": ",".join(map(str, range(16))), "x": np.zeros((2, 16), np.int16)},
               {"x": np.tile(np.arange(16), (2, 1))}),
        kernel("vectors", "scale3", "9", {"by": "1,2,3", "x": V4}, {"x": V4 * np.array([1, 2, 3, 1], np.float32)}, 1e-7),
        kernel("vectors", "scale3", "9", {"by": "1,2,3", "x": V4}, {"x": V4 * np.array([1, 2, 3, 1], np.float32)}, 1e-7,
               "void scale3(float3 by, float3 x[9])"),
        kernel("vectors", "sums3", "50", {"x": BYTES.reshape(50, 4), "b": "1,2,3,4", "y": "zeros(50)"},
               {"y": BYTES.reshape(50, 4)[:, :3].sum(1) + 3.0}, more=["--type", "ball={ float3 at; float r; }"]),
        kernel("vectors", "pairs_of_long", "18", {"by": "3,-5", "x": (I64[:36] >> 8).reshape(18, 2), "y": "zeros(18)"},
               {"y": (I64[:36] >> 8).reshape(18, 2) @ np.array([3, -5])}),
        kernel("grids", "matmul", "n, m", {"n": 6, "k": 5, "m": 7, "a": A, "b": B, "c": "zeros(6,7)"}, {"c": A @ B}, 1e-6),
        kernel("grids", "matmul", "n, m", {"a": A, "b": B}, {"c": A @ B}, 1e-6,
               "void matmul(int n, int k, int m, const float a[n][k], const float b[k][m], out float c[n][m])"),
        kernel("grids", "transpose", "n, m", {"n": 6, "m": 9, "x": GRID, "y": "zeros(9,6)"}, {"y": GRID.T}),
        kernel("grids", "outer", "n, m", {"x": F, "y": G}, {"z": np.outer(F, G)}, 1e-7,
               "void outer(int n, int m, const float x[n], const float y[m], out float z[n][m])"),
        kernel("grids", "blur", "h, w", {"h": 6, "w": 9, "x": GRID, "y": "zeros(6,9)"}, {"y": blurred(GRID)}),
        kernel("grids", "number_cells", "n, m, k", {"n": 2, "m": 3, "k": 4, "y": "zeros(2,3,4)"},
               {"y": np.fromfunction(lambda i, j, k: 100 * i + 10 * j + k, (2, 3, 4))}),
        kernel("grids", "number_from", "n, 2", {"n": 3, "first": 7, "y": "zeros(2,3)"}, {"y": [[507, 508, 509], [607, 608, 609]]},
               more=["--offset", "first, 5"]),
        kernel("grids", "laplace", "n - 2, m - 2, k - 2", {"n": 5, "m": 6, "k": 7, "x": CUBE, "y": "zeros(5,6,7)"},
               {"y": laplace(CUBE)}),
        kernel("grids", "row_sums", "n", {"x": GRID}, {"y": GRID.sum(1)},
               prototype="void row_sums(int n, int m, const int x[n][m], out int y[n])"),
        kernel("local", "group_sums", "64", {"x": GROUPS, "y": "zeros(4)", "t": 16}, {"y": GROUPS.reshape(4, 16).sum(1)},
               more=["--local", "16"]),
        kernel("local", "reverse_groups", "64", {"x": GROUPS.astype(np.float32), "t": 8},
               {"x": GROUPS.reshape(8, 8)[:, ::-1].ravel()}, more=["--local", "8"]),
        kernel("local", "count_groups", "24", {"y": "zeros(3)"}, {"y": np.full(3, 8)}, more=["--local", "8"]),
        kernel("local", "histogram", "200", {"x": BYTES, "bins": "zeros(256)"}, {"bins": np.bincount(BYTES, minlength=256)}),
        kernel("local", "tiles", "n, m", {"n": 4, "m": 6, "x": TILES, "y": "zeros(4,6)", "t": 6},
               {"y": TILES.reshape(2, 2, 2, 3)[:, ::-1, :, ::-1].reshape(4, 6)},
               more=["--local", "2, 3"]),
        kernel("structs", "place", "5", {"p": "0.5,2,10", "y": "zeros(5)"}, {"y": 10.5 + 2 * np.arange(5)},
               more=WHERE_WORDS),
        kernel("structs", "move_all", "2", {"by": "1,2,3", "p": "{1,1,1},{2,2,2}"}, {"p": [2, 3, 4, 3, 4, 5]},
               more=WHERE_WORDS),
        kernel("structs", "unpack_odd", "2", {"o": "7,1000000000000", "y": "zeros(2)"}, {"y": np.full(2, 1000000000007)},
               more=ODD_WORDS),
        kernel("structs", "look_up", "37", {"table": F, "at": np.arange(37, dtype=np.int32)[::-1].copy(), "y": "zeros(37)"},
               {"y": F[::-1]}, 1e-7),
    ]

if __name__ == "__main__":
    main(CASES)
