# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2034 # used by the scripts
# The Test Anything Protocol for scripts, which begin with: . "${srcdir:-.}/tests/tap.sh"
# srcdir and builddir come from make check; by hand: srcdir=$PWD builddir=$PWD/build sh tests/cli.t
tap_count=0
tap_failures=0
: "${srcdir:?}" "${builddir:?}"

# ok STATUS CLAIM: 0 is good.
ok() {
    tap_count=$((tap_count + 1))
    if [ "$1" = 0 ]; then
        printf 'ok %d - %s\n' "$tap_count" "$2"
    else
        tap_failures=$((tap_failures + 1))
        printf 'not ok %d - %s\n' "$tap_count" "$2"
    fi
}

diag() {
    printf '%s\n' "$*" | sed 's/^/# /'
}

# is FOUND WANTED CLAIM
is() {
    [ "$1" = "$2" ]
    tap_status=$?
    ok "$tap_status" "$3"
    [ "$tap_status" = 0 ] || diag "found  $1
wanted $2"
}

# has TEXT PART CLAIM
has() {
    case $1 in
    *"$2"*) ok 0 "$3" ;;
    *)
        ok 1 "$3"
        diag "found  $1
wanted ...$2..."
        ;;
    esac
}

# skip CLAIM REASON
skip() {
    tap_count=$((tap_count + 1))
    printf 'ok %d - %s # SKIP %s\n' "$tap_count" "$1" "$2"
}

# build_lacks LIBRARY CLAIM: whether the latest run says that this build is without the library; then the claim is a SKIP.
build_lacks() {
    case $out in
    *"without $1"*) skip "$2" "no $1" ;;
    *) return 1 ;;
    esac
}

# Whether floats have the same bits here as elsewhere: i386 without SSE2 keeps more of them between operations.
has_equal_bits() {
    ! grep -q '^#define COHORT_EXCESS_PRECISION' "$builddir/config.h"
}

# Whether packed files can be read.
has_zlib() {
    grep -q '^#define HAVE_ZLIB' "$builddir/config.h"
}

# conform FILE: the results of cohort plugin check, of a file of the build folder, are those of this test.
conform() {
    [ -e "$builddir/$1" ] || skip_all 'this plugin was not built'
    "$builddir/cli/cohort" plugin check "$builddir/$1"
    code=$?
    [ "$code" -ne 77 ] || code=0 # no device: its lines are skipped, which is what the driver of TAP counts
    exit "$code"
}

skip_all() {
    printf '1..0 # SKIP %s\n' "$1"
    exit 0
}

tap_done() {
    printf '1..%d\n' "$tap_count"
    [ "$tap_failures" = 0 ]
    exit $?
}

# scratch NAME: an empty folder, removed at the end, in $scratch.
scratch() {
    scratch=$builddir/tests/$1.scratch
    rm -rf "$scratch"
    mkdir -p "$scratch" || exit 1
    trap 'rm -rf "$scratch"' EXIT
}

# run COMMAND...: its exit code in $code, both outputs in $out.
run() {
    out=$("$@" 2>&1)
    code=$?
}

# first_python MODULE: a python3 that has it. One in HOME may not even work.
first_python() {
    for tap_python in python3 /usr/bin/python3; do
        if "$tap_python" -c "import $1" 2>/dev/null; then
            echo "$tap_python"
            return
        fi
    done
}

# A python3 that works, or "".
find_python() {
    python=$(first_python json)
}

# python_of_files WORDS...: with tests/data_files.py, whose .npz files are packed where packed ones can be read.
python_of_files() {
    tap_packing=stored
    ! has_zlib || tap_packing=deflated
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$srcdir/tests PACKING=$tap_packing "$python" "$@"
}

# A python3 that has NumPy, or "".
find_numpy() {
    numpy=$(first_python numpy)
}

# json_has_keys FILE KEYS CLAIM: exactly these, sorted, such as "devices devices[].id schema".
json_has_keys() {
    if [ -z "$python" ]; then
        skip "$3" 'no python3'
    else
        is "$("$python" "$srcdir/tests/json_keys.py" "$1" 2>&1)" "$2" "$3"
    fi
}

# invalid_html FILE...: what tidy has to say of each, with its name. This one does not know aria-current, which is HTML's.
invalid_html() {
    for tap_page in "$@"; do
        tidy -q -e <"$tap_page" 2>&1 | grep -v 'proprietary attribute "aria-current"' | sed "s,^,${tap_page##*/}: ,"
    done
}
