/* SPDX-License-Identifier: BSD-3-Clause */
/* One process of those that tests/cluster_update.t starts by mpirun: workers that update variables
 * on parameter servers with functions. Says nothing when all is as it should be.
 *
 *   cluster_update MODE SERVERS [EVALUATORS]
 *
 * Modes are the functions in the table at the end. */
#include "config.h"

#include "tests/served_process.h"

#include <complex.h>

/* ------------------------------------------------------------------ functions */

COHORT_STRUCT(range, {
    float low;
    double high;
});

COHORT_FUNCTION(decay, (int64_t n, float k, const float g[n], float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] = k * w[i] + g[i];
}

COHORT_ITEMS(momentum, i, n, (int64_t n, float rate, const float g[n], float m[n], float w[n]), {
    m[i] = 0.5f * m[i] + g[i];
    w[i] -= rate * m[i];
});

COHORT_FUNCTION(add_one, (int64_t n, float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] += 1;
}

/* Writes, and then does not like what it wrote. */
COHORT_FUNCTION_RETURNING(cohort_status, picky, (int64_t n, float limit, float w[n]),
                          COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] += 100;
    return w[0] > limit ? COHORT_EINVAL : COHORT_OK;
}

COHORT_FUNCTION_RETURNING(double, every_kind,
                          (int64_t n, int64_t m, int64_t k, long double a, double _Complex c,
                           range r, uint64_t u, int32_t replicas, int32_t twice COHORT_IS(m * 2),
                           COHORT_LOCAL float *t COHORT_SHAPE(k), const int16_t whole[m],
                           const float x[n][2], float w[n][2]),
                          COHORT_HOST_ONLY, .types = COHORT_TYPES(range))
{
    t[0] = (float)((double)a + creal(c) + cimag(c) + (double)r.low + r.high) + (float)u;
    for (int64_t i = 1; i < k; i++)
        t[i] = t[0];
    for (int64_t i = 0; i < n; i++)
        for (int j = 0; j < 2; j++)
            w[i][j] += x[i][j] + t[k - 1] + (float)(replicas * twice) + whole[m - 1];
    return 1;
}

COHORT_FUNCTION(point, (void *p, int64_t n, float w[n]), COHORT_HOST_ONLY)
{
    (void)p;
    (void)n;
    w[0] = 1;
}

COHORT_FUNCTION(unknown, (int64_t n, float w[n]), COHORT_HOST_ONLY)
{
    (void)n;
    w[0] = 1;
}

/* Of a name that other processes give other arguments, or another body. */
static const cohort_function *other_prototype(int is_server)
{
    static cohort_function f;
    f = *add_one;
    f.name = "prototyped";
    f.prototype = is_server ? "(int64_t n, double w[n])" : "(int64_t n, float w[n])";
    return &f;
}

static const cohort_function *other_body(int is_server)
{
    static cohort_function f;
    f = *momentum;
    f.name = "bodied";
    f.item_body = is_server ? "{ m[i] = w[i] = g[i] * rate; }" : momentum->item_body;
    return &f;
}

static const cohort_function *const *functions(void)
{
    static const cohort_function *list[9];
    int n = 0;
    list[n++] = decay;
    list[n++] = momentum;
    list[n++] = add_one;
    list[n++] = picky;
    list[n++] = every_kind;
    list[n++] = point;
    list[n++] = other_prototype(1);
    list[n++] = other_body(1);
    list[n] = NULL;
    return list;
}

/* ------------------------------------------------------------------ the same as here */

enum { ROWS = 7, WIDTH = 2, ITEMS = ROWS * WIDTH };

/* Every kind of argument, with what is cut and what is not. The content at the end, of both. */
static void play(cohort_strategy *s, const cohort_placement *placement, float w_end[ITEMS],
                 float m_end[ITEMS])
{
    float x[ITEMS], y[ITEMS];
    for (int i = 0; i < ITEMS; i++) {
        x[i] = (float)i / 3;
        y[i] = (float)(ITEMS - i) / 7;
    }
    const cohort_array w_start = COHORT_ARRAY(x, ROWS, WIDTH),
                       gradient = COHORT_ARRAY(y, ROWS, WIDTH);
    cohort_variable *w = cohort_variable_create(
        s, "w", w_start, &(cohort_variable_options){ .placement = placement });
    cohort_variable *m =
        cohort_variable_create(s, "m", w_start, &(cohort_variable_options){ .colocate_with = w });
    cohort_value *g = cohort_value_plain(s, gradient), *rate = cohort_value_number(s, 0.25);
    cohort_variable *own = cohort_variable_create(
        s, "own", gradient,
        &(cohort_variable_options){ .placement = cohort_placement_find("mirrored") });
    must(w != NULL && m != NULL && g != NULL && rate != NULL && own != NULL, "all are made");
    const range r = { 0.5f, 0.125 };
    const int16_t whole[] = { 1, 2, 3 };
    must(cohort_update(w, decay, 0.75f, gradient, w) == COHORT_OK, "with an array of the program");
    must(cohort_update(w, momentum, rate, g, m, w) == COHORT_OK, "with values");
    must(cohort_update(m, momentum, 0.1, own, m, w) == COHORT_OK, "with a variable that is here");
    must(cohort_update(w, decay, 2, m, w) == COHORT_OK, "with one that is there");
    must(cohort_update(w, decay, 1, w, m) == COHORT_OK, "with itself, and another one is written");
    must(cohort_update(w, every_kind, 0.5L, CMPLX(1, 2), COHORT_BYTES(&r), UINT64_C(3),
                       COHORT_NUM_REPLICAS, COHORT_ARRAY(whole, 3), g, w, COHORT_DROP,
                       COHORT_NAMED(k, 4), COHORT_NAMED(m, 3)) == COHORT_OK,
         "with every kind of argument");
    must(cohort_variable_read(w, COHORT_ARRAY(w_end, ROWS, WIDTH)) == COHORT_OK &&
             cohort_variable_read(m, COHORT_ARRAY(m_end, ROWS, WIDTH)) == COHORT_OK,
         "both are read");
    cohort_value_destroy(g);
    cohort_value_destroy(rate);
    cohort_variable_destroy(own);
    cohort_variable_destroy(m);
    cohort_variable_destroy(w);
}

/* Of one worker, for others would have to make these variables too. */
static void as_here(void)
{
    const cohort_placement cuts[] = { *cohort_placement_find("round-robin"),
                                      cohort_placement_fixed_shards(1),
                                      cohort_placement_fixed_shards(3) };
    cohort_strategy *s = make(), *here = cohort_mirrored("host/2");
    must(here != NULL, "there is a strategy of this process");
    for (int i = 0; i < 3; i++) {
        float w[2][ITEMS], m[2][ITEMS];
        play(here, &cuts[i], w[0], m[0]);
        play(s, &cuts[i], w[1], m[1]);
        must(memcmp(w[0], w[1], sizeof w[0]) == 0 && memcmp(m[0], m[1], sizeof m[0]) == 0,
             "an update on servers has the bits of one here");
    }
    cohort_strategy_destroy(here);
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ recorded */

typedef struct recorded {
    cohort_variable *w, *m, *own;
    cohort_value *g, *rate, *ids, *rows, *each, *mean;
} recorded;

COHORT_FUNCTION(sum_of, (int64_t n, const float w[n][2], COHORT_OUT float sum[1]), COHORT_HOST_ONLY)
{
    sum[0] = 0;
    for (int64_t i = 0; i < 2 * n; i++)
        sum[0] += w[i / 2][i % 2];
}

/* Every kind of call that has a variable on servers: read whole and by rows, written, updated, with
 * what is there and what is here. */
static cohort_status record(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    const recorded *r = user;
    (void)batch;
    (void)cohort_run(s, sum_of, r->w, r->each);
    (void)cohort_variable_gather(r->w, r->ids, r->rows);
    (void)cohort_variable_scatter_add(r->w, r->ids, r->rows);
    (void)cohort_reduce(COHORT_MEAN, r->m, COHORT_NO_AXIS, r->mean);
    (void)cohort_variable_assign_add(r->m, r->mean);
    (void)cohort_variable_assign_sub(r->w, r->own);
    (void)cohort_update(r->w, momentum, r->rate, r->g, r->m, r->w);
    (void)cohort_update(r->m, decay, 0.75f, r->own, r->m);
    return cohort_update(r->own, decay, 0.5f, r->w, r->own);
}

static recorded make_recorded(cohort_strategy *s, const cohort_placement *placement)
{
    static float x[ITEMS];
    static const int32_t ids[] = { 6, 0, 3, 6 };
    const cohort_array start = COHORT_ARRAY(x, ROWS, WIDTH);
    for (int i = 0; i < ITEMS; i++)
        x[i] = (float)(i + 1) / 3;
    recorded r = { .g = cohort_value_plain(s, start),
                   .rate = cohort_value_number(s, 0.25),
                   .ids = cohort_value_plain(s, COHORT_ARRAY(ids, 4)),
                   .rows = cohort_value_create(s),
                   .each = cohort_value_create(s),
                   .mean = cohort_value_create(s) };
    r.w =
        cohort_variable_create(s, "w", start, &(cohort_variable_options){ .placement = placement });
    r.m = cohort_variable_create(s, "m", start, &(cohort_variable_options){ .colocate_with = r.w });
    r.own = cohort_variable_create(
        s, "own", start,
        &(cohort_variable_options){ .placement = cohort_placement_find("mirrored") });
    must(r.w != NULL && r.m != NULL && r.own != NULL, "variables are made");
    return r;
}

static void end_recorded(const recorded *r, float end[4][ITEMS])
{
    must(cohort_variable_read(r->w, COHORT_ARRAY(end[0], ROWS, WIDTH)) == COHORT_OK &&
             cohort_variable_read(r->m, COHORT_ARRAY(end[1], ROWS, WIDTH)) == COHORT_OK &&
             cohort_variable_read(r->own, COHORT_ARRAY(end[2], ROWS, WIDTH)) == COHORT_OK &&
             cohort_value_read(r->rows, COHORT_ARRAY(end[3], 4, WIDTH)) == COHORT_OK &&
             cohort_value_read(r->each, COHORT_ARRAY(&end[3][4 * WIDTH], 2)) == COHORT_OK,
         "what a program leaves is read");
    cohort_variable_destroy(r->own);
    cohort_variable_destroy(r->m);
    cohort_variable_destroy(r->w);
}

/* One worker: a program on servers has the bits of its calls made one by one, there and here. */
static void programs(void)
{
    const cohort_placement cuts[] = { *cohort_placement_find("round-robin"),
                                      cohort_placement_fixed_shards(3) };
    cohort_strategy *s = make(), *here = cohort_mirrored("host/2");
    must(here != NULL, "there is a strategy of this process");
    for (int i = 0; i < 2; i++) {
        float end[3][4][ITEMS] = { { { 0 } } };
        for (int way = 0; way < 3; way++) {
            cohort_strategy *on = way == 0 ? here : s;
            recorded r = make_recorded(on, &cuts[i]);
            cohort_program *p = way == 2 ? cohort_program_record(on, record, &r, NULL, 0) : NULL;
            must(way < 2 || p != NULL, "a program is recorded");
            for (int step = 0; step < 4 && p == NULL; step++)
                must(record(on, NULL, &r) == COHORT_OK, "its calls are made one by one");
            must(p == NULL || (cohort_program_run(p, NULL, 1) == COHORT_OK &&
                               cohort_program_run(p, NULL, 3) == COHORT_OK),
                 "it runs");
            must(p == NULL || strstr(cohort_program_describe(p), "w on parameter server ") != NULL,
                 "and says where its variables are");
            cohort_program_destroy(p);
            end_recorded(&r, end[way]);
        }
        must(memcmp(end[1], end[0], sizeof end[0]) == 0, "calls on servers have the bits of here");
        must(memcmp(end[2], end[1], sizeof end[0]) == 0, "and so has the program");
    }
    cohort_strategy_destroy(here);
    cohort_strategy_destroy(s);
}

static cohort_status record_adding(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    static const int64_t row = 4;
    static const float one = 1;
    cohort_variable *v = user;
    (void)batch;
    (void)cohort_update(v, add_one, v);
    (void)cohort_variable_assign_add(v, 1);
    return cohort_variable_scatter_add(v, cohort_value_plain(s, COHORT_ARRAY(&row, 1)),
                                       cohort_value_plain(s, COHORT_ARRAY(&one, 1)));
}

static void programs_together(void)
{
    cohort_strategy *s = make();
    cohort_variable *counter = make_counter(s);
    cohort_placement three = cohort_placement_fixed_shards(3);
    cohort_variable *v = make_floats(s, "w", (float[]){ 1, 2, 3, 4, 5 }, 5,
                                     &(cohort_variable_options){ .placement = &three });
    cohort_program *p = cohort_program_record(s, record_adding, v, NULL, 0);
    must(p != NULL, "a program is recorded");
    must(cohort_variable_updates(v) == 0, "which writes nothing");
    meets(counter, 1);
    must(cohort_program_run(p, NULL, 10) == COHORT_OK && cohort_program_steps(p) == 10, "it runs");
    meets(counter, 2);
    float expected[5];
    for (int i = 0; i < 5; i++)
        expected[i] = (float)(1 + i + (i == 4 ? 30 : 20) * n_workers);
    reads(v, expected, 5, "no write of a program is lost");
    must(cohort_variable_updates(v) == 30 * n_workers, "and each is one");
    meets(counter, 3);
    cohort_strategy_destroy(s);
}

static cohort_status record_ways(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    cohort_variable *v = user;
    (void)batch;
    cohort_program_repeat(s, 3);
    cohort_update(v, add_one, v);
    cohort_program_end(s);
    cohort_program_when(cohort_value_number(s, worker == 0));
    cohort_variable_assign_add(v, 1);
    cohort_program_otherwise(s);
    cohort_variable_assign_add(v, 10);
    return cohort_program_end(s);
}

/* Each worker decides by its own value: the first adds 1 behind the loop, the others 10. */
static void programs_of_ways(void)
{
    cohort_strategy *s = make();
    cohort_variable *counter = make_counter(s);
    cohort_placement three = cohort_placement_fixed_shards(3);
    cohort_variable *v = make_floats(s, "w", (float[]){ 1, 2, 3, 4, 5 }, 5,
                                     &(cohort_variable_options){ .placement = &three });
    cohort_program *p = cohort_program_record(s, record_ways, v, NULL, 0);
    meets(counter, 1);
    must(p != NULL && cohort_program_run(p, NULL, 5) == COHORT_OK, "a program with blocks runs");
    meets(counter, 2);
    float expected[5];
    for (int i = 0; i < 5; i++)
        expected[i] = (float)(1 + i + 5 * (3 * n_workers + 1 + 10 * (n_workers - 1)));
    reads(v, expected, 5, "each worker goes its own way");
    meets(counter, 3);
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ together */

static cohort_status step(cohort_replica *me, void *user)
{
    cohort_variable *v = user;
    return cohort_replica_update(me, v, add_one, v);
}

static void together(void)
{
    cohort_strategy *s = make();
    cohort_variable *counter = make_counter(s);
    cohort_placement three = cohort_placement_fixed_shards(3);
    cohort_variable *v = make_floats(s, "w", (float[]){ 1, 2, 3, 4, 5 }, 5,
                                     &(cohort_variable_options){ .placement = &three });
    meets(counter, 1);
    for (int i = 0; i < 10; i++)
        must(cohort_update(v, add_one, v) == COHORT_OK, "a function writes it");
    must(cohort_for_each_replica(s, step, v) == COHORT_OK, "replicas update it together");
    must(cohort_update(v, decay, 1, COHORT_ARRAY(((float[5]){ 0 }), 5), v) == COHORT_OK,
         "and with an array");
    meets(counter, 2);
    float expected[5];
    for (int i = 0; i < 5; i++)
        expected[i] = (float)(1 + i + 11 * n_workers);
    reads(v, expected, 5, "no update is lost");
    must(cohort_variable_updates(v) == 12 * n_workers, "and each is one write");
    meets(counter, 3);
    cohort_strategy_destroy(s);
}

/* Worker 1 is slow: the others are held, also where it is the other variable that holds them. */
static void stale(void)
{
    cohort_strategy *s = make_with("host:0", NULL, 2);
    cohort_variable *w = make_floats(s, "w", (float[]){ 0 }, 1, NULL);
    cohort_variable *m =
        make_floats(s, "m", (float[]){ 0 }, 1, &(cohort_variable_options){ .colocate_with = w });
    const float g[] = { (float)(worker == 1) };
    for (int i = 0; i < 6; i++) {
        float found = -1;
        if (worker == 1)
            (void)nanosleep(&(struct timespec){ 0, 30000000 }, NULL);
        must(cohort_update(w, decay, 1, COHORT_ARRAY(g, 1), m) == COHORT_OK, "an update");
        must(cohort_variable_read(m, COHORT_ARRAY(&found, 1)) == COHORT_OK, "a read");
        must(worker == 1 || found >= (float)(i + 1 - 2),
             "the slowest is two updates behind at most");
    }
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ what is refused */

static void refuses(cohort_status status, cohort_status expected, const char *text)
{
    must(status == expected && strstr(cohort_error_text(), text) != NULL, text);
}

static void recovers(cohort_variable *w)
{
    must(cohort_strategy_recover(cohort_variable_strategy(w)) == COHORT_OK, "it is recovered from");
    reads(w, (float[]){ 1, 2, 3, 4 }, 4, "and nothing has changed");
}

static void refuse_functions(cohort_variable *w)
{
    refuses(cohort_update(w, unknown, w), COHORT_ENOENT,
            "function 'unknown' is none of those that cohort_server_run was given");
    recovers(w);
    refuses(cohort_update(w, other_prototype(0), w), COHORT_EINCOMPATIBLE,
            "the function is 'void prototyped(int64_t n, double w[n])' here, and 'void "
            "prototyped(int64_t n, float w[n])' with the worker");
    recovers(w);
    refuses(cohort_update(w, other_body(0), 1, w, w, w), COHORT_EINVAL, "are the same");
    recovers(w);
    cohort_value *g =
        cohort_value_plain(cohort_variable_strategy(w), COHORT_ARRAY(((float[4]){ 0 }), 4));
    cohort_variable *m = make_floats(cohort_variable_strategy(w), "m", (float[]){ 0, 0, 0, 0 }, 4,
                                     &(cohort_variable_options){ .colocate_with = w });
    refuses(cohort_update(w, other_body(0), 1, g, m, w), COHORT_EINCOMPATIBLE,
            "has another body of COHORT_ITEMS, or other types, here");
    recovers(w);
}

static void refuse_arguments(cohort_variable *w, cohort_variable *other)
{
    float three[3] = { 0 }, four[4] = { 0 };
    refuses(cohort_update(w, point, COHORT_POINTER(three), w), COHORT_EINVAL,
            "'p' is a pointer, and means nothing on a parameter server");
    recovers(w);
    refuses(cohort_update(w, decay, 1, COHORT_ARRAY(three, 3), w), COHORT_EINVAL, "3");
    recovers(w);
    refuses(cohort_update_non_slot(COHORT_AT(w), add_one, w), COHORT_ENOTSUP,
            "cohort_update runs the function there");
    recovers(w);
    cohort_value *each = cohort_value_split(cohort_variable_strategy(w), COHORT_ARRAY(four, 4));
    refuses(cohort_update(w, decay, 1, each, w), COHORT_EINVAL, "combine it with cohort_reduce");
    recovers(w);
    cohort_variable *own =
        make_floats(cohort_variable_strategy(w), "own", four, 4,
                    &(cohort_variable_options){ .placement = cohort_placement_find("mirrored") });
    refuses(cohort_update(w, add_one, own), COHORT_EINVAL, "variable 'own' is not placed like 'w'");
    recovers(w);
    refuses(cohort_update(own, add_one, w), COHORT_EINVAL, "variable 'w' is not placed like 'own'");
    recovers(w);
    must(cohort_update(own, decay, 1, w, own) == COHORT_OK, "what is here reads what is there");
    reads(own, (float[]){ 1, 2, 3, 4 }, 4, "as it is");
    refuses(cohort_update(w, decay, 1, other, w), COHORT_EINVAL,
            "argument 'g' is variable 'other', which is not where 'w' is updated");
    recovers(w);
    refuses(cohort_update(w, add_one, other), COHORT_EINVAL,
            "variable 'other' is not placed like 'w'");
    recovers(w);
}

/* What cannot be recorded is said at once, what servers find by the step that they find it in. */
static cohort_status record_not_there(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    cohort_variable *w = user;
    (void)s;
    (void)batch;
    return cohort_update_non_slot(COHORT_AT(w), add_one, w);
}

static cohort_status record_pointer(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    cohort_variable *w = user;
    (void)s;
    (void)batch;
    return cohort_update(w, point, COHORT_POINTER(w), w);
}

static cohort_status record_unknown(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    cohort_variable *w = user;
    (void)s;
    (void)batch;
    (void)cohort_variable_assign_add(w, 0);
    return cohort_update(w, unknown, w);
}

static void refuse_programs(cohort_variable *w)
{
    cohort_strategy *s = cohort_variable_strategy(w);
    must(cohort_program_record(s, record_not_there, w, NULL, 0) == NULL, "no program");
    refuses(cohort_strategy_status(s), COHORT_ENOTSUP, "cohort_update runs the function there");
    recovers(w);
    must(cohort_program_record(s, record_pointer, w, NULL, 0) == NULL, "nor is this one");
    refuses(cohort_strategy_status(s), COHORT_EINVAL, "means nothing on a parameter server");
    recovers(w);
    cohort_program *p = cohort_program_record(s, record_unknown, w, NULL, 0);
    must(p != NULL, "a server is asked for its functions when it is to run them");
    refuses(cohort_program_run(p, NULL, 2), COHORT_ENOENT,
            "call 2, cohort_update: cohort_update: parameter server 0 of");
    recovers(w);
    must(cohort_variable_updates(w) == 1, "the call before has counted");
}

static void refusals(void)
{
    cohort_strategy *s = make();
    cohort_placement two = cohort_placement_fixed_shards(2);
    cohort_variable *w = make_floats(s, "w", (float[]){ 1, 2, 3, 4 }, 4,
                                     &(cohort_variable_options){ .placement = &two });
    cohort_variable *other = make_floats(s, "other", (float[]){ 0, 0, 0, 0 }, 4, NULL);
    refuse_functions(w);
    refuse_arguments(w, other);
    refuses(cohort_update(w, picky, 1, w), COHORT_EINVAL,
            "parameter server 0 of 2: picky on host:0");
    recovers(w);
    must(cohort_variable_updates(w) == 0, "what has failed counts not");
    refuse_programs(w);
    must(cohort_update(w, picky, 1000, w) == COHORT_OK, "and it works where it has no reason");
    refuses(cohort_update(w, picky, 202.5f, w), COHORT_EINVAL, "the body returned");
    must(cohort_strategy_recover(s) == COHORT_OK, "a shard alone may fail");
    reads(w, (float[]){ 201, 202, 103, 104 }, 4, "and is alone as it was");
    cohort_strategy_destroy(s);
}

/* What a server was given wrongly its worker is told, too. */
static void wrong_options(void)
{
    for (int i = 0; i < 3; i++) {
        must(cohort_parameter_server(cluster, NULL) == NULL, "a server without a list serves not");
        printf("told: %s\n", cohort_error_text());
    }
}

static void serve_wrongly(void)
{
    static cohort_function broken;
    broken = *add_one;
    broken.prototype = "(int64_t n, flaot w[n])";
    const cohort_function *const lists[][3] = { { decay, decay, NULL },
                                                { add_one, &broken, NULL } };
    for (int i = 0; i < 2; i++)
        must(cohort_server_run(cluster, &(cohort_server_options){ .functions = lists[i] }) < 0,
             "a list that is wrong is refused");
    must(cohort_server_run(cluster, &(cohort_server_options){ .reserved = { NULL, &broken } }) ==
             COHORT_EINVAL,
         "reserved words are zero");
}

static cohort_status record_writing(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    void **both = user;
    (void)s;
    (void)batch;
    (void)cohort_reduce(COHORT_SUM, COHORT_REPEATED((cohort_variable *)both[0]), COHORT_NO_AXIS,
                        (cohort_value *)both[1]);
    return cohort_variable_assign_add((cohort_variable *)both[0], 1);
}

static void evaluate(void)
{
    cohort_strategy *s = make();
    cohort_variable *counter = make_counter(s);
    tell_workers();
    waits_for(counter, (float)n_workers);
    refuses(cohort_update(counter, add_one, counter), COHORT_EINVAL, "an evaluator reads");
    must(cohort_strategy_recover(s) == COHORT_OK, "which it recovers from");
    cohort_value *seen = cohort_value_create(s);
    cohort_program *p =
        cohort_program_record(s, record_writing, (void *[]){ counter, seen }, NULL, 0);
    must(p != NULL, "a program that writes is recorded");
    refuses(cohort_program_run(p, NULL, 1), COHORT_EINVAL, "an evaluator reads");
    must(cohort_value_kind_of(seen) == COHORT_EMPTY_VALUE, "and is refused before its first call");
    cohort_strategy_destroy(s);
}

static void evaluated(void)
{
    cohort_strategy *s = make();
    cohort_variable *counter = make_counter(s);
    must(cohort_update(counter, add_one, counter) == COHORT_OK, "a worker updates it");
    waits_for(counter, (float)n_workers);
    wait_for_evaluator();
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ which */

static const struct mode {
    const char *name;
    void (*run)(void);
} modes[] = { { "as-here", as_here },
              { "programs", programs },
              { "programs-together", programs_together },
              { "programs-of-ways", programs_of_ways },
              { "together", together },
              { "stale", stale },
              { "refusals", refusals },
              { "options", wrong_options },
              { "evaluated", evaluated } };

static const struct mode *find_mode(const char *name)
{
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (strcmp(modes[i].name, name) == 0)
            return &modes[i];
    return NULL;
}

int main(int argc, char **argv)
{
    const struct mode *mode = argc > 2 ? find_mode(argv[1]) : NULL;
    must(mode != NULL, "there is such a mode");
    find_task(atoi(argv[2]), argc > 3 ? atoi(argv[3]) : 0);
    if (is_task("worker"))
        mode->run();
    else if (is_task("evaluator"))
        evaluate();
    else if (mode->run == wrong_options)
        serve_wrongly();
    else
        must(cohort_server_run(cluster,
                               &(cohort_server_options){ .device = getenv("TEST_SERVER_DEVICE"),
                                                         .functions = functions() }) == COHORT_OK,
             "all workers leave");
    cohort_resolver_destroy(cluster);
    return 0;
}
