#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the packages say is what is installed and exported: lists of files, symbols, versions. Needs nothing of Debian.
. "${srcdir:-.}/tests/tap.sh"
export LC_ALL=C
builddir=$(cd "$builddir" && pwd)
lists=$srcdir/debian
scratch packaging
unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR

# ---------------------------------------------------------------- one version, one state

version=$(sed -n 's/^AC_INIT(\[cohort\], \[\([^]]*\)\].*/\1/p' "$srcdir/configure.ac")
heading=$(sed -n 's/^## //p' "$srcdir/NEWS.md" | head -n 1)
is "$(sed -n '1s/^cohort (\(.*\)-[^-]*) .*/\1/p' "$lists/changelog")" "$version" "debian/changelog begins with the version of configure.ac"
is "$(sed -n 's/^Version: *//p' "$srcdir/packaging/cohort.spec")" "$version" "packaging/cohort.spec has it"
is "${heading%%,*}" "$version" "NEWS.md begins with it"
# state TEXT: whether it is that of a release
state() {
    case $1 in
    *"not yet released"* | *UNRELEASED*) echo "not yet" ;;
    *) echo released ;;
    esac
}
is "$(state "$(head -n 1 "$lists/changelog")")" "$(state "$heading")" "debian/changelog and NEWS.md agree whether it is released"

# ---------------------------------------------------------------- each installed file is in one package

# A folder as configure was told.
folder() {
    (
        for name in prefix exec_prefix datarootdir PACKAGE PACKAGE_TARNAME pkglibdir libdir "$1"; do
            eval "$name=\"$(sed -n "s/^$name = //p" "$builddir/Makefile")\""
        done
        eval "printf '%s\n' \"\$$1\""
    )
}
# place FOLDER TARGET: what was installed in the folder, where Debian has it.
place() {
    from=$scratch/root$(folder "$1")
    [ -d "$from" ] || return 0
    mkdir -p "$scratch/debian/$2" && cp -R "$from/." "$scratch/debian/$2" && rm -rf "$from"
}
out=$(make -s -C "$builddir" install "DESTDIR=$scratch/root" 2>&1)
ok "$?" "make install DESTDIR"
[ -d "$scratch/root" ] || diag "$out"
place plugindir usr/lib/any-linux/cohort/plugins-1
place libdir usr/lib/any-linux
place bindir usr/bin
place includedir usr/include
place docdir usr/share/doc/cohort
place mandir usr/share/man
place datadir usr/share
is "$(find "$scratch/root" ! -type d | head -n 3)" "" "what is installed lies in folders that packages know"

is "$(grep -rh '^\.Os' "$scratch/debian/usr/share/man" | sort -u)" ".Os Cohort $version" "the feet of all manual pages have the version"

# is_built CONDITIONAL: what configure found
is_built() {
    grep -q "^S\[\"$1_TRUE\"\]=\"\"\$" "$builddir/config.status"
}
# Packages of parts that this build has not.
absent=
for part in opencl:plugin openmpi:communicator mpich:communicator; do
    is_built "$(echo "${part%:*}" | tr '[:lower:]' '[:upper:]')" || absent="$absent cohort-${part#*:}-${part%:*}"
done
# taken FOLDER: "FILE PACKAGE" for each file that a list takes, "PATTERN PACKAGE nothing" for a pattern without one.
taken() {
    for list in "$1"/*.install "$1/not-installed"; do
        package=${list##*/} package=${package%.install}
        case "$absent " in *" $package "*) continue ;; esac
        grep -v '^#' "$list" | while read -r pattern; do
            (
                cd "$scratch/debian" || exit 1
                # shellcheck disable=SC2086 # a pattern
                find $pattern ! -type d 2>/dev/null | sed "s|\$| $package|" | grep . || echo "$pattern $package nothing"
            )
        done
    done
}
# faults FOLDER: patterns that take nothing, files that no list or several take.
faults() {
    {
        (cd "$scratch/debian" && find usr ! -type d)
        taken "$1"
    } | awk 'NF == 1 { files[$1] } NF == 2 { owners[$1] = owners[$1] " " $2; count[$1]++ } NF == 3 { print $2 ": nothing is " $1 }
        END { for (file in files) if (count[file] != 1) print file ":" (file in owners ? owners[file] : " in no package") }' | sort
}
[ -z "$absent" ] || diag "not built, and not looked at:$absent"
is "$(faults "$lists")" "" "every installed file is in one package, and every pattern takes a file"

mkdir "$scratch/wrong"
cp "$lists"/*.install "$lists/not-installed" "$scratch/wrong"
chmod u+w "$scratch"/wrong/* # the sources may be read only
echo 'usr/share/nowhere/*' >>"$scratch/wrong/cohort-doc.install"
echo 'usr/share/man/man1/cohort.1' >>"$scratch/wrong/libcohort1.install"
: >"$scratch/wrong/not-installed"
is "$(faults "$scratch/wrong" | paste -sd'|' -)" "cohort-doc: nothing is usr/share/nowhere/*|usr/lib/any-linux/libcohort.la: in no package|usr/share/man/man1/cohort.1: cohort-tools libcohort1" \
    "... and what is nowhere, twice or missing is found"

is "$(sed -n 's/^Package: //p' "$lists/control" | sort)" \
    "$(for list in "$lists"/*.install; do basename "$list" .install; done | sort)" "each package has its list"

# ---------------------------------------------------------------- each exported symbol is in the list

claim="the symbols of the package are those that the library exports (scripts/make_symbols.sh)"
if ! command -v nm >/dev/null 2>&1; then
    skip "$claim" 'no nm'
elif ! is_built VSCRIPT; then
    skip "$claim" 'the linker takes no version script'
else
    symbols=$lists/libcohort1.symbols
    sh "$srcdir/scripts/make_symbols.sh" "$builddir" <"$symbols" >"$scratch/symbols"
    is "$(diff "$symbols" "$scratch/symbols")" "" "$claim"
    sed 's/^ cohort_version@/ cohort_visions@/; s/^\( cohort_strategy_destroy@.*\) .*/\1 0.0.9/' "$symbols" >"$scratch/wrong.symbols"
    sh "$srcdir/scripts/make_symbols.sh" "$builddir" <"$scratch/wrong.symbols" >"$scratch/symbols"
    is "$(diff "$scratch/wrong.symbols" "$scratch/symbols" | grep '^[<>]' | paste -sd' ' -)" \
        "<  cohort_visions@COHORT_1 $version >  cohort_version@COHORT_1 $version" \
        "... and one too many and one too few are found; the others keep the version that they came with"
fi

# ---------------------------------------------------------------- what breaks programs or plugins is told

abidiff() {
    run sh "$srcdir/scripts/abidiff.sh" "$@"
}
abidiff "$scratch"
is "$code" 2 "abidiff.sh wants two folders"
# library FOLDER DECLARATION; plugin FOLDER EXPRESSION: of the skeleton, by the header that sed makes of ours.
library() {
    mkdir -p "$scratch/abi/$1"
    echo "$2" >"$scratch/abi/x.c"
    # shellcheck disable=SC2086 # $CC may have options
    $CC -g -shared -fPIC -Wl,-soname,libcohort.so.1 "$scratch/abi/x.c" -o "$scratch/abi/$1/libcohort.so.1"
}
plugin() {
    mkdir -p "$scratch/abi/include-$1/cohort"
    cp "$srcdir"/include/cohort/*.h "$scratch/abi/include-$1/cohort"
    sed "$2" "$srcdir/include/cohort/plugin.h" >"$scratch/abi/include-$1/cohort/plugin.h"
    # shellcheck disable=SC2086
    $CC -g -shared -fPIC -w "-I$scratch/abi/include-$1" "-I$builddir/include" "$srcdir/plugins/skeleton/skeleton.c" \
        -o "$scratch/abi/$1/cohort-host.so"
}
if ! command -v abidiff >/dev/null 2>&1; then
    skip "changes of the ABI" 'no abidiff (abigail-tools)'
elif ! library old 'int cohort_a(int x) { return x; } int cohort_b(void) { return 0; }' || ! plugin old ''; then
    ok 1 "small libraries are made"
else
    library more 'int cohort_a(int x) { return x; } int cohort_b(void) { return 0; } int cohort_c(void) { return 0; }' && plugin more ''
    library less 'int cohort_a(int x) { return x; }' && plugin less ''
    library other 'int cohort_a(int x) { return x; } int cohort_b(void) { return 0; }' && plugin other 's/COHORT_ASSERT_ _Static_assert/COHORT_ASSERT_(...)/; s/uint8_t uuid\[16\]/uint8_t uuid[8]/'
    abidiff "$scratch/abi/old" "$scratch/none"
    is "$code" 2 "a folder without a library is told"
    abidiff "$scratch/abi/old" "$scratch/abi/old"
    is "$code:$(echo "$out" | paste -sd,)" "0:programs: what was there is as it was,plugins: what was there is as it was" "nothing has changed in itself"
    abidiff "$scratch/abi/old" "$scratch/abi/more"
    is "$code:$(echo "$out" | grep '^programs:')" "0:programs: what was there is as it was" "a function more is compatible"
    abidiff "$scratch/abi/old" "$scratch/abi/less"
    has "$code:$out" "programs: what was there has changed" "a function less is not"
    is "$code" 1 "... and a failure"
    abidiff "$scratch/abi/old" "$scratch/abi/other"
    has "$code:$out" "plugins: what was there has changed" "nor is a struct of plugins with another size"
    is "$code" 1 "... and a failure"
fi
tap_done
