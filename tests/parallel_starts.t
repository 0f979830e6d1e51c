#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Many processes that start at the same time with an empty cache: each builds or finds its kernel and gives the result.
# Each has a cache of PoCL's own: PoCL 3.1 crashes in clGetProgramInfo (it reads the folder of a program without asking
# whether it could be opened) where another process builds the same program at that moment, about one start in 100.
# make check-long: STARTS=100.
. "${srcdir:-.}/tests/tap.sh"
cohort=$builddir/cli/cohort
starts=${STARTS:-8}
[ -e "$builddir/opencl/.libs/cohort-opencl.so" ] || skip_all 'this plugin was not built'
case $("$cohort" devices) in *opencl:0*) ;; *) skip_all 'there is no OpenCL device' ;; esac
scratch "parallel_starts_$starts"
mkdir "$scratch/out"
mkdir -m 700 "$scratch/cache"
cat >"$scratch/f.cl" <<'CL'
kernel void poly(long n, float a, global const float *x, global float *y)
{
    long i = get_global_id(0);
    if (i < n)
        y[i] = a * x[i] * x[i] + 1;
}
CL

# all CLAIM: so many at once; each must print the right result and nothing else.
all() {
    i=0
    pids=
    while [ "$i" -lt "$starts" ]; do
        COHORT_CACHE="$scratch/cache" POCL_CACHE_DIR="$scratch/cache/pocl$i" "$cohort" run \
            'void poly(int64_t n, float a, const float x[n], out float y[n])' --opencl "$scratch/f.cl" --global n \
            --devices opencl:0 a=2 x=1,2,3 >"$scratch/out/$i" 2>&1 &
        pids="$pids $!"
        i=$((i + 1))
    done
    good=0
    i=0
    for pid in $pids; do
        if wait "$pid" && [ "$(cat "$scratch/out/$i")" = "$wanted" ]; then
            good=$((good + 1))
        else
            diag "$i: $(head -c 500 "$scratch/out/$i")"
        fi
        i=$((i + 1))
    done
    is "$good" "$starts" "$1"
}

wanted='[3, 9, 19]'
all "$starts processes that start at once with an empty cache all give the result"
all "and so they do with a full one"
tap_done
