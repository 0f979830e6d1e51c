#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# make installcheck: the installed command, and the installed examples compiled with pkg-config alone.
# From the Makefile: srcdir builddir, bindir and the like without DESTDIR, DESTDIR, CC CXX CFLAGS LDFLAGS.
. "${srcdir:-.}/tests/tap.sh"
: "${bindir:?}" "${libdir:?}" "${pkgconfigdir:?}" "${plugindir:?}" "${pkgdatadir:?}" "${exampledir:?}"
scratch installed
unset COHORT_PLUGIN_PATH COHORT_DATA_PATH COHORT_DEVICES COHORT_PLUGINS
if [ -n "$DESTDIR" ]; then
    export COHORT_PLUGIN_PATH="$DESTDIR$plugindir" COHORT_DATA_PATH="$DESTDIR$pkgdatadir"
fi
export HOME="$scratch" # for the caches of kernels
unset XDG_CACHE_HOME POCL_CACHE_DIR
export PKG_CONFIG_PATH="$DESTDIR$pkgconfigdir" LD_LIBRARY_PATH="$DESTDIR$libdir"
cohort=$DESTDIR$bindir/cohort
examples=$DESTDIR$exampledir
cd / || exit 1 # from any folder

flags() {
    PKG_CONFIG_SYSROOT_DIR=$DESTDIR pkg-config "$@" cohort
}

# compile COMPILER SOURCE OPTIONS...: to $scratch/program; flags are lists
compile() {
    compiler=$1
    source=$2
    shift 2
    # shellcheck disable=SC2086,SC2046
    out=$($compiler $CFLAGS "$@" "$examples/$source" $(flags --cflags) $LDFLAGS $(flags --libs) \
        $libraries -o "$scratch/program" 2>&1)
    ok "$?" "$source compiles from what is installed"
    [ -z "$out" ] || diag "$out"
}

run "$cohort" devices
is "$code" 0 "the installed command finds a device"
run "$cohort" check
is "$code" 0 "the installed command passes its own tests"
[ "$code" = 0 ] || diag "$out"
run "$cohort" demo --epochs 1 --output-dir "$scratch"
is "$code" 0 "the installed demo finds its data"

case $("$cohort" devices) in
*' opencl:0 '*)
    run "$cohort" demo --devices opencl:0 --epochs 1 --output-dir "$scratch"
    is "$code" 0 "the installed OpenCL plugin trains"
    has "$out" "digest equal, largest weight difference 0" "with the weights of the host"
    ;;
*) skip "the installed OpenCL plugin trains" "no OpenCL device" ;;
esac

has "$(flags --static --libs) " " -lm " "pkg-config gives a static link what the library calls of libm"

libraries=-lm
compile "$CC" saxpy.c -std=c11
run "$scratch/program"
has "$out" "y[6] = 8 on " "saxpy runs"
compile "$CC" clip.c -std=c11
run "$scratch/program" host/2
has "$out" "norm 1.000 on 2 replicas" "clip runs"
compile "$CC" train_digits.c -std=c11
for example in kmeans montecarlo embedding; do
    compile "$CC" $example.c -std=c11
    run "$scratch/program" --devices host/2
    is "$code" 0 "$example runs"
done
for example in bigram blackscholes heat nbody pagerank softmax; do
    compile "$CC" $example.c -std=c11
done
if libraries=$(pkg-config --cflags --libs openblas 2>/dev/null); then
    compile "$CC" blas.c -std=c11
    run "$scratch/program"
    has "$out" "last row 9 12, cos(1) = 0.540302" "blas runs"
else
    skip "blas compiles" "no openblas"
fi
if [ "$CXX" != no ]; then
    libraries=
    compile "$CXX" saxpy.cc -std=c++17
    run "$scratch/program"
    has "$out" "y[6] = 6 on " "saxpy in C++ runs"
else
    skip "saxpy in C++ compiles" "no C++17 compiler"
fi
printf '# PASS: %d\n# FAIL: %d\n' $((tap_count - tap_failures)) "$tap_failures"
tap_done
