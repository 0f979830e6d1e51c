#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# drivers.sh intel|rusticl|khronos|FILE.icd: the demo, cohort check, the kernels and the conformance suite on another driver
# of OpenCL than PoCL, or through another loader; a part of check-long. Prints TAP; the rows of doc/tried.md come from here.
#
# intel    Intel's runtime for CPUs: $INTEL_OPENCL, a folder with libintelocl.so and what it needs, else where oneAPI and
#          Intel's package lie
# rusticl  Mesa's, on llvmpipe: the library $RUSTICL, else what rusticl.icd in /etc/OpenCL/vendors names
# khronos  the drivers of /etc/OpenCL/vendors through Khronos' loader: $KHRONOS_LOADER, a folder with that libOpenCL.so.1
#
# What is not there is a SKIP. With FETCH=yes it is fetched into the build folder: Intel's wheels from PyPI, in which is
# Khronos' loader too; Debian's mesa-opencl-icd, which is unpacked, so that the drivers of this machine stay as they are.
# shellcheck disable=SC2317 # fetch runs what fetches
: "${srcdir:=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)}"
: "${builddir:=$srcdir/build}"
: "${COHORT_PLUGIN_PATH:=$builddir/host/.libs:$builddir/opencl/.libs}"
export srcdir builddir COHORT_PLUGIN_PATH
. "$srcdir/tests/tap.sh"
usage() {
    echo "usage: $0 intel|rusticl|khronos|FILE.icd" >&2
    exit 2
}
[ $# = 1 ] || usage
driver=$1
cohort=$builddir/cohort
unset OCL_ICD_VENDORS OCL_ICD_FILENAMES OPENCL_VENDOR_PATH COHORT_DEVICES COHORT_TEST_OPENCL
[ -e "$builddir/opencl/.libs/cohort-opencl.so" ] || skip_all 'built without OpenCL'
scratch "drivers-$(basename "$driver" .icd)"
mkdir "$scratch/vendors" "$scratch/lib" "$scratch/out"
fetched=$builddir/tests/drivers
log=$scratch/log
touch "$log"
export DEBIAN_FRONTEND=noninteractive

# first FILE...: the first that is there.
first() {
    for file in "$@"; do
        [ -e "$file" ] && echo "$file" && return
    done
}

# ------------------------------------------------------------------ fetching, when asked

fetch_intel() {
    [ -e "$fetched/intel/lib/libintelocl.so" ] || {
        python3 -m venv "$fetched/intel" && # its package does not say that it needs the second one
            "$fetched/intel/bin/pip" install -q intel-opencl-rt intel-cmplr-lib-rt
    }
}

# What the package needs is installed, but the package, which would put two drivers into /etc/OpenCL/vendors, is not.
fetch_rusticl() {
    [ -n "$(first "$fetched"/mesa/usr/lib/*/libRusticlOpenCL.so.1)" ] && return
    mkdir -p "$fetched" && [ "$(id -u)" = 0 ] || return
    apt-cache depends mesa-opencl-icd | sed -n 's/^  Depends: \([^<]*\)$/\1/p' |
        xargs apt-get -q -o DPkg::Lock::Timeout=600 install -y --no-install-recommends &&
        (cd "$fetched" && apt-get -q -o APT::Sandbox::User=root download mesa-opencl-icd &&
            dpkg -x mesa-opencl-icd_*.deb mesa)
}

fetch() {
    if [ "${FETCH-}" = yes ]; then
        "$1" >"$scratch/fetch" 2>&1 || sed 's/^/# /' "$scratch/fetch"
    fi
}

# ------------------------------------------------------------------ choosing the driver

# only LIBRARY: it is the one driver.
only() {
    echo "$1" >"$scratch/vendors/only.icd"
    export OCL_ICD_VENDORS="$scratch/vendors"
}

# Beside the driver lie its libraries, and Khronos' loader, which is not to come before the one of this machine.
use_intel() {
    fetch fetch_intel
    library=$(first ${INTEL_OPENCL:+"$INTEL_OPENCL/libintelocl.so"} "$fetched/intel/lib/libintelocl.so" \
        /opt/intel/oneapi/compiler/latest/lib/libintelocl.so /opt/intel/oneapi/lib/libintelocl.so)
    [ -n "$library" ] || skip_all "Intel's runtime for CPUs is not there: INTEL_OPENCL=<its lib folder>, or FETCH=yes"
    for file in "${library%/*}"/*.so*; do
        case $file in *libOpenCL*) ;; *) ln -s "$file" "$scratch/lib" ;; esac
    done
    export LD_LIBRARY_PATH="$scratch/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
    only "$library"
}

# The name of its CPU differs between versions; one that there is not is passed over.
use_rusticl() {
    fetch fetch_rusticl
    library=$(first ${RUSTICL:+"$RUSTICL"} "$fetched"/mesa/usr/lib/*/libRusticlOpenCL.so.1)
    [ -n "$library" ] || library=$(head -n 1 /etc/OpenCL/vendors/rusticl.icd 2>/dev/null)
    [ -n "$library" ] || skip_all "rusticl is not there: RUSTICL=<libRusticlOpenCL.so.1>, or FETCH=yes"
    export RUSTICL_ENABLE=llvmpipe,swrast
    only "$library"
}

use_khronos() {
    fetch fetch_intel
    loader=$(first ${KHRONOS_LOADER:+"$KHRONOS_LOADER/libOpenCL.so.1"} "$fetched/intel/lib/libOpenCL.so.1")
    [ -n "$loader" ] ||
        skip_all "Khronos' loader is not there: KHRONOS_LOADER=<folder of its libOpenCL.so.1>, or FETCH=yes"
    export LD_LIBRARY_PATH="${loader%/*}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" # that of the wheel needs its neighbours
}

case $driver in
intel) use_intel ;;
rusticl) use_rusticl ;;
khronos) use_khronos ;;
*.icd) only "$(head -n 1 "$driver")" ;;
*) usage ;;
esac

# ------------------------------------------------------------------ trying it

run "$cohort" devices
case $out in
*"  opencl:0 "*) ;;
*)
    diag "$out"
    skip_all "$driver has no device, see above"
    ;;
esac

if [ "$driver" = khronos ]; then
    run env OCL_ICD_VENDORS="$log" "$cohort" devices
    has "$out" "and wants a folder there" "the loader is Khronos', which takes no file for a folder"
fi

# inner CLAIM COMMAND...: a test whose cases are counted; all of it may not be a SKIP.
inner() {
    claim=$1
    shift
    timeout 3600 "$@" >"$log" 2>&1
    code=$?
    grep -A 4 '^not ok' "$log" | sed 's/^/# /'
    [ "$code" = 0 ] && grep -q '^ok' "$log"
    ok "$?" "$claim: $(grep '^ok' "$log" | grep -vc '# SKIP') pass, $(grep -c '^not ok' "$log") fail, $(grep -c '^ok.*# SKIP' "$log") SKIP"
}

run timeout 3600 "$cohort" demo --devices opencl:0 --output-dir "$scratch/out"
[ "$code" = 0 ] || diag "$out"
is "$code" 0 "the demo trains"
has "$out" "digest equal" "with the weights of the host"
inner "cohort check" "$cohort" check --devices opencl:0
inner "the kernels" sh "$srcdir/tests/cli_kernels.t"
inner "the conformance suite" "$builddir/tests/conformance-opencl.t"
diag "$(sed -n 's/^ok [0-9]* - a driver: /driver: /p; s/^ok [0-9]* - a name: /device: /p' "$log" | sort -u)"
tap_done
