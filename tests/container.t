#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# packaging/Containerfile: the image is built, and what is in it works. Where TEST_CONTAINER is set, as .ci/run does,
# and a builder is at hand: it loads an image and packages from the network, which nobody expects of make check.
. "${srcdir:-.}/tests/tap.sh"
scratch container
srcdir=$(cd "$srcdir" && pwd)
[ -n "${TEST_CONTAINER:-}" ] || skip_all "TEST_CONTAINER is not set, and the image would be loaded from the network"

# A program that builds images, and has what it takes: docker alone may be there without its engine.
builder=
for program in podman docker; do
    [ -n "$builder" ] || ! "$program" info >/dev/null 2>&1 || builder=$program
done
[ -n "$builder" ] || skip_all "no podman and no docker with its engine"
base=$(sed -n 's/^ARG BASE=//p' "$srcdir/packaging/Containerfile")
"$builder" pull "$base" >"$scratch/log" 2>&1 || skip_all "$base cannot be loaded: $(tail -n 1 "$scratch/log")"

image=cohort-test-$$
trap '"$builder" rmi -f "$image" >/dev/null 2>&1; rm -rf "$scratch"' EXIT
run "$builder" build -f "$srcdir/packaging/Containerfile" -t "$image" "$srcdir"
is "$code" 0 "the image is built"
[ "$code" = 0 ] || diag "$(printf '%s\n' "$out" | tail -n 30)"

# inside WORDS...: of the command, in a container with half a CPU.
inside() {
    run "$builder" run --rm --cpus 0.5 "$image" "$@"
}
inside demo --epochs 2 --replicas 2 --devices host/2 --json
is "$code" 0 "the demo runs"
in_container=$(printf '%s\n' "$out" | sed -n 's/.*"digest": "\([0-9a-f]*\)".*/\1/p')
here=$("$builddir/cli/cohort" demo --epochs 2 --replicas 2 --devices host/2 --json --output-dir "$scratch" | sed -n 's/.*"digest": "\([0-9a-f]*\)".*/\1/p')
is "$in_container" "$here" "with the bits of this machine"
inside devices
has "$out" "1 unit (quota 0.50 of" "the quota of the container is followed"
inside doctor
case $out in *"wrong  host"* | *"wrong  plugins"* | *"wrong  data"*) false ;; *) true ;; esac
ok "$?" "doctor finds the installation whole"
run "$builder" run --rm --entrypoint sh "$image" -c 'command -v cc; ls /usr/include/cohort; id -u'
case $out in *bin/cc* | *cohort.h*) false ;; *) true ;; esac
ok "$?" "no compiler and no header is in it"
is "$(printf '%s\n' "$out" | tail -n 1 | grep -c '^0$')" 0 "and the command runs as nobody special"
tap_done
