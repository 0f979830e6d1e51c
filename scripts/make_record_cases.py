#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write tests/data/records: small TFRecord files, and cases.h, which says what is in them.

Run by hand when the cases change: scripts/make_record_cases.py
Plain Python writes them by the formats' descriptions. Where TensorFlow can be imported, what its TFRecordWriter and its
tf.train.Example write must be the same bytes, and the files whose names begin with "tensorflow" are its own.
Same script, same files. It also writes the files of tests/fuzz/corpus/{tfrecord,example,bytes}.
"""
import gzip
import io
import os
import struct

try:
    import tensorflow as tf
except ImportError:
    tf = None

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests")
DATA = os.path.join(TOP, "data", "records")
LINES = {"RECORDS": [], "VALUES": []}

# ---- CRC-32C and TFRecord


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ 0x82F63B78 if crc & 1 else crc >> 1
    return crc ^ 0xFFFFFFFF


def masked(data):
    crc = crc32c(data)
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def framed(data):
    length = struct.pack("<Q", len(data))
    return length + masked(length) + data + masked(data)


def packed(data, level=9):
    return gzip.compress(data, level, mtime=0)


# ---- tf.Example in protocol buffers' wire format


def varint(number):
    number &= (1 << 64) - 1
    out = b""
    while number >= 0x80:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def field(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def floats(values, is_packed=True):
    if is_packed:
        return field(2, field(1, struct.pack(f"<{len(values)}f", *values)) if values else b"")
    return field(2, b"".join(varint(1 << 3 | 5) + struct.pack("<f", v) for v in values))


def integers(values, is_packed=True):
    if is_packed:
        return field(3, field(1, b"".join(varint(v) for v in values)) if values else b"")
    return field(3, b"".join(varint(1 << 3) + varint(v) for v in values))


def strings(values):
    return field(1, b"".join(field(1, v) for v in values))


LISTS = {"f": floats, "i": integers, "b": strings}


def entry(name, feature):
    return field(1, field(1, name.encode()) + field(2, feature))


def example(features):
    entries = b"".join(entry(name, LISTS[kind](values)) for name, (kind, values) in sorted(features.items()))
    return field(1, entries) if features else b""


def example_by_tensorflow(features):
    out = tf.train.Example()
    lists = {"f": "float_list", "i": "int64_list", "b": "bytes_list"}
    for name, (kind, values) in features.items():
        getattr(out.features.feature[name], lists[kind]).SetInParent()
        getattr(out.features.feature[name], lists[kind]).value.extend(values)
    return out.SerializeToString(deterministic=True)


# ---- What the files hold

RAW = [b"", b"a", b"hello", bytes(range(256)), b"\0" * 9, b"0123456789" * 100, b"\xff"]
EXAMPLES = [
    {"image": ("b", [bytes(range(28))]), "label": ("i", [7]), "weight": ("f", [0.5])},
    {"image": ("b", [b""]), "label": ("i", [0]), "weight": ("f", [float("-inf")])},
    {"floats": ("f", [0.0, -0.0, 1.5, 3.4028234663852886e38, 1.401298464324817e-45, float("inf")]),
     "integers": ("i", [0, 1, -1, 127, 128, 255, 256, -(1 << 63), (1 << 63) - 1]),
     "strings": ("b", [b"one", b"", b"three"]), "x": ("i", list(range(-300, 300)))},
    {"empty b": ("b", []), "empty f": ("f", []), "empty i": ("i", []), "\u00e9\u4e2d": ("f", [2.0])},
    {},
    {"long": ("f", [i / 4 for i in range(180)])},
]


def tokens(kind, values):
    if kind == "f":
        return " ".join(struct.unpack("<f", struct.pack("<f", v))[0].hex() for v in values)
    return " ".join(v.hex() or "-" if kind == "b" else str(v) for v in values)


def text(content):
    """A C string that is cut into lines."""
    parts = [content[i:i + 90] for i in range(0, len(content), 90)] or [""]
    return "\n      ".join(f'"{part}"' for part in parts)


def write(name, data, folder=DATA):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


def records_file(name, data, records):
    write(name, data)
    LINES["RECORDS"].append(f'    {{ "{name}", {len(records)},\n      {text(tokens("b", records))} }},')


def values_file(name, examples, records=None):
    """What is in each record that is to be decoded; the bytes of the file are those of `records`."""
    write(name, b"".join(framed(record) for record in records or [example(e) for e in examples]))
    for i, features in enumerate(examples):
        for key, (kind, values) in sorted(features.items()):
            safe = "".join(chr(b) if 32 <= b < 127 else f"\\{b:03o}" for b in key.encode())
            LINES["VALUES"].append(f'    {{ "{name}", {i}, "{safe}", \'{kind}\', {len(values)},\n'
                                   f'      {text(tokens(kind, values))} }},')


def write_records():
    plain = b"".join(framed(r) for r in RAW)
    half = len(plain) // 2
    records_file("plain.tfrecord", plain, RAW)
    records_file("empty.tfrecord", b"", [])
    records_file("packed.tfrecord.gz", packed(plain), RAW)
    records_file("stored.tfrecord.gz", packed(plain, 0), RAW)
    records_file("members.tfrecord.gz", packed(plain[:half]) + packed(b"") + packed(plain[half:]), RAW)
    records_file("padded.tfrecord.gz", packed(plain[:9]) + b"\0" * 7 + packed(plain[9:]) + b"\0" * 100, RAW)
    out = io.BytesIO()
    with gzip.GzipFile("a name.tfrecord", "wb", fileobj=out, mtime=1) as file:
        file.write(plain)
    records_file("named.tfrecord.gz", out.getvalue(), RAW)
    records_file("tensorflow.tfrecord.gz", by_tensorflow("tensorflow.tfrecord.gz", RAW, "GZIP"), RAW)
    if tf is not None:
        assert by_tensorflow("check", RAW, "") == plain
        os.remove(os.path.join(DATA, "check"))


def by_tensorflow(name, records, compression):
    path = os.path.join(DATA, name)
    if tf is not None:
        with tf.io.TFRecordWriter(path, compression) as file:
            for record in records:
                file.write(record)
    with open(path, "rb") as file:
        return file.read()


def write_zeroes():
    """256 KiB of zero bytes, as one member."""
    data = packed(b"\0" * (1 << 18))
    lines = [", ".join(str(b) for b in data[i:i + 24]) for i in range(0, len(data), 24)]
    write("zeroes.h", ("/* Made by scripts/make_record_cases.py. */\n" + ",\n".join(lines) + "\n").encode())


def write_examples():
    if tf is not None:
        for features in EXAMPLES:
            assert example(features) == example_by_tensorflow(features), features
    values_file("examples.tfrecord", EXAMPLES)
    odd = odd_examples()
    if tf is not None:
        for record, features in odd:
            check_by_tensorflow(record, features)
    values_file("odd.tfrecord", [features for _, features in odd], [record for record, _ in odd])


def odd_examples():
    """What no writer makes, and protocol buffers read all the same."""
    one, two = entry("a", integers([1])), entry("a", floats([2.0]))
    unknown = varint(9 << 3) + varint(300) + field(15, b"?")
    unknown += varint(7 << 3 | 5) + b"1234" + varint(8 << 3 | 1) + b"12345678"
    no_float = varint(1 << 3) + b"\5" + field(2, b"no")
    return [
        (field(1, entry("u", floats([1.0, -2.5], False)) + entry("v", integers([-1, 300], False))),
         {"u": ("f", [1.0, -2.5]), "v": ("i", [-1, 300])}),
        (field(1, one + two), {"a": ("f", [2.0])}),
        (field(1, two) + field(1, one), {"a": ("i", [1])}),
        (unknown + field(1, unknown + entry("a", unknown + integers([5]) + unknown) + unknown) + unknown,
         {"a": ("i", [5])}),
        (field(1, field(1, field(2, integers([6])) + field(1, b"z") + field(1, b"name"))),
         {"name": ("i", [6])}),
        (field(1, entry("parts", integers([1, 2]) + integers([3], False) + integers([4]))),
         {"parts": ("i", [1, 2, 3, 4])}),
        (field(1, field(1, field(1, b"merged") + field(2, floats([1.0])) + field(2, floats([2.0], False)))),
         {"merged": ("f", [1.0, 2.0])}),
        (field(1, entry("void", integers([1]) + floats([2.0]) + strings([b"x"]) + integers([3]))),
         {"void": ("i", [3])}),
        (field(1, field(1, field(2, integers([8])))), {"": ("i", [8])}),
        (field(1, entry("mixed", field(3, field(1, b"\1\2") + b"\x08\3" + field(1, b"") + field(1, b"\4")))),
         {"mixed": ("i", [1, 2, 3, 4])}),
        (field(1, entry("other types", field(2, no_float + field(1, struct.pack("<f", 1))))),
         {"other types": ("f", [1.0])}),
        (field(1, entry("long varints", field(3, field(1, b"\x80\0\x81\x80\0")))), {"long varints": ("i", [0, 1])}),
    ]


def check_by_tensorflow(record, features):
    read = tf.train.Example.FromString(record).features.feature
    lists = {"f": "float_list", "i": "int64_list", "b": "bytes_list"}
    assert sorted(read) == sorted(features), (record, sorted(read))
    for name, (kind, values) in features.items():
        assert read[name].WhichOneof("kind") == lists[kind] and list(getattr(read[name], lists[kind]).value) == values


def write_corpus():
    corpus = os.path.join(TOP, "fuzz", "corpus")
    for i, features in enumerate(EXAMPLES[:5]):
        write(f"example-{i}", example(features), os.path.join(corpus, "example"))
    for i, (record, _) in enumerate(odd_examples()):
        write(f"odd-{i}", record, os.path.join(corpus, "example"))
    write("cut", example(EXAMPLES[0])[:-3], os.path.join(corpus, "example"))
    write("huge-length", b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", os.path.join(corpus, "example"))
    write("group", b"\x0b\x0b\x0c\x0c", os.path.join(corpus, "example"))
    small = b"".join(framed(r) for r in RAW[:4])
    for folder in "tfrecord", "bytes":
        write("plain", small, os.path.join(corpus, folder))
        write("packed", packed(small), os.path.join(corpus, folder))
        write("members", packed(small[:20]) + packed(small[20:]) + b"\0" * 5, os.path.join(corpus, folder))
        write("cut", small[:-2], os.path.join(corpus, folder))
        write("cut-packed", packed(small)[:-4], os.path.join(corpus, folder))
        write("empty", b"", os.path.join(corpus, folder))
        write("bomb", packed(b"\0" * (1000000 if folder == "bytes" else 20000)), os.path.join(corpus, folder))
    damaged = bytearray(packed(b"\0" * 1000000))
    damaged[-8] ^= 1
    write("damaged-trailer", bytes(damaged), os.path.join(corpus, "bytes"))
    huge = struct.pack("<Q", 1 << 63)
    write("huge-length", huge + masked(huge) + b"data", os.path.join(corpus, "tfrecord"))
    most = struct.pack("<Q", (1 << 64) - 1)
    write("most-length", most + masked(most), os.path.join(corpus, "tfrecord"))


def main():
    os.makedirs(DATA, exist_ok=True)
    write_records()
    write_zeroes()
    write_examples()
    write_corpus()
    with open(os.path.join(DATA, "cases.h"), "w", encoding="ascii") as file:
        file.write("/* SPDX-License-Identifier: BSD-3-Clause */\n/* Made by scripts/make_record_cases.py. */\n")
        for name, lines in LINES.items():
            file.write(f"#ifdef CASES_OF_{name}\n" + "\n".join(lines) + "\n#endif\n")


if __name__ == "__main__":
    main()
