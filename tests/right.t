#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Right on one device is right on many: the small programs of tests/right, the examples, and the programs of the guide and of
# README.md, with 1, 2, 3 and 5 replicas, on each kind of devices that has no more than these. Integers are those of one
# replica on the host, and of as many replicas all bits are the same. What cannot be is in tests/right/exceptions.c.
# RIGHT=all (make check-long): also each example on each place, and both MPIs.
. "${srcdir:-.}/tests/tap.sh"
own_plugins=$COHORT_PLUGIN_PATH own_asan=${ASAN_OPTIONS-}
. "$srcdir/tests/mpi.sh"
mpi_plugins=$COHORT_PLUGIN_PATH mpi_asan=$ASAN_OPTIONS
COHORT_PLUGIN_PATH=$own_plugins ASAN_OPTIONS=$own_asan
scratch right
programs=$builddir/tests/right_programs
tab=$(printf '\t')
has_equal_bits || skip_all "this build keeps more of a float than its bits, and equal bits are not promised"

opencl_devices=$("$builddir/cli/cohort" devices 2>/dev/null | grep -c '^ *opencl:[0-9]')
[ "$opencl_devices" -gt 0 ] || skip "OpenCL: the same programs" "no OpenCL device"

# places REPLICAS: the devices that have no more than these, but for workers.
places() {
    echo host
    [ "$1" -lt 2 ] || echo host/2
    [ "$1" -lt 3 ] || echo host/3
    [ "$opencl_devices" -eq 0 ] || [ "$1" -lt "$opencl_devices" ] || echo opencl
    [ "$opencl_devices" -eq 0 ] || [ "$1" -lt 2 ] || echo host,opencl:0
}

# ---- The programs and their exceptions.

# Calls and macros of these headers that a program names itself: those that a macro calls are behind it.
public_calls() {
    for header in value variable reduce run replica input dataset metric program; do
        sed -e :a -e '/\\$/N; s/\\\n//; ta' "$srcdir/include/cohort/$header.h"
    done >"$scratch/headers"
    grep -o '^#define \(cohort\|COHORT\)_[A-Za-z_]*(' "$scratch/headers" | sed 's/^#define //; s/($//; /_$/d'
    grep '^#define' "$scratch/headers" | sed 's/^#define [A-Za-z_]*//' | grep -o 'cohort_[a-z_]*' | sort -u >"$scratch/behind"
    awk 'BEGIN { RS = ";" } /COHORT_API/ { sub(/.*COHORT_API/, ""); if (match($0, /cohort_[a-z_]+\(/)) print substr($0, RSTART, RLENGTH - 1) }' \
        "$scratch/headers" | grep -vxFf "$scratch/behind"
}

check_list() {
    "$programs" names >"$scratch/names"
    "$programs" exceptions >"$scratch/exceptions"
    [ "$(wc -l <"$scratch/names")" -ge 50 ]
    ok "$?" "there are at least fifty programs"
    is "$(sort "$scratch/names" | uniq -d)" "" "and no two of one name"
    grep -oh '\(cohort\|COHORT\)_[A-Za-z_]*' "$srcdir"/tests/right/*.c | sort -u >"$scratch/named"
    public_calls | sort -u >"$scratch/calls"
    [ "$(wc -l <"$scratch/calls")" -ge 100 ]
    ok "$?" "the headers have their calls"
    is "$(grep -vxFf "$scratch/named" "$scratch/calls")" "" "each of which a program makes"
    [ "$(wc -l <"$scratch/exceptions")" -le 16 ]
    ok "$?" "at most sixteen results may differ"
    is "$(grep -v "^[^$tab]*${tab}[rn]$tab..*" "$scratch/exceptions")" "" "each for a reason"
}

# part NAME FILE: the lines that are the same for any number of replicas; for as many; and not to the bit.
part() {
    case $1 in
    integers) grep -a "${tab}i$tab" "$2" ;;
    bits) grep -av "${tab}n$tab" "$2" ;;
    nearly) grep -a "${tab}n$tab" "$2" ;;
    esac
}

# differences FILE FILE
differences() {
    diff "$1" "$2" | grep '^[<>]' | cut -c 1-300 | head -n 20
}

# far FILE FILE: numbers of the second that are more than 16 units in the last place of float32 from those of the first.
far() {
    paste "$1" "$2" | awk -F'\t' '{
        n = split($3, a, " "); if (split($6, b, " ") != n || $1 != $4) print $1 ": other numbers"
        for (i = 2; i <= n; i++) {
            d = a[i] - b[i]; if (d < 0) d = -d; m = a[i] < 0 ? -a[i] : a[i]
            if (d > 16 * m / 8388608) print $1 ": " a[i] " and " b[i]
        } }'
}

# judge CLAIM FILE REPLICAS: what has come out beside one replica, and as many, on the host.
judge() {
    for lines in integers bits nearly; do
        part "$lines" "$2" >"$scratch/found.$lines"
    done
    is "$(differences "$scratch/1.integers" "$scratch/found.integers")" "" "$1: the integers of one replica"
    is "$(differences "$scratch/$3.bits" "$scratch/found.bits")" "" "$1: the bits of the host"
    is "$(far "$scratch/$3.nearly" "$scratch/found.nearly")" "" "$1: the rest is near enough"
}

# ---- Small programs.

check_host() {
    for replicas in 1 2 3 5; do
        run "$programs" "$replicas" host "$scratch"
        is "$code:$(echo "$out" | grep -a ' failed: ')" 0: "$replicas replicas on the host: all programs end well"
        echo "$out" >"$scratch/$replicas"
        for lines in integers bits nearly; do
            part "$lines" "$scratch/$replicas" >"$scratch/$replicas.$lines"
        done
        is "$(differences "$scratch/1.integers" "$scratch/$replicas.integers")" "" "... with the integers of one"
    done
    while read -r line; do
        name=${line%%"$tab"*}
        grep -qa "^$name$tab" "$scratch/1"
        ok "$?" "$name is a result"
        case $line in
        *"${tab}r$tab"*)
            [ "$(grep -a "^$name$tab" "$scratch/1")" != "$(grep -a "^$name$tab" "$scratch/5")" ]
            ok "$?" "... that is another one with more replicas"
            ;;
        esac
    done <<END
$(grep -v '^guide' "$scratch/exceptions")
END
}

check_devices() {
    for replicas in 1 2 3 5; do
        for devices in $(places "$replicas" | grep -vx host); do
            run "$programs" "$replicas" "$devices" "$scratch"
            is "$code:$(echo "$out" | grep -a ' failed: ')" 0: "$replicas replicas on $devices: all programs end well"
            echo "$out" >"$scratch/found"
            judge "..." "$scratch/found" "$replicas"
        done
    done
}

# Two workers, by mpirun: whichever MPI is there first, or each.
check_workers() {
    for mpi in openmpi mpich; do
        COHORT_PLUGIN_PATH=$mpi_plugins ASAN_OPTIONS=$mpi_asan
        if can_use "$mpi"; then
            for replicas in 2 3 5; do
                ranks 2 "$programs" workers "$replicas" "$scratch"
                is "$code:$(echo "$out" | grep -a ' failed: ')" 0: "$mpi: $replicas replicas on two workers: all programs end well"
                echo "$out" | grep -a "$tab" >"$scratch/found"
                judge "..." "$scratch/found" "$replicas"
            done
            [ "${RIGHT-}" = all ] || break
        fi
    done
    COHORT_PLUGIN_PATH=$own_plugins ASAN_OPTIONS=$own_asan
}

check_list
check_host
check_devices
check_workers
tap_done
