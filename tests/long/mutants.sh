#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# mutants.sh [MUTANT...]: each announcement that what is kept from call to call relies on is left out once, in a copy of the
# sources, and some test must fail then; a part of check-long. Prints TAP, killed/total, and how long it took.
#
# A MUTANT is a basic regular expression: a statement of runtime/ in which it stands is left out; or a substitution of sed,
# s/.../.../, of what stands in a line. Each line is a mutant of its own, so none has to be listed by hand: whoever adds an
# announcement finds it here. Without any, all of memos, steps and lists (doc/speed.md, "When a kept answer is stale").
#
# The copy is built with assertions, so that shadows look, and with the flags of $CFLAGS; each mutant takes as long as what
# includes its file. After $MUTANT_SECONDS no other one is begun.
#
# $MUTANT_TESTS: the tests, by name, one after the other until one fails; KEEP: a folder for the copy, which the next run builds on.
: "${srcdir:=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)}"
: "${MUTANT_TESTS:=repeated_program repeated_list repeated_calls rollback series repeated repeat_setting reduce_list on_read}"
: "${MUTANT_SECONDS:=2400}"
: "${CC:=gcc}"
. "$srcdir/tests/tap.sh"
srcdir=$(CDPATH='' cd -- "$srcdir" && pwd)
scratch mutants
copy=${KEEP:-$scratch/copy}
log=$scratch/log
[ ! -e "$srcdir/config.status" ] || skip_all "the sources are built where they lie, so a copy would begin with what was built"
begin=$(date +%s)

# What memos and lists look at; who used what; what a step is told of its calls and operations; words that the ledger does not
# tell of; and what is asked before a step is repeated.
[ $# -gt 0 ] || set -- \
    'cohort_alterations_add();' '[a-z>-]* = next_form();' 'v->uid = ' 'fetch_add(&n_destroyed' \
    'cohort_fences_add(.*memo->posted' 'cohort_fences_add(updated' 'cohort_fences_add(.*v->touched' 'plan.unnoted\[.*++' \
    'cohort_ledger_end(' 'cohort_ledger_grow(' 'cohort_ledger_count_change(' 'spoil_for(.*"it ' \
    's/cohort_ledger_open_set([^,]*, \([^()]*\))/(uint64_t *)(void *)\1/' \
    's/cohort_ledger_open([^,]*, [^,]*, \([^,]*\), [^()]*)/(uint64_t *)(void *)\1/' \
    's/cohort_ledger_set([^,]*, [^,]*, /cohort_ledger_set_relative(/' \
    's/!has_forms(r)/!has_forms(r) \&\& false/' 's/s->last && stands(s, executor)/s->last/' 's/->uid == [a-z]*->[a-z]*/->uid > 0/'

# ------------------------------------------------------------------ the copy

# The files are new, or make would keep what the last run has built of a mutant.
make_copy() {
    mkdir -p "$copy/build" && (cd "$srcdir" && tar cf - --exclude-tag-all=config.status --exclude=./.git .) | tar xmf - -C "$copy" || return 1
    cd "$copy/build" || return 1
    [ -e Makefile ] || ../configure --enable-assertions --disable-cxx CC="$CC" CFLAGS="${CFLAGS:--O1}" >"$log" 2>&1
}

# build TARGET...: these, and what all tests need.
build() {
    make -C "$copy/build" libcohort.la host/cohort-host.la plugins/cohort-loopback.la plugins/cohort-stream.la "$@" >"$log" 2>&1
}

# play: the first test that fails; nothing where all pass. A test that is not reached is not built. Memory that was freed is
# overwritten. Status 1: it does not build.
play() {
    for test in $MUTANT_TESTS; do
        build "tests/$test.t" || return 1
        (cd "$copy/build" && COHORT_PLUGIN_PATH=$copy/build/host/.libs:$copy/build/plugins/.libs OMP_NUM_THREADS=2 \
            MALLOC_PERTURB_=165 timeout 300 "tests/$test.t" >"$log.$test" 2>&1) || {
            echo "$test"
            return
        }
    done
}

# ------------------------------------------------------------------ mutants

# The statement that begins there is never reached; it may go on in the next lines, and be the only one of an `if` with an `else`.
leave_out='s/^\( *\)/\1switch (1) case 0: /'

# mutants MUTANT...: "FILE LINE SUBSTITUTION" of each, "nowhere 0 MUTANT" of one that no line of runtime/ has. The ledger is
# what tells.
mutants() {
    for how in "$@"; do
        mutant=$how
        case $how in
        s/*) pattern=$(printf '%s' "$how" | cut -d/ -f2) ;;
        *) pattern="^ .*$how" how=$leave_out ;;
        esac
        (cd "$srcdir" && grep -rn --include='*.[ch]' --exclude='ledger.h' -e "$pattern" runtime) >"$scratch/lines" || {
            printf 'nowhere 0 %s\n' "$mutant"
            continue
        }
        LC_ALL=C sort "$scratch/lines" |
            while IFS=: read -r file line _; do
                printf '%s %s %s\n' "$file" "$line" "$how"
            done
    done
}

# kill_mutant FILE LINE SUBSTITUTION: says which test does, if any.
kill_mutant() {
    place=$1:$2
    sed -i "$2$3" "$copy/$1"
    ! cmp -s "$srcdir/$1" "$copy/$1" || diag "$place: $3 changes nothing, so nothing can fail"
    claim="$place: $(sed -n "$2s/^ *//p" "$copy/$1")"
    killer=$(play) || diag "$place: the mutant does not build: $(grep -m1 'error:' "$log")"
    cp "$srcdir/$1" "$copy/$1"
    [ -n "$killer" ]
    ok "$?" "$claim${killer:+ (killed by $killer)}"
}

mutants "$@" >"$scratch/mutants"
nowhere=$(sed -n 's/^nowhere 0 //p' "$scratch/mutants")
is "$nowhere" "" "every mutant stands somewhere in runtime/"
[ -z "$nowhere" ] || tap_done
(make_copy) && build
status=$?
ok "$status" "the sources are copied, and build"
[ "$status" = 0 ] || { diag "$(tail -n 5 "$log")" && tap_done && exit 1; }
failing=$(play)
is "$? $failing" "0 " "all tests pass without a mutant"
killed=0 total=0
while read -r file line how; do
    total=$((total + 1))
    if [ $(($(date +%s) - begin)) -ge "$MUTANT_SECONDS" ]; then
        skip "$file:$line" "no time"
        continue
    fi
    kill_mutant "$file" "$line" "$how"
    [ -z "$killer" ] || killed=$((killed + 1))
done <"$scratch/mutants"
[ "$total" -gt 0 ]
ok "$?" "mutants killed: $killed/$total, in $(($(date +%s) - begin)) s"
tap_done
