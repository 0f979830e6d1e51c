#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cohort explain: every status has words, and is found by all its names.
. "${srcdir:-.}/tests/tap.sh"
scratch cli_explain
cohort=$builddir/cli/cohort

# refused STATUS CLAIM: no such status.
refused() {
    run "$cohort" explain "$1"
    is "$code" 2 "$2"
    has "$out" "there is no status '$1'" "... and is named"
}
refused nonsense "a word that is no status"
refused "" "an empty one"
refused 1.5 "a number that is none"
refused -99999999999999999999 "a number that is too large"
refused COHORT_ "a prefix alone"
run "$cohort" explain enodv
is "$code" 2 "a status that is misspelt"
has "$out" "did you mean 'cohort explain ENODEV'?" "... gets the one that was meant"
run "$cohort" explain EINVAL ENOMEM
is "$code" 2 "two of them are wrong usage"
run "$cohort" explain --nonsense
is "$code" 2 "so is an option that there is not"

# Names and numbers as the header has them.
sed -n '/define COHORT_STATUSES/,/^$/s/^ *X(\([A-Z]*\), \(-\{0,1\}[0-9]*\),.*/\1 \2/p' "$srcdir/include/cohort/codes.h" >"$scratch/statuses"
is "$("$cohort" explain | grep -c COHORT_)" "$(wc -l <"$scratch/statuses" | tr -d ' ')" "all statuses of the header are listed"
while read -r name number; do
    by_name=$("$cohort" explain "$name" 2>&1)
    has "$by_name" "COHORT_$name ($number)" "$name is explained"
    is "$(for part in when next 'calls, among others'; do echo "$by_name" | grep -cx "$part"; done | paste -sd' ')" "1 1 1" "... when it comes, what to do, and which calls answer it"
    is "$("$cohort" explain "$number" 2>&1)" "$by_name" "... and found by its number"
    is "$("$cohort" explain "cohort_$(echo "$name" | tr '[:upper:]' '[:lower:]')" 2>&1)" "$by_name" "... and by its whole name in any case"
done <"$scratch/statuses"

# Calls that the texts name are there.
grep -hoE '\bcohort_[a-z_0-9]+' "$srcdir/cli/explanation.c" | sort -u | while read -r name; do
    grep -rqw "$name" "$srcdir/include/cohort" || echo "$name"
done >"$scratch/unknown"
is "$(grep -vxE 'cohort_(status|explanation).*' "$scratch/unknown" | paste -sd' ')" "" "no text names a call that there is not"
if command -v python3 >/dev/null 2>&1; then
    is "$("$cohort" explain --json | python3 -c 'import json,sys; d = json.load(sys.stdin); print(d["schema"], len(d["statuses"]), all(s["next"] for s in d["statuses"]))')" \
        "1 $(wc -l <"$scratch/statuses" | tr -d ' ') True" "--json is JSON with all of them"
    is "$("$cohort" explain --json -- -1 | python3 -c 'import json,sys; d = json.load(sys.stdin); print([s["number"] for s in d["statuses"]])')" "[-1]" "or with the one that is asked for"
else
    skip "--json is JSON" "no python3"
fi
tap_done
