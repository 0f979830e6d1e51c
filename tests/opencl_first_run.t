#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The command where OpenCL is set up wrongly: it says why and what to do, and the demo trains on the host all the same.
. "${srcdir:-.}/tests/tap.sh"
[ -e "$builddir/opencl/.libs/cohort-opencl.so" ] || skip_all 'this plugin was not built'
cohort=$builddir/cli/cohort
scratch opencl_first_run
unset OCL_ICD_VENDORS OCL_ICD_FILENAMES OPENCL_VENDOR_PATH POCL_CACHE_DIR XDG_CACHE_HOME COHORT_DEVICES
mkdir "$scratch/empty" "$scratch/broken" "$scratch/out" "$scratch/home"
echo libcohort-no-such-driver.so.1 >"$scratch/broken/nvidia.icd"

# broken CLAIM REASON FIX SETTING...: the command under these settings of the environment
broken() {
    claim=$1 reason=$2 fix=$3
    shift 3
    run env "$@" "$cohort" devices
    is "$code" 0 "$claim: cohort devices is fine"
    has "$out" "host:0" "$claim: the host is listed"
    case $out in *opencl:0*) ok 1 "$claim: no OpenCL device is" ;; *) ok 0 "$claim: no OpenCL device is" ;; esac
    has "$out" "$reason" "$claim: with the reason"
    has "$out" "fix: $fix" "$claim: and what to do"
    run env "$@" "$cohort" demo --epochs 1 --output-dir "$scratch/out"
    is "$code" 0 "$claim: the demo trains on the host"
    has "$out" "test accuracy" "$claim: to its end"
    run env "$@" "$cohort" demo --devices opencl --epochs 1 --output-dir "$scratch/out"
    is "$code" 3 "$claim: --devices opencl is exit code 3"
}

broken 'no folder' 'OCL_ICD_VENDORS=/nonexistent does not exist' 'unset OCL_ICD_VENDORS, or apt-get install' \
    OCL_ICD_VENDORS=/nonexistent
broken 'an empty folder' "OCL_ICD_VENDORS=$scratch/empty has no driver's file" 'unset OCL_ICD_VENDORS, or apt-get' \
    OCL_ICD_VENDORS="$scratch/empty"
broken 'a missing library' 'libcohort-no-such-driver.so.1: cannot open shared object file' 'install that driver' \
    OCL_ICD_VENDORS="$scratch/broken"

# Where PoCL keeps its kernels: /proc is a place where nobody makes a folder, not even root.
case $(env HOME="$scratch/home" "$cohort" devices) in
*opencl:0*)
    if [ -e /etc/OpenCL/vendors/pocl.icd ] && [ -d /proc/self ]; then
        mkdir "$scratch/pocl"
        cp /etc/OpenCL/vendors/pocl.icd "$scratch/pocl"
        broken 'no cache' '/proc/no/such/folder' 'export POCL_CACHE_DIR=' \
            OCL_ICD_VENDORS="$scratch/pocl" POCL_CACHE_DIR=/proc/no/such/folder
        broken 'no home' '/proc/no/such/.cache/pocl' 'export POCL_CACHE_DIR=' \
            OCL_ICD_VENDORS="$scratch/pocl" HOME=/proc/no/such
        run env OCL_ICD_VENDORS="$scratch/pocl" HOME=/proc/no/such POCL_CACHE_DIR="$scratch/cache" \
            "$cohort" demo --devices opencl:0 --epochs 1 --output-dir "$scratch/out"
        is "$code" 0 "what the fix says helps, also without a home"
        has "$out" "digest equal" "with the weights of the host"
    else
        skip 'no cache' 'PoCL is not there'
    fi
    ;;
*) skip 'no cache' 'there is no OpenCL device' ;;
esac
tap_done
