#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every snippet of the guide does what the page shows. tests/snippets.sh runs them.
. "${srcdir:-.}/tests/tap.sh"
scratch guide
. "${srcdir:-.}/tests/snippets.sh"

# ---- A page that is right, and copies of it with a mistake each.
mkdir "$scratch/pages"
page=$scratch/pages/page.md
cat >"$page" <<'END'
```c two.c
#include <stdio.h>
int main(void)
{
    printf("one\ntwo of 3\nthree\n");
}
```
```c in:two.c
    printf("one\ntwo of 3\nthree\n");
```
```console
$ cc two.c -o two && \
> ./two
one
two of ...
three
$ ./two
...
three
```
```console fails
$ ls nowhere
...nowhere...
```
END
# bad_steps: those of the page that are wrong.
bad_steps() {
    run_page "$page" "$scratch/results"
    sed -n 's/^bad [^:]*:\([0-9]*\): .*/\1/p' "$scratch/results" | paste -sd' ' -
}
is "$(bad_steps)" "" "a page whose snippets are right passes"
is "$(grep -c '^good' "$scratch/results")" 5 "... with all of its steps"
# broken EDIT STEPS CLAIM: these lines of the page are wrong after an edit.
broken() {
    cp "$page" "$scratch/right.md"
    sed "$1" "$scratch/right.md" >"$page"
    if cmp -s "$scratch/right.md" "$page"; then
        ok 1 "the page has a line for this edit: $1"
    else
        is "$(bad_steps)" "$2" "$3"
    fi
    cp "$scratch/right.md" "$page"
}
broken '5s/;//' "8 12 17" "a file that does not compile is found"
broken '5s/three/four/' "8 12 17" "so is one that prints something else"
broken '9s/one/won/' 8 "an excerpt that stands nowhere"
broken '14s/one/One/' 12 "a line of output"
broken '16d' 12 "a line that is not shown"
broken '19s/.*/&\nfour/' 17 "a line that does not come"
broken '18d' 17 "lines that are not left out with ..."
broken '21s/ fails//' 22 "a failure that nobody expects"
broken '11s/$/ fails/' "12 17" "a failure that does not come"
broken '1s/ two.c//' "1 8 12 17" "a fence without a name"
broken '11s/$/ needs:luck/' "12 17" "a need that is not known"

# ---- The guide.
chapters=0
for chapter in "$srcdir"/doc/guide/*.md; do
    chapters=$((chapters + 1))
    run_page "$chapter" "$scratch/results"
    tell_page "$scratch/results"
done
[ "$chapters" -gt 0 ]
ok "$?" "the guide has chapters"
tap_done
