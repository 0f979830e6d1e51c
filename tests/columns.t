#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Sources and headers keep 100 columns, comments too, which clang-format leaves alone; scripts/reflow_comments.pl wraps them.
# Tables that are not formatted (clang-format off) and data made by scripts may be wider.
. "${srcdir:-.}/tests/tap.sh"
scratch columns

# wide_lines: of the files named on stdin, FILE:LINE of those that are wider. A character of UTF-8 is one column.
wide_lines() {
    # shellcheck disable=SC2016 # of awk
    LC_ALL=C xargs awk 'FNR == 1 { is_off = 0 }
        /clang-format off/ { is_off = 1 }
        /clang-format on/ { is_off = 0 }
        !is_off { gsub(/[\200-\277]/, ""); if (length($0) > 100) print FILENAME ":" FNR ": " length($0) " columns" }'
}

(cd "$srcdir" && find include runtime host opencl plugins cli examples bench tests -name '*.[ch]' -o -name '*.cc' -o -name '*.hpp' -o -name '*.cl') |
    grep -v '^tests/data/' >"$scratch/files"
[ "$(wc -l <"$scratch/files")" -gt 1000 ]
ok "$?" "there are sources"
is "$(cd "$srcdir" && wide_lines <"$scratch/files" | sed -n 1,20p)" "" "none has a line of more than 100 columns"

awk 'BEGIN { x = sprintf("%100s", ""); gsub(/ /, "x", x); print x; print x "x"; print "/* clang-format off */"; print x x
    print "/* clang-format on */"; print "\303\244" substr(x, 2); print "\303\244" x }' >"$scratch/wide.c"
is "$(echo "$scratch/wide.c" | wide_lines | sed 's/.*wide.c://' | paste -sd' ' -)" "2: 101 columns 7: 101 columns" \
    "... and one that has is found; tables may have, and a character of two bytes is one column"

# The script that wraps comments leaves what it does not know as it is, and finds nothing to do the second time.
if perl -e 'exit 0' 2>/dev/null; then
    cat >"$scratch/before.c" <<'EOF'
/* A sentence that is much too long for a line of a hundred columns, since nobody has broken it where it had to be.
 *
 * word   what is said about the word begins in one column, in which it goes on, however long the row becomes
 * other  is short
 *
 *     code(that, stays, as, it, is, in, a, comment, although, it, is, longer, than, a, hundred, columns, wide);
 *   - a bullet that is much too long for a line of a hundred columns, since nobody has broken it either, says so */
int wide; /* a comment behind code that has no room there, and that moves to a line of its own before the code */
EOF
    cat >"$scratch/after.c" <<'EOF'
/* A sentence that is much too long for a line of a hundred columns, since nobody has broken it
 * where it had to be.
 *
 * word   what is said about the word begins in one column, in which it goes on, however long the
 *        row becomes
 * other  is short
 *
 *     code(that, stays, as, it, is, in, a, comment, although, it, is, longer, than, a, hundred, columns, wide);
 *   - a bullet that is much too long for a line of a hundred columns, since nobody has broken it
 *     either, says so */
/* a comment behind code that has no room there, and that moves to a line of its own before the
 * code */
int wide;
EOF
    perl "$srcdir/scripts/reflow_comments.pl" "$scratch/before.c" >"$scratch/said"
    diff "$scratch/after.c" "$scratch/before.c" >&2
    ok "$?" "scripts/reflow_comments.pl wraps sentences, rows, bullets and comments behind code"
    is "$(wc -l <"$scratch/said" | tr -d ' ')" 1 "and prints what it left"
    perl "$srcdir/scripts/reflow_comments.pl" "$scratch/before.c" >/dev/null
    diff "$scratch/after.c" "$scratch/before.c" >&2
    ok "$?" "a second time it changes nothing"
else
    skip "scripts/reflow_comments.pl wraps sentences, rows, bullets and comments behind code" 'no perl'
fi
tap_done
