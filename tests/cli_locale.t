#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The command's words are the same in each locale of the user. Turkish has another small letter for I, German a decimal comma.
. "${srcdir:-.}/tests/tap.sh"
cohort=$(cd "$builddir" && pwd)/cli/cohort
scratch cli_locale
scratch=$(cd "$scratch" && pwd)
for name in tr_TR de_DE; do
    localedef -i $name -f UTF-8 "$scratch/$name.UTF-8" >"$scratch/log" 2>&1 || skip_all "localedef makes no locale (Debian's package locales)"
done
[ "$(LOCPATH=$scratch LC_ALL=tr_TR.UTF-8 locale charmap 2>/dev/null)" = UTF-8 ] || skip_all "the C library takes no locale from LOCPATH"

# same CLAIM COMMAND...: prints the same, and ends the same, in both as in C.
same() {
    same_claim=$1
    shift
    run env LC_ALL=C "$@"
    same_wanted="$code $out"
    for same_locale in tr_TR.UTF-8 de_DE.UTF-8; do
        run env LOCPATH="$scratch" LC_ALL=$same_locale "$@"
        is "$code $out" "$same_wanted" "$same_locale: $same_claim"
    done
}

run env LOCPATH="$scratch" LC_ALL=tr_TR.UTF-8 "$cohort" explain einval
is "$code" 0 "explain einval finds a status in Turkish"
same "explain COHORT_EINVAL" "$cohort" explain COHORT_EINVAL
same "explain cohort_einval" "$cohort" explain cohort_einval
same "explain einvl means EINVAL" "$cohort" explain einvl
same "env TIMEOUT and env timeout" "$cohort" env TIMEOUT
same "a filter in small letters" "$cohort" env cohort_timeout
same "a number with a point, and one that is infinite" "$cohort" run 'double fabs(double x)' --library libm.so.6 x=-0.5
same "INF is a number" "$cohort" run 'double fabs(double x)' --library libm.so.6 x=-INF
same "one with a comma is none" "$cohort" run 'double fabs(double x)' --library libm.so.6 x=0,5
same "digits.csv is looked at" "$cohort" data --head 2 "$srcdir/examples/data/digits.csv"
printf '\000\000\010\001\000\000\000\003abc' >"$scratch/TRAIN.IDX"
same "a file ends with .IDX" "$cohort" data "$scratch/TRAIN.IDX"
printf 'id,LABEL\n1.5,0\n2.5,1\n' >"$scratch/a.csv"
same "a table" "$cohort" data "$scratch/a.csv"
same "the demo's numbers have points" sh -c "'$cohort' demo --epochs 1 --json --output-dir '$scratch' | grep -v seconds"
tap_done
