#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Three workers, each in a network namespace of its own, which have nothing but TCP: over a link that is late, loses packets
# or is narrow they compute the same bits; when the link of one is cut, all end with an error that names who is missing.
#
# A namespace has two links: `control`, by which mpirun starts and stops its process, and `data`, for all else.
. "${srcdir:-.}/tests/tap.sh"
. "$srcdir/tests/mpi.sh"
workers='0 1 2'

# Namespaces of our own: nothing is left of them when this script has ended. In those of a user who is not root, files of
# root are nobody's, and plugins are not trusted.
enter() {
    if ! command -v ip >/dev/null || ! command -v tc >/dev/null; then
        skip_all 'iproute2 is not installed'
    fi
    ! unshare -mn sh -c 'mount -t tmpfs none /run && ip netns add probe && ip netns exec probe true' 2>/dev/null ||
        IN_NETWORK=yes exec unshare -mn sh "$0"
    skip_all 'this user may not make network namespaces here'
}

# in_worker N COMMAND...
in_worker() {
    where=worker-$1
    shift
    ip netns exec "$where" "$@"
}

# link NET NUMBER N: a cable from that network's bridge to worker N.
link() {
    ip link add "$1$3" type veth peer name "$1" netns "worker-$3" &&
        ip link set "$1$3" master "$1" up &&
        ip -n "worker-$3" address add "10.77.$2.1$3/24" dev "$1" &&
        ip -n "worker-$3" link set "$1" up
}

network_up() {
    for net in control data; do
        ip link add "$net" type bridge && ip link set "$net" up || return
    done
    ip address add 10.77.1.100/24 dev control
    for n in $workers; do
        ip netns add "worker-$n" && ip -n "worker-$n" link set lo up && link control 1 "$n" && link data 2 "$n" || return
    done
}

# A namespace may live on for as long as the kernel has something to send from it.
network_down() {
    for n in $workers; do
        ip link delete "control$n"
        ip link delete "data$n"
        ip netns delete "worker-$n"
    done
    ip link delete control
    ip link delete data
}

# launch COMMAND...: mpirun of three workers by their control links, whose MPI has their data links alone.
launch() {
    hosts=10.77.1.10,10.77.1.11,10.77.1.12 agent="$srcdir/tests/network_agent.sh"
    case $mpi in
    openmpi)
        timeout "$patience" "$mpirun" --host "$hosts" -n 3 --mca plm_rsh_agent "$agent" --mca oob_tcp_if_include control \
            --mca pml ob1 --mca btl tcp,self --mca btl_tcp_if_include data "$@"
        ;;
    *)
        UCX_TLS=tcp,self UCX_NET_DEVICES=data timeout "$patience" "$mpirun" -launcher ssh -launcher-exec "$agent" \
            -iface control -hosts "$hosts" -n 3 "$@"
        ;;
    esac </dev/null
}

# shaped CLAIM DISCIPLINE...: the bits of one process, over links of which each has that queueing discipline.
shaped() {
    claim=$1
    shift
    for n in $workers; do
        in_worker "$n" tc qdisc add dev data root "$@" 2>"$scratch/error" && continue
        skip "$mpi: $claim" "this kernel has no $1: $(head -n 1 "$scratch/error")"
        return
    done
    # MPICH over UCX often stands in MPI_Finalize where packets were lost: some ranks have gone on to the barrier of its
    # process manager, and do not drive what another one waits for. By then all has been computed and compared, as each says.
    out=$(patience=40 && launch env CLUSTER_TELLS_END=1 "$builddir/tests/cluster_workers" bits 5 reduce_sizes 2>"$scratch/error")
    code=$?
    if [ "$code" = 124 ] && [ "$(grep -c '^compared$' "$scratch/error")" = 3 ]; then
        diag "all ranks have compared, and MPI_Finalize stood where $claim"
        code=0 out='' # it says so itself, sometimes to standard output
    fi
    is "$code:$out" 0: "$mpi: $claim: the bits of one process"
    [ "$tap_status" = 0 ] || diag "$(cat "$scratch/error")"
    dropped=$(in_worker 0 tc -s qdisc show dev data | sed -n 's/.*(dropped \([0-9]*\).*/\1/p')
    [ "${dropped:-0}" -gt 0 ]
    ok $? "$mpi: $claim: packets were lost"
    for n in $workers; do
        in_worker "$n" tc qdisc delete dev data root
    done
}

# within SECONDS COMMAND...: it succeeds, sooner or later.
within() {
    tries=$(($1 * 10))
    shift
    until "$@"; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || return 1
        sleep 0.1
    done
}

# Bytes that have come from the victim by its data link.
received() {
    ip -s link show dev "data$victim" | awk '/RX:/ { getline; print $1 }'
}

# Four megabytes have since cut_off began.
# shellcheck disable=SC2317 # within calls it
is_busy() {
    [ $(($(received) - before)) -ge 4000000 ]
}

# shellcheck disable=SC2317 # within calls it
is_over() {
    for command in /proc/[0-9]*/cmdline; do
        ! { tr '\0' ' ' <"$command"; } 2>/dev/null | grep -q "^[^ ]*cluster_storm none -1 0 $mark" || return 1
    done
}

# cut_off WORKER: while all three are at work its data link goes down.
cut_off() {
    victim=$1 mark=network-$$-$mpi
    before=$(received)
    launch "$builddir/tests/cluster_storm" none -1 0 "$mark" >"$scratch/out" 2>&1 &
    within 30 is_busy
    ok $? "$mpi: three workers are at work"
    ip link set "data$victim" down
    wait $!
    code=$?
    out=$(cat "$scratch/out")
    [ "$code" != 0 ] && [ "$code" != 124 ]
    ok $? "$mpi: a link that is cut ends the job"
    is "$(grep -c 'told: ' "$scratch/out")" 3 "$mpi: each worker tells one error"
    # in a large sum one may wait for a worker that waits for the victim itself, and names that one
    [ "$(grep "told: [^$victim]: " "$scratch/out" | grep -c "worker $victim of 3 has not come within $COHORT_TIMEOUT_WORKER s")" -ge 1 ]
    ok $? "$mpi: and who waits for the worker behind it names that one"
    within 5 is_over
    ok $? "$mpi: and no process is left"
    [ "$tap_failures" = 0 ] || diag "exit status $code: $out"
}

check_mpi() {
    if ! network_up 2>"$scratch/error"; then
        skip "$mpi" "no cables between namespaces here: $(head -n 1 "$scratch/error")"
        return
    fi
    if starts "$mpi in other namespaces" launch; then
        shaped 'a link with a delay of 2 ms that loses 1 in 50' netem delay 2ms loss 2%
        shaped 'a link of 200 Mbit/s that drops what it cannot queue' tbf rate 200mbit burst 16k limit 40k
        COHORT_TIMEOUT_WORKER=1
        export COHORT_TIMEOUT_WORKER
        cut_off "$1"
        unset COHORT_TIMEOUT_WORKER
    fi
    network_down
}

[ "${IN_NETWORK:-}" = yes ] || enter
mount -t tmpfs none /run
ip link set lo up
scratch cluster_network
for mpi in openmpi mpich; do
    can_use "$mpi" || continue
    case $mpi in openmpi) check_mpi 0 ;; *) check_mpi 2 ;; esac
done
tap_done
