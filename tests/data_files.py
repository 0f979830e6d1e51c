# SPDX-License-Identifier: BSD-3-Clause
"""The digits as files of every format, without NumPy: data_files.py digits.csv FOLDER"""
import gzip
import os
import struct
import sys
import zipfile


def crc_table():
    table = []
    for n in range(256):
        for _ in range(8):
            n = n >> 1 ^ (0x82F63B78 if n & 1 else 0)
        table.append(n)
    return table


TABLE = crc_table()


def masked_crc(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 255] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def record(data):
    length = struct.pack("<Q", len(data))
    return length + masked_crc(length) + data + masked_crc(data)


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out) + bytes([n])


def field(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def feature(kind, values):
    if kind == "bytes":
        return field(1, b"".join(field(1, v) for v in values))
    if kind == "float":
        return field(2, field(1, struct.pack("<%df" % len(values), *values)))
    return field(3, field(1, b"".join(varint(v & 0xFFFFFFFFFFFFFFFF) for v in values)))


def example(features):
    """features: name, kind, values"""
    entries = [field(1, field(1, n if isinstance(n, bytes) else n.encode()) + field(2, feature(k, v)))
               for n, k, v in features]
    return field(1, b"".join(entries))


def npy(descr, shape, data, fortran=False):
    text = "{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }" % (
        descr, fortran, "".join("%d, " % n for n in shape))
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + data


PACKING = zipfile.ZIP_STORED if os.environ["PACKING"] == "stored" else zipfile.ZIP_DEFLATED


def npz(path, arrays, packing=PACKING):
    with zipfile.ZipFile(path, "w", packing) as out:
        for name, data in arrays:
            out.writestr(name + ".npy", data)


def idx(kind, shape, data):
    return bytes([0, 0, kind, len(shape)]) + struct.pack(">%dI" % len(shape), *shape) + data


def write(path, data):
    with open(path, "wb") as out:
        out.write(data)
    if path.endswith(".gz"):
        with gzip.open(path, "wb") as out:
            out.write(data)


def digits(source, folder):
    with open(source, encoding="ascii") as lines:
        rows = [[int(n) for n in line.split(",")] for line in lines]
    n = len(rows)
    pixels = [r[:64] for r in rows]
    labels = [r[64] for r in rows]
    flat = [p for r in pixels for p in r]
    as_bytes, as_floats = bytes(flat), struct.pack("<%df" % len(flat), *flat)
    y8, y64 = bytes(labels), struct.pack("<%dq" % n, *labels)

    # Bytes: x / 255
    npz(folder + "/bytes.npz", [("x", npy("|u1", (n, 8, 8), as_bytes)), ("y", npy("|u1", (n,), y8))])
    write(folder + "/x8.npy", npy("|u1", (n, 64), as_bytes))
    write(folder + "/y.npy", npy("<i8", (n,), y64))
    write(folder + "/images-ubyte.gz", idx(8, (n, 8, 8), as_bytes))
    write(folder + "/labels-ubyte", idx(8, (n,), y8))
    write(folder + "/bytes.tfrecord.gz", b"".join(
        record(example([("image", "bytes", [bytes(p)]), ("label", "int", [y])])) for p, y in zip(pixels, labels)))

    # Numbers: x / 16
    npz(folder + "/floats.npz", [("version", npy("<i4", (), struct.pack("<i", 3))),
                                 ("data", npy("<f4", (n, 64), as_floats)),
                                 ("target", npy("<f8", (n, 1), struct.pack("<%dd" % n, *labels)))],
        zipfile.ZIP_STORED)
    columns = struct.pack("<%dd" % len(flat), *(p[i] for i in range(64) for p in pixels))
    npz(folder + "/fortran.npz", [("X", npy("<f8", (n, 64), columns, True)), ("y", npy("<i8", (n,), y64))])
    write(folder + "/fortran.npy", npy("<f8", (n, 64), columns, True))
    npz(folder + "/named.npz", [("a", npy("<f4", (n, 64), as_floats)), ("b", npy("<i8", (n,), y64))])
    write(folder + "/x.npy", npy(">i4", (n, 64), struct.pack(">%di" % len(flat), *flat)))
    half = n // 2
    for name, part in (("part-0", slice(0, half)), ("part-1", slice(half, n))):
        write(folder + "/" + name + ".tfrecord", b"".join(
            record(example([("class", "int", [y]), ("pixels", "float", p), ("id", "bytes", [b"row"])]))
            for p, y in zip(pixels[part], labels[part])))
    head = ",".join("p%d" % i for i in range(64))
    write(folder + "/header.csv", "\n".join(
        [head + ",label"] + [",".join(map(str, r)) for r in rows]).encode() + b"\n")
    write(folder + "/first.csv.gz", "\r\n".join(
        ["digit," + head] + [",".join(map(str, [r[64]] + r[:64])) for r in rows]).encode() + b"\r\n")


if __name__ == "__main__":
    digits(sys.argv[1], sys.argv[2])
