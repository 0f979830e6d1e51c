#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A disk that is full at every 4 KiB of a save: a tmpfs of 1 MiB in a mount namespace of this test's own. What was
# acknowledged is there, nothing else is left, and the next save succeeds once there is room.
. "${srcdir:-.}/tests/tap.sh"
cohort=$builddir/cli/cohort
if [ "${1-}" = inside ]; then
    scratch=$2
else
    scratch checkpoint_full
    scratch=$(cd "$scratch" && pwd)
    mkdir "$scratch/disk"
fi
disk=$scratch/disk folder=$scratch/disk/run
pages=256 elements=16384 # 16 pages of content, and one for the header

# save STEP: one save of this step.
save() {
    "$builddir/libtool" --mode=execute "$builddir/tests/checkpoint.t" writer "$folder" "$1" 1 "$elements" 2>&1
}

# leave PAGES: all but so many are somebody else's.
leave() {
    rm -f "$disk/filler"
    used=$(df -P -k "$disk" | awk 'NR == 2 { print $3 / 4 }')
    head -c "$(((pages - used - $1) * 4096))" /dev/zero >"$disk/filler"
}

# Inside of the namespace: a line for each free space at which something is wrong, and what was seen.
if [ "${1-}" = inside ]; then
    mount -t tmpfs -o "size=$((pages * 4))k" none "$disk" || exit 125
    [ "$(save 1)" = 1 ] || { echo "no save where there is room" && exit 1; }
    failed=0 free=0
    while [ "$free" -le 24 ]; do
        leave "$free"
        said=$(save $((free + 2)))
        code=$?
        find "$folder" -name '*-[0-9]' | sed "s/^/$free free: left: /"
        "$cohort" checkpoint verify "$folder" >"$scratch/verify" 2>&1 || sed "s/^/$free free: /" "$scratch/verify"
        newest=$("$cohort" checkpoint show "$folder" | sed -n '1s/.*: step //p')
        case $code,$said in
        0,$((free + 2))) [ "$newest" = "$said" ] || echo "$free free: $said was said, and $newest is there" ;;
        1,*"No space left on device"*) failed=$((failed + 1)) ;;
        *) echo "$free free: $code: $said" ;;
        esac
        rm -f "$disk/filler"
        [ "$(save $((free + 2)))" = $((free + 2)) ] || echo "$free free: no save when there is room again"
        # two generations, so that removals make no room
        find "$folder" -name '*.safetensors' | sort | sed '$d' | xargs rm -f
        free=$((free + 1))
    done
    echo "failed $failed"
    exit 0
fi

run unshare -rm sh "$0" inside "$scratch"
case $code,$out in
0,*) ;;
1,*"no save"*) ;;
*) skip_all "this user may mount no tmpfs" ;;
esac
is "$(echo "$out" | grep -v '^failed ')" "" "a save on a disk that is full at any 4 KiB loses nothing, and leaves nothing"
is "$(echo "$out" | sed -n 's/^failed //p')" 17 "and fails as long as there is no room for all of it"
tap_done
