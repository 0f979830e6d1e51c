#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 50 CSV files in the shapes that people have: each is trained to 0.9 of what logistic regression reaches, at once, or
# with the option that the sentence names with which it is refused.
. "${srcdir:-.}/tests/tap.sh"
cohort=$builddir/cli/cohort
scratch people_csv
find_python
[ -n "$python" ] || skip_all 'no python3'
unset COHORT_DEVICES
table=$srcdir/tests/data/people_csv.txt

PYTHONDONTWRITEBYTECODE=1 "$python" "$srcdir/tests/people_csv.py" "$scratch" "$srcdir/examples/data/digits.csv"
is "$?" 0 "the files are made"
is "$(wc -l <"$table" | tr -d ' ')" 50 "there are fifty in the table"
is "$(cut -f 1 "$table" | sort)" "$(cd "$scratch" && printf '%s\n' * | sort)" "which are those that were made"

# train NAME WORDS...
train() {
    trained=$scratch/$1
    shift
    run "$cohort" demo --output-dir "$scratch" --devices host --data "$trained" "$@"
}
# reaches NAME REFERENCE CLAIM: the latest training
reaches() {
    accuracy=$(printf '%s\n' "$out" | sed -n 's/^test accuracy \([0-9.]*\),.*/\1/p')
    awk -v a="$accuracy" -v b="$2" 'BEGIN { exit !(a != "" && a <= 1 && a >= 0.9 * b) }'
    reached=$?
    ok "$reached" "$1 $3 ($accuracy, logistic regression $2)"
    [ "$reached" = 0 ] || diag "$out"
}
tab=$(printf '\t')
while IFS=$tab read -r name refusal words reference; do
    train "$name"
    ! build_lacks zlib "$name is trained" || continue
    if [ "$refusal" = - ]; then
        reaches "$name" "$reference" "is trained"
        continue
    fi
    is "$code" 1 "$name is refused"
    has "$out" "$refusal" "with what is wrong"
    [ "$words" != NONE ] || continue
    option=${words%% *}
    case $out in
    *"$option"* | *"(option ${option#--})"*) ok 0 "and $option" ;;
    *)
        ok 1 "and $option"
        diag "$out"
        ;;
    esac
    # shellcheck disable=SC2086 # an option and its value
    train "$name" $words
    reaches "$name" "$reference" "is trained with $words"
done <"$table"
tap_done
