#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The examples and the program of README.md with a mistake each, or with a byte of their data that cannot be read: they
# end with 1 and say why, though most calls' status is ignored there.
. "${srcdir:-.}/tests/tap.sh"
if ldd "$builddir/.libs/libcohort.so" 2>/dev/null | grep -q 'lib[a-z]*san\.'; then
    skip_all "the library has sanitizers in it, which a program of others has not"
fi
scratch mistaken_examples
libraries=

# variable NAME: as the build has it.
variable() {
    sed -n "s/^$1 = //p" "$builddir/Makefile"
}

# build FILE: $scratch/FILE to $scratch/program.
build() {
    compiler=$CC standard=gnu11
    case $1 in *.cc) compiler=$CXX standard=c++17 ;; esac
    # shellcheck disable=SC2046,SC2086 # flags are lists
    $compiler -O1 -std=$standard $(variable CBLAS_CFLAGS) -I"$srcdir/include" -I"$srcdir/examples" "$scratch/$1" \
        -L"$builddir/.libs" -Wl,-rpath,"$builddir/.libs" -lcohort $libraries -lm -o "$scratch/program" 2>&1
}

# fails CLAIM WORDS COMMAND...
fails() {
    claim=$1 words=$2
    shift 2
    run "$@"
    is "$code" 1 "$claim ends with 1"
    has "$out" "$words" "... and says why"
}

# plant FILE EDIT WORDS ARGUMENT...: a program with the mistake that this edit makes. A line that is not there any more
# cannot be edited.
plant() {
    file=$1 edit=$2 words=$3
    shift 3
    sed "$edit" "$from/$file" >"$scratch/$file"
    if cmp -s "$from/$file" "$scratch/$file"; then
        ok 1 "$file has the line where the mistake goes: $edit"
        return
    fi
    out=$(build "$file")
    ok "$?" "$file with a mistake builds"
    [ -z "$out" ] || diag "$out"
    fails "it" "$words" "$scratch/program" "$@"
}

# ---- README.md
mkdir "$scratch/readme"
# shellcheck disable=SC2016 # no command
sed -n '/^```c saxpy\.c$/,/^```$/{/^```/!p;}' "$srcdir/README.md" >"$scratch/readme/readme.c"
cp "$scratch/readme/readme.c" "$scratch"
out=$(build readme.c)
ok "$?" "the program of README.md builds"
run "$scratch/program"
is "$code: $out" "0: y[6] = 8 on 2 replicas" "and runs"
from=$scratch/readme
plant readme.c '/xs = /s/N)/N \/ 2)/' "n is 262144 elements of x but 524288 elements of y"
plant readme.c 's/saxpy, 2.0f, xs, ys/saxpy, xs, ys/' "saxpy: takes a, x, y"

# ---- The examples, on the host.
from=$srcdir/examples
digits=$srcdir/examples/data/digits.csv
export COHORT_DEVICES=host/2
plant saxpy.c '/xs = /s/N)/N \/ 2)/' "n is 262144 elements of x"
plant clip.c 's/^    cohort_for_each_replica(.*/    cohort_reduce(COHORT_SUM, job.g, 1, job.norm2);\n&/' \
    "cohort_reduce: axis 1"
plant kmeans.c 's/^        cohort_run(s, assign, .*/        cohort_variable_assign(centre, x);\n&/' \
    "variable 'centres'"
plant montecarlo.c 's/^    cohort_status st = cohort_.*simulate.*/    cohort_replica_run(me, add_up, job->total);\n&/' \
    "add_up: takes"
plant embedding.c 's/^            cohort_variable_gather(films, v\[0\].*/            cohort_variable_scatter_add(films, v[2], v[3]);\n&/' \
    "cohort_variable_scatter_add: nothing has written the value"
plant heat.c 's/now, 1, COHORT_EDGE_ZERO/now, ROWS + 1, COHORT_EDGE_ZERO/' "cohort_halo: a halo of 101 rows"
plant pagerank.c 's/COHORT_ARRAY(start, PAGES + 1)/COHORT_ARRAY(start, PAGES)/' \
    "cohort_value_split_entries: the offsets end with"
plant blackscholes.c 's/price, spot, rate,/price, spot,/' "price: takes s, r, sigma, t, strike, call, put"
plant nbody.c 's/kick, step_length, softening, xs, all, vs/kick, step_length, softening, xs, vs, all/' "kick: 'v' is read and written"
plant bigram.c 's/learn, 0.1f, v\[2\], v\[1\]/learn, 0.1f, v[2], v[0], v[1]/' "learn: takes" "$srcdir/LICENSE"
plant ep.c 's/COHORT_SHARE(BLOCKS)/-BLOCKS/' "count: bound 'n': it is -1000"
plant softmax.c 's/^\( *\)cohort_reduce(COHORT_SUM, g, /\1cohort_reduce(COHORT_SUM, g, 7, total);\n&/' \
    "cohort_reduce: axis 7" "$digits"
plant train_digits.c 's/^    double loss, accuracy;/&\n    cohort_metric_update(nn->accuracy, nn->y, nn->x);/' \
    "metric 'accuracy'" "$digits"
if [ -n "$(variable CBLAS_LIBS)" ] && [ -x "$builddir/examples/blas" ]; then
    libraries=$(variable CBLAS_LIBS)
    plant blas.c 's/^    if (st == COHORT_OK)/    cohort_value_scalar(zs);\n&/' \
        "cohort_value_scalar: the value has 8 elements"
    libraries=
else
    skip "blas.c with a mistake" "no CBLAS"
fi
if [ -x "$builddir/examples/saxpy-cxx" ]; then
    plant saxpy.cc '/xs = /s/x.size()/x.size() \/ 2/' "n is 262144 elements of x"
else
    skip "saxpy.cc with a mistake" "no compiler for C++17"
fi

# ---- A digit of the data that is a letter.
mkdir "$scratch/data"
sed '1000s/^\([^,]*,[^,]*,\)[0-9]*/\1seven/' "$digits" >"$scratch/data/digits.csv"
! cmp -s "$digits" "$scratch/data/digits.csv"
ok "$?" "a row of digits.csv has a letter in place of a digit"
fails "softmax" "line 1000" "$builddir/examples/softmax" "$scratch/data/digits.csv"
fails "train_digits" "cannot be read" "$builddir/examples/train_digits" "$scratch/data/digits.csv"
COHORT_DATA_PATH=$scratch/data
export COHORT_DATA_PATH
fails "cohort demo" "1000" "$builddir/cli/cohort" demo --epochs 1 --output-dir "$scratch"
fails "cohort data --check" "line 1000" "$builddir/cli/cohort" data --check "$scratch/data/digits.csv"
tap_done
