#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Saving on a machine that fails, or that is killed at any call of a save: strace injects it; and what a power cut may leave
# of the calls of eight saves (tests/checkpoint_replay.py, SEED=...). What a save has acknowledged is there, the newest
# generation is whole, and nothing else is left. COUNT=all (make check-long): also each close.
. "${srcdir:-.}/tests/tap.sh"
cohort=$builddir/cli/cohort
command -v strace >/dev/null || skip_all "no strace"
strace -o /dev/null true 2>/dev/null || skip_all "no ptrace here"
strace -f -o /dev/null "$cohort" version >/dev/null 2>&1 || skip_all "the command cannot be traced: is it sanitized?"
scratch checkpoint_io
folder=$scratch/run
calls=pwrite64,fsync,rename,unlink,flock,mkdir

# save INJECTION STEP COUNT: so many saves from this step on, each of which is acknowledged by a line of its step.
save() {
    run "$builddir/libtool" --mode=execute strace -f -o "$scratch/trace" -e "trace=$calls" ${1:+-e "inject=$1"} \
        "$builddir/tests/checkpoint.t" writer "$folder" "$2" "$3"
}

# What must hold after a save from STEP on, whose output is in $out, over a folder whose newest step was LAST: prints what
# does not.
complaints() {
    said=$(echo "$out" | grep -E '^[0-9]+$' | tail -1)
    "$cohort" checkpoint verify "$folder" >"$scratch/verify" 2>&1 || sed 's/^/not whole: /' "$scratch/verify"
    newest=$("$cohort" checkpoint show "$folder" 2>&1 | sed -n '1s/.*: step //p')
    [ "${newest:-0}" -ge "${said:-$1}" ] || echo "lost: $said was said, and $newest is there"
}

# A generation to go back to.
fresh() {
    rm -rf "$folder"
    save "" 1 1
}

# CALL INJECTION [SAVES]: at call N, for each N that there is in two saves, or so many; whatever comes of it.
at_each() {
    fresh
    save "" 10 "${3:-2}"
    n=$(grep -c "$1(" "$scratch/trace")
    bad=
    at=1
    while [ "$at" -le "$n" ]; do
        fresh
        save "$1:$2:when=$at" 10 "${3:-2}"
        wrong=$(complaints 1)
        [ -z "$wrong" ] || bad="$bad $1 $at: $wrong;"
        [ "$code" = 0 ] || killed=$((killed + 1))
        # what was left is no hindrance, and goes
        save "" 30 1
        [ "$code" = 0 ] || bad="$bad $1 $at: no save after it: $out;"
        left=$(find "$folder" -name '*-[0-9]' | wc -l)
        [ "$left" = 0 ] || bad="$bad $1 $at: $left temporary files;"
        at=$((at + 1))
    done
    is "$bad" "" "$1: $2 at any of $n calls loses nothing"
    [ "$n" -gt 0 ]
    ok "$?" "and there are such calls"
}

fresh
is "$code,$out" "0,1" "a save is acknowledged"
save "" 10 1
has "$(grep -E 'fsync|rename' "$scratch/trace" | grep -v resumed | sed 's/^[0-9]* *//; s/(.*//' | tr '\n' ' ')" "fsync rename fsync " \
    "its file is synced before it is renamed, and its folder after that"

for call in fsync rename pwrite64; do
    killed=0
    at_each "$call" error=EIO
    [ "$killed" -gt 0 ]
    ok "$?" "and is no success"
done
at_each pwrite64 error=ENOSPC
at_each mkdir error=EACCES
at_each flock error=EINTR
for call in fsync rename pwrite64 flock; do
    at_each "$call" signal=KILL
done
at_each unlink signal=KILL 6
at_each unlink error=EIO 6
if [ "${COUNT-}" = all ]; then
    calls=$calls,close
    at_each close error=EIO
    at_each close signal=KILL
fi

# A sync that fails is told, and not tried again on that file: another one begins anew.
fresh
save fsync:error=EIO:when=1 10 1
is "$code" 1 "a sync that fails is a failed save"
has "$out" "Input/output error" "which says why"
is "$(grep -c 'fsync(' "$scratch/trace")" 1 "and is not repeated"
is "$(find "$folder" -type f | sed 's/.*\///' | sort | tr '\n' ' ')" "checkpoint-000001.safetensors checkpoint.lock " \
    "and leaves nothing"

# ---------------------------------------------------------------- reading
# read INJECTION ROLLBACK: a restore; what came of it is in $code and $out.
read_back() {
    run "$builddir/libtool" --mode=execute strace -f -o "$scratch/trace" -P "$folder/checkpoint-000001.safetensors" -e trace=pread64 ${1:+-e "inject=$1"} \
        "$builddir/tests/checkpoint.t" reader "$folder" 50000 "$2"
}

# What cannot be read is as it was, or told to be lost: no number is from half a file.
for rollback in 0 1; do
    rm -rf "$folder"
    "$builddir/tests/checkpoint.t" writer-of-two "$folder" 5 50000
    read_back "" "$rollback"
    is "$code,$(echo "$out" | tr '\n' ' ')" "0,w 5 u 5 " "a restore reads both, rollback $rollback"
    n=$(grep -c 'pread64(' "$scratch/trace")
    bad='' lost=0
    at=1
    while [ "$at" -le "$n" ]; do
        read_back "pread64:error=EIO:when=$at" "$rollback"
        said=$(echo "$out" | sed -n 's/:.*//; /^[wu] /p' | tr '\n' ' ')
        case $code,$said in
        "2,w -1 u -1 " | "2,w 5 u -1 " | "0,w 5 u 5 ") ;;
        "2,w lost u -1 " | "2,w 5 u lost ") lost=$((lost + 1)) ;;
        *) bad="$bad $at: $code,$said;" ;;
        esac
        at=$((at + 1))
    done
    is "$bad" "" "a read that fails, at any of $n, leaves what was there, all of what was saved, or is told"
    [ "$rollback" = 0 ] && least=0 || least=1
    [ "$((lost > 0))" = "$least" ]
    ok "$?" "and loses something only without rollback"
done

# Each header is opened once to see what stays, and that of the newest once more, which is read from end to end.
rm -rf "$folder"
save "" 1 5
strace -f -o "$scratch/trace" -e trace=openat "$cohort" checkpoint prune "$folder" --keep 2 --best least >/dev/null 2>&1
is "$(sed -n 's/.*checkpoint-\(0*[0-9]*\)[.]safetensors.*/\1/p' "$scratch/trace" | sort | uniq -c | tr -s ' ' | tr '\n' ';')" \
    " 1 000001; 1 000002; 1 000003; 1 000004; 2 000005;" "a removal opens each header once"

# ---------------------------------------------------------------- power cuts
# replay [WITHOUT]: what is lost in the states that a power cut may leave of the saves that are in the trace.
replay() {
    "$python" "$srcdir/tests/checkpoint_replay.py" "$scratch/trace" "$folder" "$cohort" "$scratch/state" "$seed" "$@" 2>&1
}
seed=${SEED:-$(date +%s)}
find_python
if [ -n "$python" ]; then
    diag "SEED=$seed"
    rm -rf "$folder"
    run "$builddir/libtool" --mode=execute strace -f -xx -s 1000000 -o "$scratch/trace" \
        -e trace=openat,close,write,pwrite64,fsync,rename,unlink "$builddir/tests/checkpoint.t" writer "$folder" 1 8
    is "$code" 0 "eight saves, of which five stay"
    left=$(replay)
    case $left in "0 of "*" lose a save, up to step 8") ;; *) false ;; esac
    ok "$?" "whatever a power cut leaves of them, none that was acknowledged is lost"
    diag "$left"
    for without in folder file; do
        has "$(replay "$without")" " was said, and " "... and without the sync of its $without one is"
    done
else
    skip "power cuts" 'no python3'
fi
tap_done
