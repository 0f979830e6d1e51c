#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write tests/data/checkpoint/numpy.npz and its like: arrays as NumPy itself saves them, for cohort checkpoint convert.

Run by hand when the cases change, with NumPy, ml_dtypes and safetensors: scripts/make_checkpoint_npz.py
numpy.npz, stored, and numpy-packed.npz, deflated, hold the same; numpy.safetensors is what Python's package makes of it.
"""
import os

import ml_dtypes
import numpy as np
from safetensors.numpy import save_file

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "data", "checkpoint")
PLAIN = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64",
         "complex64"]


def arrays():
    out = {name: (np.arange(6) / 2).astype(name).reshape(2, 3) for name in PLAIN}
    out["big"] = np.arange(5, dtype=">i4") - 2
    out["fortran"] = np.asfortranarray(np.arange(24, dtype="float32").reshape(2, 3, 4))
    out["both"] = np.asfortranarray(np.arange(6, dtype=">f8").reshape(3, 2))
    out["scalar"] = np.float32(7)
    out["none"] = np.zeros((0, 4), "int16")
    out["layer/w é"] = np.arange(3, dtype="float64")
    out["bfloat16"] = np.array([1, -2.5, np.nan], ml_dtypes.bfloat16)
    out["eighth"] = np.array([1, -2, 0.5], ml_dtypes.float8_e5m2)
    return out


def native(x):
    """In C order and this machine's byte order, which is all that the package takes."""
    dtype = x.dtype if x.dtype.kind == "V" else x.dtype.newbyteorder("=")
    return np.array(x, dtype, order="C")


def main():
    saved = arrays()
    np.savez(os.path.join(DATA, "numpy.npz"), **saved)
    np.savez_compressed(os.path.join(DATA, "numpy-packed.npz"), **saved)
    save_file({name: native(x) for name, x in saved.items()}, os.path.join(DATA, "numpy.safetensors"))


main()
