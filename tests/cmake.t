#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The way of a program that is built with CMake: what is installed is moved elsewhere, and found there by
# find_package(Cohort) alone.
. "${srcdir:-.}/tests/tap.sh"
command -v cmake >/dev/null 2>&1 || skip_all 'no cmake'
builddir=$(cd "$builddir" && pwd)
scratch cmake
unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR COHORT_DATA_PATH COHORT_DEVICES COHORT_PLUGINS Cohort_DIR Cohort_ROOT CMAKE_PREFIX_PATH

# Flags of this build, such as sanitizers: an executable has to have those of the library.
variable() {
    sed -n "s/^$1 = //p" "$builddir/Makefile"
}

run make -s -C "$builddir" install "DESTDIR=$scratch/root"
ok "$code" "make install DESTDIR"
[ "$code" = 0 ] || diag "$out"
mv "$scratch/root" "$scratch/moved"
config=$(find "$scratch/moved" -name CohortConfig.cmake)
package=${config%/*}
root=$package # the prefix: the folder that has include/
while [ "$root" != "$scratch" ] && [ ! -d "$root/include" ]; do
    root=${root%/*}
done

mkdir "$scratch/project"
# shellcheck disable=SC2016 # README's program
sed -n '/^```c saxpy\.c$/,/^```$/p' "$srcdir/README.md" | sed '/^```/d' >"$scratch/project/program.c"
cat >"$scratch/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.13)
project(program C)
find_package(Cohort ${WANTED} REQUIRED)
find_package(Cohort ${WANTED} REQUIRED) # twice does no harm
message(STATUS "version=${Cohort_VERSION}")
message(STATUS "plugins=${Cohort_PLUGIN_DIR}")
add_executable(program program.c)
target_link_libraries(program PRIVATE Cohort::cohort)
END

# configure WANTED OPTIONS...: what find_package has after the name
configure() {
    wanted=$1
    shift
    rm -rf "$scratch/build"
    run env CC="${CC:-cc}" CFLAGS="$(variable CFLAGS)" LDFLAGS="$(variable LDFLAGS)" cmake -S "$scratch/project" \
        -B "$scratch/build" -DCMAKE_PREFIX_PATH="$root" "-DWANTED=$wanted" "$@"
}
# refused WANTED CLAIM: configuring fails, and the text is CMake's on this package's version.
refused() {
    configure "$1"
    [ "$code" != 0 ] && case $out in *"version"*"$version"*) true ;; *) false ;; esac
    ok "$?" "$2"
    [ "$code" != 0 ] || diag "$out"
}
version=$(sed -n 's/^Version: //p' "$builddir/cohort.pc")
major=${version%%.*}
minor=${version#*.} minor=${minor%%.*}
if [ "$major" = 0 ]; then next=0.$((minor + 1)); else next=$((major + 1)).0; fi

refused 99.0 "a version that is to come is refused"
refused "$next" "so is the next series"
refused "$version.1" "so is a later one of this series"
refused "${version%.*}.99999;EXACT" "so is one that is not exactly this"
refused "99.0...100.0" "so is a range that leaves this one out"
refused "0.0...<$version" "so is one that ends before it"
[ "$major" != 0 ] || refused "1.0" "a version 1 is not promised by $version"

configure "COMPONENTS;gpu"
has "$(printf %s "$out" | tr -s '\n ' '  ')" "Cohort has no components, and gpu was asked for" "a component is refused by name"

library=$(find "$scratch/moved" -name libcohort.so)
mv "$library" "$library.away"
configure ""
has "$(printf %s "$out" | tr -d '\n ')" "$(printf %s "installation without $library" | tr -d ' ')" "an installation without its library is refused, and the file is named"
mv "$library.away" "$library"

for wanted in "" "$major.$minor" "$version" "$version;EXACT" "0.0...$version"; do
    configure "$wanted"
    is "$code" 0 "find_package(Cohort $wanted) finds what was moved"
    [ "$code" = 0 ] || diag "$out"
done
has "$out" "version=$version" "it is this version"
plugins=$(printf '%s\n' "$out" | sed -n 's/^-- plugins=//p')
[ -f "$plugins/cohort-host.so" ]
ok "$?" "Cohort_PLUGIN_DIR has the plugin of the host"
case $plugins in "$scratch/moved/"*) true ;; *) false ;; esac
ok "$?" "... in the place that it was moved to"
is "$(grep -rlF "$scratch/root" "$package")" "" "the package does not name the folder that it was installed to"

run cmake --build "$scratch/build"
is "$code" 0 "README's program is built"
[ "$code" = 0 ] || diag "$out"
run env COHORT_PLUGIN_PATH="$plugins" LSAN_OPTIONS="${LSAN_OPTIONS:-}" "$scratch/build/program"
is "$out" "y[6] = 8 on 2 replicas" "and runs with the moved library and plugins"

make -s -C "$builddir" uninstall "DESTDIR=$scratch/moved" >/dev/null 2>&1
is "$(find "$scratch/moved" ! -type d | head -n 3)" "" "make uninstall leaves no file"
tap_done
