#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""cohort run on the kernels of tests/kernels/public, by their names alone, against NumPy.

These are written as public code has them: typedefs, structs, enums, macros for names, types and sizes, conditions,
includes, options of the build. A new kernel is one more row of CASES: file, name, geometry, values, expected outputs.
"""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cohort_run import case, main  # noqa: E402

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernels", "public")
RANDOM = np.random.RandomState(48)
DEVICES = sys.argv[1] if len(sys.argv) > 1 else "opencl:0"


def kernel(file, name, geometry, values, expected, tolerance=1e-5, more=()):
    words = [name, "--opencl", os.path.join(FOLDER, file + ".cl"), "--devices", DEVICES, "--global", geometry, *more]
    unless = "this device has no float64" if "DOUBLE" in " ".join(more) or "64" in " ".join(more) else None
    return case(f"{name} of {file}.cl {' '.join(more)}".strip(), words, values, expected, tolerance, unless)


def reals(*shape):
    return RANDOM.rand(*shape).astype(np.float32)


def ints(low, high, *shape, dtype=np.int32):
    return RANDOM.randint(low, high, shape).astype(dtype)


def rows(*columns):
    """Numbers of structs, as the command takes them."""
    return ",".join(repr(x) for row in zip(*columns) for x in row)


def stencil(a, c0, c1):
    out = np.zeros_like(a)
    inside = (slice(1, -1),) * 3
    around = sum(np.roll(a, by, axis)[inside] for axis in range(3) for by in (-1, 1))
    out[inside] = c1 * around - a[inside] * c0
    return out


def conv2(a):
    out = np.zeros_like(a)
    out[1:-1, 1:-1] = 0.2 * a[:-2, :-2] + 0.5 * a[:-2, 1:-1] - 0.3 * a[2:, 2:]
    return out


def blurred(image, weights, low, high):
    padded = np.pad(image.astype(np.float32), 1, mode="edge")
    total = sum(weights[3 * j + i] * padded[j:j + image.shape[0], i:i + image.shape[1]]
                for j in range(3) for i in range(3))
    return np.clip(total, low, high).astype(np.uint8)


def xorshift(x, rounds):
    for _ in range(rounds):
        x = x ^ x << np.uint32(13)
        x = x ^ x >> np.uint32(17)
        x = x ^ x << np.uint32(5)
    return x


def pcg(state):
    x = ((state >> 18) ^ state) >> 27 & 0xffffffff
    r = state >> 59
    return (x >> r | x << (-r & 31)) & 0xffffffff


def rotl(x, r):
    return (x << r | x >> (32 - r)) & 0xffffffff


def escape(cx, cy, most):
    x = y = n = 0
    while n < most and x * x + y * y < 4:
        x, y, n = x * x - y * y + cx, 2 * x * y + cy, n + 1
    return n


def forces(p, near, cutsq, lj1, lj2):
    out = np.zeros_like(p)
    for i, row in enumerate(near.T):
        for j in row:
            d = p[i] - p[j]
            r2 = (d[:3] ** 2).sum()
            out[i] += d * (lj1 - lj2 * r2) if r2 < cutsq else 0
    return out


def moved(pos, vel, dt, eps):
    r = pos[None] - pos[:, None]
    inv = 1 / ((r[..., :3] ** 2).sum(-1) + eps)
    acc = (pos[None, :, 3:] * inv[..., None] * r).sum(1)
    return pos + vel * dt + acc * dt * dt / 2


A, B, C = reals(6, 5), reals(5, 4), reals(6, 4)
X, Y, S = reals(5), reals(6), reals(6, 6)
V8, W8 = reals(8), reals(8)
P4, Q4 = reals(4, 4), reals(4, 4)
CUBE = reals(4, 5, 6)
IMAGE, RGBA = ints(0, 256, 5, 6, dtype=np.uint8), ints(0, 256, 7, 4, dtype=np.uint8)
GRAPH, COST = rows([0, 2, 3], [2, 1, 0]), np.array([0, -1, -1], np.int32)
WEIGHTS = [0.0625, 0.125, 0.0625, 0.125, 0.25, 0.125, 0.0625, 0.125, 0.0625]
U = ints(0, 2**31 - 1, 8, dtype=np.uint32)
U64 = ints(0, 2**31 - 1, 5, 2).astype(np.uint64)
WORK = reals(4, 2)
COMPLEX = WORK[:, 0] + 1j * WORK[:, 1]
NEAR = ints(0, 4, 3, 4)
SINGLE, DOUBLE = ["--build-options", "-DSINGLE_PRECISION"], ["--build-options", "-D K_DOUBLE_PRECISION=1"]
D64 = ["--build-options", "-DPRECISION=64"]

with np.errstate(over="ignore"):
    CASES = [
        # graph.cl
        kernel("graph", "BFS_1", "no_of_nodes", {
            "g_graph_nodes": GRAPH, "g_graph_edges": "1,2,2", "g_graph_mask": "1,0,0", "g_updating_graph_mask": "0,0,0",
            "g_graph_visited": "1,0,0", "g_cost": COST, "no_of_nodes": 3},
               {"g_cost": [0, 1, 1], "g_updating_graph_mask": [0, 1, 1], "g_graph_mask": [0, 0, 0]}),
        kernel("graph", "BFS_2", "3", {
            "g_graph_mask": "0,0,0", "g_updating_graph_mask": "0,1,1", "g_graph_visited": "1,0,0", "g_over": 0,
            "no_of_nodes": 3}, {"g_over": [1], "g_graph_visited": [1, 1, 1]}),
        kernel("graph", "NearestNeighbor", "numRecords", {
            "d_locations": "0,0,3,4", "d_distances": "zeros(2)", "numRecords": 2, "lat": 0, "lng": 0},
               {"d_distances": [0, 5]}),
        kernel("graph", "relax", "n", {"edges": "0,1,0.5,1,0,2", "n": 2, "dist": "1,2", "out": "0,0"}, {"out": [1.5, 4]}),
        kernel("graph", "heaviest", "2", {"edges": "0,1,0.5,1,0,2", "by": 3}, {"edges": [0, 1, 1.5, 1, 0, 6]}),
        # solvers.cl
        kernel("solvers", "Fan1", "size", {"m_dev": "zeros(6,6)", "a_dev": S, "b_dev": Y, "size": 6, "t": 0},
               {"m_dev": np.concatenate([np.concatenate([[0], S[1:, 0] / S[0, 0]])[:, None], np.zeros((6, 5))], 1)}),
        kernel("solvers", "naive_kernel", "nx - 2, ny - 2, nz - 2", {
            "c0": 0.5, "c1": 0.25, "A0": CUBE, "Anext": "zeros(4,5,6)", "nx": 6, "ny": 5, "nz": 4},
               {"Anext": stencil(CUBE, 0.5, 0.25)}),
        kernel("solvers", "dynproc_kernel", "cols", {
            "iteration": 1, "gpuWall": "9,9,9,9,1,2,3,4", "gpuSrc": "5,1,7,2", "gpuResults": "zeros(4)", "cols": 4, "prev": 4},
               {"gpuResults": [2, 3, 4, 6]}, more=["--local", "4"]),
        kernel("solvers", "spmv_jds_naive", "dim", {
            "dst_vector": "zeros(3)", "d_data": "1,2,3,4,5,6", "d_index": "0,1,2,2,0,1", "d_perm": "2,0,1", "x_vec": "1,10,100",
            "dim": 3, "jds_ptr_int": "0,3", "sh_zcnt_int": "2"}, {"dst_vector": [25, 360, 401]}),
        kernel("solvers", "kmeans_kernel_c", "npoints", {
            "feature": "0,1,10,0,1,10", "clusters": "0,0,9,9", "membership": "zeros(3)", "npoints": 3, "nclusters": 2,
            "nfeatures": 2, "offset": 0, "size": 0}, {"membership": [0, 0, 1]}),
        kernel("solvers", "kmeans_swap", "npoints", {"feature": A, "feature_swap": "zeros(5,6)", "npoints": 6, "nfeatures": 5},
               {"feature_swap": A.T}),
        kernel("solvers", "hotspot1D", "grid_cols", {
            "iteration": 2, "power": V8, "temp_src": W8, "temp_dst": "zeros(8)", "grid_cols": 8, "Cap": 4, "step": 0.5,
            "amb_temp": 1}, {"temp_dst": W8 + 0.25 * (V8 + 1 - W8)}, more=["--local", "8"]),
        # blas.cl
        kernel("blas", "SXaxpy", "8", {
            "n": 8, "arg_alpha": 2, "xgm": V8, "x_offset": 0, "x_inc": 1, "ygm": W8, "y_offset": 0, "y_inc": 1},
               {"ygm": W8 + 2 * V8}),
        kernel("blas", "DXaxpy", "8", {
            "n": 4, "arg_alpha": 2, "xgm": V8.astype(float), "x_offset": 1, "x_inc": 2, "ygm": "zeros(4)", "y_offset": 0,
            "y_inc": 1}, {"ygm": 2 * V8[1::2]}, more=D64),
        kernel("blas", "SXscal", "n", {"n": 8, "alpha": -1, "xgm": V8, "x_offset": 0, "x_inc": 1}, {"xgm": -V8},
               more=["--build-options", "-DWGS=2 -DWPT=4"]),
        kernel("blas", "Sgemv", "M", {"M": 6, "N": 5, "alpha": 2, "A": A, "lda": 5, "X": X, "beta": 0.5, "Y": Y},
               {"Y": 2 * A @ X + Y / 2}),
        kernel("blas", "Sgemm", "M, N", {
            "M": 6, "N": 4, "K": 5, "alpha": 1, "beta": 2, "A": A, "B": B, "C": C, "lda": 5, "ldb": 4, "ldc": 4},
               {"C": A @ B + 2 * C}),
        kernel("blas", "Sdot_kernel", "1", {
            "_X": V8, "_Y": W8, "scratchBuff": "zeros(1)", "N": 4, "offx": 0, "incx": 2, "doConj": 0},
               {"scratchBuff": [V8[::2] @ W8[:4]]}),
        kernel("blas", "Scscal", "n", {"n": 4, "alpha": "0,1", "x": WORK}, {"x": np.stack([-WORK[:, 1], WORK[:, 0]], 1)}),
        kernel("blas", "Siamax", "1", {"x": "1,-7,3", "n": 3, "imax": 0, "best": 1}, {"imax": [1]}),
        # polybench.cl
        kernel("polybench", "atax_kernel1", "nx", {"A": A, "x": X, "tmp": "zeros(6)", "nx": 6, "ny": 5}, {"tmp": A @ X}),
        kernel("polybench", "bicgKernel1", "nx", {"A": A, "p": X, "q": "zeros(6)", "nx": 6, "ny": 5}, {"q": A @ X}),
        kernel("polybench", "mvt_kernel2", "n", {"a": S, "x2": Y, "y2": Y, "n": 6}, {"x2": Y + S.T @ Y}),
        kernel("polybench", "gemm", "nj, ni", {
            "a": A, "b": B, "c": C, "alpha": 2, "beta": 3, "ni": 6, "nj": 4, "nk": 5}, {"c": 3 * C + 2 * A @ B}),
        kernel("polybench", "Convolution2D_kernel", "nj, ni", {"A": S, "B": "zeros(6,6)", "ni": 6, "nj": 6}, {"B": conv2(S)}),
        kernel("polybench", "gesummv_kernel", "n", {
            "a": S, "b": S.T.copy(), "x": Y, "y": "zeros(6)", "tmp": "zeros(6)", "alpha": 2, "beta": 3, "n": 6},
               {"y": 2 * S @ Y + 3 * S.T @ Y}),
        kernel("polybench", "mean_kernel", "m", {"mean": "zeros(6)", "data": S, "float_n": 5, "m": 5, "n": 5},
               {"mean": np.concatenate([[0], S[1:, 1:].mean(0)])}),
        # shoc.cl
        kernel("shoc", "triad", "8", {"memA": V8, "memB": W8, "memC": "zeros(8)", "s": 1.75}, {"memC": V8 + 1.75 * W8},
               more=SINGLE),
        kernel("shoc", "triad", "8", {
            "memA": V8.astype(float), "memB": W8.astype(float), "memC": "zeros(8)", "s": 1.75}, {"memC": V8 + 1.75 * W8},
               more=DOUBLE),
        kernel("shoc", "reduce", "8", {"g_idata": V8, "g_odata": "zeros(2)", "sdata": 4, "n": 8},
               {"g_odata": V8.reshape(2, 4).sum(1)}, more=[*SINGLE, "--local", "4"]),
        kernel("shoc", "compute_lj_force", "inum", {
            "force": "zeros(4,4)", "position": P4, "neighCount": 3, "neighList": NEAR, "cutsq": 0.5, "lj1": 1, "lj2": 2,
            "inum": 4}, {"force": forces(P4, NEAR, 0.5, 1, 2)}, more=SINGLE),
        kernel("shoc", "butterfly", "2", {"work": WORK, "w": "0,1"},
               {"work": np.array([[z.real, z.imag] for k in (0, 2)
                                  for z in (COMPLEX[k] + 1j * COMPLEX[k + 1], COMPLEX[k] - 1j * COMPLEX[k + 1])])}, more=SINGLE),
        kernel("shoc", "uniformAdd", "8", {"data": "1,1,1,1,2,2,2,2", "sums": "10,20", "n": 7},
               {"data": [11, 11, 11, 11, 22, 22, 22, 2]}, more=SINGLE),
        # filters.cl
        kernel("filters", "convolve", "6, 5", {
            "in": IMAGE, "out": "zeros(5,6)", "f": "6,5," + ",".join(map(str, WEIGHTS)) + ",20,200"},
               {"out": blurred(IMAGE, WEIGHTS, 20, 200)}, 1.1),
        kernel("filters", "gray", "n", {"in": RGBA, "out": "zeros(7)", "n": 7},
               {"out": np.floor(RGBA[:, :3] @ [0.25, 0.5, 0.25])}),
        kernel("filters", "take_channel", "7", {"in": RGBA, "out": "zeros(7)", "which": "BLUE", "how": "ROUND_UP"},
               {"out": (RGBA[:, 2].astype(int) + 1) // 2}),
        kernel("filters", "look_up", "30", {"image": IMAGE, "lut": np.arange(256, dtype=np.uint8)[::-1].copy()},
               {"image": 255 - IMAGE}),
        kernel("filters", "threshold", "30", {"in": IMAGE, "out": "zeros(30)", "least": 100},
               {"out": 255 * (IMAGE.ravel() >= 100)}),
        kernel("filters", "histogram256", "30", {"image": IMAGE, "n": 30, "bins": "zeros(256)"},
               {"bins": np.bincount(IMAGE.ravel(), minlength=256)}),
        kernel("filters", "swap_channels", "7", {"image": RGBA, "order": "2,1,0,3"}, {"image": RGBA[:, [2, 1, 0, 3]]}),
        kernel("filters", "invert_bytes", "30", {"image": IMAGE}, {"image": 255 - IMAGE}),
        # physics.cl
        kernel("physics", "nbody_sim", "numBodies", {
            "pos": P4, "vel": Q4, "numBodies": 4, "deltaTime": 0.5, "epsSqr": 0.25, "localPos": 4, "newPosition": "zeros(4,4)"},
               {"newPosition": moved(P4, Q4, 0.5, 0.25)}, more=["--local", "4"]),
        kernel("physics", "drift", "1", {"bodies": "1,2,3,4,5,6,7,8", "dt": 2}, {"bodies": [11, 14, 17, 20, 5, 6, 7, 8]}),
        kernel("physics", "drift", "1", {"bodies": "1,2,3,4,5,6,7,8", "dt": 2}, {"bodies": [11, 14, 17, 20, 5, 6, 7, 8]},
               more=["--build-options", "-DUSE_DOUBLE"]),
        kernel("physics", "payoff", "2", {"d_Call": "0,0", "d_Options": "5,4,1,3,4,1", "riskfree": 0.25, "optN": 2},
               {"d_Call": [2, 0]}),
        kernel("physics", "inside", "2", {"p": "[[1,1,1,1],[3,1,1,1]]", "b": "0,0,0,0,2,2,2,2", "out": "0,0"}, {"out": [1, 0]}),
        kernel("physics", "map_square", "n", {"x": V8, "y": "zeros(8)", "n": 8}, {"y": V8 * V8}),
        kernel("physics", "map_twice", "n", {"x": "1,2", "y": "0,0", "n": 2}, {"y": [2, 4]}),
        kernel("physics", "map_low_byte", "n", {"x": "258,1099511627777", "y": "0,0", "n": 2}, {"y": [2, 1]}),
        # hashing.cl
        kernel("hashing", "xorshift", "8", {"state": U, "rounds": 5}, {"state": xorshift(U, 5)}),
        kernel("hashing", "pcg", "2", {"rng": "123456789123456789,1,987654321987654321,5", "out": "0,0"},
               {"out": [pcg(123456789123456789), pcg(987654321987654321)]}),
        kernel("hashing", "seed_twisters", "2", {"d_MT": "1,2,3,4,5,6,7,8", "by": 10}, {"d_MT": [1, 2, 3, 4, 5, 6, 7, 18]}),
        kernel("hashing", "mix_states", "1", {"state0": 1, "state1": 2, "out": "0,0", "shift": 7},
               {"out": [rotl(1 ^ 0x428a2f98, 7), rotl(2 ^ 0x71374491, 7)]}),
        kernel("hashing", "bitonicSortLocal", "4", {
            "d_Dst": "zeros(8)", "d_Src": U, "arrayLength": 8, "sortDir": 1, "l_key": 8}, {"d_Dst": np.sort(U)}),
        kernel("hashing", "count_bits", "5", {"words": U64, "counts": "zeros(5)"},
               {"counts": [sum(bin(int(x)).count("1") for x in row) for row in U64]}),
        # grids.cl
        kernel("grids", "mandel", "nx, ny", {
            "iterations": "zeros(3,4)", "corner": "-1.5,-1", "step": 0.5, "nx": 4, "ny": 3, "most": 50},
               {"iterations": [[escape(-1.5 + 0.5 * i, -1 + 0.5 * j, 50) for i in range(4)] for j in range(3)]}),
        kernel("grids", "describe_grid", "1", {"g": "3,5,0.5,0.25,1,2,3,4,9", "out": "zeros(3)"}, {"out": [15, 0.75, 13]}),
        kernel("grids", "describe_grid", "1", {"g": "3,0,5,0.5,0.25,1,2,3,4,5,6,9", "out": "zeros(3)"}, {"out": [15, 0.75, 15]},
               more=["--build-options", "-DLAYERS=3 -DFORCE_SINGLE"]),
        kernel("grids", "heat", "n", {"u": "0,1,0,0", "v": "zeros(4)", "n": 4, "r": 0.25}, {"v": [0, 0.5, 0.25, 0]}),
        kernel("grids", "jacobi", "n - 2", {"a": "0,1,2,7", "b": "zeros(4)", "n": 4}, {"b": [0, 1, 4, 0]},
               more=["--build-options", "-D FORCE_SINGLE"]),
    ]

if __name__ == "__main__":
    main(CASES)
