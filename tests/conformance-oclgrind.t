#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The OpenCL plugin on Oclgrind, another implementation than the usual one, which looks at each access to memory.
. "${srcdir:-.}/tests/tap.sh"
scratch conformance-oclgrind
for library in /usr/lib/oclgrind/liboclgrind-rt-icd.so /usr/lib*/*/oclgrind/liboclgrind-rt-icd.so \
    /usr/local/lib*/oclgrind/liboclgrind-rt-icd.so; do
    [ ! -e "$library" ] || echo "$library" >"$scratch/oclgrind.icd"
done
[ -s "$scratch/oclgrind.icd" ] || skip_all 'Oclgrind is not installed'
export OCL_ICD_VENDORS="$scratch" # the loader takes a folder with files that name one library each
conform opencl/.libs/cohort-opencl.so
