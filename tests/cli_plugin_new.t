#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cohort plugin new: names that are refused, what is left of a project that fails, and one that is built, checked and trained
# on with what is installed alone, in each of its steps, by make, CMake and Automake.
. "${srcdir:-.}/tests/tap.sh"
srcdir=$(cd "$srcdir" && pwd)
builddir=$(cd "$builddir" && pwd)
cohort=$builddir/cli/cohort
scratch cli_plugin_new
unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR COHORT_DEVICES COHORT_PLUGINS COHORT_PLUGIN_PATH Cohort_DIR Cohort_ROOT CMAKE_PREFIX_PATH
COHORT_DATA_PATH=$srcdir/examples/data
export COHORT_DATA_PATH
cd "$scratch" || exit 1

# refused CODE TEXT CLAIM WORDS...: and nothing is made.
refused() {
    wanted=$1
    text=$2
    claim=$3
    shift 3
    before=$(ls -A)
    run "$cohort" plugin "$@"
    is "$code" "$wanted" "$claim is refused"
    has "$out" "$text" "... and says why"
    is "$(ls -A)" "$before" "... and makes nothing"
}
refused 2 "the name of the plugin is missing" "no name" new
refused 2 "unexpected 'b'" "a second name" new a b
for name in '' 1a a-b a/b .. 'a b' "$(printf '\303\244')" '@NAME@'; do
    refused 2 "is no name" "the name '$name'" new "$name"
done
for name in host opencl check cohort Cohort_x; do
    refused 2 "'$name' means something" "the name $name" new $name
done
refused 2 "more than 63 letters" "a name that no plugin may have" new "$(printf 'a%.0s' $(seq 64))"
refused 2 "it has no option --rule" "an option of another word" new mydev --rule CHP-101
refused 2 "it has no option --dir" "an option of this word behind another one" list --dir .
refused 1 "none/mydev: No such file or directory" "a folder that is not there" new mydev --dir none
mkdir -p taken/steps && echo text >taken/steps/README.md
refused 1 "taken: File exists" "a folder that is there" new taken
is "$(find taken ! -type d -exec cat {} +)" text "and what is in it stays"
ln -s nowhere link
refused 1 "link: File exists" "a link that leads nowhere" new link
if [ -e "$builddir/plugins/.libs/cohort-loopback.so" ]; then
    COHORT_PLUGIN_PATH=$builddir/plugins/.libs
    export COHORT_PLUGIN_PATH
    refused 2 "there is a plugin 'loopback' already, " "the name of a plugin that is found" new loopback
    unset COHORT_PLUGIN_PATH
else
    skip "the name of a plugin that is found is refused" "the plugin loopback was not built"
fi

# Templates that are not whole: what was made before, a folder too, goes away again.
mkdir data && cp -R "$srcdir/examples/data/plugin" data && chmod -R u+w data
head -c 70000 /dev/zero | tr '\0' a >data/plugin/README.md.in
COHORT_DATA_PATH=$scratch/data
refused 1 "a template of this size is none" "a template that is too large" new mydev
rm data/plugin/README.md.in && mkdir data/plugin/README.md.in
refused 1 "README.md.in" "a template that cannot be read" new mydev
rm -r data
COHORT_DATA_PATH=$srcdir/examples/data
# A limit on the size of files stands for a disk that is full.
before=$(ls -A)
run sh -c 'trap "" XFSZ; ulimit -f 1; exec "$1" plugin new mydev' sh "$cohort"
if [ "$code" = 0 ]; then
    skip "a file that cannot be written fails" "the limit is larger than the files"
    rm -r mydev
else
    is "$code" 1 "a file that cannot be written fails"
    is "$(ls -A)" "$before" "and nothing is left behind"
fi

# ------------------------------------------------------------------ what is made

run "$cohort" plugin new skeleton --dir "$scratch"
is "$code" 0 "a project is made in --dir"
run "$cohort" plugin new mydev
is "$code" 0 "and one in this folder"
has "$out" "next: cd mydev && make check" "with what to do next"
files=".gitignore
CMakeLists.txt
GNUmakefile
Makefile.am
README.md
check.sh
configure.ac
mydev.c
steps/1-host-memory.c
steps/2-own-memory.c
steps/3-copy-and-reduce.c
steps/4-queue.c
steps/5-events.c
steps/6-launches.c"
files_of() {
    (cd "$1" && find . -type f | sed 's,^\./,,' | LC_ALL=C sort)
}
is "$(files_of mydev)" "$files" "all files are there"
is "$(grep -rlE '@[A-Z]+@|^#.*STEP' mydev)" "" "without a mark of the templates"
cmp -s mydev/mydev.c mydev/steps/1-host-memory.c
ok "$?" "one begins with the first step"
uuid() {
    sed -n '/\.uuid/,/}/p' "$1"
}
[ "$(uuid mydev/mydev.c)" != "$(uuid skeleton/skeleton.c)" ]
ok "$?" "projects of two names have devices of two uuids"
# code FILE: without its first comment and the uuid.
code() {
    sed -n '/^#include/,$p' "$1" | sed '/\.uuid/,/}/d'
}
is "$(code skeleton/steps/2-own-memory.c)" "$(code "$srcdir/plugins/skeleton/skeleton.c")" "the second step is the skeleton"
# shellcheck disable=SC2016 # backquotes of Markdown
missing=$(sed -n 's/^| \(`[^|]*\) |.*/\1/p' mydev/README.md | grep -o '`[^`]*`' | tr -d '`' | while read -r word; do
    cat mydev/steps/*.c | grep -qF -e "$word" || [ -e "mydev/$word" ] || echo "$word"
done)
is "$missing" "" "what the README tells to find is there"

# ------------------------------------------------------------------ with what is installed

# Flags of this build, such as sanitizers: a plugin has to have those of the library.
variable() {
    sed -n "s/^$1 = //p" "$builddir/Makefile"
}
flags=$(variable CFLAGS)
linking=$(variable LDFLAGS)
run make -s -C "$builddir" install "DESTDIR=$scratch/root"
is "$code" 0 "Cohort is installed in a folder"
[ "$code" = 0 ] || diag "$out"
is "$(find root -path '*/cohort/plugin/*.in' | wc -l | tr -d ' ')" 8 "with the templates"
pc=$(find root -name cohort.pc)
libraries=$scratch/${pc%/pkgconfig/cohort.pc}
COHORT=$(find "$scratch/root" -path '*/bin/cohort')
export COHORT LD_LIBRARY_PATH="$libraries" PKG_CONFIG_PATH="$libraries/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$scratch/root"
unset COHORT_DATA_PATH
run "$COHORT" plugin new installed
is "$code" 0 "the installed command makes one of the installed templates"
sed 's/mydev/installed/g' mydev/README.md | cmp -s - installed/README.md
ok "$?" "the same"

# built CLAIM COMMAND...: it ends well.
built() {
    claim=$1
    shift
    run "$@"
    is "$code" 0 "$claim"
    [ "$code" = 0 ] || diag "$out"
}
# failed TEXT CLAIM COMMAND...: it does not, and says why.
failed() {
    text=$1
    claim=$2
    shift 2
    run "$@"
    is "$code" 1 "$claim"
    has "$out" "$text" "... and says why"
}
trained="trains to the weights of the host"

if command -v pkg-config >/dev/null; then
    # in_make WORDS...: make in the project.
    # shellcheck disable=SC2317 # built and failed call it
    in_make() {
        make -C mydev CC="${CC:-cc}" CFLAGS="$flags -Wall -Wextra -Wpedantic -Werror" LDFLAGS="$linking" "$@"
    }
    built "make check builds the plugin without a warning, and it passes" in_make check
    has "$out" "ok 1 - CHP-101" "by the rules"
    has "$out" "mydev,host $trained" "and by the demo"
    digest() {
        COHORT_PLUGIN_PATH=$scratch/mydev "$COHORT" demo --devices "$1" --replicas 4 --seed 7 --json --output-dir "$scratch" |
            sed -n 's/.*"digest": *"\([0-9a-f]*\)".*/\1/p' | sed -n 1p
    }
    is "$(digest mydev,host)" "$(digest host)" "mydev,host has the digest of the host"
    run env COHORT_PLUGIN_PATH="$scratch/mydev" "$COHORT" devices
    has "$out" "mydev:0" "it is among the devices"

    built "make check-steps builds each step, and all pass" in_make check-steps
    is "$(echo "$out" | grep -c "^# mydev,host $trained")" 6 "all six"
    # A step brings what it names: without it, check.sh does not take that for proved.
    rules=steps/5-events/cohort-mydev.so
    built "what a step names is proved" sh -c "cd mydev && sh check.sh $rules steps/5-events.c"
    failed "steps/3-copy-and-reduce.c names CHP-501, which was not tried" "a step without what the next one brings fails" \
        sh -c 'cd mydev && sh check.sh steps/2-own-memory/cohort-mydev.so steps/3-copy-and-reduce.c'
    failed "steps/5-events.c names CHP-401, which was not tried" "so does one without events" \
        sh -c 'cd mydev && sh check.sh steps/4-queue/cohort-mydev.so steps/5-events.c'
    echo >empty.c
    failed "empty.c names no rule" "a source that names no rule fails" sh -c "cd mydev && sh check.sh $rules ../empty.c"
    # shellcheck disable=SC2016 # of the script that stands for the command
    printf '#!/bin/sh\ncase $* in *mydev,host*) echo "\\"digest\\": \\"0\\"" ;; *) exec "%s" "$@" ;; esac\n' "$COHORT" >other
    chmod +x other
    failed "mydev,host trains to the weights 0, the host to" "other weights than those of the host fail" \
        env COHORT="$scratch/other" sh -c "cd mydev && sh check.sh $rules steps/5-events.c"

    # With bodies in a format of the device's own there is no training, for the demo has none.
    run env KERNELS=none sh -c "cd mydev && sh check.sh $rules steps/5-events.c"
    has "$out" "# not trained: the demo has no body" "with bodies in a format of its own the demo is left out"
    run in_make install "plugindir=$scratch/plugins"
    run env COHORT_PLUGIN_PATH="$scratch/plugins" "$COHORT" plugin list
    has "$out" "$scratch/plugins/cohort-mydev.so" "make install puts it where it is found"
    run in_make uninstall "plugindir=$scratch/plugins"
    is "$(ls -A plugins)" "" "make uninstall takes it away"
    run in_make clean
    is "$(files_of mydev)" "$files" "make clean leaves the sources, and them alone"

    # What one does to it shows.
    sed -i.old 's/+ offset, from, bytes/+ offset \/ 2, from, bytes/' mydev/mydev.c && rm mydev/mydev.c.old
    run in_make check
    is "$code" 2 "make check fails when an offset is wrong"
    has "$out" "not ok 12 - CHP-202" "... by the rule about it"
    sed 's/DEVICES = 1/DEVICES = 0/' mydev/steps/1-host-memory.c >mydev/mydev.c
    built "where there is no device make check does not fail" in_make check CFLAGS="$flags" # a comparison with 0 is a warning
    run sh -c 'cd mydev && sh check.sh'
    is "$code" 77 "check.sh says so by its exit code"
    run in_make clean
    cp mydev/steps/1-host-memory.c mydev/mydev.c
else
    skip "make check builds the plugin without a warning, and it passes" "no pkg-config"
fi

if command -v cmake >/dev/null; then
    package=$(find "$scratch/root" -name CohortConfig.cmake)
    built "CMake finds Cohort" env CC="${CC:-cc}" CFLAGS="$flags -Werror" LDFLAGS="$linking" \
        cmake -S installed -B installed/build "-DCohort_DIR=${package%/*}"
    built "builds the plugin" cmake --build installed/build
    built "ctest passes" sh -c 'cd installed/build && ctest --output-on-failure'
else
    skip "CMake builds the plugin" "no cmake"
fi

if command -v autoreconf >/dev/null && command -v automake >/dev/null && command -v pkg-config >/dev/null; then
    built "autoreconf takes the project" sh -c 'cd mydev && autoreconf -fi'
    failed "GNUmakefile here is a build of its own" "configure beside GNUmakefile is refused" sh -c 'cd mydev && ./configure'
    mkdir mydev/build
    built "configure finds Cohort" env CC="${CC:-cc}" CFLAGS="$flags -Werror" LDFLAGS="$linking" sh -c 'cd mydev/build && ../configure'
    built "make check passes" make -C mydev/build check
    has "$out" "# PASS:  1" "its test"
    built "make distcheck passes" make -C mydev/build distcheck CC="${CC:-cc}" CFLAGS="$flags" LDFLAGS="$linking"
else
    skip "Automake builds the plugin" "no autoreconf, automake or pkg-config"
fi

make -s -C "$builddir" uninstall "DESTDIR=$scratch/root" >/dev/null 2>&1
is "$(find root ! -type d | head -n 3)" "" "make uninstall leaves no file"
tap_done
