#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What is written about the command, the settings and the data is true.
. "${srcdir:-.}/tests/tap.sh"
cohort=$builddir/cli/cohort
scratch docs

page=$srcdir/doc/cohort-env.7
sh "$srcdir/scripts/make_env_page.sh" "$srcdir/runtime/base/settings.h" <"$page" >"$scratch/env.7"
cmp -s "$page" "$scratch/env.7"
ok "$?" "the table of cohort-env(7) is that of runtime/base/settings.h"
rules=$srcdir/doc/cohort-plugin-rules.7
sh "$srcdir/scripts/make_rules_page.sh" "$srcdir/cli/conformance/rules.def" <"$rules" >"$scratch/rules.7"
cmp -s "$rules" "$scratch/rules.7"
ok "$?" "the rules of cohort-plugin-rules(7) are those of cli/conformance/rules.def"
is "$(grep -c '^\.It CHP-' "$rules")" "$(grep -c '^RULE(' "$srcdir/cli/conformance/rules.def")" "each of them"
is "$(grep -c '^\.It Ev COHORT_' "$page")" "$("$cohort" env | grep -c '^COHORT_')" "it has as many rows as cohort env"

for command in bench check checkpoint cluster completion data demo devices doctor embed env new report run top version; do
    grep -q "^\.Ss cohort $command\$" "$srcdir/doc/cohort.1"
    ok "$?" "cohort(1) has a section on $command"
    for option in $("$cohort" "$command" --help | sed -n 's/^  --\([a-z-]*\).*/\1/p'); do
        sed -n "/^\.Ss cohort $command\$/,/^\.S[sh] /p" "$srcdir/doc/cohort.1" | grep -Eq "^\.It Fl -$option( |\$)" || [ "$option" = help ]
        ok "$?" "which describes --$option"
    done
done

if command -v groff >/dev/null 2>&1; then
    for page in "$srcdir"/doc/*.[1-9]; do
        is "$(groff -mdoc -Tascii -ww -z "$page" 2>&1)" "" "${page##*/} is formatted without a warning"
    done
else
    skip "manual pages are formatted without a warning" 'no groff'
fi

# The picture of the README shows what the run beside it measured.
find_python
if [ -z "$python" ]; then
    skip "its picture is drawn from the run beside it" 'no python3'
else
    "$python" "$srcdir/scripts/make_step_picture.py" "$srcdir/doc/training-step.json" | cmp - "$srcdir/doc/training-step.svg" >&2
    ok "$?" "its picture is drawn from the run beside it"
fi

# The examples of libcohort(3), one file each.
awk -v to="$scratch/man" '/^\.Bd -literal$/ { n++; file = to n ".c"; print "#include <cohort/cohort.h>" > file; next }
    /^\.Ed$/ { file = "" } file != "" { gsub(/\\e/, "\\"); print > file }' "$srcdir/doc/libcohort.3"
for file in "$scratch"/man*.c; do
    # shellcheck disable=SC2086
    out=$(${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$srcdir/include" "$file" 2>&1)
    ok "$?" "example ${file##*/man} of libcohort(3) compiles"
    [ -z "$out" ] || diag "$out"
done

# The headers of libcohort(3): each that a program includes has its entry, and the entry names calls of that header.
page=$srcdir/doc/libcohort.3
# calls_of HEADER PAGE: names of its entry.
calls_of() {
    sed -n "\\,^\\.It In cohort/$1\$,,/^\\.\\(It\\|El\\)/s/^\\.Fn \\([A-Za-z0-9_]*\\).*/\\1/p" "$2"
}
# foreign_calls PAGE: headers without an entry, and names that are not those of their header.
foreign_calls() {
    sed -n 's,^#include <cohort/\(.*\)>$,\1,p' "$srcdir/include/cohort/cohort.h" | while read -r header; do
        [ -n "$(calls_of "$header" "$1")" ] || echo "$header"
        for name in $(calls_of "$header" "$1"); do
            grep -qw "$name" "$srcdir/include/cohort/$header" || echo "$name"
        done
    done
}
is "$(foreign_calls "$page")" "" "${page##*/} has an entry for each header, with calls of that header"
sed '/cohort\/packs.h/d; s/cohort_program_steps/cohort_value_read/' "$page" >"$scratch/wrong.3"
is "$(foreign_calls "$scratch/wrong.3" | paste -sd' ' -)" \
    "packs.h cohort_value_read cohort_packs_by_bytes cohort_packs_by_number" "... and what is not is found"

# The design and the fast ways: each name and each file that they give is there, and each folder of runtime/ has its row.
unknown_names() {
    grep -Eo '\b(cohort|COHORT)_[A-Za-z_]+' "$1" | sort -u | while read -r name; do
        grep -rqw --include='*.[ch]' "$name" "$srcdir/runtime" "$srcdir/include" || echo "$name"
    done
    unknown_files "$1" runtime include plugins
}
# unknown_files PAGE FOLDER...: sources that it names, and that are in none of the folders; <zlib.h> is the system's.
unknown_files() {
    named_in=$1
    shift
    sed 's/<[a-z/]*\.h>//g' "$named_in" | grep -Eo '[a-z_0-9/]+\.[ch]\b' | sort -u | while read -r name; do
        (cd "$srcdir" && find "$@" -path "*$name") | grep -Eq "(^|/)$name\$" || echo "$name"
    done
}
for page in "$srcdir/doc/speed.md" "$srcdir/doc/design.md"; do
    is "$(unknown_names "$page")" "" "${page##*/} names functions, types and files that there are"
done
printf 'cohort_nothing in nowhere.h\n' >"$scratch/wrong.md"
is "$(unknown_names "$scratch/wrong.md" | paste -sd' ')" "cohort_nothing nowhere.h" "... and one that does not is found"
for folder in "$srcdir"/runtime/*/; do
    folder=${folder%/}
    [ -n "$(find "$folder" -name '*.h')" ] || continue # left by an older build
    grep -q "^| \`runtime/${folder##*/}\` |" "$page"
    ok "$?" "it has a row for ${folder##*/}"
done
# The rules and recipes: noun.c and noun.h stand for any.
recipes=$srcdir/HACKING.md
is "$(unknown_files "$recipes" runtime include plugins host opencl cli examples bench tests | grep -v 'noun\.[ch]$')" "" \
    "${recipes##*/} names files that there are"
# lame_ways PAGE: sections of fast ways that say what, but not what it buys, when it is stale, how to switch it off and where
# the code is.
lame_ways() {
    awk '/^## /{ title = substr($0, 4) } /^- \*\*What\*\*/ { ways[title] } /^- \*\*(Buys|Stale|Off|Code)( when)?\*\*/ { n[title]++ }
        END { for (way in ways) if (n[way] != 4) print way }' "$1" | sort
}
is "$(lame_ways "$srcdir/doc/speed.md")" "" "each fast way says what it buys, when it is stale, how it is switched off, and where it is"
sed '/\*\*Off\*\*: no switch; devices/d' "$srcdir/doc/speed.md" >"$scratch/wrong.md"
is "$(lame_ways "$scratch/wrong.md")" "Replicas of one device are called together" "... and one that does not is found"

# From tf.distribute: a row for every id, and names that exist.
page=$srcdir/doc/from-tf-distribute.md
for part in A:20 B:44 M:26 T:19 C:10 X:22 N:47; do
    sed -n "s/^| \(${part%:*}[0-9]*\) | .* | .* | .*|\$/\1/p" "$page" >"$scratch/ids"
    seq -f "${part%:*}%.0f" "${part#*:}" | cmp -s - "$scratch/ids"
    ok "$?" "${page##*/} has a row for ${part%:*}1 to ${part%:*}${part#*:}"
done
# shellcheck disable=SC2086
echo '#include <cohort/cohort.h>' | ${CC:-cc} -std=c11 -E -dD -I"$srcdir/include" - >"$scratch/names"
# unknown_to_headers PAGE: names of calls and fields, and files, that the columns of Cohort give and that are nowhere.
unknown_to_headers() {
    sed 's/^|[^|]*|[^|]*|//' "$1" >"$scratch/columns"
    # shellcheck disable=SC2016 # no command
    grep -Eo 'cohort_[a-z_]+|COHORT_[A-Z_]+|`\.[a-z_]{4,}' "$scratch/columns" | tr -d '`.' | sort -u | while read -r name; do
        grep -qw "$name" "$scratch/names" || echo "$name"
    done
    grep -Eo '(cohort|examples)/[a-z_]+\.[ch]' "$scratch/columns" | sort -u | while read -r file; do
        [ -f "$srcdir/$file" ] || [ -f "$srcdir/include/$file" ] || echo "$file"
    done
}
is "$(unknown_to_headers "$page")" "" "and all names that it gives are those of the headers"
# shellcheck disable=SC2016 # no command
printf '| A1 | `cohort_of_tf` | `cohort_nothing`, `.nowhere` of `COHORT_NONE` | `examples/none.c` |\n' >"$scratch/wrong.md"
is "$(unknown_to_headers "$scratch/wrong.md" | paste -sd' ' -)" "COHORT_NONE cohort_nothing nowhere examples/none.c" \
    "... and one that is not is found"
is "$(grep -c '^| [A-Z][0-9]* | ' "$page")" 188 "it has one row for each id, and no other ones"
# What is still to come.
not_yet() {
    sed -n 's/^| \([A-Z][0-9]*\) | .*[Nn]ot yet.*/\1/p' "$1" | paste -sd' ' -
}
is "$(not_yet "$page")" "N47" "these rows say 'not yet', and no others"
sed 's/^| T1 | .*/| T1 | class | not yet | |/' "$page" >"$scratch/later.md"
is "$(not_yet "$scratch/later.md")" "T1 N47" "... and one that does is found"

# The guide: names of the headers and settings, and links to files that there are.
printf '#include <cohort/%s.h>\n' plugin random | ${CC:-cc} -std=c11 -E -dD -I"$srcdir/include" - >>"$scratch/names"
cat "$srcdir/runtime/base/settings.h" "$srcdir/include/cohort/codes.h" >>"$scratch/names"
# strangers PAGE: names, and targets of links, that are nowhere.
strangers() {
    grep -Eo '\b(cohort|COHORT)_[A-Za-z0-9_]*[A-Za-z0-9]' "$1" | sort -u | while read -r name; do
        grep -qw "$name" "$scratch/names" || echo "$name"
    done
    grep -Eo '\]\([^):#]+' "$1" | cut -c 3- | sort -u | while read -r file; do
        [ -f "$srcdir/doc/guide/$file" ] || echo "$file"
    done
}
for page in "$srcdir"/doc/guide/*.md; do
    is "$(strangers "$page")" "" "guide/${page##*/} gives names and links that there are"
done
printf 'call cohort_nothing with COHORT_F31, [as](nowhere.md)\n' >"$scratch/wrong.md"
is "$(strangers "$scratch/wrong.md" | paste -sd' ' -)" "COHORT_F31 cohort_nothing nowhere.md" "... and others are found"

# The guide as HTML: a page for each chapter, and links to pages, headings and files that there are.
# dead_links FOLDER: of the pages there.
dead_links() {
    for html in "$1"/*.html; do
        grep -Eo '(href|src)="[^"]*"' "$html" | sed 's/^[a-z]*="//; s/"$//' | sort -u | while read -r target; do
            case $target in
            ../style.css) file=$srcdir/doc/html/style.css ;;
            ../../*) file=$srcdir/doc/${target#../../} ;;
            *.svg) file=$srcdir/doc/guide/$target ;;
            *) file=$1/${target%%#*} ;;
            esac
            [ -f "$file" ] || echo "${html##*/} $target"
        done
    done
}
if command -v lowdown >/dev/null 2>&1; then
    mkdir "$scratch/html"
    for page in "$srcdir"/doc/guide/*.md; do
        name=$(basename "$page" .md)
        [ "$name" != README ] || name=index
        sh "$srcdir/scripts/make_guide.sh" lowdown "$page" >"$scratch/html/$name.html"
        ok "$?" "${page##*/} becomes HTML"
        grep -q "doc/html/guide/$name.html" "$srcdir/doc/local.mk"
        ok "$?" "... which is installed"
    done
    is "$(dead_links "$scratch/html")" "" "links of the HTML lead somewhere"
    is "$(grep -c 'aria-current="page"' "$scratch/html/faq.html")" 1 "a page is marked in its list of chapters"
    is "$(grep -l 'SPDX\|```' "$scratch"/html/*.html)" "" "nothing of the Markdown is left over"
    if command -v tidy >/dev/null 2>&1; then
        is "$(invalid_html "$scratch"/html/*.html | head -n 20)" "" "the HTML is valid"
    else
        skip "the HTML is valid" 'no tidy'
    fi
    rm "$scratch/html/faq.html"
    has "$(dead_links "$scratch/html")" "index.html faq.html" "... and a page that is missing is found"
else
    skip "the guide as HTML" "no lowdown"
fi
run sh "$srcdir/scripts/make_guide.sh" "" "$srcdir/doc/guide/faq.md"
is "$code" 2 "without lowdown no page is made"
has "$out" "lowdown is not installed" "... and it says why"

# What goes wrong: each claim is one of the test's.
# shellcheck disable=SC2016 # no command
grep -oE '`tests/[^`]*` "[^"]*"' "$srcdir/doc/faults.md" >"$scratch/claims"
while read -r file claim; do
    file=${file#?} claim=${claim#?}
    grep -qF -- "${claim%?}" "$srcdir/${file%?}" || echo "$file $claim"
done <"$scratch/claims" >"$scratch/nowhere"
[ -s "$scratch/claims" ] || echo none >"$scratch/nowhere"
is "$(cat "$scratch/nowhere")" "" "the claims of faults.md are in the tests that it names"

# The map of the tests names what there is. In a folder that was built in there is more: programs, logs, written files.
# named PAGE: the first columns of its tables.
# shellcheck disable=SC2016 # no command
named() {
    sed -n 's/^| \(`[^|]*`\) |.*/\1/p' "$1" | tr -d '` ' | tr ',' '\n' | sort
}
# sources: files and folders of tests/ that are not made by make.
sources() {
    (
        cd "$srcdir/tests" || exit
        for name in *; do
            case $name in
            README.md | signature_cases.h) ;;
            *.c | *.cc | *.h | *.sh | *.py | *.awk | *.mk | *.supp | *.md) echo "$name" ;;
            *.t) ! head -c 2 "$name" | grep -q '^#!' || echo "$name" ;;
            *) [ -z "$(find "$name" -type f \( -name '*.[ch]' -o -name '*.cl' -o -name '*.json' \) 2>/dev/null | head -n 1)" ] ||
                echo "$name/" ;;
            esac
        done
    ) | sort
}
named "$srcdir/tests/README.md" >"$scratch/named"
sources >"$scratch/sources"
[ "$(wc -l <"$scratch/named")" -gt 100 ]
ok "$?" "the map of the tests names some"
is "$(comm -13 "$scratch/named" "$scratch/sources")" "" "... every file of tests/"
is "$(comm -23 "$scratch/named" "$scratch/sources")" "" "... none that is not there"
is "$(uniq -d "$scratch/named")" "" "... and each once"

if command -v sha256sum >/dev/null 2>&1; then
    set -- "$(sed -n 's/.* \([0-9a-f]\{64\}\)  digits.csv$/\1/p' "$srcdir/examples/data/README")"
    is "$(sha256sum "$srcdir/examples/data/digits.csv" | cut -d ' ' -f 1)" "$1" "the digits have the checksum beside them"
else
    skip "the digits have the checksum beside them" 'no sha256sum'
fi
is "$(wc -l <"$srcdir/examples/data/digits.csv" | tr -d ' ')" 1797 "and 1797 lines"
tap_done
