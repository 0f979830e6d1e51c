#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Loops and conditions of recorded steps over the workers of real MPIs, started by mpirun: the bits of one process, and one
# way for all of them.
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/mpi.sh"
scratch cluster_control
has_equal_bits || skip_all 'floats keep more bits between operations here, and compilers choose where'

# control N DEVICES: $code, and what all have said in $out.
control() {
    rm -f "$scratch"/rank.*
    # shellcheck disable=SC2016 # each rank expands it
    ranks "$1" sh -c 'exec "$@" >"$0/rank.$$" 2>&1' "$scratch" "$builddir/tests/cluster_control" "$2"
    out=$(cat "$scratch"/rank.*)
}

# told WHAT TEXT CLAIM: all have been told of it, one of them in these words.
told() {
    is "$(echo "$out" | grep -c "^told: [0-9]: $1: ")" "$n" "$mpi, $n ranks: all are told of $3"
    has "$(echo "$out" | grep "^told: [0-9]: $1: ")" "$2" "$mpi, $n ranks: in words that show both sides: $3"
}

for mpi in openmpi mpich; do
    can_use "$mpi" || continue
    control 1 host/6
    wanted=$(echo "$out" | grep '^left: ')
    is "$code" 0 "$mpi: a program with loops and conditions on one rank"
    for on in 2:host/3 3:host/2; do
        n=${on%:*}
        control "$n" "${on#*:}"
        is "$code:$(echo "$out" | grep '^left: ')" "0:$wanted" "$mpi, $n ranks: loops and conditions have the bits of one"
        told number "worker 0 has 1, and worker 1 2; all workers go the same way" "a condition that is another number"
        told way "worker 0 has 0, and worker 1 1; all workers go the same way" "a condition that would go another way"
        told alone "cohort_program_when: its value at " "a condition that is not finite on one"
        told recorded "cohort_program_repeat at cluster_control.c:" "a loop that was recorded with another count"
    done
done
tap_done
