#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2317 # command lines of the README call functions
# A vendor's way, from the installed files alone: the skeleton, renamed and built by the command lines of its README, is
# found and trains the demo.
. "${srcdir:-.}/tests/tap.sh"
builddir=$(cd "$builddir" && pwd) # this test changes its folder
scratch skeleton
unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR COHORT_DATA_PATH COHORT_DEVICES COHORT_PLUGINS
root=$scratch/root

out=$(make -s -C "$builddir" install "DESTDIR=$root" 2>&1)
ok "$?" "make install DESTDIR"
[ -d "$root" ] || diag "$out"

# installed NAME: the one file or folder of that name.
installed() {
    find "$root" -path "*/$1" | head -n 1
}
example=$(installed examples/skeleton)
cohort=$(installed bin/cohort)
header=$(installed cohort/plugin.h)
library=$(installed libcohort.so.1)
pkgconfig=$(installed cohort.pc)
host_plugin=$(installed cohort-host.so)
data=$(installed digits.csv)
[ -f "$example/README.md" ] && [ -f "$example/skeleton.c" ]
ok "$?" "the skeleton and its README are installed with the examples"
lines=$(wc -l <"$example/skeleton.c")
[ "$lines" -le 260 ]
ok "$?" "the plugin has at most 260 lines ($lines)"

# step N: the N-th command lines of the README, as they stand there; cc is the compiler of this build.
step() {
    awk -v wanted="$1" '/^```sh$/ { n++; inside = 1; next } /^```$/ { inside = 0 } inside && n == wanted' \
        "$example/README.md" >"$scratch/step.sh"
    # shellcheck disable=SC1091
    . "$scratch/step.sh"
}
cc() {
    # shellcheck disable=SC2086 # flags are lists
    $CC $CFLAGS "$@" $LDFLAGS -Wpedantic
}
CC=${CC:-gcc}
if ! command -v pkg-config >/dev/null 2>&1; then
    mkdir "$scratch/bin"
    printf '#!/bin/sh\necho "-I%s"\n' "${header%/cohort/plugin.h}" >"$scratch/bin/pkg-config"
    chmod +x "$scratch/bin/pkg-config"
    PATH=$PATH:$scratch/bin
fi
export PKG_CONFIG_PATH="${pkgconfig%/*}" PKG_CONFIG_SYSROOT_DIR="$root"

cd "$scratch" || exit 1
cp -r "$example" acme
cd acme || exit 1
run step 2
is "$code: $out: $(echo *)" "0: : README.md acme.c" "the README's command lines rename it"
is "$(grep -c skeleton acme.c)" 0 "... all of it"
# shellcheck disable=SC2016 # backquotes of Markdown
missing=$(sed -n 's/^| \(`[^|]*\) |.*/\1/p' README.md | grep -o '`[^`]*`' | tr -d '`' | grep -vxF .caps |
    while read -r word; do grep -qF -e "$word" acme.c || echo "$word"; done)
is "$missing" "" "what its tables tell to find is there"
run step 3
is "$code: $out" "0: " "they build it from the installed headers alone, without a warning"
if command -v nm >/dev/null 2>&1; then
    is "$(nm -D --defined-only cohort-acme.so | awk '/ [TBDR] / { print $3 }' | grep -v '^_')" \
        cohort_plugin_entry_1 "it exports one symbol"
else
    skip "it exports one symbol" "no nm"
fi

# The installed command, which finds its own plugins and data where they are now.
cohort() {
    env LD_LIBRARY_PATH="${library%/*}" COHORT_PLUGIN_PATH="$COHORT_PLUGIN_PATH:${host_plugin%/*}" \
        COHORT_DATA_PATH="${data%/*}" "$cohort" "$@"
}
run step 4
is "$code" 0 "the README's command lines list it and train the demo on it"
has "$out" "acme:0" "... which they find"
has "$out" "digest equal, largest weight difference 0" "... to the weights of the host"

digest_on() {
    cohort demo --devices "$1" --replicas 4 --epochs 2 --seed 7 --json --output-dir "$scratch" |
        sed -n 's/.*"digest": *"\([0-9a-f]*\)".*/\1/p' | head -n 1
}
COHORT_PLUGIN_PATH=$scratch/acme
host=$(digest_on host)
is "${#host}" 16 "the host trains to a digest"
is "$(digest_on acme)" "$host" "acme:0 trains to the same digest"
is "$(digest_on acme,host/2)" "$host" "... and together with the host"
run cohort demo --epochs 1 --json --output-dir "$scratch"
has "$out" '"acme:0"' "an accelerator is the default device"

make -s -C "$builddir" uninstall "DESTDIR=$root" >/dev/null 2>&1
is "$(find "$root" ! -type d | head -n 3)" "" "make uninstall leaves no file"
tap_done
