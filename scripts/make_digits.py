#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Make examples/data/digits.csv from the copy of the data set that scikit-learn ships.

usage: make_digits.py SOURCE > examples/data/digits.csv

SOURCE is sklearn/datasets/data/digits.csv.gz itself, a wheel of scikit-learn, or a folder into which it is
installed. The result has a line of 64 pixels (0 to 16) and the label per image, in the order of the source.
"""
import gzip
import os
import sys
import zipfile

MEMBER = "sklearn/datasets/data/digits.csv.gz"
IMAGES, PIXELS = 1797, 64


def packed_bytes(source):
    if source.endswith(".whl"):
        with zipfile.ZipFile(source) as wheel:
            return wheel.read(MEMBER)
    if os.path.isdir(source):
        source = os.path.join(source, MEMBER)
    with open(source, "rb") as file:
        return file.read()


def checked_line(number, line):
    cells = [int(float(cell)) for cell in line.split(",")]
    if len(cells) != PIXELS + 1:
        raise ValueError(f"line {number}: {len(cells)} numbers, expected {PIXELS + 1}")
    if not all(0 <= cell <= 16 for cell in cells[:PIXELS]) or not 0 <= cells[PIXELS] <= 9:
        raise ValueError(f"line {number}: a number is out of range")
    return ",".join(map(str, cells))


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__.strip())
    lines = gzip.decompress(packed_bytes(sys.argv[1])).decode("ascii").split()
    if len(lines) != IMAGES:
        raise ValueError(f"{len(lines)} images, expected {IMAGES}")
    for number, line in enumerate(lines, 1):
        print(checked_line(number, line))


if __name__ == "__main__":
    main()
