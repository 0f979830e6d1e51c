/* SPDX-License-Identifier: BSD-3-Clause */
/* However an update spells the element that an item touches, the same fast ways are taken: its sum
 * goes into it without being stored (runtime/operation/feed.h), and the content before is copied on
 * the way. Where one is not, cohort_program_describe says why, by the words of the body. Each has
 * the bits of COHORT_REPEAT=off. */
#include "config.h"

#include "runtime/executor/executor.h"
#include "runtime/strategy/strategy.h"
#include "tests/core.h"

#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* As one, two and three axes. */
enum {
    N = 20000,
    LINES = 1000,
    LINE = 20,
    PLANES = 100,
    PLANE = 10,
    ROWS = 24,
    WARM = 40,
    MORE = 10
};

/* ------------------------------------------------------------------ gradients */

#define GRADIENTS(NAME, SHAPE, COUNT, ...)                                                         \
    COHORT_FUNCTION(NAME,                                                                          \
                    (int64_t r, __VA_ARGS__, int32_t replica, const float x[r],                    \
                     const float *w COHORT_SHAPE SHAPE, COHORT_OUT float *g COHORT_SHAPE(COUNT)),  \
                    COHORT_HOST_ONLY)                                                              \
    {                                                                                              \
        for (int64_t i = 0; i < COUNT; i++)                                                        \
            g[i] = w[i] * 0.25f + x[i % r] * (float)(i % 7 - replica);                             \
    }
GRADIENTS(gradients, (n), n, int64_t n)
GRADIENTS(gradients_2d, (n, m), n *m, int64_t n, int64_t m)
GRADIENTS(gradients_3d, (n, m, l), n *m *l, int64_t n, int64_t m, int64_t l)

/* ------------------------------------------------------------------ updates that are taken */

#define RATE 0.125f
#define AT(x, k) x[k]
COHORT_CONSTANT(float, slope, 0.125f);
COHORT_TABLE(float, taps, [2], { 0.125f, 0.75f });
COHORT_HELPER(float, moved, (float w, float g), { return w * taps[1] - taps[0] * g; });

#define UPDATE(NAME, ...)                                                                          \
    COHORT_ITEMS(NAME, i, n, (int64_t n, float rate, const float g[n], float w[n]), __VA_ARGS__)
UPDATE(plain, { w[i] = w[i] * 0.75f - rate * g[i]; });
UPDATE(by_macro, { w[i] = w[i] * 0.75f - RATE * rate * g[i]; });
UPDATE(by_place, { AT(w, i) = AT(w, i) * 0.75f - rate * RATE * AT(g, i); });
UPDATE(by_constant, { w[i] = w[i] * 0.75f - slope * rate * g[i]; });
UPDATE(by_helper, { w[i] = moved(w[i], rate * g[i]); });
UPDATE(by_enum, {
    enum { QUARTERS = 3, ALL };
    w[i] = w[i] * QUARTERS / ALL - rate * g[i];
});
UPDATE(by_variable, {
    const int64_t at = i;
    w[at] = w[at] * 0.75f - rate * g[at];
});
UPDATE(by_size, {
    size_t at = (size_t)i;
    if (at > 0 && g[at] > 0)
        w[at] -= g[at] * rate;
});
UPDATE(in_parentheses, { (w[(i)]) -= rate * (g[i + 0]); });
UPDATE(by_loop, {
    float sum = 0;
    for (int j = 0; j < 4; j++)
        sum += g[i] * rate;
    w[i] = w[i] * 0.75f - sum;
});
UPDATE(by_condition, {
    if (g[i] == 0)
        continue;
    w[i] = isnan(w[i]) ? NAN : fminf(w[i] - rate * g[i], INFINITY);
});
UPDATE(by_cases, {
    switch ((int)rate) {
    case 0:
        w[i] -= rate * g[i];
        break;
    default:
        w[i] = 0;
    }
});
UPDATE(by_array, {
    float both[2] = { w[i], g[i] };
    w[i] = both[0] * 0.75f - rate * both[1];
});

#define UPDATE_2D(NAME, ...)                                                                       \
    COHORT_ITEMS_2D(NAME, i, n, j, m,                                                              \
                    (int64_t n, int64_t m, float rate, const float *g COHORT_SHAPE(n *m),          \
                     float *w COHORT_SHAPE(n, m)),                                                 \
                    __VA_ARGS__)
UPDATE_2D(of_two, { w[i * m + j] = w[i * m + j] * 0.75f - rate * g[i * m + j]; });
UPDATE_2D(of_two_by_variable, {
    int64_t at = j + m * i;
    w[at] -= rate * g[at] * (float)(i + 2 * j) / 16;
});
COHORT_ITEMS_3D(of_three, i, n, j, m, k, l,
                (int64_t n, int64_t m, int64_t l, float rate, const float *g COHORT_SHAPE(n *m *l),
                 float *w COHORT_SHAPE(n, m, l)),
                { w[(i * m + j) * l + k] -= rate * g[i * (l * m) + j * l + k]; });

/* ------------------------------------------------------------------ updates that are not */

UPDATE(sum_turned, { w[i] -= rate * g[n - 1 - i]; });
UPDATE(sum_beside, { w[i] -= rate * (i + 1 < n ? g[i + 1] : 0); });
UPDATE(sum_of_bits, { w[i] -= rate * g[i ^ 1]; });
UPDATE(sum_by_pointer, { w[i] -= rate * *(g + i); });
UPDATE(sum_by_address, { w[i] -= rate * *&g[i]; });
UPDATE(sum_by_int, {
    int at = (int)i;
    w[i] -= rate * g[at];
});
UPDATE(sum_by_changed, {
    int64_t at = i;
    at = n - 1 - at;
    w[i] -= rate * g[at];
});
COHORT_ITEMS(sum_by_list, i, n,
             (int64_t n, float rate, const float g[n], float w[n], const int64_t list[n]),
             { w[i] -= rate * g[list[i]]; });
UPDATE_2D(sum_transposed, { w[i * m + j] -= rate * g[j * n + i]; });
COHORT_FUNCTION(sum_of_function, (int64_t n, float rate, const float g[n], float w[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] -= rate * g[i];
}

UPDATE(kept_turned, { w[n - 1 - i] -= rate * g[i]; });
UPDATE(kept_by_pointer, { *(w + i) -= rate * g[i]; });
COHORT_ITEMS(kept_by_list, i, n,
             (int64_t n, float rate, const float g[n], float w[n], const int64_t list[n]),
             { w[list[i]] -= rate * g[i]; });
UPDATE_2D(kept_transposed, { w[j * n + i] -= rate * g[i * m + j]; });

/* ------------------------------------------------------------------ the table */

typedef struct spelling {
    const cohort_function *update;
    int rank;
    bool has_list;
    const char *stored,
        *apart; /* why its sum is stored; why w is copied by itself; NULL: it is not */
} spelling;

#define OTHER(place) "is used at another element, too, '" place "'"
static const char no_items[] = "the function is no body of items";

static const spelling spellings[] = {
    { plain, 1, false, NULL, NULL },
    { by_macro, 1, false, NULL, NULL },
    { by_place, 1, false, NULL, NULL },
    { by_constant, 1, false, NULL, NULL },
    { by_helper, 1, false, NULL, NULL },
    { by_enum, 1, false, NULL, NULL },
    { by_variable, 1, false, NULL, NULL },
    { by_size, 1, false, NULL, NULL },
    { in_parentheses, 1, false, NULL, NULL },
    { by_loop, 1, false, NULL, NULL },
    { by_condition, 1, false, NULL, NULL },
    { by_cases, 1, false, NULL, NULL },
    { by_array, 1, false, NULL, NULL },
    { of_two, 2, false, NULL, NULL },
    { of_two_by_variable, 2, false, NULL, NULL },
    { of_three, 3, false, NULL, NULL },
    { sum_turned, 1, false, "'g' " OTHER("g[n - 1 - i]"), NULL },
    { sum_beside, 1, false, "'g' " OTHER("g[i + 1]"), NULL },
    { sum_of_bits, 1, false, "'g' " OTHER("g[i ^ 1]"), NULL },
    { sum_by_pointer, 1, false, "'g' is used as a pointer", NULL },
    { sum_by_address, 1, false, "'g' may be reached by an address, '&g[i]'", NULL },
    { sum_by_int, 1, false, "'g' " OTHER("g[at]"), NULL },
    { sum_by_changed, 1, false, "'g' " OTHER("g[at]"), NULL },
    { sum_by_list, 1, true, "'g' " OTHER("g[list[i]]"), NULL },
    { sum_transposed, 2, false, "'g' " OTHER("g[j * n + i]"), NULL },
    { sum_of_function, 1, false, "what reads it is no body of items", no_items },
    { kept_turned, 1, false, NULL, "'w' " OTHER("w[n - 1 - i]") },
    { kept_by_pointer, 1, false, NULL, "'w' is used as a pointer" },
    { kept_by_list, 1, true, NULL, "'w' " OTHER("w[list[i]]") },
    { kept_transposed, 2, false, NULL, "'w' " OTHER("w[j * n + i]") },
};

/* ------------------------------------------------------------------ a program */

typedef struct side {
    const spelling *how;
    cohort_strategy *s;
    cohort_variable *w;
    cohort_value *g, *sum, *list;
    cohort_input *input;
    cohort_program *program;
} side;

static cohort_status step(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    static const cohort_function *const by_rank[] = { gradients, gradients_2d, gradients_3d };
    const side *t = user;
    const spelling *how = t->how;
    cohort_run(s, by_rank[how->rank - 1], COHORT_REPLICA_ID, batch[0], t->w, t->g);
    cohort_reduce(COHORT_SUM, t->g, COHORT_NO_AXIS, t->sum);
    return how->has_list ? cohort_update(t->w, how->update, RATE, t->sum, t->w, t->list)
                         : cohort_update(t->w, how->update, RATE, t->sum, t->w);
}

static cohort_variable *make_variable(cohort_strategy *s, int rank)
{
    static float initial[N];
    for (int i = 0; i < N; i++)
        initial[i] = (float)(i % 31) / 32;
    return rank == 1 ? cohort_variable_create(s, "w", COHORT_ARRAY(initial, N), NULL)
           : rank == 2
               ? cohort_variable_create(s, "w", COHORT_ARRAY(initial, LINES, LINE), NULL)
               : cohort_variable_create(s, "w", COHORT_ARRAY(initial, PLANES, PLANE, LINE), NULL);
}

static cohort_input *make_input(cohort_strategy *s, int32_t replicas)
{
    static float rows[ROWS];
    for (int i = 0; i < ROWS; i++)
        rows[i] = (float)(i * 7 % 17) / 16;
    const cohort_array array = COHORT_ARRAY(rows, ROWS);
    cohort_dataset *data =
        cohort_dataset_batch(cohort_dataset_slices(1, &array), 2 * replicas, true);
    return cohort_distribute_dataset(s, cohort_dataset_repeat(data, COHORT_INFINITE));
}

static cohort_rollback rollback = COHORT_ROLLBACK_ON;

static bool open_side(side *t, const spelling *how, const core_place *place, const char *repeat)
{
    static int64_t list[N];
    cohort_spec spec;
    for (int i = 0; i < N; i++)
        list[i] = (int64_t)i * 7 % N;
    *t = (side){ .how = how };
    if (repeat != NULL)
        (void)setenv("COHORT_REPEAT", repeat, 1);
    t->s = cohort_strategy_create(&(cohort_strategy_options){
        .devices = place->devices, .replicas = place->replicas, .rollback = rollback });
    (void)unsetenv("COHORT_REPEAT");
    t->w = make_variable(t->s, how->rank);
    t->g = cohort_value_create(t->s);
    t->sum = cohort_value_create(t->s);
    t->list = cohort_value_plain(t->s, COHORT_ARRAY(list, N));
    t->input = make_input(t->s, place->replicas);
    return good(t->input != NULL) && good(cohort_input_element_spec(t->input, &spec, 1) == 1) &&
           good((t->program = cohort_program_record(t->s, step, t, &spec, 1)) != NULL);
}

static int64_t fed(const side *t)
{
    const char *text = strstr(cohort_program_describe(t->program), "repeated, ");
    return text != NULL ? strtoll(text + strlen("repeated, "), NULL, 10) : -1;
}

static bool is_same(side *a, side *b)
{
    static float p[N], q[N];
    return good(cohort_variable_read(a->w, COHORT_ARRAY(p, N)) == COHORT_OK) &&
           good(cohort_variable_read(b->w, COHORT_ARRAY(q, N)) == COHORT_OK) &&
           good(memcmp(p, q, sizeof p) == 0) &&
           good(cohort_value_read(a->sum, COHORT_ARRAY(p, N)) == COHORT_OK) &&
           good(cohort_value_read(b->sum, COHORT_ARRAY(q, N)) == COHORT_OK) &&
           good(memcmp(p, q, sizeof p) == 0);
}

/* ------------------------------------------------------------------ what is claimed */

static bool tells(const side *t, const char *head, const char *why)
{
    const char *at = strstr(cohort_program_describe(t->program), head);
    return why == NULL
               ? good(at == NULL)
               : good(at != NULL) && good(strncmp(at + strlen(head), why, strlen(why)) == 0);
}

/* The operations of MORE steps. */
static bool play(side *t, uint64_t *out_posted)
{
    uint64_t before = t->s->executor->n_posted;
    bool is_good = good(cohort_program_run(t->program, t->input, MORE) == COHORT_OK);
    *out_posted = t->s->executor->n_posted - before;
    return is_good;
}

static uint64_t most_posted; /* of the first spelling */

static bool is_taken(const spelling *how, const core_place *place, bool may_feed)
{
    side a, b;
    uint64_t posted = 0, plain_posted = 0;
    bool is_good = open_side(&a, how, place, NULL) && open_side(&b, how, place, "off") &&
                   good(cohort_program_run(a.program, a.input, WARM) == COHORT_OK) &&
                   good(cohort_program_run(b.program, b.input, WARM) == COHORT_OK) &&
                   is_same(&a, &b);
    int64_t before = is_good ? fed(&a) : 0;
    is_good = is_good && play(&a, &posted) && play(&b, &plain_posted) && is_same(&a, &b);
    most_posted = how == spellings ? plain_posted : most_posted;
    is_good = is_good &&
              good(fed(&a) - before == (how->stored == NULL && may_feed ? MORE - 1 : 0)) &&
              good(fed(&b) == 0) &&
              (how->apart == no_items || /* which nobody shares */
               good((plain_posted > most_posted) == (how->apart != NULL))) &&
              tells(&a, "is stored and not fed: ", may_feed ? how->stored : NULL) &&
              tells(&a, "copied by itself for a rollback: ", how->apart);
    if (!is_good)
        diag("%s%llu operations", a.program != NULL ? cohort_program_describe(a.program) : "",
             (unsigned long long)plain_posted);
    cohort_strategy_destroy(a.s);
    cohort_strategy_destroy(b.s);
    return is_good;
}

static void test_spellings(const core_place *place, bool may_feed)
{
    for (size_t k = 0; k < sizeof spellings / sizeof *spellings; k++) {
        const spelling *how = &spellings[k];
        ok(is_taken(how, place, may_feed), "%s on %s with %d replicas: %s, %s", how->update->name,
           place->devices, (int)place->replicas, how->stored == NULL ? "fed" : "stored",
           how->apart == NULL ? "copied on the way" : "copied by itself");
    }
}

/* Devices of several cores copy by their team, and without a rollback nothing is. */
static void test_other_devices(void)
{
    static const core_place whole = { "host", 2, NULL };
    side t;
    bool is_good = open_side(&t, spellings, &whole, NULL);
    ok(is_good && tells(&t, "copied by itself for a rollback: ",
                        core_cpus() > 1 ? "host:0 is no single core of the host" : NULL),
       "a device of several cores is named");
    cohort_strategy_destroy(t.s);
    rollback = COHORT_ROLLBACK_OFF;
    is_good = open_side(&t, &spellings[sizeof spellings / sizeof *spellings - 1], &whole, NULL);
    rollback = COHORT_ROLLBACK_ON;
    ok(is_good && tells(&t, "copied by itself for a rollback: ", NULL),
       "and nothing is told where there is no rollback");
    cohort_strategy_destroy(t.s);
}

/* ------------------------------------------------------------------ where */

/* Sums are fed where each part of the host is one core, and where the system maps pages twice. */
static void take_two_cores(void)
{
    cpu_set_t all, two;
    CPU_ZERO(&two);
    if (sched_getaffinity(0, sizeof all, &all) != 0)
        return;
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&two) < 2; i++)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &two);
    (void)sched_setaffinity(0, sizeof two, &two);
}

static bool maps_pages_twice(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *once = mmap(NULL, page, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    void *twice = once != MAP_FAILED ? mremap(once, 0, page, MREMAP_MAYMOVE) : MAP_FAILED;
    bool is_mapped = twice != MAP_FAILED;
    if (is_mapped)
        (void)munmap(twice, page);
    if (once != MAP_FAILED)
        (void)munmap(once, page);
    return is_mapped;
}

int main(void)
{
    take_two_cores();
    static const core_place places[] = { { "host/2", 2, NULL }, { "host/2", 5, NULL } };
    bool may_feed = maps_pages_twice();
    if (!may_feed)
        skip("sums are fed", "the system has no second mapping of shared pages");
    (void)core_warm();
    core_live warm = { 0 };
    for (int pass = 0; pass < 2; pass++) { /* the first warms up */
        warm = core_live_now();
        test_spellings(&places[pass], may_feed);
        test_other_devices();
    }
    core_no_leak(warm);
    return tap_done();
}
