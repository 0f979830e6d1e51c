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
    for header in value variable reduce prefix run replica input dataset metric program logical; do
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
    [ "$(wc -l <"$scratch/exceptions")" -le 20 ]
    ok "$?" "at most twenty results may differ"
    is "$(grep -v "^[^$tab]*${tab}[rnh]$tab..*" "$scratch/exceptions")" "" "each for a reason"
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
$(grep -v '^[a-z]*/' "$scratch/exceptions")
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

# Two workers, by mpirun: whichever MPI is there first, or each. They make a hundred strategies.
check_workers() {
    patience=180 counts=3
    [ "${RIGHT-}" != all ] || counts='2 3 5'
    for mpi in openmpi mpich; do
        COHORT_PLUGIN_PATH=$mpi_plugins ASAN_OPTIONS=$mpi_asan
        if can_use "$mpi"; then
            for replicas in $counts; do
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

# ---- Programs that print: the examples, README.md, the guide. Any strategy that they ask for is the one of tests/right/place.h.

# variable NAME: as the build has it.
variable() {
    sed -n "s/^$1 = //p" "$builddir/Makefile"
}

# Each program's source under its name, such as guide/mean.c, and what they read. Not the examples that need a BLAS, or
# several kinds of processes, which train as they come.
find_texts() {
    mkdir "$scratch/examples" "$scratch/guide" "$scratch/readme"
    cp "$srcdir"/examples/*.c "$srcdir"/examples/*.cc "$scratch/examples"
    rm "$scratch/examples/blas.c" "$scratch/examples/coordinator.c" "$scratch/examples/parameter_server.c"
    mv "$scratch/examples/saxpy.cc" "$scratch/examples/saxpy-cxx.cc"
    [ -x "$builddir/examples/saxpy-cxx" ] || rm "$scratch/examples/saxpy-cxx.cc"
    for page in "$srcdir"/README.md "$srcdir"/doc/guide/*.md; do
        case $page in "$srcdir"/README.md) folder=readme ;; *) folder=guide ;; esac
        awk -v folder="$scratch/$folder/" '/^```c [a-z]*[.]cl?$/ { file = folder $2; next } /^```$/ { file = "" } file != "" { print > file }' "$page"
    done
    for kernels in "$scratch"/guide/*.cl; do
        "$builddir/cli/cohort" embed "$kernels" -o "${kernels%.cl}_cl.h"
    done
    awk 'BEGIN { print "area,age,price"; for (i = 0; i < 600; i++) { a = i * 37 % 101 / 100; b = i * 61 % 89 / 100; print a "," b "," 3 * a - b + 0.5 } }' \
        >"$scratch/houses.csv"
    awk 'BEGIN { print "id,width,height,kind"; for (i = 0; i < 90; i++) print i "," i * 7 % 10 "," i * 3 % 10 ",some" }' >"$scratch/boxes.csv"
}

# build_text FILE NAME
build_text() {
    case $1 in *.cc) compiler=$CXX standard=c++17 ;; *) compiler=$CC standard=gnu11 ;; esac
    # shellcheck disable=SC2046,SC2086 # flags are lists
    run $compiler -O1 -std=$standard $(variable SAME_BITS_CFLAGS) -I"$srcdir/include" -I"$srcdir/examples" \
        -include "$srcdir/tests/right/place.h" "$1" -L"$builddir/.libs" -Wl,-rpath,"$builddir/.libs" -lcohort -lm -o "$scratch/$2"
    is "$code:$out" 0: "$2 builds"
}

# say NAME REPLICAS DEVICES: what it prints, but for the number of replicas, and the devices that it names.
say() {
    more=
    case $1 in
    examples/softmax | examples/tpu | examples/train_digits | examples/workers) argument=$srcdir/examples/data/digits.csv ;;
    examples/bigram) argument=$srcdir/LICENSE ;;
    guide/replicas) argument=host ;;
    guide/resume) argument=host more=60 ;;
    *) argument= ;;
    esac
    rm -rf "$scratch/run" "$scratch/saved" # what guide/resume and guide/managed would go on from
    # that one ends itself by a signal first, and then goes on
    [ "$1" != guide/managed ] || (cd "$scratch" && RIGHT_REPLICAS=$2 RIGHT_DEVICES=$3 "$scratch/$1" >/dev/null 2>&1)
    (cd "$scratch" && RIGHT_REPLICAS=$2 RIGHT_DEVICES=$3 "$scratch/$1" ${argument:+"$argument"} ${more:+"$more"} 2>&1 || echo "status $?") |
        sed 's/[0-9]* replicas/R replicas/; /\(host\|opencl\):[0-9]/d; /, placement mirrored$/d'
}

# excepted NAME HOW
excepted() {
    grep -q "^$1$tab$2$tab" "$scratch/exceptions"
}

# compare NAME HOW FILE FILE CLAIM: that they are the same, or, where this is an exception, that they are not.
compare() {
    if excepted "$1" "$2"; then
        ! cmp -s "$3" "$4"
        ok "$?" "$5, which cannot be"
    else
        is "$(differences "$3" "$4")" "" "$5"
    fi
}

# check_text NAME REPLICAS...: as many on each of their places.
check_text() {
    name=$1
    shift
    say "$name" 1 host >"$scratch/one"
    is "$(grep -c . "$scratch/one" | sed 's/^[1-9].*/some/'):$(grep '^status' "$scratch/one")" some: "$name prints something on the host"
    for replicas; do
        say "$name" "$replicas" host >"$scratch/some"
        [ "$replicas" = 1 ] || compare "$name" r "$scratch/one" "$scratch/some" "$name, $replicas replicas: what one prints"
        for devices in $(places "$replicas" | grep -vx host); do
            say "$name" "$replicas" "$devices" >"$scratch/found"
            how=bits
            case $devices in *opencl*) how=h ;; esac
            compare "$name" "$how" "$scratch/some" "$scratch/found" "$name, $replicas replicas on $devices: the bits of the host"
        done
    done
}

check_texts() {
    if ldd "$builddir/.libs/libcohort.so" 2>/dev/null | grep -q 'lib[a-z]*san\.'; then
        skip "the examples and the guide" "the library has sanitizers in it, which a program of others has not"
        return
    fi
    find_texts
    for file in "$scratch"/readme/*.c "$scratch"/guide/*.c "$scratch"/examples/*.c*; do
        name=${file%.c*} name=${name#"$scratch"/}
        build_text "$file" "$name"
        case $name in
        guide/ids | guide/slope) continue ;; # which no host has a body of
        guide/body) continue ;;              # which reads what is not there
        guide/recorded) continue ;;          # which says how often steps were repeated: fewer where they are kept
        esac
        case ${RIGHT-}:$name in
        all:*) check_text "$name" 1 2 3 5 ;;
        *:examples/*) check_text "$name" 2 ;;
        *) check_text "$name" 2 3 ;;
        esac
    done
}

check_list
check_host
check_devices
check_workers
check_texts
tap_done
