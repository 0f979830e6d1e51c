#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cohort run on functions of installed libraries: tests/cli_functions.py.
. "${srcdir:-.}/tests/tap.sh"
find_numpy
[ -n "$numpy" ] || skip_all 'no python3-numpy'
exec "$numpy" "$srcdir/tests/cli_functions.py"
