#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Oclgrind looks at each access of the demo's kernels to memory, and at each call of OpenCL. It is slow: few images.
. "${srcdir:-.}/tests/tap.sh"
library=
for file in /usr/lib/oclgrind/liboclgrind-rt-icd.so /usr/lib*/*/oclgrind/liboclgrind-rt-icd.so \
    /usr/local/lib*/oclgrind/liboclgrind-rt-icd.so; do
    if [ -e "$file" ]; then library=$file; fi
done
[ -n "$library" ] || skip_all 'Oclgrind is not installed'
[ -e "$builddir/opencl/.libs/cohort-opencl.so" ] || skip_all 'built without OpenCL'
scratch oclgrind
mkdir "$scratch/vendors" "$scratch/data"
echo "$library" >"$scratch/vendors/oclgrind.icd"
cp "$srcdir/examples/data/README" "$scratch/data"
head -n 60 "$srcdir/examples/data/digits.csv" >"$scratch/data/digits.csv"

# It crashes when its memory is written by another thread than the one that opened the device: with a deadline of
# launches all is done by one worker.
run env COHORT_TIMEOUT_LAUNCH=600 OCL_ICD_VENDORS="$scratch/vendors" COHORT_DATA_PATH="$scratch/data" COHORT_CACHE=off \
    OCLGRIND_DATA_RACES=1 OCLGRIND_UNINITIALIZED=1 OCLGRIND_CHECK_API=1 OCLGRIND_LOG="$scratch/log" \
    "$builddir/cli/cohort" demo --devices opencl:0 --epochs 1 --batch 12 --output-dir "$scratch"
is "$code" 0 "the demo runs on Oclgrind"
has "$out" "digest equal" "with the weights of the host"
if [ -s "$scratch/log" ]; then reports=$(cat "$scratch/log"); else reports=; fi
is "$reports" '' "without a data race, an uninitialized value or a wrong call"
tap_done
