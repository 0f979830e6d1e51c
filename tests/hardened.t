#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What configure found to harden with is in the library, the plugin and the command.
. "${srcdir:-.}/tests/tap.sh"
export LC_ALL=C
command -v readelf >/dev/null 2>&1 || skip_all 'no readelf'
flags=$(sed -n 's/^HARDEN_[A-Z]*FLAGS = *//p' "$builddir/Makefile" | tr '\n' ' ')
[ -n "${flags% }" ] || skip_all 'configured without hardening'

# wanted FLAG CLAIM: whether configure found it
wanted() {
    case " $flags" in
    *" $1 "*) return 0 ;;
    esac
    skip "$2" "the compiler has no $1"
    return 1
}

for file in .libs/libcohort.so host/.libs/cohort-host.so cli/.libs/cohort; do
    path=$builddir/$file
    name=${file##*/}
    has "$(readelf -hlW "$path")" 'GNU_RELRO' "$name: read-only after relocation"
    wanted -Wl,-z,now "$name: all of it" && has "$(readelf -dW "$path")" 'BIND_NOW' "$name: all of it, bound at the start"
    wanted -fstack-protector-strong "$name: canaries" &&
        has "$(readelf -sW "$path")" '__stack_chk_fail' "$name: canaries on the stack"
done

# Marks are looked for where a jump may go: those of a whole file are dropped where the C library's own parts have none.
claim="what may be jumped to is marked"
wanted -fcf-protection "$claim" && has "$(objdump -d --disassemble=cohort_version "$builddir/.libs/libcohort.so")" endbr "$claim"

level=$(sed -n 's/^#define COHORT_FORTIFY //p' "$builddir/config.h")
claim="calls of the C library know the sizes of their buffers, _FORTIFY_SOURCE $level"
case "$level $(sed -n 's/^CFLAGS = *//p' "$builddir/Makefile") " in
0* | ' '* | *' -O0 '*) skip "$claim" 'no optimisation, a sanitizer, or a C library without them' ;;
*' -O'*) has "$(readelf -sW "$builddir/.libs/libcohort.so")" '__snprintf_chk' "$claim" ;;
*) skip "$claim" 'no optimisation' ;;
esac
tap_done
