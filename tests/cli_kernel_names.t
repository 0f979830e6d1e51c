#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cohort run by a kernel's name, with the declaration in its file: tests/cli_kernel_names.py. Another device:
# COHORT_TEST_OPENCL=opencl:1.
. "${srcdir:-.}/tests/tap.sh"
find_numpy
[ -n "$numpy" ] || skip_all 'no python3-numpy'
device=${COHORT_TEST_OPENCL:-opencl:0}
"$builddir/cli/cohort" devices | grep -q "^  ${device%%[/.]*} " || skip_all "no device $device"
exec "$numpy" "$srcdir/tests/cli_kernel_names.py" "$device"
