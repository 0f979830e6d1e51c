#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cohort new: names that are refused, what is left of a project that fails, and one that builds with what is installed.
. "${srcdir:-.}/tests/tap.sh"
builddir=$(cd "$builddir" && pwd)
cohort=$builddir/cli/cohort
scratch cli_new
unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR COHORT_DEVICES COHORT_PLUGINS Cohort_DIR Cohort_ROOT CMAKE_PREFIX_PATH
cd "$scratch" || exit 1

# refused CODE TEXT CLAIM WORDS...: and nothing is made.
refused() {
    wanted=$1
    text=$2
    claim=$3
    shift 3
    before=$(ls -A)
    run "$cohort" new "$@"
    is "$code" "$wanted" "$claim is refused"
    has "$out" "$text" "... and says why"
    is "$(ls -A)" "$before" "... and makes nothing"
}
refused 2 "the name of the project is missing" "no name"
refused 2 "unexpected 'b'" "a second name" a b
for name in '' 1a a-b a/b ../a . .. 'a b' 'a;b' "$(printf 'a\tb')" "$(printf '\303\244')" '@NAME@'; do
    refused 2 "is no name" "the name '$name'" "$name"
done
for name in test main check all cohort Cohort_x; do
    refused 2 "'$name' means something" "the name $name" $name
done
refused 2 "more than 64 letters" "a name that is too long" "$(printf 'a%.0s' $(seq 65))"
refused 1 "none/mine: No such file or directory" "a folder that is not there" mine --dir none
: >file
refused 1 "file/mine: Not a directory" "a file as folder" mine --dir file
long=$(printf 'a%.0s' $(seq 5000))
refused 1 "File name too long" "a path that is too long" mine --dir "$long"

mkdir taken && echo text >taken/README.md
refused 1 "taken: File exists" "a folder that is there" taken
is "$(cat taken/* && ls -A taken)" "text
README.md" "and what is in it stays"
has "$out" "nothing was changed" "which is said"
ln -s nowhere link
refused 1 "link: File exists" "a link that leads nowhere" link
if [ "$(id -u)" != 0 ]; then
    mkdir locked && chmod 555 locked
    refused 1 "locked/mine: Permission denied" "a folder that may not be written to" mine --dir locked
else
    skip "a folder that may not be written to is refused" "root may write everywhere"
fi

# Templates that are not there, or not whole: what was made before goes away again.
mkdir -p data/new
for template in "$srcdir"/examples/data/new/*.in; do
    case $template in */README.md.in) mkdir data/new/README.md.in ;; *) cp "$template" data/new ;; esac
done
COHORT_DATA_PATH=$scratch/data
export COHORT_DATA_PATH
refused 1 "README.md.in" "a template that cannot be read" mine
rm -rf data/new/README.md.in
head -c 70000 /dev/zero | tr '\0' a >data/new/README.md.in
refused 1 "a template of this size is none" "a template that is too large" mine
rm -rf data
COHORT_DATA_PATH=$(cd "$srcdir" && pwd)/examples/data
# A limit on the size of files stands for a disk that is full.
before=$(ls -A)
run sh -c 'trap "" XFSZ; ulimit -f 1; exec "$1" new mine' sh "$cohort"
if [ "$code" = 0 ]; then
    skip "a file that cannot be written fails" "the limit is larger than the files"
    rm -r mine
else
    is "$code" 1 "a file that cannot be written fails"
    is "$(ls -A)" "$before" "and nothing is left behind"
fi

run "$cohort" new mine --dir "$scratch"
is "$code" 0 "a project is made in --dir"
run "$cohort" new mine_2
is "$code" 0 "and one in this folder"
has "$out" "next: cd mine_2 && make check" "with what to do next"
is "$(cd mine_2 && echo .[!.]* *)" ".gitignore CMakeLists.txt Makefile README.md main.c mine_2.c mine_2.h test.c" "all files are there"
is "$(grep -rl '@NAME@' mine_2)" "" "and have its name"

# ------------------------------------------------------------------ built

# Flags of this build, such as sanitizers: an executable has to have those of the library.
variable() {
    sed -n "s/^$1 = //p" "$builddir/Makefile"
}
if ! command -v pkg-config >/dev/null && ! command -v cmake >/dev/null; then
    skip "the project is built" "neither pkg-config nor cmake"
    tap_done
fi
run make -s -C "$builddir" install "DESTDIR=$scratch/root"
is "$code" 0 "Cohort is installed in a folder"
[ "$code" = 0 ] || diag "$out"
pc=$(find root -name cohort.pc)
libraries=$scratch/${pc%/pkgconfig/cohort.pc}
plugins=$(find "$scratch/root" -name cohort-host.so)
export COHORT_PLUGIN_PATH="${plugins%/*}" LD_LIBRARY_PATH="$libraries"
is "$(cd root && find . -path '*/cohort/new/*.in' | wc -l | tr -d ' ')" 8 "with the templates"

if command -v pkg-config >/dev/null; then
    export PKG_CONFIG_PATH="$libraries/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$scratch/root"
    run make -C mine_2 check CC="${CC:-cc}" CFLAGS="$(variable CFLAGS) -Wall -Wextra -Werror" LDFLAGS="$(variable LDFLAGS)"
    is "$code" 0 "make check builds the project without a warning, and it passes"
    [ "$code" = 0 ] || diag "$out"
    has "$out" "ok 2 - host/2" "its test runs on a host cut in two"
    run make -C mine_2 CC="${CC:-cc}" CFLAGS="$(variable CFLAGS)" LDFLAGS="$(variable LDFLAGS)"
    run mine_2/mine_2 host/3
    is "$out" "y[999] = 1998 on 3 replicas" "its program runs"
    run mine_2/mine_2 host:77
    is "$code" 1 "and fails on a device that is none"
    sed -i.old 's/y\[i\] += a/y[i] -= a/' mine_2/mine_2.c && rm mine_2/mine_2.c.old
    run make -C mine_2 check CC="${CC:-cc}" CFLAGS="$(variable CFLAGS)" LDFLAGS="$(variable LDFLAGS)"
    has "$out" "not ok 1 - host" "its test fails when the function is wrong"
    make -s -C mine_2 clean
    is "$(cd mine_2 && echo *)" "CMakeLists.txt Makefile README.md main.c mine_2.c mine_2.h test.c" "make clean leaves the sources"
else
    skip "make check builds the project without a warning, and it passes" "no pkg-config"
fi

if command -v cmake >/dev/null; then
    package=$(find "$scratch/root" -name CohortConfig.cmake)
    run env CC="${CC:-cc}" CFLAGS="$(variable CFLAGS)" LDFLAGS="$(variable LDFLAGS)" \
        cmake -S mine -B mine/build "-DCohort_DIR=${package%/*}"
    is "$code" 0 "CMake finds Cohort for the project"
    [ "$code" = 0 ] || diag "$out"
    run cmake --build mine/build
    is "$code" 0 "builds it"
    [ "$code" = 0 ] || diag "$out"
    run sh -c 'cd mine/build && ctest --output-on-failure'
    is "$code" 0 "and ctest passes"
    [ "$code" = 0 ] || diag "$out"
else
    skip "CMake builds the project" "no cmake"
fi
tap_done
