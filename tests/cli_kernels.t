#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cohort run on the kernels of tests/kernels: tests/cli_kernels.py. Another device: COHORT_TEST_OPENCL=opencl:1.
. "${srcdir:-.}/tests/tap.sh"
find_numpy
[ -n "$numpy" ] || skip_all 'no python3-numpy'
device=${COHORT_TEST_OPENCL:-opencl:0}
"$builddir/cli/cohort" devices | grep -q "^  ${device%%[/.]*} " || skip_all "no device $device"
exec "$numpy" "$srcdir/tests/cli_kernels.py" "$device"
