#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write tests/data/npy: small files as NumPy writes them, and cases.h, which says what is in them.

Run by hand when the cases change, with NumPy 1.22 or later: scripts/make_npy_cases.py
Same script, same files. It also writes the files of tests/fuzz/corpus/npy.
"""
import io
import os
import struct
import zipfile
import zlib

import numpy as np
from numpy.lib import format as npy

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests")
DATA = os.path.join(TOP, "data", "npy")
CORPUS = os.path.join(TOP, "fuzz", "corpus", "npy")
DTYPES = {
    "b1": "BOOL", "i1": "I8", "u1": "U8", "i2": "I16", "u2": "U16", "i4": "I32", "u4": "U32", "i8": "I64", "u8": "U64",
    "f2": "F16", "f4": "F32", "f8": "F64", "c8": "C64", "c16": "C128",
}
CASES = []


def content(name, shape):
    """Distinct elements with the extremes of the dtype among them."""
    dtype = np.dtype(name)
    n = int(np.prod(shape, dtype=int))
    if dtype.kind == "b":
        flat = np.arange(n) % 3 == 0
    elif dtype.kind in "iu":
        flat = np.arange(n).astype(dtype)
        flat[:2] = [np.iinfo(dtype).min, np.iinfo(dtype).max][:n]
    elif dtype.kind == "f":
        flat = (np.arange(n) / 3 - 0.5).astype(dtype)
        flat[:4] = [np.finfo(dtype).max, -np.inf, -0.0, np.finfo(dtype).tiny][:n]
    else:
        flat = (np.arange(n) / 3 - 1j * np.arange(n) / 7).astype(dtype)
    return flat.reshape(shape)


def tokens(array):
    """Elements in row-major order: integers, hexadecimal floats, bits of float16, two tokens for a complex number."""
    flat = array.ravel()
    if array.dtype.kind == "c":
        return [x.hex() for v in flat for x in (float(v.real), float(v.imag))]
    if array.dtype.kind == "f" and array.dtype.itemsize == 2:
        return [str(int(v)) for v in flat.astype(array.dtype.newbyteorder("=")).view(np.uint16)]
    if array.dtype.kind == "f":
        return [float(v).hex() for v in flat]
    return [str(int(v)) for v in flat]


def packed(array, version=None):
    out = io.BytesIO()
    npy.write_array(out, array, version=version)
    return out.getvalue()


def write(name, data, folder=DATA):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


def case(name, array, member=None):
    dtype = DTYPES[array.dtype.str[1:]]
    shape = ", ".join(str(n) for n in array.shape) or "0"
    where = "NULL" if member is None else f'"{member}"'
    CASES.append(f'    {{ "{name}", {where}, COHORT_{dtype}, {array.ndim}, {{ {shape} }},\n'
                 f'      "{" ".join(tokens(array))}" }},')


def write_arrays():
    for name in DTYPES:
        for order in "<>" if np.dtype(name).itemsize > 1 else "|":
            for layout in "CF":
                array = np.array(content(name, (2, 3)).astype(np.dtype(order + name)), order=layout)
                file = f"{name}-{ {'<': 'little', '>': 'big', '|': 'byte'}[order] }-{layout}.npy"
                write(file, packed(array))
                case(file, array)
    for shape in (), (0,), (3, 0, 2), (1, 1, 1, 2, 1, 3, 1, 1):
        file = "shape-" + ("x".join(map(str, shape)) or "none") + ".npy"
        write(file, packed(content("i4", shape)))
        case(file, content("i4", shape))
    for version in (2, 0), (3, 0):
        file = f"version-{version[0]}.npy"
        write(file, packed(content("f8", (4,)), version))
        case(file, content("f8", (4,)))


def member(name):
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.create_system = 3
    return info


def write_zip(file, arrays, method=zipfile.ZIP_STORED, force=False, comment=b""):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        archive.comment = comment
        for name, array in arrays.items():
            info = member(name + ".npy")
            info.compress_type = method
            with archive.open(info, "w", force_zip64=force) as entry:
                entry.write(packed(array))
    write(file, out.getvalue())


def zip64(name, data):
    """A zip file that says all it can in 64 bits."""
    name, crc = name.encode(), zlib.crc32(data)
    extra = struct.pack("<HHQQ", 1, 16, len(data), len(data))
    local = struct.pack("<IHHHHHIIIHH", 0x04034B50, 45, 0, 0, 0, 33, crc, 2**32 - 1, 2**32 - 1, len(name), len(extra))
    body = local + name + extra + data
    extra = struct.pack("<HHQQQ", 1, 24, len(data), len(data), 0)
    entry = struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 45, 45, 0, 0, 0, 33, crc, 2**32 - 1, 2**32 - 1, len(name),
                        len(extra), 0, 0, 0, 0, 2**32 - 1) + name + extra
    end = struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, 1, 1, len(entry), len(body))
    locator = struct.pack("<IIQI", 0x07064B50, 0, len(body) + len(entry), 1)
    old = struct.pack("<IHHHHIIH", 0x06054B50, 2**16 - 1, 2**16 - 1, 2**16 - 1, 2**16 - 1, 2**32 - 1, 2**32 - 1, 0)
    return body + entry + end + locator + old


def lying_zip(data, more):
    """One deflated member whose sizes and CRC are those of data, with `more` zero bytes in the packed data."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = squeeze.compress(data + bytes(more) if more >= 0 else data[:more]) + squeeze.flush()
    rest = (20, 0, 8, 0, 33, zlib.crc32(data), len(body), len(data), 5, 0)
    local = struct.pack("<IHHHHHIIIHH", 0x04034B50, *rest) + b"a.npy" + body
    entry = struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 20, *rest, 0, 0, 0, 0, 0) + b"a.npy"
    return local + entry + struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, 1, 1, len(entry), len(local), 0)


def write_zips():
    one, two = content("f4", (3, 2)), content("i8", (5,))
    write_zip("stored.npz", {"a": one, "b.npy": two})
    case("stored.npz", one, "a")
    case("stored.npz", one, "a.npy")
    case("stored.npz", two, "b.npy")
    write_zip("deflated.npz", {"a": one, "b": two}, zipfile.ZIP_DEFLATED, comment=b"a comment")
    case("deflated.npz", one, "a")
    case("deflated.npz", two, "b")
    write_zip("forced.npz", {"only": np.zeros(1000, "u1")}, zipfile.ZIP_DEFLATED, force=True)
    case("forced.npz", np.zeros(1000, "u1"), "only")
    write("zip64.npz", zip64("only.npy", packed(two)))
    case("zip64.npz", two)
    write_zip("empty.npz", {})
    write("bomb.npz", lying_zip(packed(np.zeros(4, "u1")), 1 << 20))
    write("hollow.npz", lying_zip(packed(np.zeros(4000000, "u1")), -3999996))


def write_corpus():
    for file in ("f4-big-F.npy", "c16-little-C.npy", "shape-none.npy", "shape-3x0x2.npy", "version-2.npy", "version-3.npy",
                 "b1-byte-C.npy", "stored.npz", "deflated.npz", "zip64.npz", "empty.npz", "bomb.npz"):
        with open(os.path.join(DATA, file), "rb") as data:
            write(file, data.read(), CORPUS)
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': "
    for name, text in {
        "huge-shape": head + "(9223372036854775807, 9223372036854775807), }", "negative": head + "(-1,), }",
        "nine-axes": head + "(1, 1, 1, 1, 1, 1, 1, 1, 1), }", "no-tuple": head + "(3), }", "unclosed": head + "(3,",
        "object": head.replace("<f4", "|O") + "(1,), }", "struct": "{'descr': [('a', '<f4')], }", "zero": head + "(0, 4), }",
    }.items():
        write(name, b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text.encode(), CORPUS)
    write("long-header", b"\x93NUMPY\2\0" + struct.pack("<I", 2**32 - 1), CORPUS)
    write("nothing", b"", CORPUS)


def write_table():
    lines = ["/* SPDX-License-Identifier: BSD-3-Clause */",
             "/* Made by scripts/make_npy_cases.py: what NumPy put into the files beside this one. */",
             "/* clang-format off */", *CASES, "/* clang-format on */"]
    write("cases.h", ("\n".join(lines) + "\n").encode())


if __name__ == "__main__":
    os.makedirs(DATA, exist_ok=True)
    os.makedirs(CORPUS, exist_ok=True)
    write_arrays()
    write_zips()
    write_corpus()
    write_table()
