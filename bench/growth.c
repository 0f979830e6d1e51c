/* SPDX-License-Identifier: BSD-3-Clause */
/* bench/growth: how the time of a call grows with replicas, arguments and values of a list, on two
 * devices.
 *
 *   replicas    an empty run, R = 2 to 64
 *   arguments   runs with 0, 1, 4, 8 and 16 numbers, variables, values or outputs, R = 2 and 64;
 *               from both the time of one more replica, beside ffi_call with as many arguments
 *   lists       cohort_reduce_list of 1 to 1,000 values of 100 float32, beside loops by hand
 *
 * Each call with a wait. bench/turns.h says how. */
#include "config.h"

#include "bench/must.h"
#include "bench/sums.h"
#include "bench/turns.h"

#include <cohort/cohort.h>

#include <ffi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16, N = 64, MOST_REPLICAS = 64, LIST = 1000, EACH = 100, TEXT = 1024 };

static const int arities[] = { 0, 1, 4, 8, 16 };
enum { ARITIES = sizeof arities / sizeof *arities };

typedef enum kind { NUMBERS, VARIABLES, VALUES, OUTPUTS, KINDS } kind;
static const char *const kind_names[KINDS] = { "numbers", "variables", "values", "outputs" };

/* ------------------------------------------------------------------ bodies */

/* Their prototypes are made by make_function; they do nothing. */
#define NUMBER __attribute__((unused)) int64_t
#define ARRAY __attribute__((unused)) float *
#define LIST_4(T, a) T a##0, T a##1, T a##2, T a##3
#define LIST_8(T, a) LIST_4(T, a##0), LIST_4(T, a##1)
#define LIST_16(T, a) LIST_8(T, a##0), LIST_8(T, a##1)
#define DEFINE(name, ...)                                                                          \
    static void name(__VA_ARGS__)                                                                  \
    {                                                                                              \
    }
DEFINE(numbers_0, void)
DEFINE(numbers_1, NUMBER a)
DEFINE(numbers_4, LIST_4(NUMBER, a))
DEFINE(numbers_8, LIST_8(NUMBER, a))
DEFINE(numbers_16, LIST_16(NUMBER, a))
DEFINE(arrays_1, NUMBER n, ARRAY a)
DEFINE(arrays_4, NUMBER n, LIST_4(ARRAY, a))
DEFINE(arrays_8, NUMBER n, LIST_8(ARRAY, a))
DEFINE(arrays_16, NUMBER n, LIST_16(ARRAY, a))

typedef void (*body)(void);
static const body numbers[ARITIES] = { numbers_0, (body)numbers_1, (body)numbers_4, (body)numbers_8,
                                       (body)numbers_16 };
static const body arrays[ARITIES] = { numbers_0, (body)arrays_1, (body)arrays_4, (body)arrays_8,
                                      (body)arrays_16 };

static cohort_function *make_function(kind k, int arity)
{
    static const char *const parameters[KINDS] = { "int64_t a%d", "const float a%d[n]",
                                                   "const float a%d[n]", "out float a%d[n]" };
    char text[TEXT];
    bool has_bound = k != NUMBERS && arities[arity] > 0;
    int used = snprintf(text, sizeof text, "void body(%s", has_bound ? "int64_t n" : "");
    for (int i = 0; i < arities[arity]; i++) {
        used +=
            snprintf(text + used, sizeof text - (size_t)used, "%s", i > 0 || has_bound ? ", " : "");
        used += snprintf(text + used, sizeof text - (size_t)used, parameters[k], i);
    }
    (void)snprintf(text + used, sizeof text - (size_t)used, "%s)",
                   arities[arity] == 0 ? "void" : "");
    cohort_function *f = cohort_function_parse(text, NULL, NULL);
    must(f != NULL, text);
    cohort_body native = { .format = "native.fn",
                           .fn = k == NUMBERS ? numbers[arity] : arrays[arity] };
    must(cohort_function_add_body(f, &native) == COHORT_OK, text);
    return f;
}

/* ------------------------------------------------------------------ runs */

typedef struct calls {
    cohort_strategy *s;
    cohort_value *values[MOST], *outputs[MOST];
    cohort_variable *variables[MOST];
    cohort_function *functions[KINDS][ARITIES];
} calls;

/* One call, ready to be made. */
typedef struct call {
    cohort_strategy *s;
    const cohort_function *function;
    cohort_argument arguments[MOST + 2];
} call;

static void open_calls(calls *t, int replicas)
{
    static float data[MOST_REPLICAS * N];
    char name[16];
    *t = (calls){ .s = cohort_strategy_create(
                      &(cohort_strategy_options){ .devices = "host/2", .replicas = replicas }) };
    for (int i = 0; i < MOST; i++) {
        (void)snprintf(name, sizeof name, "w%d", i);
        t->variables[i] = cohort_variable_create(t->s, name, COHORT_ARRAY(data, N), NULL);
        t->values[i] = cohort_value_split(t->s, COHORT_ARRAY(data, replicas * N));
        t->outputs[i] = cohort_value_shaped(t->s, COHORT_F32, 1, (int64_t[]){ N });
    }
    must(t->outputs[MOST - 1] != NULL, "values");
    for (int k = 0; k < KINDS; k++)
        for (int a = 0; a < ARITIES; a++)
            t->functions[k][a] = make_function((kind)k, a);
}

static void close_calls(calls *t)
{
    cohort_strategy_destroy(t->s);
    for (int k = 0; k < KINDS; k++)
        for (int a = 0; a < ARITIES; a++)
            cohort_function_destroy(t->functions[k][a]);
}

static call make_call(const calls *t, kind k, int arity)
{
    call c = { .s = t->s, .function = t->functions[k][arity] };
    for (int i = 0; i < arities[arity]; i++)
        c.arguments[i] = k == NUMBERS     ? COHORT_ARG_(i)
                         : k == VARIABLES ? COHORT_ARG_(t->variables[i])
                         : k == VALUES    ? COHORT_ARG_(t->values[i])
                                          : COHORT_ARG_(t->outputs[i]);
    c.arguments[arities[arity]] = (cohort_argument){ .kind = COHORT_ARGUMENT_END };
    return c;
}

static void run_and_wait(void *user)
{
    const call *c = user;
    must(!cohort_run_arguments(c->s, c->function, c->arguments) && !cohort_wait(c->s), "run");
}

/* ---- The same arguments through libffi, prepared once. */

typedef struct foreign {
    ffi_cif cif;
    body function;
    ffi_type *types[MOST + 1];
    void *values[MOST + 1];
    int64_t number;
    float *array;
} foreign;

static void open_foreign(foreign *t, kind k, int arity)
{
    int n = 0;
    *t = (foreign){ .function = k == NUMBERS ? numbers[arity] : arrays[arity] };
    if (k != NUMBERS && arities[arity] > 0)
        t->types[n] = &ffi_type_sint64, t->values[n++] = &t->number;
    for (int i = 0; i < arities[arity]; i++, n++) {
        t->types[n] = k == NUMBERS ? &ffi_type_sint64 : &ffi_type_pointer;
        t->values[n] = k == NUMBERS ? (void *)&t->number : (void *)&t->array;
    }
    must(ffi_prep_cif(&t->cif, FFI_DEFAULT_ABI, (unsigned)n, &ffi_type_void, t->types) == FFI_OK,
         "libffi");
}

static void call_foreign(void *user)
{
    foreign *t = user;
    ffi_call(&t->cif, t->function, NULL, t->values);
}

/* ------------------------------------------------------------------ rows of runs */

static void measure_replicas(void)
{
    turns_table("growth: an empty run, two devices");
    for (int replicas = 2; replicas <= MOST_REPLICAS; replicas *= 2) {
        calls t;
        char row[32];
        open_calls(&t, replicas);
        call c = make_call(&t, NUMBERS, 0);
        turns_side side = { "cohort", "host/2, a wait each", run_and_wait, .bench = &c };
        (void)snprintf(row, sizeof row, "R = %d", replicas);
        turns_row(row, &side, 1);
        close_calls(&t);
    }
}

/* The time of one more replica: what one more call of the body costs, and, as the goal, ffi_call
 * with these arguments and 50 ns. */
static void measure_arguments(const calls *few, const calls *many, kind k, int arity)
{
    char row[64];
    call calls_of[2] = { make_call(few, k, arity), make_call(many, k, arity) };
    foreign f;
    open_foreign(&f, k, arity);
    turns_side sides[] = {
        { "cohort, R = 2", "host/2, a wait each", run_and_wait, .bench = &calls_of[0] },
        { "cohort, R = 64", "host/2, a wait each", run_and_wait, .bench = &calls_of[1] },
        { "ffi_call, one", "prepared", call_foreign, .bench = &f },
    };
    (void)snprintf(row, sizeof row, "%d %s", arities[arity], kind_names[k]);
    turns_row(row, sides, 3);
    double goal = sides[2].median * 1e9 + 50;
    double slope = (sides[1].median - sides[0].median) / (MOST_REPLICAS - 2) * 1e9;
    turns_put(row, "one more replica", "beside ffi_call and 50 ns", "ns", &slope, 1, goal);
}

/* ------------------------------------------------------------------ lists */

typedef struct lists {
    cohort_strategy *s;
    cohort_value *values[LIST], *sums[LIST];
    float *a, *b, *c;
    int n;
} lists;

static void reduce_list(void *user)
{
    const lists *t = user;
    must(!cohort_reduce_list(COHORT_SUM, t->values, t->n, COHORT_NO_AXIS, t->sums) &&
             !cohort_wait(t->s),
         "reduce_list");
}

static void add_by_hand(void *user)
{
    const lists *t = user;
    for (int i = 0; i < t->n; i++) {
        void *parts[] = { t->a + i * EACH, t->b + i * EACH };
        sums_add(SUMS_F32, 2, parts, t->c + i * EACH, EACH, true);
    }
}

static void add_as_one(void *user)
{
    const lists *t = user;
    void *parts[] = { t->a, t->b };
    sums_add(SUMS_F32, 2, parts, t->c, (int64_t)t->n * EACH, false);
}

static void measure_lists(void)
{
    static float a[LIST * EACH], b[LIST * EACH], c[LIST * EACH];
    lists t = { .s = cohort_mirrored("host/2"), .a = a, .b = b, .c = c };
    for (int i = 0; i < LIST * EACH; i++)
        a[i] = (float)(i % 1000), b[i] = (float)(i % 77);
    for (int i = 0; i < LIST; i++) {
        cohort_array parts[] = { COHORT_ARRAY(a + i * EACH, EACH),
                                 COHORT_ARRAY(b + i * EACH, EACH) };
        t.values[i] = cohort_value_per_replica(t.s, parts);
        t.sums[i] = cohort_value_create(t.s);
    }
    turns_table("growth: a list of 400 B from each of two replicas");
    for (t.n = 1; t.n <= LIST; t.n *= 10) {
        char row[32];
        float found[EACH];
        turns_side sides[] = {
            { "by hand, one by one", "the caller alone", add_by_hand, .bench = &t,
              .is_limit = true },
            { "by hand, as one array", "2 threads", add_as_one, .bench = &t, .is_limit = true },
            { "cohort, reduce_list", "host/2, a wait each", reduce_list, .bench = &t },
        };
        (void)snprintf(row, sizeof row, "%d values", t.n);
        turns_row(row, sides, 3);
        must(!cohort_value_read(t.sums[t.n - 1], COHORT_ARRAY(found, EACH)) &&
                 memcmp(found, c + (t.n - 1) * EACH, sizeof found) == 0,
             "the sums differ");
    }
    cohort_strategy_destroy(t.s);
}

int main(void)
{
    calls few, many;
    measure_replicas();
    open_calls(&few, 2);
    open_calls(&many, MOST_REPLICAS);
    turns_table("growth: arguments");
    for (int k = 0; k < KINDS; k++)
        for (int a = k == NUMBERS ? 0 : 1; a < ARITIES; a++)
            measure_arguments(&few, &many, (kind)k, a);
    close_calls(&few);
    close_calls(&many);
    measure_lists();
    return 0;
}
