#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write tests/data/rows: small CSV, IDX and text files as Python and NumPy write them, and what is in them as tables.

Run by hand when the cases change, with NumPy: scripts/make_row_cases.py
Same script, same files. It also writes the corpora of tests/fuzz/{csv,idx,npy_rows,text}.
"""
import csv
import gzip
import io
import os
import shutil
import struct

import numpy as np

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests")
DATA = os.path.join(TOP, "data", "rows")
CORPUS = os.path.join(TOP, "fuzz", "corpus")
DTYPES = {"i1": "I8", "u1": "U8", "i2": "I16", "u2": "U16", "i4": "I32", "u4": "U32", "i8": "I64", "u8": "U64",
          "f4": "F32", "f8": "F64"}
CODES = {"u1": 0x08, "i1": 0x09, "i2": 0x0B, "i4": 0x0C, "f4": 0x0D, "f8": 0x0E}
TABLES = {"idx": [], "csv": [], "text": []}


def write(name, data, folder=DATA):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


def packed(data):
    return gzip.compress(data, mtime=0)


def tokens(array):
    flat = array.ravel()
    return " ".join(float(v).hex() if array.dtype.kind == "f" else str(int(v)) for v in flat)


def content(name, shape):
    """Distinct elements with the extremes of the dtype among them."""
    dtype = np.dtype(name)
    n = int(np.prod(shape, dtype=int))
    if dtype.kind == "f":
        flat = (np.arange(n) / 3 - 0.5).astype(dtype)
        flat[:4] = [np.finfo(dtype).max, -1e-30, -0.0, np.finfo(dtype).tiny][:n]
    else:
        flat = np.arange(n).astype(dtype)
        flat[:2] = [np.iinfo(dtype).min, np.iinfo(dtype).max][:n]
    return flat.reshape(shape)


def dtype_of(array):
    return "COHORT_" + DTYPES[array.dtype.str[1:]]


# ---- IDX


def idx(array):
    head = bytes([0, 0, CODES[array.dtype.str[1:]], array.ndim]) + struct.pack(">%dI" % array.ndim, *array.shape)
    return head + array.astype(array.dtype.newbyteorder(">")).tobytes()


def write_idx():
    for name in CODES:
        for shape in (5,), (4, 3), (2, 3, 2):
            array = content(name, shape)
            for ending, pack in ("", bytes), (".gz", packed):
                file = f"{name}-{'x'.join(map(str, shape))}.idx{ending}"
                write(file, pack(idx(array)))
                TABLES["idx"].append(f'    {{ "{file}", {dtype_of(array)}, {array.ndim}, '
                                     f'{{ {", ".join(map(str, shape))} }}, "{tokens(array)}" }},')


# ---- CSV


def csv_case(file, columns, array, is_single=False):
    chosen = "NULL" if columns is None else f'"{columns}"'
    n = 0 if is_single else array.shape[1]
    TABLES["csv"].append(f'    {{ "{file}", {chosen}, {dtype_of(array)}, {n}, {array.shape[0]},\n'
                         f'      "{tokens(array)}" }},')


def numbers(file, array, ending="", **how):
    out = io.StringIO(newline="")
    csv.writer(out, **how).writerows([[repr(v) for v in row] for row in array.tolist()])
    data = out.getvalue().encode()
    write(file + ending, packed(data) if ending else data)
    csv_case(file + ending, None if array.dtype == np.float32 else "0-%d" % (array.shape[1] - 1), array)


def mixed():
    """Texts with everything that a quote is for, beside numbers."""
    names = ["name", "x", 'the "y"', "a, b", "label"]
    texts = ["plain", 'with "quotes"', "two\nlines", "a, comma", "", "cr\r\nlf", "  spaces  ", "é"]
    rows = [[texts[i % 8], i / 7, -i * 1e-5, i * 1000, i % 10] for i in range(10)]
    for file, how in {"mixed.csv": {}, "mixed-lf.csv": {"lineterminator": "\n"}, "mixed-all.csv": {"quoting": csv.QUOTE_ALL},
                      "mixed-semicolon.csv": {"delimiter": ";"}, "mixed-tab.csv": {"delimiter": "\t"}}.items():
        out = io.StringIO(newline="")
        writer = csv.writer(out, **how)
        writer.writerow(names)
        writer.writerows(rows)
        write(file, out.getvalue().encode())
        csv_case(file, "x", np.array([[r[1]] for r in rows], "f8"), True)
        csv_case(file, "label", np.array([[r[4]] for r in rows], "u1"), True)
        csv_case(file, "1-3", np.array([r[1:4] for r in rows], "f8"))
        csv_case(file, "label,x", np.array([[r[4], r[1]] for r in rows], "f4"))
        csv_case(file, "x,x,4", np.array([[r[1], r[1], r[4]] for r in rows], "f4"))


def write_csv():
    for name in DTYPES:
        numbers(f"{name}.csv", content(name, (6, 3)))
    numbers("crlf.csv", content("f4", (7, 2)), lineterminator="\r\n")
    numbers("packed.csv", content("f4", (12, 3)), ".gz", lineterminator="\n")
    wide = np.arange(600).reshape(6, 100).astype("u1")
    out = io.BytesIO()
    np.savetxt(out, wide, fmt="%d", delimiter=",")
    write("savetxt.csv", out.getvalue())
    csv_case("savetxt.csv", "0-99", wide)
    wide = (np.arange(120).reshape(12, 10) / 7 - 30).astype("f4")
    for form in "%.9g", "%.18e", "%.4f":
        out = io.BytesIO()
        np.savetxt(out, wide, fmt=form, delimiter=";")
        file = "savetxt-" + form[1:].replace(".", "") + ".csv"
        write(file, out.getvalue())
        read = np.array([[np.float32(v) for v in line.split(b";")] for line in out.getvalue().split()])
        csv_case(file, None, read.astype("f4"))
    mixed()


# ---- Text


def text_case(file, lines):
    listed = ", ".join("{ %d, \"%s\" }" % (len(line), "".join("\\%03o" % b for b in line)) for line in lines)
    TABLES["text"].append(f'    {{ "{file}", {len(lines)}, {{ {listed or "{ 0, NULL }"} }} }},')


def write_text():
    lines = [b"one", b"", b"three, \xc3\xa9", b"a\0zero", b"a \r inside", b"last"]
    for name, data in {
        "lf": b"\n".join(lines) + b"\n", "crlf": b"\r\n".join(lines) + b"\r\n", "open": b"\n".join(lines),
        "mark": b"\xef\xbb\xbf" + b"\n".join(lines) + b"\n",
    }.items():
        for ending, pack in ("", bytes), (".gz", packed):
            write(name + ".txt" + ending, pack(data))
            text_case(name + ".txt" + ending, lines)
    for name, data, found in ("empty", b"", []), ("mark-alone", b"\xef\xbb\xbf", []), ("line", b"\n", [b""]), \
            ("blank", b"\n\n\r\n", [b"", b"", b""]):
        write(name + ".txt", data)
        text_case(name + ".txt", found)


# ---- Corpora and tables


def copy(folder, files, source=DATA):
    os.makedirs(os.path.join(CORPUS, folder), exist_ok=True)
    for file in files:
        shutil.copyfile(os.path.join(source, file), os.path.join(CORPUS, folder, file))


def write_corpora():
    copy("csv", ["mixed.csv", "mixed-tab.csv", "f4.csv", "u1.csv", "crlf.csv", "packed.csv.gz", "i8.csv"])
    for name, data in {
        "unclosed": b'a,b\n1,"2\n3,4\n', "stray": b'1,"2"x,3\n4,5,6\n', "counts": b"1,2\n3\n4,5,6\n7,8",
        "missing": b"x;y\n1;NA\n;nan\nnull;N/A\n", "words": b"inf,-Infinity,nan\n0x1p3,1e999,-1e-999\n",
        "long": b"0." + b"1" * 1100 + b",5\n", "midpoint": b"16777217,1.00000017881393432617187499\n",
        "names": b"x,x,0\n1,2,3\n", "nothing": b"", "blank": b"\n\r\n\n", "mark": b"\xef\xbb\xbf1\n",
    }.items():
        write(name, data, os.path.join(CORPUS, "csv"))
    copy("text", ["lf.txt", "crlf.txt", "open.txt", "mark.txt", "mark-alone.txt", "lf.txt.gz"])
    copy("idx", ["u1-5.idx", "i2-4x3.idx", "f8-2x3x2.idx", "f4-4x3.idx.gz"])
    for name, data in {
        "huge": bytes([0, 0, 8, 8]) + b"\xff" * 32, "zero": bytes([0, 0, 8, 2]) + struct.pack(">2I", 0, 3),
        "type": bytes([0, 0, 7, 1, 0, 0, 0, 0]), "short": bytes([0, 0, 8, 3, 0]),
    }.items():
        write(name, data, os.path.join(CORPUS, "idx"))
    copy("npy_rows", ["f4-big-C.npy", "b1-byte-C.npy", "c16-little-C.npy", "shape-3x0x2.npy", "stored.npz", "deflated.npz",
                      "zip64.npz", "bomb.npz"], os.path.join(TOP, "data", "npy"))


def write_tables():
    for name, cases in TABLES.items():
        lines = ["/* SPDX-License-Identifier: BSD-3-Clause */",
                 "/* Made by scripts/make_row_cases.py: what is in the files beside this one. */",
                 "/* clang-format off */", *cases, "/* clang-format on */"]
        write(name + "_cases.h", ("\n".join(lines) + "\n").encode())


if __name__ == "__main__":
    write_idx()
    write_csv()
    write_text()
    write_corpora()
    write_tables()
