#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every command of the README does what it shows, run as those of the guide are (tests/snippets.sh); those that change the
# machine are listed here, with who runs them.
# shellcheck disable=SC2016 # marks of Markdown, and commands as they stand there
. "${srcdir:-.}/tests/tap.sh"
scratch readme
. "${srcdir:-.}/tests/snippets.sh"
find_python
[ -n "$python" ] || skip_all "no python3, which makes the files that the README reads"

# ---- What lies around the reader: the build folder, and files of his own.
start=$scratch/start
mkdir -p "$start/build" "$scratch/files"
ln -s "$builddir/cohort" "$builddir/examples" "$start/build"
python_of_files "$srcdir/tests/data_files.py" "$srcdir/examples/data/digits.csv" "$scratch/files"
mv "$scratch/files/bytes.npz" "$start/mnist.npz"
mv "$scratch/files/part-0.tfrecord" "$start/train.tfrecord"
awk 'BEGIN { print "id,length,width,species"
    for (i = 0; i < 90; i++) print i "," i % 3 + i % 7 / 10 "," 2 - i % 3 + i % 5 / 10 "," substr("abc", i % 3 + 1, 1) }' >"$start/iris.csv"

# at_the_margin PAGE: lines of code that are no fence, which nobody would run.
at_the_margin() {
    awk '/^```/ { inside = !inside } !inside && /^(    |\t)/ && before == "" { print FNR ": " $0 } { before = $0 }' "$1"
}
# as_root: the commands of the page that run_page has left out because they change the machine.
as_root() {
    awk -F'|' '$3 == "root" { print $4 }' "$steps/list"
}

page=$srcdir/README.md
aside=.errors # the README leaves out progress
run_page "$page" "$scratch/results" "$start"
tell_page "$scratch/results"
is "$(at_the_margin "$page")" "" "all commands of the README stand in fences"
# .ci/run: the lane "basic" is ./quickstart check, whose build and packages are those of ./quickstart; the lane "distcheck"
# configures, makes, checks and installs. tests/packages.sh installs pocl-opencl-icd by apt-get, as a package recommends it.
is "$(as_root)" '$ ./quickstart           # says what it installs (Debian packages), builds in build/, trains the demo
$ ./quickstart check     # all that a test run needs, then make check: no GPU, no root once the packages are there
$ apt-get install --no-install-recommends pocl-opencl-icd
$ apt-get install --no-install-recommends gcc libc6-dev make pkg-config libffi-dev zlib1g-dev \
$ ./configure && make && ./cohort demo && make check && make install' "those that are not run here are known"

# ---- A part of it, with mistakes.
sed -n '/^```c saxpy.c/,/^The body of one item/p' "$page" | sed 's/^y\[6\] = 8 on/y[6] = 9 on/' >"$scratch/README.md"
printf '\n    cohort nothing\n\n```\n$ cohort demo\n```\n\n```console needs:root\n$ rm -rf /\n```\n' >>"$scratch/README.md"
run_page "$scratch/README.md" "$scratch/results" "$start"
is "$(sed -n 's/^bad [^:]*:[0-9]*: //p' "$scratch/results")" 'command $ cc -O3 saxpy.c $(pkg-config --cflags --libs cohort) -o saxpy && ./saxpy
unknown ' "... an output that is not so is found, and a fence that nobody runs"
has "$(at_the_margin "$scratch/README.md")" "cohort nothing" "... and a command that is in none"
has "$(as_root)" '$ rm -rf /' "... and one that nobody knows"

# ---- HACKING.md: the targets of make that it names.
# unknown_targets PAGE: those that the Makefile does not have.
unknown_targets() {
    sed -n 's/.*\<make -C build \([^`]*\).*/\1/p; s/.*`make \([a-z-]*\)`.*/\1/p' "$1" |
        sed 's/ #.*//; s/ [>&|].*//; s/  .*//; s/"[^"]*"//g' | tr ' ' '\n' | grep -E '^[a-z][a-z-]*$' | sort -u |
        while read -r target; do
            grep -qE "^($target|[a-z -]* $target)( [a-z -]*)?:" "$builddir/Makefile" || echo "$target"
        done
}
is "$(unknown_targets "$srcdir/HACKING.md")" "" "make has the targets that HACKING.md names"
printf '    make -C build check mend X=y    # mends\n    `make nothing`\n' >"$scratch/HACKING.md"
is "$(unknown_targets "$scratch/HACKING.md" | paste -sd' ' -)" "mend nothing" "... and others are found"
tap_done
