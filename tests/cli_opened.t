#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Which plugins and drivers the command opens, and that it opens none where it needs no device.
. "${srcdir:-.}/tests/tap.sh"
cohort=$builddir/cli/cohort
command -v strace >/dev/null 2>&1 || skip_all 'there is no strace'
strace -f -o /dev/null true 2>/dev/null || skip_all 'strace may not look here'
scratch cli_opened

# opens WORD...: in $opened what the command opens of plugins and of OpenCL, in $out what it prints. A leak checker
# cannot look at what is looked at.
opens() {
    run env ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" \
        strace -f -qq -e trace=open,openat -o "$scratch/trace" "$cohort" "$@"
    opened=$(grep -v ENOENT "$scratch/trace" | grep -oE 'cohort-[a-z]+\.so|libOpenCL|libpocl|libLLVM' | sort -u |
        tr '\n' ' ')
}

for words in version env help "run --help" "data --help" "demo --help" "devices --help" "embed --help"; do
    # shellcheck disable=SC2086 # words
    opens $words
    is "$code:$opened" "0:" "cohort $words opens no plugin"
done
opens data "$srcdir/examples/data/digits.csv"
is "$code:$opened" "0:" "nor does looking at a file"
opens run 'double cos(double x)' --library libm.so.6 --devices host: x=0
is "$code:$opened" "3:" "nor a list of devices that does not parse"

opens run 'double cos(double x)' --library libm.so.6 --devices host x=0
is "$out:$opened" "1:cohort-host.so " "cohort run --devices host opens the host's plugin alone"
printf 'kernel void f(float x, global float *y) { *y = x; }\n' >"$scratch/f.cl"
opens run 'void f(float x, out float y[1])' --opencl "$scratch/f.cl" --global 1 --devices host x=0
is "$code:$opened" "1:cohort-host.so " "also with a kernel, which it refuses"
opens demo --devices host/2 --epochs 1 --output-dir "$scratch"
is "$code:$opened" "0:cohort-host.so " "and so does cohort demo --devices host/2"
opens devices
has "$opened" "cohort-host.so cohort-loopback.so" "cohort devices opens all"
has "$out" "host:0 " "and lists them"
has "$out" "loopback:0 " "each of them"
if [ -e "$builddir/opencl/.libs/cohort-opencl.so" ]; then
    has "$opened" "cohort-opencl.so" "OpenCL's too"
else
    skip "OpenCL's too" 'this plugin was not built'
fi
tap_done
