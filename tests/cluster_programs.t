#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Random programs on two and three workers, by both MPIs, leave the bits of one process. A few of a fixed seed in check;
# PROGRAMS=1000 SEED=... for more and others, ONLY=... for one of them again.
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/mpi.sh"
: "${PROGRAMS:=15}" "${SEED:=16}" "${ONLY=}"
export PROGRAMS SEED ONLY
has_equal_bits || skip_all 'floats keep more bits between operations here, and compilers choose where'
diag "SEED=$SEED PROGRAMS=$PROGRAMS ONLY=$ONLY"
wanted=${ONLY:+1}
: "${wanted:=$PROGRAMS}"
patience=$((60 + PROGRAMS))
for mpi in openmpi mpich; do
    can_use "$mpi" || continue
    for n in 2 3; do
        ranks "$n" "$builddir/tests/cluster_programs"
        case $code:$out in
        0:"$wanted programs: "*) ok 0 "$mpi, $n workers: $out, with the bits of one process" ;;
        *) ok 1 "$mpi, $n workers: random programs have the bits of one process" && diag "$out" ;;
        esac
    done
done
tap_done
