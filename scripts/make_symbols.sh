#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The list of exported symbols that Debian's package keeps, for the library of a build folder and the list as it was:
#   scripts/make_symbols.sh build < debian/libcohort1.symbols > new && mv new debian/libcohort1.symbols
# A symbol keeps the version that it came with; a new one gets that of the build.
set -eu
build=${1:?usage: scripts/make_symbols.sh BUILD < debian/libcohort1.symbols}
export LC_ALL=C
version=$(sed -n 's/^Version: //p' "$build/cohort.pc")
exported=$(nm -D --defined-only "$build/.libs/libcohort.so")

{
    cat
    echo '='
    printf '%s\n' "$exported"
} | awk -v version="$version" '
    $0 == "=" { is_exported = 1; next }
    !is_exported && /^ / { since[$1] = $2; next }
    !is_exported { print; next }
    { name = $3; sub(/@.*/, "", name); name = name "@COHORT_1"
      print " " name " " (name in since ? since[name] : version) | "sort" }'
