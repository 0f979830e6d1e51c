#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What commands say of a device that takes a format of its own alone, and that its plugin hurts nobody.
. "${srcdir:-.}/tests/tap.sh"
cohort=$builddir/cli/cohort
export COHORT_PLUGIN_PATH="$builddir/plugins/wrong/.libs:$builddir/host/.libs" COHORT_WRONG='visible device own'
unset COHORT_DEVICES

# The program of the other test asks for COHORT_CAP_GRID on request.
run "$builddir/tests/own_format.t" grid
is "$code" 0 'a device whose bodies are of one item has those without a size refused'
[ "$code" = 0 ] || diag "$out"

run "$cohort" devices
has "$out" 'on request: takes a format of its own alone' 'the list says why it is no default'
has "$out" 'Try: cohort demo --devices host:0' 'and what to try is a device on which the demo works'
run "$cohort" demo --epochs 1
is "$code" 0 'the demo runs as before, on the default devices'
[ "$code" = 0 ] || diag "$out"
run env COHORT_PLUGINS=wrong "$cohort" devices
case $out in
*Try:*) ok 1 'where there is no other device nothing is recommended' ;;
*) ok 0 'where there is no other device nothing is recommended' ;;
esac

run "$cohort" check --devices wrong:0
is "$code" 0 'cohort check skips what it has no body for'
is "$(echo "$out" | grep -c '^ok [0-9]* - .*training.*# SKIP')" 2 'a recorded training, too'
[ "$code" = 0 ] || diag "$out"
tap_done
