#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A call takes as many instructions as tests/data/counts.txt says, within 2 %: fewer ones are good news that the table
# must hear of. Counted, not timed, so a busy machine makes no difference; another compiler or C library does.
. "${srcdir:-.}/tests/tap.sh"
table=$srcdir/tests/data/counts.txt
script=$srcdir/scripts/make_counts.sh
command -v valgrind >/dev/null 2>&1 || skip_all 'no valgrind'
machine=$(sh "$script" --machine "$builddir")
[ "machine: $machine" = "$(grep '^machine: ' "$table")" ] || skip_all "the table is of another machine than $machine"
scratch counts

# differ COUNTED WANTED: cases that are more than 2 % apart, and those that only one has.
differ() {
    awk 'FNR == NR && NF == 2 { wanted[$1] = $2 } FNR != NR && NF == 2 {
            found[$1] = 1
            if (!($1 in wanted)) {
                print $1 ": " $2 " instructions, the table has none"
                next
            }
            apart = wanted[$1] - $2
            if (apart * apart * 2500 > wanted[$1] * wanted[$1])
                print $1 ": " $2 " instructions, the table has " wanted[$1]
        }
        END { for (name in wanted) if (!(name in found)) print name ": not counted" }' "$2" "$1"
}

grep -v '^#\|^machine:' "$table" >"$scratch/wanted"
sh "$script" "$builddir" >"$scratch/table" 2>"$scratch/errors"
ok "$?" "the calls are counted"
[ ! -s "$scratch/errors" ] || diag "$(cat "$scratch/errors")"
grep -v '^#\|^machine:' "$scratch/table" >"$scratch/counted"
found=$(differ "$scratch/counted" "$scratch/wanted")
is "$found" "" "their instructions are those of the table: scripts/make_counts.sh $builddir > tests/data/counts.txt"

printf 'a 100\nb 1000\nc 7\n' >"$scratch/one"
printf 'a 102\nb 1021\nd 7\n' >"$scratch/other"
is "$(differ "$scratch/other" "$scratch/one" | paste -sd' ' -)" \
    "b: 1021 instructions, the table has 1000 d: 7 instructions, the table has none c: not counted" \
    "... and 2 % more are found, and a case that is new or gone"
tap_done
