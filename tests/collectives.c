/* SPDX-License-Identifier: BSD-3-Clause */
/* What replicas do together: lists, gathers, slices, broadcasts, merge calls and updates, over many
 * places. */
#include "config.h"

#include "tests/core.h"
#include "tests/late_leaks.h"
#include "tests/steer.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { WIDTH = 3, LIST = 6, DEPTH = 4 };

COHORT_FUNCTION(tell, (int32_t id, COHORT_OUT int64_t y[1]), COHORT_HOST_ONLY)
{
    y[0] = id + 1;
}

COHORT_FUNCTION(add_to, (int64_t n, double a, const double x[n], double w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] += a * x[i];
}

COHORT_FUNCTION(grow, (int64_t n, double a, double w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] += a;
}

/* ---- What happens inside a step is counted, and judged after it. */

static atomic_int bad, merges;

static bool noted(bool is_good)
{
    if (!is_good)
        (void)atomic_fetch_add(&bad, 1);
    return is_good;
}

#define must(condition) noted(core_good((condition), #condition, __FILE__, __LINE__))

typedef struct job {
    cohort_strategy *s;
    cohort_variable *w;
    cohort_value *a, *b, *c;
    cohort_value *values[LIST];
    cohort_reduce_op op;
    int n, odd, position, depth;
    int tickets[CORE_MAX_REPLICAS];
} job;

static bool plays(job *j, cohort_step_fn step)
{
    atomic_store(&bad, 0);
    return good(cohort_for_each_replica(j->s, step, j) == COHORT_OK) &&
           good(atomic_load(&bad) == 0);
}

static cohort_status plain_step(cohort_replica *me, void *user)
{
    job *j = user;
    int64_t sum = 0, n = cohort_replica_count(me);
    (void)(must(cohort_replica_run(me, tell, COHORT_REPLICA_ID, j->c) == COHORT_OK) &&
           must(cohort_all_reduce(me, COHORT_SUM, &j->c, 1) == COHORT_OK) &&
           must(cohort_replica_read(me, j->c, COHORT_ARRAY(&sum, 1)) == COHORT_OK) &&
           must(sum == n * (n + 1) / 2));
    return COHORT_OK;
}

static bool works(cohort_strategy *s)
{
    job j = { .s = s, .c = cohort_value_create(s) };
    bool is_good = plays(&j, plain_step);
    cohort_value_destroy(j.c);
    return is_good;
}

static bool recovers(cohort_strategy *s)
{
    return good(cohort_strategy_recover(s) == COHORT_OK) && works(s);
}

/* Whatever the step returns, a call in it has failed: so does the step, with its words, until
 * recover. */
static bool step_fails(job *j, cohort_step_fn step, const char *text)
{
    atomic_store(&bad, 0);
    return refused(j->s, COHORT_EINVAL, cohort_for_each_replica(j->s, step, j)) &&
           good(atomic_load(&bad) == 0) &&
           good(strstr(cohort_error_text(), "step function step at ") != NULL) &&
           good(strstr(cohort_error_text(), text) != NULL);
}

/* ---- Setting. */

static cohort_status set_components(cohort_replica *me, void *user)
{
    job *j = user;
    int id = cohort_replica_id(me);
    float local[2][2] = { { (float)id, 1 }, { 2, 3 } }, found[4] = { 0 };
    double number = 0;
    (void)(must(cohort_replica_set(me, j->a, id + 0.5) == COHORT_OK) &&
           must(cohort_replica_set(me, j->b, COHORT_ARRAY(&local[0][0], 2, 2)) == COHORT_OK));
    local[0][0] = -1; /* it was copied */
    (void)(must(cohort_replica_read(me, j->a, COHORT_ARRAY(&number, 1)) == COHORT_OK) &&
           must(number == id + 0.5) &&
           must(cohort_replica_read(me, j->b, COHORT_ARRAY(found, 2, 2)) == COHORT_OK) &&
           must(found[0] == (float)id) && must(found[3] == 3) &&
           must(cohort_replica_set(me, j->a, id) == COHORT_OK));
    (void)must(cohort_replica_set(me, j->c, COHORT_ARRAY(((double[]){ id, 2 }), 2)) == COHORT_OK);
    return COHORT_OK;
}

static const char *const set_words[] = { "the value is NULL", "the replica is NULL",
                                         "takes a number or an array", "NULL",
                                         "float64[2]" /* declared as another shape */ };
enum { WRONG_SETS = sizeof set_words / sizeof *set_words };

static cohort_status set_wrongly(cohort_replica *me, job *j)
{
    switch (j->position) {
    case 0:
        return cohort_replica_set(me, NULL, 1);
    case 1:
        return cohort_replica_set(NULL, j->a, 1);
    case 2:
        return cohort_replica_set(me, j->a, j->b);
    case 3:
        return cohort_replica_set(me, j->a, COHORT_ARRAY((double *)NULL, 2));
    default:
        return cohort_replica_set(me, j->c, 1.0);
    }
}

static cohort_status be_wrong(cohort_replica *me, void *user)
{
    job *j = user;
    (void)must(set_wrongly(me, j) == COHORT_EINVAL);
    (void)must(strstr(cohort_error_text(), set_words[j->position]) != NULL);
    return COHORT_OK;
}

static bool sets(cohort_strategy *s, int replicas)
{
    double found[2 * CORE_MAX_REPLICAS];
    job j = { .s = s, .a = cohort_value_number(s, 7), .b = cohort_value_create(s) };
    j.c = cohort_value_shaped(s, COHORT_F64, 1, (int64_t[]){ 2 });
    bool is_good = plays(&j, set_components) && plays(&j, set_components);
    for (; j.position < WRONG_SETS && is_good; j.position++)
        is_good = step_fails(&j, be_wrong, set_words[j.position]);
    is_good = is_good && good(cohort_value_kind_of(j.a) == COHORT_PER_REPLICA_VALUE) &&
              good(cohort_value_read(j.a, COHORT_ARRAY(found, replicas)) == COHORT_OK);
    for (int r = 0; r < replicas && is_good; r++)
        is_good = good(found[r] == r);
    is_good =
        is_good && good(cohort_value_read(j.c, COHORT_ARRAY(found, replicas, 2)) == COHORT_OK);
    for (int r = 0; r < replicas && is_good; r++)
        is_good = good(found[2 * r] == r);
    return is_good;
}

/* ---- Lists of values of different dtypes, some of them not per replica. */

static const cohort_reduce_op ops[] = { COHORT_SUM, COHORT_MEAN, COHORT_MIN, COHORT_MAX,
                                        COHORT_PROD };
enum { OPS = sizeof ops / sizeof *ops };

static double combined(cohort_reduce_op op, const double x[], int first, int end)
{
    int m = 1;
    if (end - first == 1)
        return x[first];
    while (2 * m < end - first)
        m *= 2;
    double a = combined(op, x, first, first + m), b = combined(op, x, first + m, end);
    return op == COHORT_MIN    ? fmin(a, b)
           : op == COHORT_MAX  ? fmax(a, b)
           : op == COHORT_PROD ? a * b
                               : a + b;
}

static double wanted_of(cohort_reduce_op op, const double x[], int n)
{
    return combined(op, x, 0, n) / (op == COHORT_MEAN ? n : 1);
}

static cohort_status reduce_list(cohort_replica *me, void *user)
{
    job *j = user;
    int id = cohort_replica_id(me), n = cohort_replica_count(me), is_mean = j->op == COHORT_MEAN;
    double mine[CORE_MAX_REPLICAS], same[CORE_MAX_REPLICAS], found = 0;
    int16_t small = 0;
    for (int r = 0; r < n; r++) {
        mine[r] = 1 + r / 3.0;
        same[r] = 0.7;
    }
    if (!must(cohort_replica_set(me, j->values[0], mine[id]) == COHORT_OK) ||
        !must(cohort_replica_set(me, j->values[1],
                                 COHORT_ARRAY(((int16_t[]){ (int16_t)(id + 1) }), 1)) ==
              COHORT_OK) ||
        !must(cohort_all_reduce(me, j->op,
                                (cohort_value *[]){ j->values[0], j->values[2], j->values[1] },
                                is_mean ? 2 : 3) == COHORT_OK))
        return COHORT_OK;
    (void)(must(cohort_replica_read(me, j->values[0], COHORT_ARRAY(&found, 1)) == COHORT_OK) &&
           must(found == wanted_of(j->op, mine, n)) &&
           must(cohort_replica_read(me, j->values[2], COHORT_ARRAY(&found, 1)) == COHORT_OK) &&
           must(found == wanted_of(j->op, same, n)));
    (void)(must(cohort_replica_read(me, j->values[1], COHORT_ARRAY(&small, 1)) == COHORT_OK) &&
           must(j->op != COHORT_SUM || small == n * (n + 1) / 2) &&
           must(j->op != COHORT_MAX || small == n));
    return COHORT_OK;
}

static bool reduces_lists(cohort_strategy *s, int replicas)
{
    bool is_good = true;
    double same[CORE_MAX_REPLICAS];
    for (int r = 0; r < replicas; r++)
        same[r] = 0.7;
    for (int i = 0; i < OPS && is_good; i++) {
        job j = { .s = s,
                  .op = ops[i],
                  .values = { cohort_value_create(s), cohort_value_create(s) } };
        j.values[2] = cohort_value_number(s, 0.7);
        is_good = plays(&j, reduce_list) &&
                  good(cohort_value_kind_of(j.values[2]) == COHORT_PLAIN_VALUE) &&
                  good(cohort_value_scalar(j.values[2]) == wanted_of(ops[i], same, replicas));
    }
    return is_good;
}

/* ---- Gathers. */

static int32_t rows_of(int id, int position)
{
    return position == 0 ? id % 3 : position == 1 ? 2 : 0;
}

static cohort_status gather_rows(cohort_replica *me, void *user)
{
    job *j = user;
    int id = cohort_replica_id(me), n = cohort_replica_count(me), total = 0, at = 0;
    static _Thread_local int32_t mine[3 * WIDTH], found[CORE_MAX_REPLICAS * 3 * WIDTH];
    for (int r = 0; r < n; r++)
        total += rows_of(r, j->position);
    for (int i = 0; i < 3 * WIDTH; i++)
        mine[i] = id * 1000 + i;
    if (!must(cohort_replica_set(me, j->a, COHORT_ARRAY(mine, rows_of(id, j->position), WIDTH)) ==
              COHORT_OK) ||
        !must(cohort_all_gather(me, j->a, j->odd, j->b) == COHORT_OK) ||
        !must(cohort_replica_read(me, j->b, COHORT_ARRAY(found, total, WIDTH)) == COHORT_OK) ||
        !must(cohort_value_rows(j->b, id) == total))
        return COHORT_OK;
    for (int r = 0; r < n; r++)
        for (int i = 0; i < rows_of(r, j->position) * WIDTH; i++)
            (void)must(found[at++] == r * 1000 + i);
    return COHORT_OK;
}

static cohort_status gather_columns(cohort_replica *me, void *user)
{
    job *j = user;
    int id = cohort_replica_id(me), n = cohort_replica_count(me), width = 0, at = 0;
    static _Thread_local double mine[4], found[2 * CORE_MAX_REPLICAS * 2];
    for (int r = 0; r < n; r++)
        width += 1 + r % 2;
    for (int i = 0; i < 4; i++)
        mine[i] = id + i / 10.0;
    if (!must(cohort_replica_set(me, j->a, COHORT_ARRAY(mine, 2, 1 + id % 2)) == COHORT_OK) ||
        !must(cohort_all_gather(me, j->a, -1, j->b) == COHORT_OK) ||
        !must(cohort_replica_read(me, j->b, COHORT_ARRAY(found, 2, width)) == COHORT_OK))
        return COHORT_OK;
    for (int row = 0; row < 2; row++)
        for (int r = 0; r < n; r++)
            for (int i = 0; i < 1 + r % 2; i++)
                (void)must(found[at++] == r + (row * (1 + r % 2) + i) / 10.0);
    return COHORT_OK;
}

static cohort_status gather_same(cohort_replica *me, void *user)
{
    job *j = user;
    bool found[3] = { 0 };
    (void)(must(cohort_all_gather(me, j->a, 0, j->b) == COHORT_OK) &&
           must(cohort_replica_read(me, j->b, COHORT_ARRAY(found, 3)) == COHORT_OK) &&
           must(found[0] && !found[1] && found[2]));
    return COHORT_OK;
}

static bool gathers(cohort_strategy *s, int replicas)
{
    static const bool truths[] = { true, false, true };
    bool is_good = true;
    (void)replicas;
    for (int i = 0; i < 6 && is_good; i++) {
        job j = {
            .s = s, .a = cohort_value_create(s), .b = cohort_value_create(s), .position = i % 3
        };
        j.odd = i < 3 ? 0 : -2;
        is_good = plays(&j, gather_rows) && plays(&j, gather_rows);
    }
    job j = { .s = s, .a = cohort_value_create(s), .b = cohort_value_create(s) };
    job same = { .s = s,
                 .a = cohort_value_plain(s, COHORT_ARRAY(truths, 3)),
                 .b = cohort_value_create(s) };
    return is_good && plays(&j, gather_columns) && plays(&same, gather_same);
}

/* ---- Broadcasts. */

static cohort_status broadcast_all(cohort_replica *me, void *user)
{
    job *j = user;
    int id = cohort_replica_id(me), n = cohort_replica_count(me);
    float mine[4] = { (float)id, 1, 2, 3 }, found[4] = { 0 };
    for (int root = 0; root < n; root++) {
        int64_t rows = 1 + root % 3;
        if (!must(cohort_replica_set(me, j->a, COHORT_ARRAY(mine, 1 + id % 3)) == COHORT_OK) ||
            !must(cohort_replica_broadcast(me, j->a, root) == COHORT_OK) ||
            !must(cohort_value_rows(j->a, id) == rows) ||
            !must(cohort_replica_read(me, j->a, COHORT_ARRAY(found, rows)) == COHORT_OK) ||
            !must(found[0] == (float)root))
            return COHORT_OK;
    }
    (void)must(cohort_replica_broadcast(me, j->b, n - 1) == COHORT_OK);
    if (id == 0)
        (void)must(cohort_replica_set(me, j->c, COHORT_ARRAY(mine, 4)) == COHORT_OK);
    (void)must(cohort_barrier(me) == COHORT_OK);
    (void)(must(cohort_replica_broadcast(me, j->c, 0) == COHORT_OK) &&
           must(cohort_replica_read(me, j->c, COHORT_ARRAY(found, 4)) == COHORT_OK) &&
           must(found[3] == 3));
    return COHORT_OK;
}

static cohort_status broadcast_nobodys(cohort_replica *me, void *user)
{
    job *j = user;
    (void)must(cohort_replica_broadcast(me, j->a, j->odd) == COHORT_EINVAL);
    return COHORT_OK;
}

static bool broadcasts(cohort_strategy *s, int replicas)
{
    float kept[3 * CORE_MAX_REPLICAS];
    job j = { .s = s,
              .a = cohort_value_create(s),
              .b = cohort_value_number(s, 3),
              .c = cohort_value_create(s) };
    bool is_good = plays(&j, broadcast_all) && good(cohort_value_scalar(j.b) == 3);
    for (j.odd = -1; j.odd <= replicas && is_good; j.odd += replicas + 1)
        is_good = step_fails(&j, broadcast_nobodys, "cohort_replica_broadcast: root ");
    int64_t rows = 1 + (replicas - 1) % 3;
    return is_good &&
           good(cohort_value_read(j.a, COHORT_ARRAY(kept, replicas * rows)) == COHORT_OK) &&
           good(kept[0] == (float)(replicas - 1));
}

/* ---- Slices: replica r brings r mod 3 of them. */

static cohort_status reduce_slices(cohort_replica *me, void *user)
{
    job *j = user;
    int id = cohort_replica_id(me), n = cohort_replica_count(me), total = 0, contributing = 0,
        at = 0;
    int64_t ids[2] = { id, 100 + id };
    static _Thread_local int64_t found_ids[3 * CORE_MAX_REPLICAS];
    static _Thread_local float found[3 * CORE_MAX_REPLICAS * 2];
    float rows[2][2] = { { (float)id, 1 }, { 2, (float)-id } };
    for (int r = 0; r < n; r++) {
        total += r % 3;
        contributing += r % 3 > 0;
    }
    if (!must(cohort_replica_set(me, j->a, COHORT_ARRAY(ids, id % 3)) == COHORT_OK) ||
        !must(cohort_replica_set(me, j->b, COHORT_ARRAY(&rows[0][0], id % 3, 2)) == COHORT_OK) ||
        !must(cohort_all_reduce_slices(me, j->op, j->a, j->b) == COHORT_OK) ||
        !must(cohort_replica_read(me, j->a, COHORT_ARRAY(found_ids, total)) == COHORT_OK) ||
        !must(cohort_replica_read(me, j->b, COHORT_ARRAY(found, total, 2)) == COHORT_OK))
        return COHORT_OK;
    float divisor = j->op == COHORT_MEAN ? (float)contributing : 1;
    for (int r = 0; r < n; r++)
        for (int i = 0; i < r % 3; i++, at++) {
            (void)must(found_ids[at] == r + 100 * i);
            (void)must(found[2 * at] == (i == 0 ? (float)r : 2) / divisor);
        }
    return COHORT_OK;
}

static cohort_status same_slices(cohort_replica *me, void *user)
{
    job *j = user;
    return cohort_all_reduce_slices(me, COHORT_SUM, j->a, j->b);
}

static bool reduces_slices(cohort_strategy *s, int replicas)
{
    static const int32_t ids[] = { 4, 5 };
    static const float rows[] = { 1, 2 };
    int32_t found[2 * CORE_MAX_REPLICAS];
    job j = { .s = s, .a = cohort_value_create(s), .b = cohort_value_create(s), .op = COHORT_SUM };
    bool is_good = plays(&j, reduce_slices);
    j.op = COHORT_MEAN;
    is_good = is_good && plays(&j, reduce_slices);
    job same = { .s = s, .a = cohort_value_plain(s, COHORT_ARRAY(ids, 2)) };
    same.b = cohort_value_plain(s, COHORT_ARRAY(rows, 2));
    return is_good && plays(&same, same_slices) &&
           good(cohort_value_kind_of(same.a) == COHORT_PLAIN_VALUE) &&
           good(cohort_value_read(same.a, COHORT_ARRAY(found, 2 * replicas)) == COHORT_OK) &&
           good(found[2 * replicas - 1] == 5);
}

/* ---- Rows of integers: their mean is a fraction, as of cohort_reduce_slices. */

static cohort_status mean_of_integers(cohort_replica *me, void *user)
{
    job *j = user;
    int64_t id = cohort_replica_id(me);
    int32_t row = 3;
    int n = cohort_replica_count(me);
    double found[CORE_MAX_REPLICAS] = { 0 };
    (void)(must(cohort_replica_set(me, j->a, COHORT_ARRAY(&id, 1)) == COHORT_OK) &&
           must(cohort_replica_set(me, j->b, COHORT_ARRAY(&row, 1)) == COHORT_OK) &&
           must(cohort_all_reduce_slices(me, COHORT_MEAN, j->a, j->b) == COHORT_OK) &&
           must(cohort_replica_read(me, j->b, COHORT_ARRAY(found, n)) == COHORT_OK) &&
           must(found[n - 1] == 3.0 / n));
    return COHORT_OK;
}

static bool divides_integers(cohort_strategy *s, int replicas)
{
    (void)replicas;
    job j = { .s = s, .a = cohort_value_create(s), .b = cohort_value_create(s) };
    return plays(&j, mean_of_integers);
}

/* ---- What has no row fits everything, whatever its rank is. */

static cohort_status gather_past_absent(cohort_replica *me, void *user)
{
    job *j = user;
    int n = cohort_replica_count(me);
    double x[4] = { 1, 2, 3, 4 }, found[4 * CORE_MAX_REPLICAS] = { 0 };
    cohort_status set = cohort_replica_id(me) == 0
                            ? cohort_replica_set(me, j->a, COHORT_ARRAY(x, 0))
                            : cohort_replica_set(me, j->a, COHORT_ARRAY(x, 2, 2));
    (void)(must(set == COHORT_OK) && must(cohort_all_gather(me, j->a, n > 1, j->b) == COHORT_OK) &&
           must(cohort_replica_read(me, j->b, COHORT_ARRAY(found, 2, 2 * (n - 1))) == COHORT_OK) &&
           must(n == 1 || found[4 * (n - 1) - 1] == 4));
    return COHORT_OK;
}

static bool passes_absent(cohort_strategy *s, int replicas)
{
    job j = { .s = s, .a = cohort_value_create(s), .b = cohort_value_create(s) };
    return replicas == 1 || plays(&j, gather_past_absent);
}

/* ---- What only the collective can find wrong. */

static cohort_status collect_wrongly(cohort_replica *me, void *user)
{
    job *j = user;
    int id = cohort_replica_id(me);
    float x[4] = { 0 };
    (void)must(cohort_replica_set(me, j->a, COHORT_ARRAY(x, 2, 2)) == COHORT_OK);
    (void)must(cohort_replica_set(me, j->b, COHORT_ARRAY(x, 2, 1 + (id == j->odd))) == COHORT_OK);
    (void)cohort_barrier(me); /* nobody fails before; who comes late may hear of it here */
    switch (j->position) {
    case 0:
        return cohort_all_gather(me, j->a, 2, j->c);
    case 1:
        return cohort_all_gather(me, j->b, 0, j->c);
    case 2:
        return cohort_all_gather(me, j->c, 0, j->a);
    case 3:
        return cohort_all_reduce_slices(me, COHORT_MAX, j->a, j->b);
    case 4:
        return cohort_all_reduce_slices(me, COHORT_SUM, j->a, j->b);
    case 5:
        return cohort_replica_broadcast(me, j->c, 0);
    case 6:
        return cohort_all_reduce(me, COHORT_SUM, (cohort_value *const[]){ j->a, j->b, j->a }, 3);
    case 7:
        return cohort_all_gather(me, j->a, 0, j->a);
    case 8:
        return cohort_all_gather(me, j->a, 0, NULL);
    case 9:
        return cohort_all_gather(NULL, j->a, 0, j->b);
    case 10:
        return cohort_all_reduce_slices(me, COHORT_SUM, j->a, j->a);
    case 11:
        return cohort_merge_call(me, NULL, NULL);
    default:
        return cohort_merge_call(NULL, (cohort_merge_fn)NULL, NULL);
    }
}

/* It is no help to keep quiet about it. */
static cohort_status collect_quietly(cohort_replica *me, void *user)
{
    (void)must(collect_wrongly(me, user) == COHORT_EINVAL);
    return COHORT_OK;
}

static bool refuses_wrong(cohort_strategy *s, int replicas)
{
    static const char *const texts[] = { "axis 2",
                                         "but for the axis",
                                         "nothing has written",
                                         "COHORT_MEAN",
                                         "int32 or int64",
                                         "nothing has written",
                                         "values 0 and 2 are the same",
                                         "into itself",
                                         "NULL",
                                         "the replica is NULL",
                                         "the same",
                                         "the function is NULL",
                                         "the function is NULL" };
    enum { WRONG = sizeof texts / sizeof *texts };
    bool is_good = true;
    for (int i = 0; i < WRONG && is_good; i++) {
        job j = { .s = s, .position = i, .odd = replicas - 1 };
        j.a = cohort_value_create(s), j.b = cohort_value_create(s), j.c = cohort_value_create(s);
        atomic_store(&bad, 0);
        if (i != 1 || replicas > 1)
            is_good =
                refused(s, COHORT_EINVAL, cohort_for_each_replica(s, collect_wrongly, &j)) &&
                good(strstr(cohort_error_text(), texts[i]) != NULL) &&
                good(strstr(cohort_error_text(), "step function collect_wrongly at ") != NULL) &&
                good(atomic_load(&bad) == 0) && works(s) &&
                step_fails(&j, collect_quietly, texts[i]) && works(s);
    }
    return is_good;
}

/* ---- Updates. */

static const double ones[WIDTH] = { 1, 1, 1 };

static cohort_status update_together(cohort_replica *me, void *user)
{
    job *j = user;
    (void)must(cohort_replica_update(me, j->w, add_to, 0.5, COHORT_ARRAY(ones, WIDTH), j->w) ==
               COHORT_OK);
    (void)must(cohort_replica_update(me, j->w, add_to, 0.25, j->a, COHORT_NAMED(w, j->w)) ==
               COHORT_OK);
    (void)must(cohort_replica_update(me, j->w, grow, (long double)2, j->w) == COHORT_OK);
    return COHORT_OK;
}

static cohort_status update_differently(cohort_replica *me, void *user)
{
    job *j = user;
    bool is_odd = cohort_replica_id(me) == j->odd;
    double other[WIDTH] = { 0 };
    switch (j->position) {
    case 0:
        return cohort_replica_update(me, j->w, grow, is_odd ? 1.0 : 2.0, j->w);
    case 1:
        return is_odd ? cohort_replica_update(me, j->w, add_to, 1, j->a, j->w)
                      : cohort_replica_update(me, j->w, grow, 1, j->w);
    case 2:
        return cohort_replica_update(
            me, j->w, add_to, 1, is_odd ? COHORT_ARRAY(other, WIDTH) : COHORT_ARRAY(ones, WIDTH),
            j->w);
    case 3:
        return is_odd ? cohort_replica_update(me, j->w, grow, 1, j->w)
                      : cohort_replica_update(me, j->w, grow, 1.0, j->w);
    default:
        return is_odd ? cohort_barrier(me) : cohort_replica_update(me, j->w, grow, 1, j->w);
    }
}

static bool has_content(cohort_variable *w, double wanted)
{
    double found[WIDTH];
    bool is_good = good(cohort_variable_read(w, COHORT_ARRAY(found, WIDTH)) == COHORT_OK);
    for (int i = 0; i < WIDTH && is_good; i++)
        is_good = good(found[i] == wanted);
    return is_good;
}

static bool updates(cohort_strategy *s, int replicas)
{
    job j = { .s = s, .a = cohort_value_plain(s, COHORT_ARRAY(ones, WIDTH)) };
    j.w = cohort_variable_create(s, "w", COHORT_ARRAY(ones, WIDTH), NULL);
    bool is_good = plays(&j, update_together) && has_content(j.w, 3.75) &&
                   plays(&j, update_together) && has_content(j.w, 6.5);
    j.odd = replicas - 1;
    for (j.position = 0; j.position < 5 && is_good && replicas > 1; j.position++)
        is_good = good(cohort_for_each_replica(s, update_differently, &j) == COHORT_EINVAL) &&
                  good(strstr(cohort_error_text(), "variable 'w', function ") != NULL) &&
                  good(strstr(cohort_error_text(), "collectives.c:") != NULL) && recovers(s) &&
                  has_content(j.w, 6.5);
    cohort_variable_destroy(j.w);
    return is_good;
}

/* ---- Merge calls. */

static cohort_status merge_all(cohort_strategy *strategy, void *const user[], int n)
{
    job *j = NULL;
    int64_t total = 0;
    (void)must(cohort_replica_current() == NULL);
    (void)must(cohort_strategy_num_replicas(strategy) == n);
    (void)atomic_fetch_add(&merges, 1);
    for (int r = 0; r < n; r++) {
        const int *ticket = user[r];
        j = (job *)((char *)user[r] - (size_t)r * sizeof *ticket - offsetof(job, tickets));
        (void)must(*ticket == 10 * r);
    }
    if (!must(j->s == strategy))
        return COHORT_EINVAL;
    double seven[WIDTH] = { 7, 7, 7 }, found[WIDTH];
    cohort_value *here = cohort_value_number(strategy, 4), *sum = cohort_value_create(strategy);
    (void)must(cohort_run(strategy, tell, COHORT_REPLICA_ID, j->a) == COHORT_OK);
    (void)must(cohort_reduce(COHORT_SUM, j->a, COHORT_NO_AXIS, sum) == COHORT_OK);
    (void)(must(cohort_value_read(sum, COHORT_ARRAY(&total, 1)) == COHORT_OK) &&
           must(total == n * (n + 1) / 2));
    (void)must(cohort_variable_assign(j->w, COHORT_ARRAY(seven, WIDTH)) == COHORT_OK);
    (void)must(cohort_update(j->w, grow, 1, j->w) == COHORT_OK);
    (void)must(cohort_wait(strategy) == COHORT_OK);
    (void)(must(cohort_variable_read(j->w, COHORT_ARRAY(found, WIDTH)) == COHORT_OK) &&
           must(found[2] == 8));
    (void)must(cohort_value_scalar(here) == 4);
    cohort_value_destroy(here);
    cohort_value_destroy(sum);
    (void)must(cohort_update(j->w, grow, 1, j->w) == COHORT_OK); /* in line when it returns */
    return COHORT_OK;
}

static cohort_status merge_often(cohort_replica *me, void *user)
{
    job *j = user;
    int id = cohort_replica_id(me);
    int64_t mine = 0;
    j->tickets[id] = 10 * id;
    for (int i = 0; i < 3; i++) {
        (void)must(cohort_merge_call(me, merge_all, &j->tickets[id]) == COHORT_OK);
        (void)must(cohort_replica_current() == me);
        (void)(must(cohort_replica_read(me, j->a, COHORT_ARRAY(&mine, 1)) == COHORT_OK) &&
               must(mine == id + 1));
        (void)must(cohort_replica_update(me, j->w, grow, 1, j->w) == COHORT_OK);
    }
    return plain_step(me, j);
}

/* Calls that end what the step stands on, or are the replicas'. */
static cohort_status merge_wrongly(cohort_strategy *strategy, void *const user[], int n)
{
    job *j = user[n - 1];
    if (j->position == 0)
        (void)must(cohort_strategy_recover(strategy) == COHORT_EINVAL);
    else if (j->position == 1)
        cohort_strategy_destroy(strategy);
    else
        (void)must(cohort_merge_call(NULL, merge_all, NULL) == COHORT_EINVAL);
    (void)must(cohort_wait(strategy) == COHORT_EINVAL);
    (void)must(strstr(cohort_error_text(), "cohort_merge_call") != NULL);
    return COHORT_OK;
}

static cohort_status ask_wrongly(cohort_replica *me, void *user)
{
    job *j = user;
    if (j->position < 3)
        (void)must(cohort_merge_call(me, merge_wrongly, j) == COHORT_EINVAL);
    else
        (void)must(cohort_wait(j->s) == COHORT_EINVAL &&
                   strstr(cohort_error_text(), "cohort_barrier") != NULL);
    return COHORT_OK;
}

static cohort_status merge_outside(cohort_strategy *strategy, void *const user[], int n)
{
    return strategy == NULL && n == 1 && user[0] == &merges ? COHORT_ENOENT : COHORT_OK;
}

static bool merges_all(cohort_strategy *s, int replicas)
{
    (void)replicas;
    static const char *const texts[] = {
        "cohort_strategy_recover: called in the function of a cohort_merge_call",
        "cohort_strategy_destroy: called in the function of a cohort_merge_call",
        "cohort_merge_call: the replica is NULL",
        "called inside a step function of its strategy; use cohort_barrier"
    };
    job j = { .s = s, .a = cohort_value_create(s), .c = cohort_value_create(s) };
    j.w = cohort_variable_create(s, "w", COHORT_ARRAY(ones, WIDTH), NULL);
    atomic_store(&merges, 0);
    bool is_good = plays(&j, merge_often) && good(atomic_load(&merges) == 3) &&
                   has_content(j.w, 10) && plays(&j, merge_often) &&
                   good(cohort_merge_call(NULL, merge_outside, &merges) == COHORT_ENOENT);
    for (; j.position < 4 && is_good; j.position++)
        is_good = step_fails(&j, ask_wrongly, texts[j.position]);
    return is_good && has_content(j.w, 10) && works(s);
}

/* What a merge function plans is longer than a ring. */
static cohort_status merge_much(cohort_strategy *strategy, void *const user[], int n)
{
    job *j = user[n - 1];
    for (int i = 0; i < 2000; i++)
        if (!must(cohort_run(strategy, tell, COHORT_REPLICA_ID, j->a) == COHORT_OK) ||
            !must(cohort_reduce(COHORT_SUM, j->a, COHORT_NO_AXIS, j->b) == COHORT_OK))
            return COHORT_OK;
    return COHORT_OK;
}

static cohort_status plan_much(cohort_replica *me, void *user)
{
    job *j = user;
    int64_t found = 0, n = cohort_replica_count(me);
    (void)(must(cohort_merge_call(me, merge_much, j) == COHORT_OK) &&
           must(cohort_replica_read(me, j->b, COHORT_ARRAY(&found, 1)) == COHORT_OK) &&
           must(found == n * (n + 1) / 2));
    return COHORT_OK;
}

static bool merges_much(cohort_strategy *s, int replicas)
{
    (void)replicas;
    job j = { .s = s, .a = cohort_value_create(s), .b = cohort_value_create(s) };
    return plays(&j, plan_much);
}

/* ---- Steps in merge functions: down to DEPTH, every one of them meets; at `position` something
 * fails. */

enum {
    NOTHING,
    STEP_FAILS,
    MERGE_FAILS,
    INNER_STEP_FAILS,
    INNER_MERGE_FAILS,
    NESTINGS,
    CALL_AFTER
};

static cohort_status nested_step(cohort_replica *me, void *user);

static cohort_status nested_merge(cohort_strategy *strategy, void *const user[], int n)
{
    job *j = user[0];
    (void)must(n == cohort_strategy_num_replicas(strategy));
    if ((j->position == MERGE_FAILS && j->depth == 0) ||
        (j->position == INNER_MERGE_FAILS && j->depth == 1))
        return cohort_run(strategy, tell, 1.5, j->a);
    if (j->depth == j->n)
        return cohort_run(strategy, tell, COHORT_REPLICA_ID, j->a);
    j->depth++;
    cohort_status status = cohort_for_each_replica(strategy, nested_step, j);
    j->depth--;
    (void)must(cohort_replica_current() == NULL);
    return status;
}

static cohort_status nested_step(cohort_replica *me, void *user)
{
    job *j = user;
    int depth = j->depth;
    bool fails = (j->position == STEP_FAILS && depth == 0) ||
                 (j->position == INNER_STEP_FAILS && depth == 1);
    if (fails && cohort_replica_id(me) == j->odd)
        return cohort_replica_run(me, tell, 1.5, j->a);
    cohort_status status = cohort_replica_run(me, tell, COHORT_REPLICA_ID, j->c);
    if (status >= 0)
        status = cohort_all_reduce(me, COHORT_SUM, &j->c, 1);
    if (status >= 0)
        status = cohort_merge_call(me, nested_merge, j);
    (void)must(cohort_replica_current() == me);
    if (status >= 0 && j->position == NOTHING) {
        (void)must(j->depth == depth);
        status = cohort_barrier(me);
    }
    if (status >= 0 && j->position == CALL_AFTER && depth == 0)
        (void)must(cohort_run(j->s, tell, COHORT_REPLICA_ID, j->a) == COHORT_EINVAL);
    return status;
}

static bool nests(cohort_strategy *s, int replicas)
{
    (void)replicas;
    job j = { .s = s, .a = cohort_value_create(s), .c = cohort_value_create(s) };
    bool is_good = true;
    int64_t blocks = 0;
    for (j.n = 0; j.n <= DEPTH && is_good; j.n++)
        is_good = plays(&j, nested_step);
    j.n = 2;
    for (int i = 0; i < 20 && is_good; i++) {
        blocks = i == 10 ? cohort_memory_blocks() : blocks;
        is_good = plays(&j, nested_step);
    }
    is_good = is_good && good(cohort_memory_blocks() == blocks);
    j.position = CALL_AFTER; /* all steps inside have ended: it is the outer one that has called */
    return is_good && step_fails(&j, nested_step, ": cohort_run: called inside a step function") &&
           works(s);
}

/* Both errors are wrong calls of the same function; inner ones have the same text as outer ones. */
static bool fails_nested(cohort_strategy *s, int replicas)
{
    job j = { .s = s, .a = cohort_value_create(s), .c = cohort_value_create(s), .n = 2 };
    bool is_good = true;
    for (j.odd = 0; j.odd < replicas && is_good; j.odd += replicas > 3 ? 3 : 1)
        for (j.position = STEP_FAILS; j.position < NESTINGS && is_good; j.position++) {
            bool is_merge = j.position == MERGE_FAILS || j.position == INNER_MERGE_FAILS;
            j.depth = 0;
            atomic_store(&bad, 0);
            is_good = good(cohort_for_each_replica(s, nested_step, &j) == COHORT_EINVAL) &&
                      good(strstr(cohort_error_text(), "step function nested_step at ") != NULL) &&
                      good(strstr(cohort_error_text(), "tell") != NULL) &&
                      good(strstr(cohort_error_text(), is_merge ? "function of cohort_merge_call"
                                                                : "replica") != NULL) &&
                      good(cohort_wait(s) == COHORT_EINVAL) && recovers(s);
        }
    return is_good;
}

static cohort_status other_merge(cohort_strategy *strategy, void *const user[], int n)
{
    (void)strategy, (void)user, (void)n;
    (void)must(false);
    return COHORT_OK;
}

static cohort_status merge_differently(cohort_replica *me, void *user)
{
    job *j = user;
    bool is_odd = cohort_replica_id(me) == j->odd;
    if (j->position == 0)
        return cohort_merge_call(me, is_odd ? other_merge : nested_merge, j);
    if (j->position == 1)
        return is_odd ? cohort_barrier(me) : cohort_merge_call(me, other_merge, j);
    return is_odd ? COHORT_OK : cohort_merge_call(me, other_merge, j);
}

static bool tells_merges(cohort_strategy *s, int replicas)
{
    job j = { .s = s, .odd = replicas / 2 };
    bool is_good = true;
    for (j.position = 0; j.position < 3 && is_good && replicas > 1; j.position++)
        is_good =
            good(cohort_for_each_replica(s, merge_differently, &j) == COHORT_EINVAL) &&
            good(strstr(cohort_error_text(), "cohort_merge_call at ") != NULL) &&
            good(strstr(cohort_error_text(), "all replicas call the same collectives") != NULL) &&
            recovers(s);
    return is_good;
}

/* ---- A merge function, or the thread in one, ends its thread. */

static cohort_status merge_exits(cohort_strategy *strategy, void *const user[], int n)
{
    (void)strategy, (void)user, (void)n;
    pthread_exit(NULL);
}

static cohort_status exit_in_merge(cohort_replica *me, void *user)
{
    job *j = user;
    if (cohort_replica_id(me) == cohort_replica_count(me) - 1)
        (void)usleep(10000); /* mostly the last to come */
    return cohort_merge_call(me, merge_exits, j);
}

static bool survives_exit(cohort_strategy *s, int replicas)
{
    job j = { .s = s };
    const cohort_device *devices[CORE_MAX_REPLICAS];
    if (cohort_strategy_devices(s, devices, CORE_MAX_REPLICAS) > 1 || replicas < 2)
        return true; /* there it might be the executor, without which a device is lost */
    return good(cohort_for_each_replica(s, exit_in_merge, &j) == COHORT_EINVAL) &&
           good(strstr(cohort_error_text(), "pthread_exit") != NULL) && recovers(s);
}

/* ---- Deadlines. */

static cohort_status come_late(cohort_replica *me, void *user)
{
    job *j = user;
    cohort_status status = cohort_barrier(me);
    while (cohort_replica_id(me) == j->odd && j->position == 0 &&
           cohort_strategy_status(j->s) == COHORT_OK)
        (void)usleep(10000);
    if (status >= 0)
        status = cohort_all_reduce(me, COHORT_MAX, NULL, 0);
    (void)must(status == (j->position == 0 ? COHORT_ETIMEDOUT : COHORT_OK));
    return status;
}

static void deadlines(void)
{
    static const char *const devices[] = { "host", "host/2", "loopback/3", "stream/2" };
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        (void)setenv("COHORT_TIMEOUT_COLLECTIVE", "1", 1);
        cohort_strategy *s = cohort_strategy_create(
            &(cohort_strategy_options){ .devices = devices[i], .replicas = 4 });
        (void)unsetenv("COHORT_TIMEOUT_COLLECTIVE");
        job j = { .s = s, .odd = (int)i };
        atomic_store(&bad, 0);
        ok(good(cohort_for_each_replica(s, come_late, &j) == COHORT_ETIMEDOUT) &&
               good(atomic_load(&bad) == 0),
           "replicas on %s wait for one that does not come, and no longer", devices[i]);
        char who[60];
        (void)snprintf(who, sizeof who, "replica %d on ", j.odd);
        has_text(cohort_error_text(), who, "the text names the replica");
        has_text(cohort_error_text(), "has not come to cohort_all_reduce (max, 0 values) at ",
                 "and the call");
        has_text(cohort_error_text(), "COHORT_TIMEOUT_COLLECTIVE", "and the setting");
        has_text(cohort_error_text(), "after cohort_barrier at ", "and where it was last");
        ok(recovers(s), "and the strategy recovers");
        cohort_strategy_destroy(s);
        (void)setenv("COHORT_TIMEOUT_COLLECTIVE", "0", 1);
        s = cohort_strategy_create(
            &(cohort_strategy_options){ .devices = devices[i], .replicas = 4 });
        (void)unsetenv("COHORT_TIMEOUT_COLLECTIVE");
        j = (job){ .s = s, .odd = (int)i, .position = 1 };
        ok(plays(&j, come_late), "0 waits for ever");
        cohort_strategy_destroy(s);
    }
}

/* ---- A device hangs while a merge function, or a step in one, waits for it. */

static cohort_status read_inside(cohort_replica *me, void *user)
{
    job *j = user;
    int64_t found;
    cohort_status status = cohort_replica_run(me, tell, COHORT_REPLICA_ID, j->a);
    if (status >= 0)
        status = cohort_replica_read(me, j->a, COHORT_ARRAY(&found, 1));
    return status < 0 ? status : cohort_barrier(me);
}

static cohort_status merge_hangs(cohort_strategy *strategy, void *const user[], int n)
{
    job *j = user[0];
    int64_t found[CORE_MAX_REPLICAS];
    if (j->position == 1)
        return cohort_for_each_replica(strategy, read_inside, j);
    cohort_status status = cohort_run(strategy, tell, COHORT_REPLICA_ID, j->a);
    return status < 0 ? status : cohort_value_read(j->a, COHORT_ARRAY(found, n));
}

static cohort_status hang_in_merge(cohort_replica *me, void *user)
{
    cohort_status status = cohort_merge_call(me, merge_hangs, user);
    return status < 0 ? status : cohort_barrier(me);
}

static void hangs(const cohort_loopback *loopback)
{
    static const char *const devices[] = { "loopback", "loopback/3,host" };
    for (int i = 0; i < 8; i++) {
        uint32_t part = i < 4 ? 0 : (uint32_t)i % 3;
        (void)setenv("COHORT_TIMEOUT_COPY", "0.2", 1);
        cohort_strategy *s = cohort_strategy_create(
            &(cohort_strategy_options){ .devices = devices[i / 4], .replicas = 8 });
        (void)unsetenv("COHORT_TIMEOUT_COPY");
        job j = { .s = s, .a = cohort_value_create(s), .position = i % 2 };
        (void)good(cohort_wait(s) == COHORT_OK);
        loopback->reset();
        int32_t hold = steer_rule(loopback, COHORT_LOOPBACK_HOLD, part, COHORT_LOOPBACK_READ, 1, 0);
        ok(good(cohort_for_each_replica(s, hang_in_merge, &j) == COHORT_ETIMEDOUT) &&
               good(strstr(cohort_error_text(), "loopback:0") != NULL) &&
               good(cohort_strategy_recover(s) == (i < 4 ? COHORT_ELOST : COHORT_OK)) &&
               (i < 4 || works(s)),
           "a %s in a merge function on %s ends when a device misses its deadline",
           i % 2 ? "step" : "read", devices[i / 4]);
        cohort_strategy_destroy(s);
        loopback->release(hold);
        (void)usleep(50000);
        loopback->reset();
        s = cohort_strategy_create(
            &(cohort_strategy_options){ .devices = devices[i / 4], .replicas = 8 });
        ok(works(s), "a new strategy works");
        cohort_strategy_destroy(s);
    }
}

/* ---- Devices that only have variables. */

static void on_parameter_devices(void)
{
    cohort_strategy *s = cohort_strategy_create(&(cohort_strategy_options){
        .devices = "loopback/3", .parameter_devices = "host", .replicas = 4 });
    if (s == NULL) {
        skip("steps beside parameter devices", cohort_error_text());
        return;
    }
    job j = { .s = s, .a = cohort_value_plain(s, COHORT_ARRAY(ones, WIDTH)) };
    j.w = cohort_variable_create(s, "w", COHORT_ARRAY(ones, WIDTH), NULL);
    bool is_good = works(s) && plays(&j, update_together) && has_content(j.w, 3.75);
    cohort_variable_destroy(j.w);
    ok(is_good && merges_all(s, 4), "steps beside a device that hosts no replica");
    cohort_strategy_destroy(s);
}

static core_live warm_up(void)
{
    const cohort_function *const functions[] = { tell, add_to, grow };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        (void)good(cohort_function_check(functions[i], NULL) == COHORT_OK);
    (void)core_warm();
    core_everywhere(
        merges_all,
        "merge functions run once in cross-replica context, and do all that is done there");
    return core_live_now();
}

int main(void)
{
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    (void)alarm(300); /* a hang is a failure */
    const cohort_loopback *loopback = steer();
    const core_live warm = warm_up();
    core_everywhere(refuses_wrong, "what does not fit fails the step, until recover");
    core_everywhere(tells_merges, "merge calls that differ are an error");
    core_everywhere(sets, "replicas set their components");
    core_everywhere(reduces_lists,
                    "lists of any dtypes, per replica or not, are combined along the tree");
    core_everywhere(gathers, "components are gathered along an axis, in replica order");
    core_everywhere(broadcasts, "the component of any replica goes to all");
    core_everywhere(reduces_slices, "index slices of all come to all");
    core_everywhere(divides_integers, "the mean of rows of integers is a fraction");
    core_everywhere(passes_absent, "a component without rows fits every gather");
    core_everywhere(updates, "variables are updated once for all replicas, which ask for the same");
    core_everywhere(merges_much, "merge functions plan more than a ring holds");
    core_everywhere(nests, "steps in merge functions, in steps in merge functions");
    core_everywhere(fails_nested, "an error in any of them is that of the outermost step");
    core_everywhere(survives_exit,
                    "a merge function that ends its thread fails the step, and no more");
    if (loopback != NULL) {
        on_parameter_devices();
        deadlines();
    }
    core_no_leak(warm);
    no_leak_so_far();
    if (loopback != NULL)
        hangs(loopback);
    else
        skip("devices that hang inside a merge function",
             "there is no loopback plugin on COHORT_PLUGIN_PATH");
    return tap_done();
}
