# SPDX-License-Identifier: BSD-3-Clause
"""Print the paths of all keys of a JSON file, sorted, on one line."""
import json
import sys


def paths(value, prefix):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield prefix + key
            yield from paths(inner, prefix + key + ".")
    elif isinstance(value, list):
        for inner in value:
            yield from paths(inner, prefix[:-1] + "[].")


with open(sys.argv[1], encoding="utf-8") as file:
    print(" ".join(sorted(set(paths(json.load(file), "")))))
