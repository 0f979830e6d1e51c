#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cohort plugin check: a plugin with one mistake breaks the rule about it, and no rule before it; words that are wrong; JSON.
# Mistakes are drawn: SEED=N plays the same again, COUNT=N that many, all: each (make check-long).
. "${srcdir:-.}/tests/tap.sh"
scratch plugin_check
find_python
cohort=$builddir/cli/cohort
broken=$builddir/plugins/broken/.libs/cohort-broken.so

run "$cohort" plugin
is "$code" 2 'a word is wanted'
run "$cohort" plugin lsit
has "$out" "did you mean 'cohort plugin list'?" 'one that is none gets a suggestion'
run "$cohort" plugin check
is "$code" 2 'check wants a file'
run "$cohort" plugin check "$scratch/none.so"
is "$code" 1 'a file that is not there is no plugin'
has "$out" "none.so: No such file" 'and says so'
run "$cohort" plugin check "$broken" --rule CHP-999
is "$code" 2 'a rule that is none is wrong usage'
has "$out" 'cohort-plugin-rules(7)' 'and says where they are'
run "$cohort" plugin check "$broken" --timeout 0
is "$code" 2 'a time is 1 s at least'
run "$cohort" plugin list --rule CHP-101
is "$code" 2 'list has no rules'
echo text >"$scratch/text.so"
run "$cohort" plugin check "$scratch/text.so"
is "$code" 1 'a file that is no shared object breaks a rule'
has "$out" 'not ok 1 - CHP-101' 'the first one'
has "$out" 'nothing else was tried' 'and no other is tried'

# first NAME: the rule that the mistake breaks first, on which base.
first() {
    COHORT_BROKEN=$1 "$cohort" plugin check "$broken" --timeout 5 --kernels "$scratch/kernels" 2>/dev/null |
        sed -n 's/^not ok [0-9]* - \(CHP-[0-9]*\) .*/\1/p' | sed -n 1p
}
: "${COUNT:=8}" "${SEED:=$(date +%s)}"
diag "SEED=$SEED COUNT=$COUNT"

# draw: COUNT of the lines.
draw() {
    awk -v seed="$SEED" -v most="$COUNT" '
        { line[NR] = $0 }
        END {
            srand(seed)
            most = most == "all" ? NR : most
            for (left = NR; left > 0 && most > 0; most--) {
                at = 1 + int(rand() * left)
                print line[at]
                line[at] = line[left--]
            }
        }'
}

# Bodies for own, which takes shared objects alone; the others prefer what they know, C functions.
"$cohort" plugin kernels "$scratch/kernels" >/dev/null
bad=$(for file in "$scratch"/kernels/*.c; do $CC -std=c11 -fPIC -shared -o "${file%.c}.so" "$file" 2>&1; done)
is "$bad" '' 'bodies are built for a format of its own'
is "$(first 'loopback nothing')" '' 'a plugin without a mistake breaks none'
is "$(first 'own nothing')" '' 'nor does one with a format of its own'
draw >"$scratch/rows" <<EOF
loopback constructor-crash 101
loopback constructor-exit 101
loopback any-minor 102
loopback another-table 102
loopback no-launch 103
stream no-release 103
loopback name-empty 103
loopback vendor-control 103
loopback changes 110
loopback stride 110
loopback name-control 111
loopback driver-endless 111
loopback no-formats 111
loopback no-name 111
loopback pci-endless 111
loopback uuid 112
loopback align 113
loopback max-alloc 113
loopback import-align 113
loopback odd-type 113
loopback no-units 113
loopback no-parts 113
loopback numa 113
loopback cap-unknown 114
loopback cap-visible 114
loopback cap-wide 114
loopback cap-unified 114
loopback no-dtypes 115
loopback reductions 115
loopback name-encoding 119
loopback driver-encoding 119
loopback name-other 119
loopback zero-bytes 201
loopback write-words 201
loopback write-short 201
loopback zero-write 201
loopback write-offset 202
loopback read-offset 202
loopback same-block 203
loopback handles 204
loopback limit 205
loopback limit-status 205
loopback limit-text 205
loopback commit 205
host pointer-copy 206
host pointer-odd 206
host import-copy 207
host import-nothing 207
host slice-offset 208
host slice-copy 208
stream staging 209
loopback format 301
own format 301
loopback refusal-text 301
own refusal-text 301
loopback arity 302
own arity 302
loopback args-swapped 303
own args-swapped 303
loopback value-float 304
own value-float 304
loopback value-signed 304
own value-signed 304
loopback result 304
own result 304
loopback structs 305
own structs 305
loopback struct-short 305
own struct-short 305
loopback local 306
own local 306
loopback args-first 307
own args-first 307
loopback offset-ignored 308
host batch-behind 309
host batch-first 309
host batch-count 309
loopback last-group 310
own last-group 310
loopback arrays-16 311
own arrays-16 311
loopback arrays-moved 311
own arrays-moved 311
host slice-launch 312
stream wait-timeout 401
stream wait-early 401/402
stream read-short 402
stream newest-first 403
loopback order 404
stream ring 405
loopback copy-offset 501
loopback copy-short 501
host fill-byte 502
host left-to-right 503
host min-max 504
host or-exclusive 505
host divisor 506
host narrow 507
host large-short 508
loopback open-any 601
loopback open-part 601
loopback parts 602
host peer 603
loopback peer 603
loopback peer-two 603
own peer-two 603
loopback thread 604
own thread 604
loopback leak-file 605
loopback leak-thread 605
loopback attach 606
own attach 606
loopback rounding 901
own rounding 901
host rounding 901
loopback affinity 902
loopback leak-memory 903
loopback signal 904
loopback locale 904
loopback folder 904
loopback mask 904
EOF
run env COHORT_BROKEN='loopback nothing' "$cohort" plugin check "$broken" --rule CHP-903
knows_memory=1
case $out in *'# SKIP'*) knows_memory=0 ;; esac
cpus=$(nproc 2>/dev/null || echo 1)
# 401/402: by how fast the device is, the one or the other.
while read -r base mistake rule; do
    if [ "$mistake" = leak-memory ] && [ "$knows_memory" = 0 ]; then
        skip 'leak-memory' 'malloc does not say here how much there is'
    elif [ "$mistake" = affinity ] && [ "$cpus" = 1 ]; then
        skip 'affinity' 'there is one CPU: a thread cannot move'
    else
        found=$(first "$base $mistake")
        case /$rule/ in
        */"${found#CHP-}"/*) ok 0 "$mistake of $base breaks CHP-$rule first" ;;
        *) is "$found" "CHP-$rule" "$mistake of $base breaks CHP-$rule first" ;;
        esac
    fi
done <"$scratch/rows"

# A malloc that says nothing: what it holds is not taken for nothing.
if [ "$knows_memory" = 1 ]; then
    cat >"$scratch/malloc.c" <<'EOF'
#include <stddef.h>
static _Alignas(64) char pool[256 << 20];
static size_t used;
void *malloc(size_t n)
{
    size_t bytes = (n + 127) / 64 * 64, at = __atomic_fetch_add(&used, bytes, __ATOMIC_RELAXED);
    if (bytes < n || at + bytes > sizeof pool)
        return NULL;
    *(size_t *)(pool + at) = n;
    return pool + at + 64;
}
void *calloc(size_t n, size_t each)
{
    return each > 0 && n > sizeof pool / each ? NULL : malloc(n * each);
}
void free(void *p)
{
    (void)p;
}
void *realloc(void *p, size_t n)
{
    char *to = malloc(n), *from = p;
    size_t had = p != NULL && to != NULL ? *(size_t *)(from - 64) : 0;
    for (size_t i = 0; i < had && i < n; i++)
        to[i] = from[i];
    return to;
}
EOF
    $CC -std=gnu11 -O1 -fPIC -fno-builtin -shared "$scratch/malloc.c" -o "$scratch/malloc.so"
    run env LD_PRELOAD="$scratch/malloc.so" COHORT_BROKEN='loopback leak-memory' "$cohort" plugin check "$broken" --rule CHP-903
    is "$code" 0 'memory of a malloc that does not say how much there is breaks no rule'
    has "$out" '# SKIP no file and no thread is left; memory: malloc does not say' 'which is no pass'
fi

run env COHORT_BROKEN='loopback no-device' "$cohort" plugin check "$broken"
is "$code" 77 'a plugin without a device here has an exit code of its own'
has "$out" 'CHP-201 blocks of any size give back what was written # SKIP the plugin has no device here' 'its rules are skipped'
run env COHORT_BROKEN='loopback no-device' "$cohort" plugin check "$broken" --rule CHP-101
is "$code" 0 'a rule of the file is tried all the same'
run env COHORT_WRONG='loopback enumerate -15' "$cohort" plugin check "$builddir/plugins/wrong/.libs/cohort-wrong.so" --rule CHP-201
is "$code" 1 'a plugin that cannot list its devices is no plugin without one'
has "$out" 'not proven: nothing was tried' 'and no pass'

run env COHORT_BROKEN='loopback constructor-crash' "$cohort" plugin check "$broken"
has "$out" 'the plugin ended the process, by SIGABRT; it was at: load it' 'a constructor that crashes is named'
run env COHORT_BROKEN='loopback constructor-exit' "$cohort" plugin check "$broken"
# ThreadSanitizer has something to say then, and a code of its own for that.
code_of_exit=0
! grep -q 'fsanitize=thread' "$builddir/config.status" || code_of_exit=66
has "$out" "the plugin ended the process, with exit code $code_of_exit; it was at: load it" 'one that exits too'
run env COHORT_BROKEN='loopback constructor-hang' "$cohort" plugin check "$broken" --timeout 1
has "$out" 'no sign of life for 1 s (--timeout); it was at: load it' 'and one that hangs'

run env COHORT_WRONG='visible device own' "$cohort" plugin check "$builddir/plugins/wrong/.libs/cohort-wrong.so" --rule CHP-304
is "$code" 1 'what nothing here can prove is no pass'
has "$out" 'not proven: wrong:0: values by type: the device takes neither native.fn nor opencl.c' 'and says why'

COHORT_BROKEN='loopback uuid' "$cohort" plugin check "$broken" --rule CHP-112 --json >"$scratch/check.json"
json_has_keys "$scratch/check.json" \
    'file ok rules rules[].claims rules[].reasons rules[].result rules[].rule rules[].title schema' \
    'the JSON of check has these keys'
COHORT_PLUGIN_PATH=$builddir/host/.libs "$cohort" plugin list --json >"$scratch/list.json"
json_has_keys "$scratch/list.json" \
    'plugins plugins[].devices plugins[].file plugins[].fix plugins[].loaded plugins[].name plugins[].reason schema' \
    'and that of list'
mkdir "$scratch/plugins"
cp "$scratch/text.so" "$scratch/plugins/cohort-text.so"
run env COHORT_PLUGIN_PATH="$scratch/plugins:$builddir/host/.libs" "$cohort" plugin list
has "$out" "not used  $scratch/plugins/cohort-text.so" 'list names a file that is not used'
has "$out" 'host:0' 'and devices of one that is'
run "$cohort" plugin dir
has "$out" plugins-1 'dir is the folder of plugins'
tap_done
