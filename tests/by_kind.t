#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a dtype or a reduction is, its kind tells and its row of a table; never the order of the numbers, which is that of
# their invention: a new one stands behind the last.
. "${srcdir:-.}/tests/tap.sh"
scratch by_kind

# The names in the lists of cohort/codes.h, as a pattern.
names() {
    sed -n '/#define COHORT_NUMBER_DTYPES/,/^$/p; /#define COHORT_OTHER_DTYPES/,/^$/p; /#define COHORT_REDUCE_OPS/,/^$/p' "$srcdir/include/cohort/codes.h" |
        grep -oE 'X\([A-Z][A-Z0-9_]*' | sed 's/X(//' | paste -sd'|' -
}
one="COHORT_($(names))\\b"
has "|$(names)|" "|BF16|" "the dtypes are found in the header"
has "|$(names)|" "|POINTER|" "those of prototypes as well"
has "|$(names)|" "|PROD|" "and the reductions"

# by_order ROOT: lines that compare such a number by more or less, count with it, or shift by it.
by_order() {
    for folder in include runtime host opencl plugins cli bench examples tests; do
        [ ! -d "$1/$folder" ] || (cd "$1" && find "$folder" \( -name '*.[ch]' -o -name '*.cc' -o -name '*.hpp' \) -exec \
            grep -nE "(^|[^-<>])([<>]=?|[^e]\\+|[^e]-) *(\\([a-z_0-9 ]+\\) *)?$one|$one *([<>]=?|[-+])|<< *\\(*([a-z_]+(->|\\.))*(d?type|op)\\b" /dev/null {} +)
    done
}
is "$(by_order "$srcdir")" "" "nothing is decided by the order of dtypes or reductions"

# finds LINE: the search is able to find.
finds() {
    rm -rf "$scratch/tree"
    mkdir -p "$scratch/tree/runtime/base"
    printf '%s\n' "$1" >"$scratch/tree/runtime/base/dtype.c"
    has "$(by_order "$scratch/tree")" "runtime/base/dtype.c:1:$1" "it finds '$1'"
}
finds '    if (dtype <= COHORT_U64)'
finds '    if (s->dtype >COHORT_F64)'
finds '    bool is_late = COHORT_C128 < dtype;'
finds '    if (type > (uint32_t)COHORT_C128)'
finds '    int table[COHORT_C128 + 1];'
finds '    return kernels[type - COHORT_F16];'
finds '    return masks[op] >> 1 & 1u << r->dtype;'
finds '    for (int op = COHORT_SUM; op <= COHORT_PROD; op++)'
printf '%s\n' 'size_t most = COHORT_MAX_TERMS + 1;' 'if (type >= COHORT_STRUCT_BASE)' 'a = b == COHORT_F32;' 'p->type = COHORT_F32;' >"$scratch/tree/runtime/base/dtype.c"
is "$(by_order "$scratch/tree")" "" "and leaves alone what is none"
tap_done
