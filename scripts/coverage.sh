#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# coverage.sh SOURCE BUILD: how many lines of the library, the plugins and the command were executed by what ran in
# BUILD, which was compiled with --coverage. By gcovr, which also writes pages, else by gcov.
set -eu
source=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
parts='runtime|host|opencl|plugins|cli'

by_gcovr() {
    mkdir -p "$build/pages"
    (cd "$build" && gcovr --root "$source" --filter "$source/($parts)/" --html-details pages/index.html --print-summary .)
    echo "pages: $build/pages/index.html"
}

# A line for each source, from the fewest on, and one for all.
by_gcov() {
    find "$build" -name '*.gcda' -exec sh -c 'cd "${1%/*}" && gcov --no-output "${1##*/}" 2>/dev/null' sh {} \; |
        awk -v parts="^($parts)/.*[.]c\$" -F"[':% ]+" '
            $1 == "File" { name = $2; sub("^.*/\\.\\./", "", name); sub("^[.]/", "", name) }
            $1 == "Lines" && name ~ parts && !(name in of) { of[name] = $5; done[name] = $3 * $5 / 100; name = "" }
            END {
                for (name in of) {
                    printf "%5.1f %% of %4d  %s\n", 100 * done[name] / of[name], of[name], name | "sort -n"
                    all += of[name]; executed += done[name]
                }
                close("sort -n")
                if (all == 0) { print "coverage.sh: nothing ran here that was compiled with --coverage"; exit 1 }
                printf "%5.1f %% of %d lines\n", 100 * executed / all, all
            }'
}

if command -v gcovr >/dev/null 2>&1; then
    by_gcovr
else
    by_gcov
fi
