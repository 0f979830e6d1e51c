#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Quotas of control groups as users meet them: cohort devices and doctor say them, the host device follows them, what doctor
# advises makes its note go away, and the bits stay. In a mount namespace, with lists and a group of a test's own, and in a
# real group of version 1 or 2 where one may be made.
. "${srcdir:-.}/tests/tap.sh"
cohort=$(cd "$builddir" && pwd)/cli/cohort
scratch cli_quota
scratch=$(cd "$scratch" && pwd)
unset OMP_NUM_THREADS OMP_THREAD_LIMIT OMP_PROC_BIND OMP_PLACES
cpus=$(nproc)
group=$scratch/tree/group
mkdir -p "$group"
echo 0::/group >"$scratch/cgroup"
echo "9 1 0:9 / $scratch/tree rw - cgroup2 cgroup2 rw" >"$scratch/mountinfo"

# in_group COMMAND...: with the lists of this test as those of the process.
cat >"$scratch/in_group" <<'END'
mount --bind "$scratch/cgroup" "/proc/$$/cgroup" && mount --bind "$scratch/mountinfo" "/proc/$$/mountinfo" || exit 125
exec "$@"
END
export scratch
in_group() {
    unshare -rm sh "$scratch/in_group" "$@"
}
# line CHECK: those of it in $out, with what to do.
line() {
    printf '%s\n' "$out" | awk -v check="$1" '$1 ~ /^(ok|note|wrong)$/ { is = $2 == check } is'
}
host() {
    printf '%s\n' "$out" | grep ' host:0 '
}
digest() {
    printf '%s\n' "$out" | grep -o 'digest [0-9a-f]\{16\}'
}

if in_group true 2>/dev/null; then
    echo '50000 100000' >"$group/cpu.max"
    run in_group "$cohort" devices
    has "$(host)" ", 1 unit (quota 0.50 of $cpus CPUs)," "half a CPU is one unit of host:0, and devices says why"
    run in_group "$cohort" doctor
    has "$(line cores)" "ok     cores     " "doctor has no advice where the quota is followed"
    has "$(line cores)" "quota 0.50 of $cpus CPUs; host:0 has 1 threads" "and says it"
    run env COHORT_LOG=info "$(command -v unshare)" -rm sh "$scratch/in_group" "$cohort" devices
    has "$out" "info: host: quota 0.50 of $cpus CPUs by $group/cpu.max" "the log names the file"
    echo 'max 100000' >"$group/cpu.max"
    run in_group "$cohort" devices
    case $out in *quota*) false ;; *) true ;; esac
    ok "$?" "no limit is not talked of"
    echo 'many 100000' >"$group/cpu.max"
    run in_group "$cohort" devices
    is "$code" 0 "nor is one that is no number"

    if [ "$cpus" -ge 2 ]; then
        echo '50000 100000' >"$group/cpu.max"
        export OMP_NUM_THREADS=2
        run in_group "$cohort" devices
        has "$(host)" ", $cpus units (quota" "OMP_NUM_THREADS wins over the quota"
        run in_group "$cohort" doctor
        has "$(line cores)" "note   cores     OMP_NUM_THREADS=2 makes 2 threads" "which doctor has a note of"
        fix=$(line cores | sed -n 's/^fix: //p')
        is "$fix" "unset OMP_NUM_THREADS" "... with what to do"
        run in_group sh -c "$fix; exec '$cohort' doctor"
        has "$(line cores)" "ok     cores     " "... and then it is gone"
        unset OMP_NUM_THREADS
        run env OMP_NUM_THREADS=1 "$(command -v unshare)" -rm sh "$scratch/in_group" "$cohort" doctor
        has "$(line cores)" "ok     cores     " "one thread is none too many"
    else
        skip "OMP_NUM_THREADS wins over the quota" "one CPU"
    fi
else
    skip "half a CPU is one unit of host:0" "this user may make no mount namespace with a /proc of its own"
fi

# make_group MICROSECONDS: a group of this test's own with this quota in each 100 ms, below that of this process, in $made.
make_group() {
    path=$(sed -n 's/^[0-9]*:\([a-z,]*,\)\{0,1\}cpu\(,[a-z,]*\)\{0,1\}:\//\//p' /proc/self/cgroup)
    mount=$(awk '/ - cgroup .*[ ,]cpu(,|$)/ { print $5; exit }' /proc/self/mountinfo)
    made=$mount$path/cohort-quota-$$
    if [ -n "$mount" ] && mkdir "$made" 2>/dev/null; then
        echo 100000 >"$made/cpu.cfs_period_us" && echo "$1" >"$made/cpu.cfs_quota_us"
        return
    fi
    mount=$(awk '/ - cgroup2 / { print $5; exit }' /proc/self/mountinfo)
    made=$mount$(sed -n 's/^0:://p' /proc/self/cgroup)/cohort-quota-$$
    [ -n "$mount" ] && mkdir "$made" 2>/dev/null && echo "$1 100000" 2>/dev/null >"$made/cpu.max"
}
# in_made COMMAND...: in that group.
in_made() {
    # shellcheck disable=SC2016 # the inner shell's own
    sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$made" "$@"
}

run "$cohort" demo --replicas 4 --devices host/4 --epochs 2
wanted=$(digest)
made=
if make_group 50000 2>/dev/null && in_made true 2>/dev/null; then
    run in_made "$cohort" devices
    has "$(host)" ", 1 unit (quota 0.50 of" "a real group's quota is followed"
    run in_made "$cohort" demo --replicas 4 --devices host/4 --epochs 2
    is "$(digest)" "$wanted" "with the same bits"
    run in_made env OMP_NUM_THREADS=2 "$cohort" demo --replicas 4 --devices host/4 --epochs 2
    is "$(digest)" "$wanted" "also where the user has other threads"
else
    skip "a real group's quota is followed" "this user may make no control group with a quota"
fi
# a group is gone a moment after its last process
for _ in 1 2 3 4 5 6 7 8 9 10; do
    [ -d "$made" ] || break
    rmdir "$made" 2>/dev/null || sleep 1
done
tap_done
