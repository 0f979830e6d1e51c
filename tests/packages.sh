#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A stranger's way, from the built packages alone: on a bare Debian, as root, installs every .deb of a folder with apt,
# uses them as an ordinary user without a network, and purges them. Not part of make check: it changes the machine.
# Prints TAP. doc/packaging.md has the command lines.
set -u
umask 022 # what it makes is for others too
usage='usage: tests/packages.sh FOLDER    (of .deb files, as root, on a machine to throw away)'
srcdir=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
builddir=none
. "$srcdir/tests/tap.sh"

fail() {
    printf 'packages.sh: %s\n' "$*" >&2
    exit 2
}
[ $# = 1 ] || fail "$usage"
folder=$(CDPATH='' cd -- "$1" 2>/dev/null && pwd) || fail "$1: no such folder"
set -- "$folder"/*.deb
[ -e "$1" ] || fail "$folder: no .deb files; dpkg-buildpackage -us -uc -b leaves them beside the source folder"
[ "$(id -u)" = 0 ] || fail "apt wants root"
command -v apt-get >/dev/null 2>&1 || fail "this is no Debian: there is no apt-get"
packages=$(for file in "$@"; do dpkg-deb -f "$file" Package; done)
for package in $packages; do
    ! dpkg-query -W "$package" >/dev/null 2>&1 || fail "$package is known to dpkg here already: take a machine without it"
done
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
here=$(mktemp -d) # of nobody, who has no home
trap 'rm -rf "$here"' EXIT
chown nobody "$here"

# stranger COMMAND...: $code and $out of a command that an ordinary user types in a folder of his own; nothing is
# inherited. $offline takes the network away.
offline=
stranger() {
    # shellcheck disable=SC2086 # a prefix
    run $offline setpriv --reuid=nobody --regid=nogroup --clear-groups env -i -C "$here" PATH=/usr/bin:/bin HOME="$here" \
        LANG=C.UTF-8 TERM=dumb AUTOPKGTEST_TMP="$here" timeout 600 "$@"
}
# works CLAIM [PART]: the last command ended well, and said so
works() {
    case "$code:$out" in
    0:*"${2:-}"*) ok 0 "$1" ;;
    *)
        ok 1 "$1"
        diag "status $code, wanted 0 and ...${2:-}...
$(printf '%s\n' "$out" | tail -n 30)"
        ;;
    esac
}

# named: what has the name of the project, outside of the folder of the stranger
named() {
    find / -xdev -path "$here" -prune -o -name '*cohort*' -print | sort
}

# ---------------------------------------------------------------- what who develops has; then the packages

named_before=$(named)
run apt-get update
works "apt-get update"
run apt-get install -y --no-install-recommends gcc libc6-dev make cmake pkg-config man-db
works "a compiler, make, CMake, pkg-config and man are there"
run apt-get install -y "$@"
works "apt-get install ./*.deb"
[ "$code" = 0 ] || tap_done
# shellcheck disable=SC2086 # a list
dpkg -L $packages | sort -u >"$here/installed"

# ---------------------------------------------------------------- without a network

if unshare -n true 2>/dev/null; then
    offline="unshare -n"
else
    diag "unshare -n is not allowed here: the network stays"
fi
stranger cohort doctor
works "cohort doctor finds nothing wrong"
stranger cohort check
works "cohort check, the self-test of the installation"
stranger cohort devices
works "cohort devices lists the CPU" host:0
has "$out" opencl:0 "... and the OpenCL device that came along"
stranger cohort demo
works "cohort demo trains, with the weights of one device" "digest equal, largest weight difference 0"
stranger cohort run 'double cos(double x)' --library libm.so.6 x=0.5
works "cohort run calls a function of a library" 0.877582
stranger cohort new first
works "cohort new makes a project"
stranger make -C first check
works "... which make builds by pkg-config, and tests"
stranger cmake -S first -B first-by-cmake
works "... which CMake configures"
stranger cmake --build first-by-cmake
works "... and builds"
stranger ctest --test-dir first-by-cmake
works "... and tests" "100% tests passed"
stranger cohort plugin new mydev
works "cohort plugin new makes a project"
stranger make -C mydev check
works "... which make builds and checks" "mydev,host trains to the weights of the host"
for page in '1 cohort' '3 libcohort' '3 cohort_reduce' '7 cohort-env'; do
    # shellcheck disable=SC2086 # section and name
    stranger man -P cat $page
    works "man $page" "${page#* }"
done

# What autopkgtest runs, by hand: copies, as an ordinary user may not enter the folder of this script, such as one of root's.
mkdir "$here/tests"
for test in command readme-program skeleton opencl cluster; do
    cat "$srcdir/debian/tests/$test" >"$here/tests/$test"
done
for test in command readme-program skeleton opencl; do
    stranger sh -eu "tests/$test"
    works "debian/tests/$test"
done
offline= # mpirun wants at least the loopback
for mpi in openmpi mpich; do
    stranger sh -eu tests/cluster "$mpi"
    works "debian/tests/cluster $mpi"
done

# ---------------------------------------------------------------- nothing stays

# shellcheck disable=SC2086 # a list
run apt-get purge -y $packages
works "apt-get purge"
left=$(while read -r path; do [ -d "$path" ] || [ ! -e "$path" ] || echo "$path"; done <"$here/installed")
is "$left" "" "no file of a package is left"
is "$(named)" "$named_before" "nor another one with the name"
# shellcheck disable=SC2086
is "$(dpkg-query -W $packages 2>/dev/null)" "" "dpkg knows none of them"
tap_done
