#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cohort plugin kernels, and check --kernels: a device with a format of its own proves launches, too, by bodies that were
# compiled from what is written; without them, and without one of them, they are not proven; with a wrong one a rule is broken.
. "${srcdir:-.}/tests/tap.sh"
srcdir=$(cd "$srcdir" && pwd)
builddir=$(cd "$builddir" && pwd)
cohort=$builddir/cli/cohort
scratch cli_plugin_kernels
unset COHORT_DEVICES COHORT_PLUGINS COHORT_PLUGIN_PATH
COHORT_DATA_PATH=$srcdir/examples/data
export COHORT_DATA_PATH
cd "$scratch" || exit 1

run "$cohort" plugin kernels
is "$code" 2 "without a folder it is refused"
has "$out" "the folder to make is missing" "... and says why"
run "$cohort" plugin kernels a b
is "$code" 2 "with two it is refused"
run "$cohort" plugin kernels none/kernels
is "$code" 1 "a folder in one that is not there is refused"
has "$out" "none/kernels: No such file or directory" "... and says why"
mkdir there && echo text >there/scale.c
run "$cohort" plugin kernels there
is "$code" 1 "a folder that is there is refused"
is "$(ls there) $(cat there/*)" "scale.c text" "... and stays as it is"
run sh -c 'trap "" XFSZ; ulimit -f 1; exec "$1" plugin kernels kernels' sh "$cohort"
if [ "$code" = 0 ]; then
    skip "a file that cannot be written fails" "the limit is larger than the files"
    rm -r kernels
else
    is "$code" 1 "a file that cannot be written fails"
    is "$(ls)" there "and nothing is left behind"
fi

run "$cohort" plugin kernels kernels
is "$code: $out" "0: made kernels" "a folder is made"
# shellcheck disable=SC2016 # backquotes of Markdown
names=$(sed -n 's/^| `\([a-z_0-9]*\)` .*/\1/p' kernels/README.md)
is "$(cd kernels && echo *.c)" "$(echo "$names" | sed 's/$/.c/' | LC_ALL=C sort | tr '\n' ' ' | sed 's/ $//')" \
    "of each body that the README names there is one in C"
is "$(cat kernels/*.cl | grep -c '^kernel void body(')" "$(find kernels -name '*.cl' | wc -l | tr -d ' ')" \
    "and in OpenCL C, where that has its arguments"
bad=$(for file in kernels/*.c; do ${CC:-cc} -std=c11 -Wall -Wextra -Werror -fPIC -shared -o "${file%.c}.so" "$file" 2>&1; done)
is "$bad" "" "those in C are built without a warning"

# The second step of a project, of which a body is a shared object.
"$cohort" plugin new mydev >/dev/null
{
    cat <<'END'
#define _POSIX_C_SOURCE 200809L
#include <cohort/plugin.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

/* From a file that is gone again: libraries are known by their names, so each has another one. */
static cohort_native_fn load(const cohort_code *code, const char *entry)
{
    char path[] = "./kernel.XXXXXX";
    int file = mkstemp(path);
    void *library = NULL;
    if (write(file, code->data, code->bytes) == (ssize_t)code->bytes)
        library = dlopen(path, RTLD_NOW);
    (void)close(file);
    (void)unlink(path);
    union {
        void *symbol;
        cohort_native_fn fn;
    } found = { library != NULL ? dlsym(library, entry) : NULL };
    return found.fn;
}
END
    sed 's/"native.fn"/"mydev.so"/; s/code->fn == NULL/code->data == NULL/; s/= code->fn;/= load(code, entry);/' \
        mydev/steps/2-own-memory.c
} >own.c
variable() {
    sed -n "s/^$1 = //p" "$builddir/Makefile"
}
# shellcheck disable=SC2046 # flags are lists
run ${CC:-cc} $(variable CFLAGS) -std=c11 -Wall -Wextra -Werror -fPIC -shared -fvisibility=hidden -I"$srcdir/include" own.c \
    $(variable LDFLAGS) -Wl,-z,now,-z,nodelete -ldl -o cohort-mydev.so
is "$code: $out" "0: " "a plugin whose device takes a format of its own alone is built"

unproven() {
    echo "$out" | grep -c '^# not proven: '
}
run "$cohort" plugin check ./cohort-mydev.so
is "$code" 1 "without bodies it does not pass"
has "$out" "takes neither native.fn nor opencl.c; \`cohort plugin kernels\` writes what --kernels hands in" "and what is wanted is said"
missing=$(unproven)
is "$(echo "$out" | grep -c '^not ok')" 16 "the rules about bodies are not ok"
run "$cohort" plugin check ./cohort-mydev.so --kernels kernels
is "$code" 0 "with them it does"
[ "$code" = 0 ] || diag "$(echo "$out" | grep -A4 '^not ok')"
is "$(echo "$out" | grep -c ' # SKIP .*launch\|^ok .* CHP-30[1-8] .*# SKIP')" 1 "no rule about launches is skipped but that of launches in one call"
has "$out" "ok 29 - CHP-310 each item of a range is done once" "each item is done once"
[ "$missing" -gt 10 ]
ok "$?" "which nothing said before ($missing)"

rm kernels/scratch.so
run "$cohort" plugin check ./cohort-mydev.so --kernels kernels
is "$code: $(unproven)" "1: 1" "without one body one rule is not proven"
has "$out" "kernels/scratch.so: No such file or directory" "and its file is named"
mkfifo kernels/scratch.so
run "$cohort" plugin check ./cohort-mydev.so --kernels kernels --rule CHP-306
has "$out" "kernels/scratch.so: not a regular file" "a FIFO is not waited for"
rm kernels/scratch.so
cp kernels/nothing.so kernels/scale.so
run "$cohort" plugin check ./cohort-mydev.so --kernels kernels --rule CHP-307
is "$code" 1 "a body that does something else breaks a rule"
has "$out" "not ok 1 - CHP-307" "the one about its arguments"
run "$cohort" plugin check ./cohort-mydev.so --kernels none --rule CHP-307
has "$out" "none/scale.so: No such file or directory" "a folder that is not there proves nothing"
long=$(printf 'a%.0s' $(seq 5000))
run "$cohort" plugin check ./cohort-mydev.so --kernels "$long" --rule CHP-307
has "$out" "scale.so: the path to it is too long" "neither does one whose name is too long"

# Where a device takes C functions as well, what is handed in goes before.
sed 's/"mydev.so", NULL/"mydev.so", "native.fn", NULL/' own.c >both.c
# shellcheck disable=SC2046
${CC:-cc} $(variable CFLAGS) -std=c11 -fPIC -shared -fvisibility=hidden -I"$srcdir/include" both.c $(variable LDFLAGS) -ldl -o cohort-mydev.so
run "$cohort" plugin check ./cohort-mydev.so --kernels kernels --rule CHP-306
has "$out" "kernels/scratch.so: No such file or directory" "of several formats that of the folder is tried"
tap_done
