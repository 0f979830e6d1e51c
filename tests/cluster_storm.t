#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# One of three processes, workers or two workers and a parameter server, is killed or stopped at a random moment, by both MPIs: the others tell an error and end, within
# the deadline, and no process is left. A few times in check; KILLS=200 STOPS=50 in check-long, SEED=... for the same again.
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/mpi.sh"
scratch cluster_storm
: "${KILLS:=4}" "${STOPS:=2}" "${SEED:=$(date +%s)}"
COHORT_TIMEOUT_WORKER=1 COHORT_JOBS=
export COHORT_TIMEOUT_WORKER COHORT_JOBS

# left MARK: the processes of the program that have it among their arguments; zombies have none.
left() {
    for command in /proc/[0-9]*/cmdline; do
        { tr '\0' ' ' <"$command"; } 2>/dev/null | grep -q "^[^ ]*cluster_storm [^ ]* .* $1 " && echo "$command"
    done
}

# gone MARK: none is left, after a while at most.
gone() {
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        [ -n "$(left "$1")" ] || return 0
        sleep 0.3
    done
    return 1
}

# ended PROCESS: within 15 seconds.
ended() {
    tries=150
    while kill -0 "$1" 2>/dev/null; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || return 1
        sleep 0.1
    done
}

# storm SIGNAL VICTIM MICROSECONDS: what went wrong, in $wrong.
storm() {
    wrong=
    mark=storm-$$-$((count = count + 1))
    timeout -k 1 20 "$mpirun" -n 3 "$builddir/tests/cluster_storm" "$1" "$2" "$3" "$mark" >"$scratch/out" 2>&1 </dev/null &
    out=
    if ! ended $!; then
        # mpirun of Open MPI 4.1 may stand when a process of its has died in MPI_Init, though all of them have ended
        [ -n "$(left "$mark")" ] || stood=$((stood + 1))
        [ -z "$(left "$mark")" ] || wrong="did not end"
        wait $!
        return
    fi
    wait $!
    code=$?
    out=$(cat "$scratch/out")
    [ "$code" != 0 ] || wrong="ended well"
    # mpirun of MPICH 4.0 may die of SIGPIPE when it writes to a process that has just been killed
    [ "$code" != 141 ] || { broken=$((broken + 1)) && gone "$mark" && return; }
    # UCX, below MPICH, aborts a process that was reading from one that has died; mpirun of Open MPI 4.1 may crash at its
    # own end
    case $out in
    *ucs_fatal_error_message* | *orte_finalize*) broken=$((broken + 1)) ;;
    *[Ss]"egmentation fault"* | *"signal 11"* | *"signal 6"* | *"signal 4"* | *anitizer* | *"double free"*) wrong="crashed" ;;
    esac
    # mpirun sees that one is killed, says so, and ends the others; of one that stands they have to tell
    case $1:$out in
    *"told: "* | kill:?*) ;;
    *) wrong="${wrong:-no word of what has happened}" ;;
    esac
    gone "$mark" || wrong="left a process behind: $(left "$mark")"
}

# is_named VICTIM: one of the words says who stands, of two workers and a server; in the start there is no such name yet.
is_named() {
    case $1:$out in
    *"told: "*"cohort_resolver_mpi: "*) ;;
    [01]:*"worker $1 of 2"* | 2:*"parameter server 0 of 1"*) ;;
    *) return 1 ;;
    esac
}

# storms SIGNAL TIMES WHO: that often, at random moments of the start and of what follows.
storms() {
    bad=0 stood=0 broken=0
    while read -r victim moment; do
        [ -n "$victim" ] || continue
        storm "$1" "$victim" "$moment"
        case $COHORT_JOBS:$1:$wrong:$out in
        ?*:stop::?*) is_named "$victim" || wrong="who stands is not named" ;;
        esac
        [ -n "$wrong" ] || continue
        bad=$((bad + 1))
        diag "$1 of rank $victim after $moment us: $wrong (exit status $code): $(cat "$scratch/out")"
    done <<END
$(awk -v n="$2" -v seed="$SEED" 'BEGIN { srand(seed); while (n-- > 0) print int(rand() * 3), int(1000 + rand() * rand() * 900000) }')
END
    [ "$stood" = 0 ] || diag "$mpirun stood $stood times, with none of its processes left"
    [ "$broken" = 0 ] || diag "$broken times MPI itself broke off"
    is "$bad" 0 "$mpi, $3: $2 times $1, and all end with an error"
}

count=0
diag "SEED=$SEED KILLS=$KILLS STOPS=$STOPS"
for mpi in openmpi mpich; do
    can_use "$mpi" || continue
    COHORT_JOBS=
    storms kill "$KILLS" workers
    storms stop "$STOPS" workers
    COHORT_JOBS=worker=2,ps=1
    storms kill "$KILLS" "workers and a server"
    storms stop "$STOPS" "workers and a server"
done
tap_done
