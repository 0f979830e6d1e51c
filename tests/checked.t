#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Right bodies are left alone: the small programs of tests/right, and the examples, print the same with COHORT_CHECK=bodies as
# without. CHECK=plugins: right plugins, the same. Here without OpenCL, whose kernels take longer to build than all runs
# (tests/check_bodies.t compares bodies with them). CHECKED="tests/run.t ..." (make check-long): these tests pass with it, but
# for those of the list, each of which says why it cannot; so does tests/right.t with the whole of its table.
. "${srcdir:-.}/tests/tap.sh"
scratch checked
programs=$builddir/tests/right_programs
tab=$(printf '\t')
check=${CHECK:-bodies}
list=$srcdir/tests/data/checked.txt

# says COMMAND...: what it prints, and how it ends.
says() {
    (cd "$scratch" && "$@" 2>&1 || echo "status $?")
}

# same CLAIM COMMAND...
same() {
    claim=$1
    shift
    says "$@" >"$scratch/plain"
    COHORT_PLUGINS=^opencl COHORT_CHECK=$check says "$@" >"$scratch/checked"
    is "$(grep '^status' "$scratch/plain")" "" "$claim: ends well"
    [ -s "$scratch/plain" ]
    ok "$?" "... with something to compare"
    is "$(diff "$scratch/plain" "$scratch/checked" | cut -c 1-400 | head -n 10)" "" "and the same where $check are checked"
}

for devices in host host/2; do
    same "the small programs, 3 replicas on $devices" "$programs" 3 "$devices" "$scratch"
done
for example in kmeans montecarlo embedding; do
    same "$example" "$builddir/examples/$example" --devices host/2
done
same "heat" "$builddir/examples/heat" host/2

# ---- Everything else.

excepted() {
    [ "$check" = bodies ] && grep -q "^$1$tab" "$list"
}

is "$(grep -v "^#" "$list" | grep -v "^tests/[a-z_0-9]*[.]t$tab..*")" "" "each exception says why"
for test in ${CHECKED-}; do
    name=tests/${test##*/}
    name=${name%.t*}.t
    if excepted "$name"; then
        skip "$name with COHORT_CHECK=$check" "$(sed -n "s,^$name$tab,,p" "$list")"
        continue
    fi
    (cd "$builddir" && COHORT_CHECK=$check "$builddir/$test" >"$scratch/out" 2>&1)
    is "$?$(grep '^not ok' "$scratch/out" | head -n 5)" 0 "$name with COHORT_CHECK=$check"
done
tap_done
