#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# abidiff.sh OLD NEW: what has changed for programs and for plugins, between two folders of a build or an installation; with
# debug information in both, as configure builds by default. By abidiff (Debian: abigail-tools).
# 0: nothing, or functions were only added; 1: what was there is another thing, so that what was built for OLD may not run
# with NEW, unless only members were added at the end of a struct that tells its size; 2: it cannot be told.
set -u
if [ $# != 2 ]; then
    echo "usage: abidiff.sh OLD_FOLDER NEW_FOLDER; make abidiff OLD=FOLDER" >&2
    exit 2
fi
if ! command -v abidiff >/dev/null; then
    echo "abidiff.sh: no abidiff; Debian has it in abigail-tools" >&2
    exit 2
fi

# The file of that name, whatever the folder calls the folders in it.
find_file() {
    find "$1" -name "$2" \( -type f -o -type l \) 2>/dev/null | sort | head -n 1
}

# compare WHAT NAME: abidiff's exit code is a set of bits: 1 and 2 are failures, 4 a change, 8 one that surely breaks.
worst=0
compare() {
    old=$(find_file "$from" "$2")
    new=$(find_file "$to" "$2")
    if [ -z "$old" ] || [ -z "$new" ]; then
        [ -n "$old" ] && where=$to || where=$from
        echo "abidiff.sh: there is no $2 in $where" >&2
        exit 2
    fi
    abidiff --no-show-locs --no-added-syms "$old" "$new"
    case $? in
    0) echo "$1: what was there is as it was" ;;
    4 | 8 | 12) echo "$1: what was there has changed" && worst=1 ;;
    *) exit 2 ;;
    esac
}
from=$1 to=$2
compare "programs" libcohort.so.1
compare "plugins" cohort-host.so
exit "$worst"
