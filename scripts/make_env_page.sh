#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Put the table of runtime/base/settings.h between the marks of doc/cohort-env.7.
#
# usage: scripts/make_env_page.sh runtime/base/settings.h < doc/cohort-env.7 > new.7
set -eu

# Rows are X(id, "name", "type", "default", "documentation"): every fourth text starts one. A text that goes on in the
# next line is one text.
table() {
    awk '/#define COHORT_SETTINGS\(X\)/ { is_inside = 1 } /^$/ { is_inside = 0 } is_inside' "$1" | tr -d '\n' |
        sed 's/"  *\\  *"//g' |
        awk -F'"' '{
            for (i = 2; i + 6 <= NF; i += 8) {
                printf ".It Ev %s Pq %s", $i, $(i + 2)
                print ""
                print toupper(substr($(i + 6), 1, 1)) substr($(i + 6), 2) "."
                if ($(i + 4) != "")
                    print "Default: " $(i + 4) "."
            }
        }'
}

rows=$(table "$1")
awk -v rows="$rows" '
    /^\.\\" end of the table/ { is_table = 0 }
    !is_table
    /^\.\\" table of / { print rows; is_table = 1 }'
