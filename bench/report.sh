#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs with a planted cause each of slow steps (bench/planted.c), run and traced: whether cohort report names the cause.
# The machine has to be quiet: on one that is not it tells, rightly, that threads wait for cores.
#
# usage: report.sh BUILD_FOLDER
set -eu
[ $# = 1 ] || { sed -n 's/^# usage: //p' "$0" >&2 && exit 2; }
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
COHORT_PLUGIN_PATH=$build/host/.libs:$build/opencl/.libs
export COHORT_PLUGIN_PATH
missed=0
printf '%-12s  %-12s  %s\n' planted found 'what it says'
for cause in none slow-device program dispatch reduce input; do
    COHORT_TRACE=$work/trace "$build/bench/planted" "$cause"
    "$build/cohort" report "$work/trace" >"$work/report"
    found=$(sed -n '/^recording: /,$s/^\([a-z-]*\): .*/\1/p' "$work/report" | grep -vxm1 'recording\|warning\|note' || echo none)
    [ "$found" = "$cause" ] || missed=$((missed + 1))
    printf '%-12s  %-12s  %s\n' "$cause" "$found" "$(sed -n '/^nothing to gain/p; / without that a step takes /p' "$work/report")"
done
[ "$missed" = 0 ] || { echo "$missed missed" && exit 1; }
