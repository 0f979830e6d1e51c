#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The reference is whole: every public name has a page, links lead somewhere, and the comments that it is made from name
# only what there is.
. "${srcdir:-.}/tests/tap.sh"
scratch reference
headers=$srcdir/include/cohort
pages=$srcdir/doc
[ ! -f "$builddir/doc/reference.stamp" ] || pages=$builddir/doc

# check FOLDER: what the comments of its headers lack or say of what is not there.
check() {
    perl "$srcdir/scripts/reference.pl" --check "$1"/*.h 2>&1
}
# finds CLAIM WANTED FILE SCRIPT: the check says so of a header that sed has changed.
finds() {
    rm -rf "$scratch/headers"
    cp -R "$headers" "$scratch/headers"
    chmod -R u+w "$scratch/headers"
    sed "$4" "$headers/$3" >"$scratch/headers/$3"
    is "$(check "$scratch/headers")" "$2" "$1"
}
if perl -e 'exit 0' 2>/dev/null; then
    is "$(check "$headers")" "" "each name of the headers has a comment, which names only what there is"
    finds "... a function without a comment is found" "value.h: cohort_value_scalar: no comment" \
        value.h '/^\/\* The only element as a number/,/\*\//d'
    finds "... and one whose comment does not say what it is" \
        "array.h: cohort_array: the comment does not begin with a sentence that says what it is" \
        array.h 's/^\/\* A view of memory: elements of one.*/\/*/'
    finds "... a parameter that there is not" "reduce.h: cohort_reduce: 'towards' is no parameter or member" \
        reduce.h 's/^ \* into  becomes plain, whatever/ * towards  becomes plain, whatever/'
    finds "... a member that there is not" "array.h: cohort_array: 'bytes' is no parameter or member" \
        array.h 's/^ \* item_bytes  of one/ * bytes       of one/'
    finds "... a status that there is not" "npy.h: cohort_npy_save: COHORT_EFULL is declared nowhere" \
        npy.h 's/COHORT_EINTERNAL the system/COHORT_EFULL the system/'
    finds "... a function that there is not" "run.h: cohort_group: cohort_value_await is declared nowhere" \
        run.h 's/no content; cohort_value_wait says/no content; cohort_value_await says/'
    finds "... and a comment that belongs to nothing" \
        "run.h: a comment that belongs to nothing: Wait until everything called so far is done, and return the error that is up, or COHORT_OK.
run.h: cohort_wait: no comment" run.h 's/^\(\/\* Wait until everything called so far is done.*\)/\1\n/'

    # Statuses: those that a comment names can come from what its functions reach in the sources, and those that stand in their
    # bodies are named.
    statuses() {
        perl "$srcdir/scripts/reference.pl" --check --sources "$srcdir/runtime" "$1"/*.h 2>&1
    }
    is "$(statuses "$headers")" "" "each status that a comment names can come, and those that come from the function itself are named"
    rm -rf "$scratch/headers"
    cp -R "$headers" "$scratch/headers"
    chmod -R u+w "$scratch/headers"
    sed 's/and returns n. COHORT_ENOENT: there is none/and returns n. COHORT_ETIMEDOUT: there is none/
        s/^COHORT_API int cohort_topology_num_tasks(/COHORT_API int cohort_topology_count_tasks(/' "$headers/topology.h" >"$scratch/headers/topology.h"
    is "$(statuses "$scratch/headers" | grep -v 'is declared nowhere')" "topology.h: cohort_topology_count_tasks: no definition is found
topology.h: cohort_assignment_lookup_replicas: answers COHORT_ENOENT, which the comment does not name
topology.h: cohort_assignment_lookup_replicas: COHORT_ETIMEDOUT cannot come from it" \
        "... one that cannot come is found, one that is not named, and a function that there is not"

    # From the same sources the same pages: those of the build, or of the tarball.
    (cd "$srcdir" && perl scripts/reference.pl --out "$scratch/made" --date "$(sed -n 's/^\.Dd //p' doc/libcohort.3)" \
        --version "$(cat "$pages/reference.stamp")" include/cohort/*.h)
    cp "$srcdir/doc/html/search.js" "$scratch/made/html/reference/"
    diff -r "$pages/man3" "$scratch/made/man3" >"$scratch/differ" && diff -r "$pages/html/reference" "$scratch/made/html/reference" >>"$scratch/differ"
    is "$(head -n 20 "$scratch/differ")" "" "the pages are those that the headers make"
else
    skip "each name of the headers has a comment, which names only what there is" 'no perl'
fi

# Names: what the library exports, and what the headers define without _ at their end.
if nm -D "$builddir/.libs/libcohort.so" >"$scratch/nm" 2>/dev/null; then
    sed -n 's/^[0-9a-f]* [TDBR] \(cohort_[a-z0-9_]*\)\(@.*\)\{0,1\}$/\1/p' "$scratch/nm" | sort -u >"$scratch/names"
    [ "$(wc -l <"$scratch/names")" -gt 250 ]
    ok "$?" "nm lists the functions of the library"
else
    : >"$scratch/names"
    skip "every function of the library has a page" 'no nm, or no shared library'
fi
cat "$headers"/*.h | sed -n -e 's/^#define \(\(cohort\|COHORT\)_[A-Za-z0-9_]*[A-Za-z0-9]\)\>.*/\1/p' \
    -e 's/^} \(cohort_[a-z_]*\);.*/\1/p' -e 's/^typedef .*(\*\(cohort_[a-z_]*\))(.*/\1/p' \
    -e 's/^typedef [a-z ]*[a-z0-9_]* \(cohort_[a-z_]*\);.*/\1/p' -e 's/^    \(COHORT_[A-Z0-9_]*\)\( =.*\)\{0,1\},.*/\1/p' |
    grep -Ev '^COHORT_[A-Z_]+_H$' | grep -v '_$' | sort -u >>"$scratch/names"
# without_page FOLDER: names that no manual page there has.
without_page() {
    while read -r name; do
        [ -f "$1/man3/$name.3" ] || echo "$name"
    done <"$scratch/names"
}
without_anchor() {
    sed -n 's/^\["\([A-Za-z0-9_]*\)", .*/\1/p' "$1/html/reference/names.js" | sort >"$scratch/listed"
    sort -u "$scratch/names" | comm -23 - "$scratch/listed"
}
is "$(without_page "$pages")" "" "every function, macro, type and constant has a manual page"
is "$(without_anchor "$pages")" "" "and stands in the search of the HTML"
cp -R "$pages" "$scratch/pages"
chmod -R u+w "$scratch/pages"
rm "$scratch/pages/man3/cohort_reduce.3"
sed -i.old '/^\["COHORT_ARRAY"/d' "$scratch/pages/html/reference/names.js"
is "$(without_page "$scratch/pages") $(without_anchor "$scratch/pages")" "cohort_reduce COHORT_ARRAY" "... and one that has not is found"

# dead_pages FOLDER: what .so and .Xr of pages name and is not there.
dead_pages() {
    cat "$1"/man3/*.3 | sed -n 's/^\.so man3\/\(.*\)\.3$/\1/p; s/^\.\(It \)\{0,1\}Xr \(cohort.*\) 3.*/\2/p; s/^\.\(It \)\{0,1\}Xr \(COHORT.*\) 3.*/\2/p' |
        sed 's/ 3 , Xr /\n/g' | sort -u | while read -r name; do
        [ -f "$1/man3/$name.3" ] || echo "$name"
    done
}
is "$(dead_pages "$pages")" "" "what manual pages refer to is there"
is "$(dead_pages "$scratch/pages")" "cohort_reduce" "... and what is not is found"

# dead_links FOLDER: FILE#ANCHOR of links and of the search, and files, that are not there; addresses of elsewhere.
dead_links() {
    (
        cd "$1/html/reference" || exit 1
        grep -ohE '(href|src)="[^"]*"' ./*.html | sed 's/^[a-z]*="//; s/"$//' | sort -u | grep -v '^#' >"$scratch/links"
        sed -n 's/^\["[^"]*", "[^"]*", "\([^"]*\)".*/\1/p' names.js >>"$scratch/links"
        grep -oE 'href="#[^"]*"' ./*.html | sed 's/^\.\///; s/:href="/ /; s/"$//; s/ //' >>"$scratch/links"
        grep -oE 'id="[^"]*"' ./*.html | sed 's/^\.\///; s/:id="/#/; s/"$//' >"$scratch/anchors"
        (ls && echo ../style.css) >>"$scratch/anchors"
        sort -u "$scratch/anchors" -o "$scratch/anchors"
        sort -u "$scratch/links" | comm -23 - "$scratch/anchors"
    )
}
is "$(dead_links "$pages")" "" "links of the HTML lead to files and anchors that are there, and none elsewhere"
sed -i.old 's/id="cohort_halo"/id="cohort_hello"/' "$scratch/pages/html/reference/reduce.html"
has "$(dead_links "$scratch/pages")" "reduce.html#cohort_halo" "... and one that does not is found"
is "$(grep -l 'https\{0,1\}:\|//[a-z]' "$pages"/html/reference/*.html "$srcdir"/doc/html/style.css)" "" "nothing is fetched from elsewhere"

if command -v groff >/dev/null 2>&1; then
    # Wider than a terminal, as a long name does not fit into 78 columns.
    grep -L '^\.so' "$pages"/man3/*.3 >"$scratch/list"
    is "$(xargs groff -mdoc -Tutf8 -ww -z -rLL=110n <"$scratch/list" 2>&1 | head -n 20)" "" "the manual pages are formatted without a warning"
else
    skip "the manual pages are formatted without a warning" 'no groff'
fi

if command -v tidy >/dev/null 2>&1; then
    is "$(invalid_html "$pages"/html/reference/*.html | head -n 20)" "" "the HTML is valid"
    sed 's/<\/head>//; s/<p>/<p><p title=3 title=4>/' "$pages/html/reference/reduce.html" >"$scratch/broken.html"
    has "$(invalid_html "$scratch/broken.html")" 'repeated attribute "title"' "... and what is not is found"
else
    skip "the HTML is valid" 'no tidy'
fi
tap_done
