#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write tests/data/safetensors: small files, right and wrong, and cases.h, which says what Python's package makes of them.

Run by hand when the cases change, with NumPy and safetensors 0.8.0 or later: scripts/make_safetensors_cases.py
Same script, same files. It also writes the files of tests/fuzz/corpus/safetensors.
"""
import json
import os
import struct

import numpy as np
from safetensors import deserialize
from safetensors.numpy import save

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests")
DATA = os.path.join(TOP, "data", "safetensors")
CORPUS = os.path.join(TOP, "fuzz", "corpus", "safetensors")
# What the package takes and its description does not allow; and what has no meaning for texts of C.
STRICTER = {"name-twice", "tensor-as-list", "name-with-zero", "too-deep"}
CASES = []


def packed(header, data=b""):
    if not isinstance(header, bytes):
        header = json.dumps(header, separators=(",", ":")).encode()
    return struct.pack("<Q", len(header)) + header + data


def c_text(text):
    return '"' + "".join(chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else f"\\{b:03o}" for b in text.encode()) + '"'


def case(name, content):
    with open(os.path.join(DATA, name + ".safetensors"), "wb") as out:
        out.write(content)
    if len(content) < 4000:
        with open(os.path.join(CORPUS, name), "wb") as out:
            out.write(content)
    try:
        found = deserialize(content)
    except Exception:
        found = None
    is_taken = found is not None and name not in STRICTER
    lines = []
    for tensor, info in sorted(found if is_taken else [], key=lambda item: item[0].encode()):
        shape = ",".join(str(n) for n in info["shape"])
        lines.append(f"{tensor}|{info['dtype']}|{shape}|{bytes(info['data']).hex()}\n")
    texts = "\n      ".join(c_text(line) for line in lines) or '""'
    CASES.append(f'    {{ "{name}.safetensors", {str(is_taken).lower()},\n      {texts} }},\n')


def one(dtype, shape, size, end=None):
    return packed({"a": {"dtype": dtype, "shape": shape, "data_offsets": [0, size if end is None else end]}}, bytes(size))


def write_saved():
    dtypes = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32",
              "float64", "complex64"]
    case("dtypes", save({name: (np.arange(6) / 2).astype(name).reshape(2, 3) for name in dtypes}))
    case("scalars-and-nothing", save({"scalar": np.array(2.5), "none": np.zeros((0, 3), "float32"), "more": np.zeros((2, 0))}))
    case("empty", save({}))
    case("metadata", save({"w": np.arange(4, dtype="<f4")}, {"quoted": 'a "b" \\ \n \u00e9 \u4e2d'}))
    case("names", save({n: np.arange(2, dtype="int8") for n in ["", "a.b/c", 'q"uote', "back\\slash", "tab\t", "\u00e9\U0001f600", " "]}))
    case("rank-12", save({"deep": np.arange(4, dtype="int16").reshape((1,) * 5 + (2,) + (1,) * 5 + (2,))}))


def write_narrow():
    for name, bits in [("BF16", 16), ("F8_E4M3", 8), ("F8_E5M2", 8), ("F8_E8M0", 8), ("F8_E4M3FNUZ", 8),
                       ("F8_E5M2FNUZ", 8), ("F6_E2M3", 6), ("F6_E3M2", 6), ("F4", 4)]:
        case("type-" + name.lower(), one(name, [8], bits))


def write_headers():
    good = b'{"dtype":"U8","shape":[1],"data_offsets":[0,1]}'

    def header(text, data=b"x"):
        return packed(text.replace(b"GOOD", good), data)

    case("space-before", header(b' \n{"a":GOOD}'))
    case("space-behind", header(b'{"a":GOOD}\n\t '))
    case("zero-behind", header(b'{"a":GOOD}\0'))
    case("surrogates", header(b'{"\\ud83d\\ude00":GOOD}'))
    case("half-surrogate", header(b'{"\\ud800":GOOD}'))
    case("escapes", header(b'{"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9":GOOD}'))
    case("bad-escape", header(b'{"\\x":GOOD}'))
    case("no-utf8", header(b'{"\xff":GOOD}'))
    case("long-utf8", header(b'{"\xc0\xaf":GOOD}'))
    case("control", header(b'{"\x01":GOOD}'))
    case("name-with-zero", header(b'{"a\\u0000":GOOD}'))
    case("name-twice", header(b'{"a":GOOD,"a":GOOD}'))
    case("metadata-twice", header(b'{"__metadata__":{},"a":GOOD,"__metadata__":{}}'))
    case("metadata-null", header(b'{"__metadata__":null,"a":GOOD}'))
    case("metadata-number", header(b'{"__metadata__":{"a":1},"a":GOOD}'))
    case("metadata-list", header(b'{"__metadata__":["a"],"a":GOOD}'))
    case("member-more", header(b'{"a":{"x":{"y":[1,-2.5e3,null,true,false,{}]},"dtype":"U8","shape":[1],"data_offsets":[0,1]}}'))
    case("member-twice", header(b'{"a":{"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]}}'))
    case("member-missing", header(b'{"a":{"shape":[1],"data_offsets":[0,1]}}'))
    case("tensor-as-list", header(b'{"a":["U8",[1],[0,1]]}'))
    case("tensor-null", header(b'{"a":null}', b""))
    case("offsets-three", header(b'{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1,1]}}'))
    case("offsets-one", header(b'{"a":{"dtype":"U8","shape":[0],"data_offsets":[0]}}', b""))
    case("extent-fraction", header(b'{"a":{"dtype":"U8","shape":[1.0],"data_offsets":[0,1]}}'))
    case("extent-exponent", header(b'{"a":{"dtype":"U8","shape":[1e0],"data_offsets":[0,1]}}'))
    case("extent-negative", header(b'{"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}}'))
    case("extent-zero-first", header(b'{"a":{"dtype":"U8","shape":[01],"data_offsets":[0,1]}}'))
    case("extent-2-to-64", header(b'{"a":{"dtype":"U8","shape":[18446744073709551616],"data_offsets":[0,1]}}'))
    case("type-unknown", header(b'{"a":{"dtype":"C128","shape":[1],"data_offsets":[0,16]}}', bytes(16)))
    case("comma-behind", header(b'{"a":GOOD,}'))
    case("no-comma", header(b'{"a":GOOD"b":GOOD}'))
    case("list", header(b"[]", b""))
    case("nothing", header(b"", b""))
    case("cut", header(b'{"a":GOOD'))
    case("too-deep", header(b'{"a":{"x":' + b"[" * 100 + b"]" * 100 + b',"dtype":"U8","shape":[1],"data_offsets":[0,1]}}'))


def write_places():
    def two(a, b, size):
        return packed({"a": {"dtype": "U8", "shape": [a[1] - a[0]], "data_offsets": a},
                       "b": {"dtype": "U8", "shape": [b[1] - b[0]], "data_offsets": b}}, bytes(range(size)))

    case("places-in-order", two([0, 2], [2, 5], 5))
    case("places-turned", two([2, 5], [0, 2], 5))
    case("places-hole", two([0, 2], [3, 5], 5))
    case("places-hole-first", two([1, 2], [2, 5], 5))
    case("places-overlap", two([0, 3], [2, 5], 5))
    case("places-same", two([0, 3], [0, 3], 3))
    case("places-short", two([0, 2], [2, 5], 4))
    case("places-long", two([0, 2], [2, 5], 6))
    case("places-back", packed({"a": {"dtype": "U8", "shape": [0], "data_offsets": [2, 0]}}, bytes(2)))
    case("shape-more", one("F32", [3], 8))
    case("shape-less", one("F32", [1], 8))
    case("shape-overflow", packed({"a": {"dtype": "F64", "shape": [2**61, 2**4], "data_offsets": [0, 0]}}))
    case("shape-overflow-0", packed({"a": {"dtype": "U8", "shape": [2**62, 2**62, 0], "data_offsets": [0, 0]}}))
    case("shape-0-first", packed({"a": {"dtype": "U8", "shape": [0, 2**62, 2**62], "data_offsets": [0, 0]}}))
    case("half-a-byte", packed({"a": {"dtype": "F4", "shape": [3], "data_offsets": [0, 2]}}, bytes(2)))
    case("end-2-to-63", packed({"a": {"dtype": "U8", "shape": [2**62], "data_offsets": [0, 2**62]}}))
    case("length-0", b"\0" * 8)
    case("length-7-bytes", b"\2\0\0\0\0\0\0")
    case("length-more", struct.pack("<Q", 3) + b"{}")
    case("length-100000001", struct.pack("<Q", 100000001) + b"{}")
    case("length-2-to-63", struct.pack("<Q", 2**63) + b"{}")
    case("length-2-to-64", struct.pack("<Q", 2**64 - 1) + b"{}")


def main():
    os.makedirs(DATA, exist_ok=True)
    os.makedirs(CORPUS, exist_ok=True)
    write_saved()
    write_narrow()
    write_headers()
    write_places()
    with open(os.path.join(DATA, "cases.h"), "w", encoding="ascii") as out:
        out.write("/* SPDX-License-Identifier: BSD-3-Clause */\n"
                  "/* Made by scripts/make_safetensors_cases.py: what Python's package makes of the files beside this\n"
                  " * one; of what is refused nothing. */\n/* clang-format off */\n")
        out.write("".join(CASES))
        out.write("/* clang-format on */\n")


main()
