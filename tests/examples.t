#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The longer examples: each checks its own result; here, that it does not depend on strategy and devices.
. "${srcdir:-.}/tests/tap.sh"
scratch examples
cohort=$builddir/cli/cohort
has_opencl=false
several=host/2
three=host:0/3
case $("$cohort" devices) in *opencl:0*) has_opencl=true ;; esac
case $("$cohort" devices) in *loopback:0*) several="host/2 loopback/3,host" three=loopback/3 ;; esac
if $has_opencl; then several="$several opencl host,opencl:0" three="$three opencl,host/2"; fi

# last PROGRAM WORD OPTION...: the word after WORD in its output; nothing when it fails.
last() {
    program=$1
    word=$2
    shift 2
    "$builddir/examples/$program" "$@" >"$scratch/$program.out" 2>&1 || diag "$(cat "$scratch/$program.out")"
    sed -n "s/^$word \([^ ,]*\).*/\1/p" "$scratch/$program.out"
}

for program in kmeans montecarlo embedding; do
    run "$builddir/examples/$program" --help
    is "$code" 0 "$program --help is fine"
    has "$out" "--strategy NAME  mirrored, central" "and lists strategies"
    run "$builddir/examples/$program" --replicas 0
    is "$code" 2 "--replicas 0 is wrong usage"
    run "$builddir/examples/$program" --devices host another
    is "$code" 2 "and so are other words"
    run "$builddir/examples/$program" --devices nosuch
    is "$code" 1 "a device that is not there fails"
    has "$out" "nosuch" "and is named"
    run "$builddir/examples/$program" --strategy nosuch --devices host
    is "$code" 1 "so does a strategy"
    has "$out" "no strategy 'nosuch'" "which is named"
    run "$builddir/examples/$program" --devices host
    is "$code" 0 "$program on the host is as it should be"
done

# The same bits for a number of replicas; the digests are those of every machine.
digest=$(last kmeans digest --devices host --replicas 4)
is "$digest" b226dcd469c0e0af "kmeans with 4 replicas has the centres that it has on every machine"
for devices in $several; do
    for strategy in mirrored central round-robin sharded; do
        is "$(last kmeans digest --strategy $strategy --devices "$devices" --replicas 4)" "$digest" \
            "kmeans, $strategy on $devices"
    done
done
is "$(last kmeans digest --devices host --replicas 40 --strategy one-device)" \
    "$(last kmeans digest --devices host/4 --replicas 40)" "kmeans with 40 replicas"

# Batches are read, shuffled and divided by an input.
softmax() {
    "$builddir/examples/softmax" "$srcdir/examples/data/digits.csv" "$@" 2>&1 | sed -n 's/^digest //p'
}
digest=$(softmax host 4)
is "${#digest}" 16 "softmax with 4 replicas ends with its weights"
for devices in $several; do
    is "$(softmax "$devices" 4)" "$digest" "which are the same on $devices"
done
run "$builddir/examples/softmax" nosuch.csv
is "$code" 1 "a file that is not there fails"
has "$out" "nosuch.csv" "and is named"
run "$builddir/examples/softmax"
is "$code" 2 "no file is wrong usage"

# A step with replica context is recorded: its all-reduce, and what a merge call does.
tpu() {
    "$builddir/examples/tpu" "$srcdir/examples/data/digits.csv" "$@" 2>&1 | sed -n 's/^digest //p'
}
digest=$(tpu host/3)
is "${#digest}" 16 "tpu with 3 cores ends with its weights"
for devices in $three; do
    is "$(tpu "$devices")" "$digest" "which are the same on $devices"
done
run "$builddir/examples/tpu" nosuch.csv
is "$code" 1 "tpu fails without its file"
has "$out" "nosuch.csv" "which it names"

# Integers are added up, by number of path: the same for any number of replicas.
price=$(last montecarlo price --devices host)
is "$price" 8.029636 "montecarlo has the price that it has on every machine"
for replicas in 2 3 7 600; do
    is "$(last montecarlo price --devices host --replicas $replicas)" "$price" "with $replicas replicas, too"
done
for devices in $several; do
    is "$(last montecarlo price --devices "$devices" --replicas 5)" "$price" "on $devices"
done

# Rows and index spaces are shared out: the same for any number of replicas. The values are those of a few lines of NumPy
# and Python.
for known in heat:digest:b60a1ab783693a81 pagerank:digest:0f017ddded8ef6d6 blackscholes:digest:be45f6941d4ae57a \
    nbody:digest:f3c06d025998a362 ep:rings:374461; do
    program=${known%%:*}
    word=${known#*:}
    word=${word%:*}
    for devices in host host/3 $several; do
        is "$(last "$program" "$word" "$devices")" "${known##*:}" "$program on $devices"
    done
    run "$builddir/examples/$program" nosuch
    is "$code" 1 "$program fails on a device that is not there"
    has "$out" "nosuch" "and names it"
done

# The language model learns from a text; where there is none, that is wrong usage.
digest=$(last bigram digest "$srcdir/LICENSE" host)
is "$digest" 47f8e2e149da0d7b "bigram has the table that it has on every machine"
for devices in host/3 $several; do
    is "$(last bigram digest "$srcdir/LICENSE" "$devices")" "$digest" "bigram on $devices"
done
: >"$scratch/empty"
for file in "$scratch/empty" "$scratch/nowhere" "$scratch"; do
    run "$builddir/examples/bigram" "$file"
    is "$code" 2 "bigram takes a text: not $file"
done

# Rows are scattered in the order of the batch: the same for any number of replicas.
digest=$(last embedding digest --devices host)
is "$digest" 67cf568f2830152c "embedding has the vectors that it has on every machine"
for replicas in 3 8; do
    is "$(last embedding digest --devices host --replicas $replicas)" "$digest" "with $replicas replicas, too"
done
for devices in $several; do
    for strategy in central mirrored sharded; do
        is "$(last embedding digest --strategy $strategy --devices "$devices" --replicas 4)" "$digest" \
            "embedding, $strategy on $devices"
    done
done

# A scale that backs off and updates in every fourth step, recorded with their conditions; it compares itself with the same
# steps made call by call.
mixed_precision() {
    "$builddir/examples/mixed_precision" "$@" 2>&1
}
wanted=$(mixed_precision host 4)
has "$wanted" " of 160 steps left out, scale " "mixed_precision leaves steps out, recorded as call by call"
for devices in $several; do
    is "$(mixed_precision "$devices" 4)" "$wanted" "the same on $devices"
done
run "$builddir/examples/mixed_precision" nosuch
is "$code" 1 "a device that is not there fails"
has "$out" "nosuch" "and is named"
run "$builddir/examples/mixed_precision" host 1 2
is "$code" 2 "other words are wrong usage"

# Each of those that the guide shows can be read at once.
for example in softmax bigram embedding kmeans blackscholes heat pagerank nbody; do
    lines=$(wc -l <"$srcdir/examples/$example.c")
    [ "$lines" -le 100 ]
    ok "$?" "$example has at most 100 lines ($lines)"
done
tap_done
