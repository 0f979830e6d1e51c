#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cohort launch looks after what it starts, by each MPI: who failed first, what hangs, logs, signals, restarts.
# shellcheck disable=SC2016 # each rank expands it, or perl
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/mpi.sh"
scratch cluster_launch

# launch OPTION... COMMAND...: for a minute at most; each process puts its number into $scratch/pids first.
launch() {
    rm -rf "$scratch/pids" "$scratch/saved"
    run timeout 60 "$builddir/cli/cohort" launch --mpi "$mpi" "$@" </dev/null
}

# What processes do, by rank: $rank is set, and $0 is $scratch.
begin='rank=${PMI_RANK:-$PMIX_RANK}; echo $$ >>"$0/pids"; '
begin_apart=$begin'echo is there >&2; '
hang='trap "" TERM; while :; do sleep 0.1; done'

# What there is of the processes of the last launch, in $left.
look_for_left() {
    left=
    while read -r pid; do
        ! kill -0 "$pid" 2>/dev/null || left="$left $pid"
    done <"$scratch/pids"
}

# none_left CLAIM: nothing of it; what mpirun has left behind ends by itself, on a busy machine not before cohort launch.
none_left() {
    for _ in $(seq 200); do
        look_for_left
        [ "$left" != '' ] || break
        sleep 0.1
    done
    is "$left" '' "$mpi: $1: no process is left"
}

# await LINES EXPRESSION FILE: until it has so many.
await() {
    for _ in $(seq 600); do
        [ "$(grep -c "$2" "$3" 2>/dev/null)" != "$1" ] || return
        sleep 0.1
    done
}

# await_some EXPRESSION FILE: until there is one.
await_some() {
    for _ in $(seq 600); do
        ! grep -q "$1" "$2" 2>/dev/null || return 0
        sleep 0.1
    done
    return 1
}

into=$scratch/said said=$into

# apart OPTION... COMMAND...: the same in the background, as $launched, whose output goes to $into, once both of its processes
# have said that they are there: what was said before, their starts, has come then, too. SIGINT is as it is in a terminal.
apart() {
    rm -rf "$scratch/pids" "$scratch/saved"
    : >"$said"
    perl -e '$SIG{INT} = "DEFAULT"; alarm 60; exec @ARGV' "$builddir/cli/cohort" launch --mpi "$mpi" "$@" </dev/null >"$into" 2>&1 &
    launched=$!
    await 2 "is there\$" "$said"
}

ended() {
    wait "$launched"
    code=$?
    out=$(cat "$said")
}

check_failures() {
    launch -n 3 sh -c "$begin"'[ $rank = 1 ] || exec sleep 0.1; printf partial >&2; exit 3' "$scratch"
    has "$code:$out" "3:" "$mpi: the exit code is that of the process that failed"
    has "$out" "cohort: launch: rank 1 of 3 on $(uname -n) is the first that has failed: exit code 3" "$mpi: which is told, with its host"
    case $out in *"$(printf '\036')"*) false ;; *partial*) true ;; *) false ;; esac
    ok $? "$mpi: what it wrote is there, without the reports"
    launch -n 2 --label sh -c "$begin"'[ $rank = 1 ] || exec sleep 0.1; exec kill -KILL $$' "$scratch"
    [ "$code" = 137 ]
    ok $? "$mpi: one that a signal has ended is 128 and its number"
    has "$out" "rank 1 of 2 on $(uname -n) is the first that has failed: ended by signal 9 (" "$mpi: and told as that"
    none_left "one was killed"
    launch -n 2 --grace 1 sh -c "$begin"'[ $rank = 0 ] || exit 4; '"$hang" "$scratch"
    is "$code" 4 "$mpi: what hangs behind a failure is ended"
    none_left "one hung"
    launch -n 2 "$scratch/nowhere"
    is "$code" 127 "$mpi: a program that is not there is 127"
    has "$out" "cannot run $scratch/nowhere: No such file or directory" "$mpi: and told"
    launch -n 2 --restart 3 "$scratch"
    is "$code:$(echo "$out" | grep -c restart)" 126:0 "$mpi: one that cannot be run is 126, and not started again"
    launch -n 2 sh -c "$begin"'sleep 60 & sleep 0.1' "$scratch"
    is "$code" 0 "$mpi: a process that leaves another behind ends"
    launch -n 2 sh -c "$begin"'{ trap "" TERM HUP; exec sleep 60; } & echo $! >>"$0/pids"; sleep 0.1' "$scratch"
    is "$(grep -c . "$scratch/pids")" 4 "$mpi: as one that does not heed signals"
    none_left "one left another behind"
}

check_logs() {
    mkdir -p "$scratch/logs"
    for _ in 1 2; do
        launch -n 2 --log-dir "$scratch/logs/$mpi/deep" sh -c "$begin"'echo "out of $rank"; echo "error of $rank" >&2; sleep 0.1' "$scratch"
        is "$code:$(echo "$out" | grep -c 'out of [01]\|error of [01]')" 0:4 "$mpi: with logs the output is where it was"
    done
    for rank in 0 1; do
        is "$(grep -v '^====' "$scratch/logs/$mpi/deep/rank-$rank.log" | sort)" "error of $rank
error of $rank
out of $rank
out of $rank" "$mpi: and rank $rank has its own in a file, to which a second launch adds"
    done
    has "$(head -n 1 "$scratch/logs/$mpi/deep/rank-1.log")" "==== cohort launch: start 1, rank 1 on $(uname -n), 20" "$mpi: which says of which start it is"
    launch -n 2 --log-dir "$scratch/logs/$mpi/deep" sh -c "$begin"'echo last words; exit 6' "$scratch"
    has "$out" "fix: what it has written stands in $scratch/logs/$mpi/deep/rank-" "$mpi: a failure names the log"
    : >"$scratch/file"
    launch -n 2 --log-dir "$scratch/file" true
    has "$code:$out" "1:" "$mpi: a folder that is none is a failure"
    has "$out" "cohort: launch: --log-dir $scratch/file: Not a directory" "$mpi: and told"
}

# What each process says about itself comes by its mpirun, as from another machine.
check_top() {
    [ -d "$scratch/runtime" ] || mkdir -m 700 "$scratch/runtime"
    export XDG_RUNTIME_DIR="$scratch/runtime"
    apart -n 2 --top 1 sh -c "$begin_apart"'unset PMI_RANK PMI_SIZE PMIX_RANK PMIX_NAMESPACE OMPI_COMM_WORLD_SIZE
        exec "$1" demo --epochs 100000 --output-dir "$0"' "$scratch" "$builddir/cli/cohort"
    for rank in 0 1; do
        await_some "rank $rank of 2 on .*: call [0-9.kMG]*, [0-9.kMG]* calls/s, busiest device [0-9]*%, [0-9.]* .iB, " "$into"
        ok $? "$mpi: rank $rank tells how far it is"
    done
    kill -TERM "$launched"
    ended
    none_left "those that told"
    unset XDG_RUNTIME_DIR
    launch -n 2 --top 1 sh -c "$begin"'sleep 3' "$scratch"
    is "$code:$(echo "$out" | grep -c 'rank [01] of 2 on .*: XDG_RUNTIME_DIR is not set')" 0:2 "$mpi: why it is not known is told once"
}

check_signals() {
    for signal in TERM INT; do
        apart -n 2 sh -c 'trap "echo saved >>\"\$0/saved\"; exit 0" TERM; '"$begin_apart"'while :; do sleep 0.1; done' "$scratch"
        kill -"$signal" "$launched"
        ended
        is "$code:$(grep -c . "$scratch/saved")" 0:2 "$mpi: SIG$signal reaches each process, once, and what they make of it counts"
        none_left "SIG$signal"
    done
    apart -n 2 sh -c "$begin_apart"'while :; do sleep 0.1; done' "$scratch"
    kill -TERM "$launched"
    ended
    is "$code" 143 "$mpi: processes that do nothing about it end by it"
    none_left "SIGTERM by default"
    apart -n 2 --grace 1 --restart 5 sh -c "$begin_apart$hang" "$scratch"
    kill -TERM "$launched"
    ended
    is "$code:$(echo "$out" | grep -c restart)" 143:0 "$mpi: those that do not heed it are ended, and not started again"
    none_left "SIGTERM is not heeded"
    apart -n 2 --grace 0 sh -c "$begin_apart$hang" "$scratch"
    kill -TERM "$launched"
    sleep 1
    kill -TERM "$launched"
    ended
    is "$code" 143 "$mpi: a second signal waits for nothing"
    none_left "two signals"
    apart -n 2 sh -c "$begin_apart$hang" "$scratch"
    kill -KILL "$launched"
    ended
    none_left "cohort launch itself is killed, and they do not heed SIGTERM"
}

# Outputs that are large, are no text, look like reports, or do not end.
check_outputs() {
    perl -e 'srand 7; print "\036key E 1 0 host\036\n"; print chr int rand 256 for 1 .. 1000000; print "no end"' >"$scratch/bytes"
    size=$(wc -c <"$scratch/bytes")
    timeout 60 "$builddir/cli/cohort" launch --mpi "$mpi" -n 1 --no-label sh -c 'cat "$0" >&2; cat "$0"; sleep 0.1' "$scratch/bytes" </dev/null >"$scratch/out" 2>"$scratch/errors"
    is "$?" 0 "$mpi: a megabyte of any bytes on each output is written"
    cmp "$scratch/bytes" "$scratch/out"
    ok $? "$mpi: none is changed on stdout"
    tail -n +2 "$scratch/errors" | head -c "$size" | cmp "$scratch/bytes" -
    ok $? "$mpi: nor on stderr, of which reports are taken out"
    perl -MFcntl -e 'fcntl STDERR, F_SETFL, O_NONBLOCK; alarm 60; exec @ARGV' "$builddir/cli/cohort" launch --mpi "$mpi" -n 1 --no-label \
        sh -c 'cat "$0" >&2; sleep 0.1' "$scratch/bytes" </dev/null 2>&1 >/dev/null | { sleep 1 && tail -n +2 | head -c "$size"; } >"$scratch/errors"
    cmp "$scratch/bytes" "$scratch/errors"
    ok $? "$mpi: nor where stderr does not block, and nobody reads for a second"
    mkfifo "$scratch/fifo-$mpi"
    into=$scratch/fifo-$mpi
    grep --line-buffered "is there" <"$into" >"$scratch/there" &
    said=$scratch/there
    apart -n 2 sh -c 'trap "echo saved >>\"\$0/saved\"; exit 0" TERM; '"$begin_apart"'yes >&2 & wait' "$scratch"
    kill -TERM "$launched"
    ended
    into=$scratch/said said=$into
    is "$code:$(grep -c . "$scratch/saved")" 0:2 "$mpi: a signal comes through while processes write without a pause"
    none_left "they wrote without a pause"
}

# A command in the background of a terminal is not stopped, since none of its processes asks for input.
check_background() {
    if ! script -qec true /dev/null </dev/null >/dev/null 2>&1; then
        skip "$mpi: in the background of a terminal" "no script(1)"
        return
    fi
    run timeout 60 script -qec "sh -mc '$builddir/cli/cohort launch --mpi $mpi -n 1 --no-label sh -c \"sleep 1; echo it was there\" & wait'" /dev/null </dev/null
    is "$code:$(echo "$out" | tr -d '\r' | grep -cx 'it was there')" 0:1 "$mpi: in the background of a terminal it is not stopped"
}

check_restarts() {
    rm -f "$scratch/starts"
    launch -n 2 --restart 3 --log-dir "$scratch/restarts-$mpi" sh -c "$begin"'[ $rank = 1 ] || exec sleep 0.2
        echo x >>"$0/starts"; [ "$(grep -c . "$0/starts")" -gt 2 ] || kill -KILL $$' "$scratch"
    is "$code:$(grep -c . "$scratch/starts")" 0:3 "$mpi: a job that lost a worker is started again until it ends well"
    has "$out" "launch: all processes are started again, restart 2 of 3, in 2 s" "$mpi: which is told, after a pause that grows"
    is "$(grep -c '^==== cohort launch: start [123],' "$scratch/restarts-$mpi/rank-1.log")" 3 "$mpi: and the log has each start"
    rm -f "$scratch/starts"
    launch -n 2 --restart 1 sh -c "$begin"'[ $rank = 1 ] || exec sleep 0.2; echo x >>"$0/starts"; exit 9' "$scratch"
    is "$code:$(grep -c . "$scratch/starts")" 9:2 "$mpi: as often as it may"
    has "$out" "launch: started 2 times, and failed each time" "$mpi: then that is told"
    # A machine that is lost takes its processes and what reports of them along.
    rm -f "$scratch/starts" "$scratch/again"
    launch -n 2 --restart 1 sh -c "$begin"'[ ! -e "$0/again" ] || exec sleep 0.1; echo x >>"$0/starts"; [ $rank = 0 ] || exec sleep 60
        until [ "$(grep -c . "$0/starts")" = 2 ]; do sleep 0.1; done; : >"$0/again"; kill -KILL $PPID; sleep 60' "$scratch"
    is "$code:$(echo "$out" | grep -c restart)" 0:1 "$mpi: where what would report is lost, too"
    none_left "machines were lost"
    # Above them is what mpirun has on a machine: MPICH a process of its own, Open MPI, on the first one, mpirun itself.
    apart -n 2 --grace 1 sh -c "$begin_apart"'read -r _ _ _ up _ <"/proc/$PPID/stat"
        [ $rank = 1 ] || { until [ "$(grep -c "is there$" "$0/said")" = 2 ]; do sleep 0.1; done; kill -KILL "$up"; }; exec sleep 60' "$scratch"
    ended
    [ "$code" -gt 2 ]
    ok $? "$mpi: where what mpirun has on a machine is lost"
    has "$out" "and none of its processes has said that it failed: a machine may be lost" "$mpi: which is told"
    none_left "what starts processes was lost"
}

check_passed() {
    WITH_NAME=one
    export WITH_NAME
    launch -n 2 --env WITH_NAME --env 'WITH_VALUE=a b=c' --bind-to none --no-label sh -c 'echo "$WITH_NAME $WITH_VALUE"; sleep 0.1'
    is "$code:$(echo "$out" | grep -cx 'one a b=c')" 0:2 "$mpi: variables reach the processes"
    echo "localhost slots=2 # this one" >"$scratch/machines"
    launch --hostfile "$scratch/machines" --no-label sh -c 'echo here; sleep 0.1'
    is "$code:$(echo "$out" | grep -cx here)" 0:2 "$mpi: a file of machines says how many"
    launch -n 2 --start-timeout 60 --no-label sh -c 'sleep 0.1; echo "$0"' finished
    is "$code:$(echo "$out" | grep -cx finished)" 0:2 "$mpi: a start in time goes on"
}

check_launch() {
    mpi=$1
    can_use "$mpi" || return
    check_failures
    check_logs
    check_signals
    check_outputs
    check_background
    check_restarts
    check_passed
    check_top
}

check_launch openmpi
check_launch mpich
tap_done
