/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of every kind where replicas move between them, beside a strategy whose replicas stay: the
 * same bits, also where devices have none and each may be the only one.
 *
 * Usage: hosting_calls.t [seed [rounds]] */
#include "config.h"

#include "tests/core.h"

#include <stdlib.h>

enum { WIDE = 3, MOST_ROWS = 40, SEEN = 4096, ROUNDS = 12, AGGREGATIONS = 4, PLACEMENTS = 4 };

static uint64_t chance;

static int draw(int n)
{
    chance = chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((chance >> 33) % (uint64_t)n);
}

static const char *const placements[PLACEMENTS] = { "mirrored", "central", "round-robin",
                                                    "sharded" };
static const cohort_aggregation aggregations[AGGREGATIONS] = {
    COHORT_AGGREGATE_NONE, COHORT_AGGREGATE_SUM, COHORT_AGGREGATE_MEAN,
    COHORT_AGGREGATE_ONLY_FIRST_REPLICA
};

COHORT_ITEMS(drift, i, n, (int64_t n, int32_t by, float x[n]), { x[i] = x[i] / 3 + (float)by; });
COHORT_ITEMS(add, i, n, (int64_t n, const float g[n], float w[n]), { w[i] += 0.1F * g[i]; });

/* ------------------------------------------------------------------ what there is */

/* Of each kind something that lies with replicas, or on devices. */
typedef struct world {
    cohort_strategy *s;
    int replicas;
    cohort_value *x, *ids, *out, *back, *parts[2], *ids_out;
    cohort_variable *placed[PLACEMENTS], *on_read[AGGREGATIONS];
    cohort_metric *mean;
    cohort_input *input;
    cohort_value *batch[1];
} world;

static float rows[MOST_ROWS * WIDE];
static int32_t row_ids[MOST_ROWS];

static cohort_input *make_input(cohort_strategy *s, int replicas)
{
    double weights[CORE_MAX_REPLICAS];
    for (int r = 0; r < replicas; r++)
        weights[r] = 1 + r % 3;
    const cohort_array all = COHORT_ARRAY(rows, MOST_ROWS, WIDE);
    cohort_dataset *d = cohort_dataset_repeat(cohort_dataset_slices(1, &all), -1);
    d = cohort_dataset_with_options(cohort_dataset_batch(d, MOST_ROWS / 2, false),
                                    &(cohort_dataset_options){ .split = COHORT_SPLIT_BALANCED,
                                                               .weights = weights,
                                                               .n_weights = replicas });
    return cohort_distribute_dataset(s, d);
}

/* A variable that is assigned in a step function has components; the others are as placed. */
static bool make_variables(world *w)
{
    bool is_good = true;
    for (int i = 0; i < PLACEMENTS && is_good; i++) {
        const cohort_variable_options as = { .placement = cohort_placement_find(placements[i]) };
        w->placed[i] =
            cohort_variable_create(w->s, placements[i], COHORT_ARRAY(rows, MOST_ROWS), &as);
        is_good = good(w->placed[i] != NULL);
    }
    for (int i = 0; i < AGGREGATIONS && is_good; i++) {
        const cohort_variable_options as = { .synchronization = COHORT_ON_READ,
                                             .aggregation = aggregations[i] };
        w->on_read[i] = cohort_variable_create(w->s, (char[]){ (char)('a' + i), 0 },
                                               COHORT_ARRAY(rows, WIDE), &as);
        is_good = good(w->on_read[i] != NULL);
    }
    return is_good;
}

static bool begin(world *w, cohort_strategy *s)
{
    *w = (world){ .s = s, .replicas = cohort_strategy_num_replicas(s) };
    w->x = cohort_value_split(s, COHORT_ARRAY(rows, MOST_ROWS, WIDE));
    w->ids = cohort_value_split(s, COHORT_ARRAY(row_ids, MOST_ROWS));
    w->out = cohort_value_create(s);
    w->back = cohort_value_create(s);
    w->ids_out = cohort_value_create(s);
    w->batch[0] = cohort_value_create(s);
    w->mean = cohort_metric_create(s, "mean", "mean");
    w->input = make_input(s, w->replicas);
    return good(w->x != NULL && w->ids != NULL && w->mean != NULL && w->input != NULL) &&
           make_variables(w);
}

/* ------------------------------------------------------------------ what is seen */

typedef struct seen {
    float numbers[SEEN];
    int n;
} seen;

static bool see(seen *all, const cohort_array *array)
{
    int64_t n = 1;
    for (int32_t i = 0; i < array->rank; i++)
        n *= array->shape[i];
    if (!good(all->n + n <= SEEN && array->item_bytes == 4))
        return false;
    memcpy(&all->numbers[all->n], array->data, (size_t)n * 4);
    all->n += (int)n;
    return true;
}

static bool see_locally(seen *all, cohort_argument x)
{
    cohort_array arrays[CORE_MAX_REPLICAS];
    const int n = cohort_local_results_of(x, arrays, CORE_MAX_REPLICAS);
    bool is_good = good(n > 0);
    for (int i = 0; i < n && is_good; i++)
        is_good = see(all, &arrays[i]);
    return is_good;
}

static bool see_value(seen *all, cohort_value *x)
{
    return see_locally(all, cohort_argument_make_(COHORT_ARGUMENT_VALUE, x));
}

static bool see_variable(seen *all, cohort_variable *v, int n)
{
    float content[MOST_ROWS];
    const cohort_array array = COHORT_ARRAY(content, n);
    return good(cohort_variable_read(v, array) == COHORT_OK) && see(all, &array);
}

/* ------------------------------------------------------------------ the calls */

static cohort_status in_replica(cohort_replica *me, void *user)
{
    const world *w = user;
    cohort_status status = cohort_all_gather(me, w->x, 0, w->back);
    return status < 0
               ? status
               : cohort_replica_update(me, w->on_read[1], drift, COHORT_REPLICA_ID, w->on_read[1]);
}

static bool gather_in_step(world *w, seen *all)
{
    return good(cohort_for_each_replica(w->s, in_replica, w) == COHORT_OK) &&
           see_value(all, w->back);
}

static bool halo(world *w, seen *all)
{
    return good(cohort_halo(w->x, 1, COHORT_EDGE_PERIODIC, w->out) == COHORT_OK) &&
           see_value(all, w->out);
}

static bool prefix(world *w, seen *all)
{
    return good(cohort_prefix(COHORT_SUM, w->x, 0, NULL, w->out) == COHORT_OK) &&
           see_value(all, w->out);
}

static bool multiply(world *w, seen *all)
{
    const cohort_matmul_options by = { .dtype = COHORT_F32, .reproducible = true };
    return good(cohort_matmul(w->s, &by, 1.0F, w->x, COHORT_ARRAY(rows, WIDE, WIDE), w->out) ==
                COHORT_OK) &&
           see_value(all, w->out);
}

static bool scatter(world *w, seen *all)
{
    bool is_good = true;
    cohort_value *flat = w->back;
    is_good =
        good(cohort_reduce_slices(COHORT_MEAN, w->ids, w->x, w->ids_out, flat) == COHORT_OK) &&
        see_value(all, flat) && see_value(all, w->ids_out);
    return is_good;
}

static bool broadcast(world *w, seen *all)
{
    return good(cohort_reduce(COHORT_SUM, w->x, 0, w->out) == COHORT_OK) &&
           good(cohort_broadcast(w->s, w->out, COHORT_AT(w->placed[0]), w->back) == COHORT_OK) &&
           see_value(all, w->back);
}

static bool update_all(world *w, seen *all)
{
    bool is_good = true;
    for (int i = 0; i < PLACEMENTS && is_good; i++)
        is_good = good(cohort_update(w->placed[i], add, COHORT_ARRAY(rows + i, MOST_ROWS),
                                     w->placed[i]) == COHORT_OK) &&
                  see_variable(all, w->placed[i], MOST_ROWS);
    for (int i = 0; i < AGGREGATIONS && is_good; i++)
        is_good =
            good(cohort_update(w->on_read[i], drift, COHORT_REPLICA_ID, w->on_read[i]) ==
                 COHORT_OK) &&
            (aggregations[i] == COHORT_AGGREGATE_NONE || see_variable(all, w->on_read[i], WIDE));
    return is_good;
}

static bool next_rows(world *w, seen *all)
{
    float result;
    const cohort_array array = COHORT_ARRAY(&result, 1);
    const bool is_good = good(cohort_input_next(w->input, w->batch) == COHORT_OK) &&
                         see_value(all, w->batch[0]) &&
                         good(cohort_metric_update(w->mean, w->batch[0], NULL) == COHORT_OK);
    result = (float)cohort_metric_result(w->mean);
    return is_good && see(all, &array);
}

/* Of an ON_READ variable each replica's component, in their order. */
static bool look_locally(world *w, seen *all)
{
    bool is_good = true;
    for (int i = 0; i < AGGREGATIONS && is_good; i++)
        is_good = see_locally(all, cohort_argument_make_(COHORT_ARGUMENT_VARIABLE, w->on_read[i]));
    return is_good && see_value(all, w->x);
}

static bool (*const calls[])(world *w, seen *all) = { gather_in_step, halo,      prefix,
                                                      multiply,       scatter,   broadcast,
                                                      update_all,     next_rows, look_locally };
static const char *const names[] = { "all_gather and updates in steps",
                                     "halo",
                                     "prefix",
                                     "matmul",
                                     "reduce_slices",
                                     "broadcast",
                                     "updates of each placement and aggregation",
                                     "rows by weight, and a metric",
                                     "local results" };
enum { CALLS = sizeof calls / sizeof *calls };

/* ------------------------------------------------------------------ claims */

/* Any contiguous ranges; every third time one device has all. */
static bool move(cohort_strategy *s)
{
    const int n = cohort_strategy_devices(s, NULL, 0), all = cohort_strategy_num_replicas(s);
    int32_t hosted[8] = { 0 };
    int left = all;
    const int only = draw(3) == 0 ? draw(n) : -1;
    for (int d = 0; d < n; d++) {
        hosted[d] = only >= 0 ? (d == only ? all : 0) : d == n - 1 ? left : draw(left + 1);
        left -= hosted[d];
    }
    return good(cohort_strategy_set_hosted(s, hosted, n) == COHORT_OK);
}

static bool is_same(const core_place *place, int rounds)
{
    static seen wanted, found;
    static world stays, moves;
    cohort_strategy *a = core_open(place), *b = core_open(place);
    bool is_good = a != NULL && b != NULL && begin(&stays, a) && begin(&moves, b);
    for (int i = 0; i < rounds * CALLS && is_good; i++) {
        const int k = draw(CALLS);
        wanted.n = found.n = 0;
        is_good = (draw(2) == 0 || move(b)) && calls[k](&stays, &wanted) &&
                  calls[k](&moves, &found) && good(wanted.n == found.n) &&
                  good(memcmp(wanted.numbers, found.numbers, (size_t)wanted.n * 4) == 0);
        if (!is_good)
            diag("%s, call %d, %d replicas on %s", names[k], i, (int)place->replicas,
                 place->devices);
    }
    cohort_strategy_destroy(a);
    cohort_strategy_destroy(b);
    return is_good;
}

static const core_place places[] = {
    { "host/3", 1, (const int32_t[]){ 0, 0, 1 } },
    { "host/3", 3, NULL },
    { "host/2", 8, NULL },
    { "loopback/2,host", 3, NULL },
    { "loopback/2,host", 7, NULL },
    { "stream/2,host", 6, NULL },
};

int main(int argc, char **argv)
{
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : (uint64_t)time(NULL);
    const int rounds = argc > 2 ? atoi(argv[2]) : ROUNDS;
    for (int i = 0; i < MOST_ROWS * WIDE; i++)
        rows[i] = (float)(i * 37 % 101) / 9 - 5;
    for (int i = 0; i < MOST_ROWS; i++)
        row_ids[i] = i * 7 % MOST_ROWS;
    chance = seed;
    (void)core_warm();
    core_live warm = { 0 };
    diag("seed %llu, %d rounds", (unsigned long long)seed, rounds);
    for (int pass = 0; pass < 2; pass++) {
        warm = core_live_now();
        for (size_t i = 0; i < sizeof places / sizeof *places; i++)
            ok(is_same(&places[i], pass == 0 ? 1 : rounds), "%d replicas that move on %s",
               (int)places[i].replicas, places[i].devices);
    }
    core_no_leak(warm);
    return tap_done();
}
