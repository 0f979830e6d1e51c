#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The bodies of tests/bodies have the same bits whatever compiler made them, at any level; and on Oclgrind.
. "${srcdir:-.}/tests/tap.sh"
has_equal_bits || skip_all 'FLT_EVAL_METHOD is not 0, and equal bits are not promised'
if ldd "$builddir/.libs/libcohort.so" 2>/dev/null | grep -q 'lib[a-z]*san\.'; then
    skip_all 'the library has sanitizers in it, which a program of others has not'
fi
scratch bodies_bits

given=$(sed -n 's/^Cflags:.*includedir} *//p' "$builddir/cohort.pc")
libraries=$builddir/.libs
export LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
# What is written down, which tests/bodies.t compares with the devices of this machine.
wanted=$(sed -n 's/.*{ "\([a-z_0-9]*\)", .*, 0x\([0-9a-f]*\) }.*/\1 \2/p' "$srcdir"/tests/bodies/*.c | sort)
is "$(echo "$wanted" | wc -l | tr -d ' ')" 70 "the bodies are found, with what is written down"

# compiled COMPILER OPTION...: the program in $scratch/bodies
compiled() {
    compiler=$1
    shift
    # shellcheck disable=SC2086 # $CC may have options, and flags are a list
    $compiler -std=gnu11 "$@" $given -I"$builddir" -I"$srcdir" -I"$srcdir/include" -I"$builddir/include" \
        "$srcdir"/tests/bodies.c "$srcdir"/tests/bodies/*.c "$libraries/libcohort.so" -lm -o "$scratch/bodies" 2>"$scratch/errors"
}

check() {
    if ! compiled "$@"; then
        skip "$*" "$(head -n 1 "$scratch/errors")"
        return
    fi
    is "$("$scratch/bodies" host 2>&1 | sort)" "$wanted" "$*: every body has its bits"
}

check "${CC:-cc}" -O0
check "${CC:-cc}" -O3 -march=native
check "${CC:-cc}" -O3 -fopenmp
! command -v clang >/dev/null 2>&1 || for level in -O0 -O3; do
    check clang "$level"
done
check "${CC:-cc}" -O2

# Oclgrind has not all of LLVM's functions, which it says, and runs one of these in another way than C and the other
# devices do; with its own checks (OCLGRIND_UNINITIALIZED) several.
library=
for file in /usr/lib/oclgrind/liboclgrind-rt-icd.so /usr/lib*/*/oclgrind/liboclgrind-rt-icd.so \
    /usr/local/lib*/oclgrind/liboclgrind-rt-icd.so; do
    if [ -e "$file" ]; then library=$file; fi
done
if [ -z "$library" ] || [ ! -e "$builddir/opencl/.libs/cohort-opencl.so" ] || [ ! -x "$scratch/bodies" ]; then
    skip 'Oclgrind has the bits of all others' 'no Oclgrind, or built without OpenCL'
else
    mkdir "$scratch/vendors"
    echo "$library" >"$scratch/vendors/oclgrind.icd"
    COHORT_TIMEOUT_LAUNCH=600 OCL_ICD_VENDORS="$scratch/vendors" COHORT_CACHE=off \
        "$scratch/bodies" opencl:0 >"$scratch/found" 2>"$scratch/errors"
    absent=$(sed -n "s/^When creating kernel 'cohort_item_\(.*\)'/\1/p" "$scratch/errors" | tr '\n' ' ')
    differs=$(sort "$scratch/found" | while read -r name digest; do
        case " interpret $absent" in *" $name "*) continue ;; esac
        echo "$wanted" | grep -qx "$name $digest" || echo "$name $digest"
    done)
    is "$differs" '' 'Oclgrind has the bits of all others'
    is "$(wc -l <"$scratch/found" | tr -d ' ')" 70 'and was asked for each'
    diag "not there: $absent"
fi
tap_done
