#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cohort run on many rows: divided among devices it writes the file that one device writes. make check-long has
# 10,000,001 of them.
. "${srcdir:-.}/tests/tap.sh"
cohort=$builddir/cli/cohort
rows=${ROWS:-100001}
scratch cli_split
unset COHORT_DEVICES

cat >"$scratch/f.c" <<'END'
#include <stdint.h>
void f(int64_t n, float a, const float *x, float *y)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = a * x[i] + y[i] / (1 + x[i]);
}
END
cat >"$scratch/f.cl" <<'END'
kernel void f(long n, float a, global const float *x, global float *y)
{
    long i = get_global_id(0);
    y[i] = a * x[i] + y[i] / (1 + x[i]);
}
END

lists=host/3
opencl=
case $("$cohort" devices) in
*' opencl:0 '*)
    lists="host/3 opencl:0 host/2,opencl:0 opencl:0,host/2"
    opencl="--opencl $scratch/f.cl --global n"
    ;;
esac

# divided DEVICES: the function on all of them, into $file
divided() {
    file=$scratch/$(printf '%s' "$1" | tr '/,:' '___').npy
    # shellcheck disable=SC2086 # options
    run "$cohort" run 'void f(int64_t n, float a, const float x[n], float y[n])' \
        --source "$scratch/f.c" --cflags -O2 $opencl --devices "$1" \
        --split x,y a=0.7 "x=rand(1,$rows)" "y=rand(2,$rows)" --output "y=$file" --time
}

divided host
[ "$code" = 0 ] || skip_all "no host device or C compiler: $out"
diag "host: $out"
mv "$file" "$scratch/wanted.npy"
[ -n "$opencl" ] || skip "rows divided among host and OpenCL" "no OpenCL device"
for list in $lists; do
    divided "$list"
    cmp -s "$scratch/wanted.npy" "$file"
    ok "$?" "$rows rows on $list give the file of host"
    diag "$list: $out"
    rm -f "$file"
done
tap_done
