#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Power cuts at every flush of a disk, while checkpoints are saved to ext4, xfs and btrfs (blocks.py). Needs root, FUSE, loop
# devices and qemu-storage-daemon; SKIP elsewhere. SEED=... plays one again; SAVES=12 are made.
. "${srcdir:-.}/tests/tap.sh"
scratch long_blocks
seed=${SEED:-$(date +%s)}
saves=${SAVES:-12}
disk=$scratch/blocks
folder=$disk/disk/run

# missing KIND: what is not there, which it takes.
missing() {
    [ "$(id -u)" = 0 ] || echo "this is not root"
    [ -n "$python" ] || echo "no python3"
    [ -e /dev/fuse ] || echo "no /dev/fuse"
    [ -e /dev/loop-control ] || echo "no loop devices"
    for program in qemu-storage-daemon losetup "mkfs.$1"; do
        command -v "$program" >/dev/null || echo "no $program"
    done
}

# cut KIND COMMAND...: what power cuts leave of the saves that the command makes.
cut_power() {
    kind=$1
    shift
    run "$python" "$srcdir/tests/long/blocks.py" "$kind" "$disk" "$builddir/cli/cohort" "$folder" "$seed" \
        "$@" "$builddir/tests/checkpoint.t" writer "$folder" 1 "$saves"
}

check() {
    reason=$(missing "$1" | head -n 1)
    if [ -n "$reason" ]; then
        skip "$1: power cuts at every flush" "$reason"
        return
    fi
    start=$(date +%s)
    cut_power "$1"
    case $code:$out in 0:"0 of "*" lose a save, up to step $saves") ;; *) false ;; esac
    ok "$?" "$1: a power cut at any flush loses no save that was acknowledged"
    diag "$out; $(($(date +%s) - start)) s"
    if strace -o /dev/null true 2>/dev/null; then
        cut_power "$1" strace -f -o /dev/null -P "$folder" -e trace=fsync -e inject=fsync:retval=0
        case $code:$out in 0:*" was said, and found: "*) ;; *) false ;; esac
        ok "$?" "$1: ... and without the sync of the folder it does"
        diag "$out"
    else
        skip "$1: ... and without the sync of the folder it does" "no strace, or processes cannot be traced"
    fi
}

find_python
diag "SEED=$seed SAVES=$saves"
for kind in ext4 xfs btrfs; do
    check "$kind"
done
tap_done
