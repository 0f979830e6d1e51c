# SPDX-License-Identifier: BSD-3-Clause
"""Print the scalars of TensorBoard's event files, a line for each: step, tag, value. By the rules of
TFRecord and protocol buffers alone; checksums are left to cohort data --check."""
import struct
import sys


def varint(data, at):
    number = shift = 0
    while True:
        byte = data[at]
        number |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return number, at


def fields(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            length, at = varint(data, at) if key & 7 == 2 else ({1: 8, 5: 4}[key & 7], at)
            value, at = data[at : at + length], at + length
        yield key >> 3, value


def records(data):
    at = 0
    while at < len(data):
        length = struct.unpack_from("<Q", data, at)[0]
        yield data[at + 12 : at + 12 + length]
        at += 16 + length


for name in sys.argv[1:]:
    with open(name, "rb") as file:
        for record in records(file.read()):
            event = dict(fields(record))
            assert 1.6e9 < struct.unpack("<d", event[1])[0] < 1e11, "seconds since 1970"
            if 3 in event:
                print(event[3].decode())
            else:
                scalar = dict(fields(dict(fields(event[5]))[1]))
                print(event[2], scalar[1].decode(), "%.4f" % struct.unpack("<f", scalar[2])[0])
