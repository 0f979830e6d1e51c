#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Where PoCL would end the process: without /sys, without room for its kernels, with kernels that were cut. All of it is
# found out before the driver is asked, and told; nothing ends by a signal, or without a word of Cohort.
. "${srcdir:-.}/tests/tap.sh"
[ -e "$builddir/opencl/.libs/cohort-opencl.so" ] || skip_all 'this plugin was not built'
cohort=$(cd "$builddir" && pwd)/cli/cohort
scratch opencl_pocl
scratch=$(cd "$scratch" && pwd)
unset POCL_CACHE_DIR XDG_CACHE_HOME COHORT_DEVICES OCL_ICD_VENDORS OCL_ICD_FILENAMES HWLOC_XMLFILE HWLOC_SYNTHETIC
mkdir "$scratch/home" "$scratch/out"
export HOME="$scratch/home" COHORT_CACHE=off
case $("$cohort" devices 2>&1) in
*' opencl:0 '*) ;;
*) skip_all 'there is no OpenCL device' ;;
esac
"$cohort" check --devices opencl:0 >"$scratch/first" 2>&1
kept=$scratch/home/.cache/pocl/kcache
[ -d "$kept" ] || skip_all 'opencl:0 is none of PoCL'
is "$(tail -n 1 "$scratch/first")" "1..26" "opencl:0 is well, and has its kernels kept"
cp -a "$kept" "$scratch/good"

# demo: a program, with the plugin in its own process.
demo() { run "$cohort" demo --devices opencl:0 --epochs 1 --output-dir "$scratch/out"; }

# ------------------------------------------------------------------ kernels that were cut

demo
is "$code" 0 "the demo trains on it"
cp -a "$kept/." "$scratch/good"
# cut BYTES NAME: the kept kernels, or programs, of this name.
cut_kept() {
    rm -rf "$kept"
    cp -a "$scratch/good" "$kept"
    find "$kept" -name "$2" -exec truncate -s "$1" {} +
}
for case in '0 *.so' '100 *.so' '4000 *.so' '0 program.bc' '100 program.bc'; do
    bytes=${case% *} name=${case#* }
    cut_kept "$bytes" "$name"
    demo
    is "$code" 0 "with each $name cut to $bytes bytes the demo trains"
    has "$out" "digest equal" "... to the same weights"
    has "$out" "cohort: warning: PoCL kept " "... with a word about it"
done
demo
case $out in *'PoCL kept'*) false ;; *) true ;; esac
ok "$?" "and then it is put right"
cut_kept 100 '*.so'
run "$cohort" check --devices opencl:0
is "$code" 0 "check passes with kernels that were cut"
has "$out" "PoCL kept " "... and says what it met"
cut_kept 100 '*.so'
run "$cohort" doctor
has "$out" "note   kernels   opencl:0: PoCL kept " "doctor tells it"
has "$out" "ok     kernels   opencl:0 builds and runs a kernel" "... and runs a kernel"
cut_kept 0 nothing
echo 'nothing of PoCL' >"$kept/notes.so"
run "$cohort" check --devices opencl:0
is "$(cat "$kept/notes.so")" "nothing of PoCL" "a file that is not PoCL's stays"

# ------------------------------------------------------------------ no room

# no_room CLAIM REASON COMMAND...: what a shell says that has no room for kernels, and then does "$@".
no_room() {
    claim=$1 reason=$2
    shift 2
    rm -rf "$kept"
    run "$@" "$cohort" devices
    is "$code" 0 "$claim: devices lists what there is"
    run "$@" "$cohort" check --devices opencl:0
    is "$code" 1 "$claim: check fails"
    has "$out" "$reason" "... and says why"
    has "$out" "fix: export POCL_CACHE_DIR=" "... and what to do"
    run "$@" "$cohort" demo --devices opencl:0 --epochs 1 --output-dir "$scratch/out"
    is "$code" 1 "$claim: a program gets an error"
    has "$out" "$reason" "... with the reason"
    run "$@" "$cohort" doctor
    is "$code" 1 "$claim: doctor says that it is wrong"
    has "$out" "wrong  kernels   opencl:0: " "... of the device"
    has "$out" "$reason" "... with the reason"
    has "$out" "fix: export POCL_CACHE_DIR=" "... and what to do"
    has "$out" "ok     kernels   host:0 builds and runs a kernel" "... and looks at the others"
}
no_room "a limit on sizes of files" "PoCL needs 4 MiB for its kernels in $kept: File too large (ulimit -f)" \
    sh -c 'ulimit -f 100 && exec "$@"' sh

# shellcheck disable=SC2016
in_mounts='mount -t tmpfs -o "$1" none "$2" && shift 2 && exec "$@"'
if unshare -m sh -c "$in_mounts" sh size=1m "$scratch/out" true 2>/dev/null; then
    mkdir -p "$scratch/home/.cache"
    no_room "a full disk" "PoCL needs 4 MiB for its kernels in $kept: No space left on device" \
        unshare -m sh -c "$in_mounts" sh size=128k "$scratch/home/.cache"

    # -------------------------------------------------------------- no /sys

    without_sys() { run unshare -m sh -c "$in_mounts" sh size=1m /sys "$@"; }
    without_sys "$cohort" devices
    is "$code" 0 "without /sys devices lists the host"
    has "$out" "  host:0 " "... which is there"
    has "$out" "/sys/devices/system/cpu/cpu0/topology, where it looks for cores, is not there" "... and why no other is"
    has "$out" "fix: mount sysfs at /sys" "... and what to do"
    without_sys "$cohort" doctor
    is "$code" 1 "doctor says that it is wrong"
    has "$out" "wrong  opencl    opencl: PoCL would end this process" "... with the reason"
    without_sys "$cohort" check
    is "$code" 0 "check passes on the host"
    without_sys "$cohort" demo --epochs 1 --output-dir "$scratch/out"
    is "$code" 0 "so does the demo"
    without_sys "$cohort" demo --devices opencl --epochs 1
    is "$code" 3 "on OpenCL it has no device"
    mkdir "$scratch/vendors"
    cp /etc/OpenCL/vendors/*.icd "$scratch/vendors"
    echo libcohort-none.so.1 >"$scratch/vendors/none.icd"
    without_sys env OCL_ICD_VENDORS="$scratch/vendors" "$cohort" devices
    is "$code" 0 "nor does the loader end it, where it has several drivers"
    without_sys env HWLOC_SYNTHETIC='pu:2' "$cohort" devices
    has "$out" " opencl:0 " "with cores of hwloc's own there is the device"
else
    skip "a full disk" "no file system may be mounted here"
    skip "without /sys devices lists the host" "no file system may be mounted here"
fi
tap_done
