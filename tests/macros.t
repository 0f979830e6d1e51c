#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the public macros leave in a program: no warning where nothing is wrong, and one line of error where a pointer is
# given that says what to give instead.
. "${srcdir:-.}/tests/tap.sh"
scratch macros
LC_ALL=C
export LC_ALL
CC=${CC:-cc}
CXX=${CXX:-c++}

is_there() {
    [ "$1" != no ] && command -v "${1%% *}" >/dev/null 2>&1
}

# warns_not COMPILER OPTIONS FILE: vectorised or not, with and without what a debugger wants.
warns_not() {
    is_there "$1" || return
    # shellcheck disable=SC2086 # lists
    out=$($1 $2 -Wall -Wextra -Werror -I"$srcdir" -I"$srcdir/include" -I"$srcdir/examples" -I"$builddir" -c "$3" \
        -o "$scratch/user.o" 2>&1)
    ok "$?" "$1 $2 has nothing to say of ${3##*/}"
    [ -z "$out" ] || diag "$out"
}
for example in clip embedding kmeans montecarlo saxpy softmax tpu train_digits; do
    warns_not "$CC" "-std=c11 -O3 -Wvla" "$srcdir/examples/$example.c"
    for options in -O3 "-O3 -g"; do
        warns_not clang "-std=c11 $options -Wvla" "$srcdir/examples/$example.c"
    done
done
cat >"$scratch/plugin.cc" <<'END'
#include <cohort/plugin.h>
static const cohort_host *host;
static const void *extension(void *, const char *)
{
    return host;
}
COHORT_PLUGIN("cxx", "1", "tests", nullptr, nullptr, extension, host)
bool has_fn(const cohort_code *code);
bool has_fn(const cohort_code *code)
{
    return COHORT_HAS(code, cohort_code, fn);
}
END
cat >"$scratch/every.cc" <<'END'
#include <cohort/cohort.h>
COHORT_STRUCT(pixel, {
    uint8_t r;
    float w[4];
});
using integer = int;
COHORT_TYPE_ALIAS(integer);
COHORT_FUNCTION(scale, (int64_t n, float a, float *x COHORT_SHAPE(n)), .opencl = COHORT_SOURCE(kernel void scale(long n, float a, global float *x) { x[0] = n * a; }), .global = "n")
{
    for (int64_t i = 0; i < n; i++)
        x[i] *= a;
}
COHORT_FUNCTION_RETURNING(float, first, (integer n, const pixel *p COHORT_SHAPE(n)), .types = COHORT_TYPES(pixel, integer))
{
    return n > 0 ? p->w[0] : 0.0f;
}
COHORT_FUNCTION_OF(cosine, double, cos, (double x), COHORT_HOST_ONLY);
COHORT_ITEMS(twice, i, n, (int64_t n, float *x COHORT_SHAPE(n)), { x[i] *= 2; });
COHORT_ITEMS_OF_TYPES(grey, i, n, (int64_t n, pixel *p COHORT_SHAPE(n)), COHORT_TYPES(pixel), { p[i].r = 0; });
static cohort_status step(cohort_replica *me, void *user)
{
    cohort_value *v = static_cast<cohort_value *>(user);
    cohort_barrier(me);
    if (cohort_all_gather(me, v, 0, v) < 0 || cohort_all_reduce_into(me, COHORT_SUM, v, v) < 0 ||
        cohort_replica_halo(me, v, 1, COHORT_EDGE_PERIODIC, v) < 0)
        return COHORT_EINVAL;
    return cohort_replica_run(me, scale, 2.0, v);
}
bool every(cohort_strategy *s, cohort_value *v, float (&x)[4]);
bool every(cohort_strategy *s, cohort_value *v, float (&x)[4])
{
    const pixel p = { 1, { 2 } };
    const unsigned char byte = 3;
    cohort_value *list[] = { v, v };
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(x, 2, 2), nullptr);
    return cohort_run(s, scale, 2.0f, v) < 0 || cohort_run(s, first, COHORT_BYTES(&p), COHORT_DROP) < 0 ||
           cohort_run(s, cosine, 1.0, COHORT_DROP) < 0 || cohort_run(s, twice, COHORT_VALUES(list, 2)) < 0 ||
           cohort_run(s, grey, COHORT_POINTER(&p), COHORT_NAMED(k, byte), COHORT_REPLICA_ID, COHORT_FIRST_ROW) < 0 ||
           cohort_update(w, scale, 1.0L, w, COHORT_NUM_REPLICAS, COHORT_BATCH_ROWS, true, 'c') < 0 ||
           cohort_variable_assign(w, COHORT_ARRAY(x, 2, 2)) < 0 || cohort_value_set(v, 2) < 0 ||
           cohort_run(s, scale, COHORT_EACH(COHORT_ARRAY(x, 4)), v, COHORT_NAMED(n, COHORT_SHARE(10u))) < 0 ||
           cohort_reduce(COHORT_SUM, v, 0, v) < 0 || cohort_gather(w, 0, v) < 0 ||
           cohort_halo(w, 1, COHORT_EDGE_ZERO, v) < 0 ||
           cohort_for_each_replica(s, step, v) < 0;
}
END
for compiler in "$CXX" clang++; do
    for file in "$srcdir/examples/saxpy.cc" "$srcdir/tests/items_cxx.cc" "$scratch/every.cc" "$scratch/plugin.cc"; do
        warns_not "$compiler" "-std=c++17 -O3 -g -Wold-style-cast -Wzero-as-null-pointer-constant" "$file"
    done
done

# ---- Arrays in prototypes are no arrays of variable length; those of the program are.
cat >"$scratch/vla.c" <<'END'
#include <cohort/cohort.h>
COHORT_FUNCTION(one_line, (int64_t n, const float x[n], float y[n]), COHORT_HOST_ONLY)
{
    y[0] = x[0] + (float)n;
}
COHORT_FUNCTION(lines,
                (int64_t n, const float x[n][3],
                 COHORT_OUT float y[n]),
                .global = "n")
{
    y[0] = x[0][0] + (float)n;
}
COHORT_FUNCTION_RETURNING(float, first, (int64_t n, const float x[n]), COHORT_HOST_ONLY)
{
    float own[n]; /* here */
    own[0] = x[0];
    return own[0];
}
int later; COHORT_FUNCTION_OF(other, void, other_of, (int64_t n, float x[n]), COHORT_HOST_ONLY);
COHORT_ITEMS(items, i, n, (int64_t n, const float x[n], float y[n]), { y[i] += x[i]; });
const cohort_function *all[] = { one_line, lines, first, other, items };
END
for compiler in "$CC" clang; do
    is_there "$compiler" || continue
    # shellcheck disable=SC2086
    out=$($compiler -std=c11 -Wall -Wextra -Wvla -fsyntax-only -I"$srcdir/include" "$scratch/vla.c" 2>&1)
    is "$(echo "$out" | grep -c 'warning:')" 1 "$compiler -Wvla warns once of five functions and an array"
    line=$(grep -n 'here' "$scratch/vla.c" | cut -d: -f1)
    has "$out" "vla.c:$line:" "... of the array"
done

# ---- Pointers.

# refuses COMPILER STANDARD MOST CALL: one error, which says COHORT_ARRAY, and the line of the call is shown; at most MOST
# lines in all.
refuses() {
    is_there "$1" || return
    extension=c
    case $2 in c++*) extension=cc ;; esac
    cat >"$scratch/user.$extension" <<END
#include <cohort/cohort.h>
typedef struct pixel {
    float r;
} pixel;
void call(cohort_strategy *s, cohort_function *f, cohort_value *v, cohort_variable *w, cohort_replica *me, float *x,
          const double *d, void *any, char *text, const int *ids, pixel *p);
void call(cohort_strategy *s, cohort_function *f, cohort_value *v, cohort_variable *w, cohort_replica *me, float *x,
          const double *d, void *any, char *text, const int *ids, pixel *p)
{
    (void)s, (void)f, (void)v, (void)w, (void)me, (void)x, (void)d, (void)any, (void)text, (void)ids, (void)p;
    (void)$4;
}
END
    # shellcheck disable=SC2086
    out=$($1 -std=$2 -Wall -Wextra -fsyntax-only -I"$srcdir/include" "$scratch/user.$extension" 2>&1)
    errors=$(echo "$out" | grep 'error:')
    lines=$(echo "$out" | wc -l)
    shown=no
    case $out in *"user.$extension:11:"*) shown=yes ;; esac
    case $errors in
    *"
"*) shown="no: several errors" ;;
    *COHORT_ARRAY*) ;;
    *) shown="no COHORT_ARRAY" ;;
    esac
    [ "$lines" -le "$3" ] || shown="$lines lines"
    is "$shown" yes "$1 -std=$2 refuses $4 in one line ($lines with what stands around it)"
    [ "$shown" = yes ] || diag "$out"
}
for pointer in x d any text ids p; do
    refuses "$CC" c11 22 "cohort_run(s, f, 2.0f, $pointer)"
    refuses clang c11 32 "cohort_run(s, f, 2.0f, $pointer)"
    refuses "$CXX" c++17 20 "cohort_run(s, f, 2.0f, $pointer)"
    refuses clang++ c++17 20 "cohort_run(s, f, 2.0f, $pointer)"
done
for call in "cohort_update(w, f, x)" "cohort_replica_run(me, f, x)" \
    "cohort_reduce(COHORT_SUM, x, 0, v)" "cohort_gather(x, 0, v)" "cohort_value_set(v, x)" \
    "cohort_variable_assign(w, x)" "cohort_variable_gather(w, x, v)" "cohort_halo(x, 1, COHORT_EDGE_ZERO, v)" \
    "cohort_all_gather(me, x, 0, v)" "cohort_all_reduce_into(me, COHORT_SUM, x, v)"; do
    refuses "$CC" c11 22 "$call"
    refuses "$CXX" c++17 20 "$call"
done
refuses "$CC" c11 22 "cohort_run(s, f, *p)"
refuses clang c11 32 "cohort_run(s, f, *p)"

# ---- A C function where a function of Cohort's is due is an error, of which compilers would only warn.
plain() {
    is_there "$1" || return
    cat >"$scratch/plain.c" <<END
#include <cohort/cohort.h>
static void my(int64_t n, const float *x)
{
    (void)n, (void)x;
}
void call(cohort_strategy *s, cohort_variable *w, cohort_replica *me, cohort_input *in, cohort_value *v);
void call(cohort_strategy *s, cohort_variable *w, cohort_replica *me, cohort_input *in, cohort_value *v)
{
    (void)s, (void)w, (void)me, (void)in, (void)v, (void)my;
    (void)$2;
}
END
    found=refused
    "$1" -std=c11 -w -fsyntax-only -I"$srcdir/include" "$scratch/plain.c" 2>/dev/null && found=taken
    is "$found" refused "$1 refuses a C function: $2"
}
for compiler in "$CC" clang; do
    for call in "cohort_run(s, my, v)" "cohort_run(s, &my, v)" "cohort_update(w, my, v)" "cohort_replica_run(me, my, v)" \
        "cohort_run_next(s, my, in, v)" "cohort_update_non_slot(COHORT_AT(w), my, v)" "cohort_replica_update(me, w, my, v)"; do
        plain "$compiler" "$call"
    done
done
tap_done
