/* SPDX-License-Identifier: BSD-3-Clause */
/* Many replicas of one device: when a call repeats, their launches go to it in batches, and each is
 * as if it were launched alone. */
#include "config.h"

#include "tests/core.h"

#include <unistd.h>

/* Of the OpenMP runtime; <omp.h> stays with the host plugin. */
extern int omp_get_max_threads(void);
extern void omp_set_num_threads(int n);

/* Two full batches of one device, and one that is not; TIMES: the first ones are no batch. */
enum { REPLICAS = 40, ROWS = 3, TIMES = 4, BAD = 21 };

static float x[REPLICAS * ROWS];

static void fill(void)
{
    for (int i = 0; i < REPLICAS * ROWS; i++)
        x[i] = (float)i;
}

/* ---- What a body finds. */

COHORT_FUNCTION(look,
                (int32_t id, int64_t n, const float x[n], COHORT_OUT float y[n],
                 COHORT_OUT int32_t known[1], COHORT_OUT int32_t threads[1]),
                COHORT_HOST_ONLY)
{
    cohort_running r = { .struct_size = sizeof r };
    known[0] =
        cohort_running_here(&r) == COHORT_OK && r.replica == id && strcmp(r.function, "look") == 0;
    threads[0] = omp_get_max_threads();
    omp_set_num_threads(threads[0] + 1 + id);
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] + (float)id;
}

/* first: what OpenMP had for each replica when it was launched alone. */
static bool is_as_alone(const float y[], const int32_t known[], const int32_t threads[],
                        const int32_t first[])
{
    bool is_good = true;
    for (int i = 0; i < REPLICAS * ROWS; i++)
        is_good = is_good && good(y[i] == (float)(i + i / ROWS));
    for (int r = 0; r < REPLICAS; r++)
        is_good = is_good && good(known[r] == 1) && good(threads[r] == first[r]);
    return is_good;
}

static void as_alone(const char *devices)
{
    float y[REPLICAS * ROWS];
    int32_t known[REPLICAS], threads[REPLICAS], first[REPLICAS];
    cohort_strategy *s = core_open(&(core_place){ devices, REPLICAS, NULL });
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, REPLICAS * ROWS)),
                 *out = cohort_value_create(s), *k = cohort_value_create(s),
                 *t = cohort_value_create(s);
    bool is_good = true;
    for (int i = 0; i < TIMES && is_good; i++) {
        is_good = good(cohort_run(s, look, COHORT_REPLICA_ID, in, out, k, t) == COHORT_OK) &&
                  good(cohort_value_read(out, COHORT_ARRAY(y, REPLICAS * ROWS)) == COHORT_OK) &&
                  good(cohort_value_read(k, COHORT_ARRAY(known, REPLICAS)) == COHORT_OK) &&
                  good(cohort_value_read(t, COHORT_ARRAY(threads, REPLICAS)) == COHORT_OK);
        if (i == 0)
            memcpy(first, threads, sizeof first);
        is_good = is_good && is_as_alone(y, known, threads, first);
    }
    ok(is_good,
       "%d bodies on %s have their rows, know their replica, and find the settings of "
       "OpenMP whatever the one before did to them",
       REPLICAS, devices);
    cohort_strategy_destroy(s);
}

/* ---- Items, many arguments. */

COHORT_ITEMS(sum_of_12, i, n,
             (int64_t n, float a, float b, float c, float d, float e, float f, float g, float h,
              float j, float k, const float x[n], COHORT_OUT float y[n]),
             { y[i] = x[i] + a + b + c + d + e + f + g + h + j + k; });

static void of_items(const char *devices)
{
    float y[REPLICAS * ROWS];
    cohort_strategy *s = core_open(&(core_place){ devices, REPLICAS, NULL });
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, REPLICAS * ROWS)),
                 *out = cohort_value_create(s);
    bool is_good = true;
    for (int t = 0; t < TIMES && is_good; t++) {
        float f = (float)t;
        is_good =
            good(cohort_run(s, sum_of_12, f, f, f, f, f, f, f, f, f, f, in, out) == COHORT_OK) &&
            good(cohort_value_read(out, COHORT_ARRAY(y, REPLICAS * ROWS)) == COHORT_OK);
        for (int i = 0; i < REPLICAS * ROWS && is_good; i++)
            is_good = good(y[i] == x[i] + 10 * f);
    }
    ok(is_good, "bodies of items with 12 arguments on %s", devices);
    cohort_strategy_destroy(s);
}

/* ---- Failures. */

static cohort_strategy *of_body;
static int32_t bad; /* the replica whose body calls its strategy; -1: none */

COHORT_FUNCTION(call_inside, (int32_t id, int64_t n, const float x[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    if (id == bad)
        (void)cohort_wait(of_body);
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i];
}

static bool runs(cohort_strategy *s, cohort_value *in, cohort_value *out)
{
    return good(cohort_run(s, call_inside, COHORT_REPLICA_ID, in, out) == COHORT_OK);
}

static void named(const char *devices)
{
    float y[REPLICAS * ROWS];
    char who[64];
    cohort_strategy *s = of_body = core_open(&(core_place){ devices, REPLICAS, NULL });
    cohort_value *in = cohort_value_split(s, COHORT_ARRAY(x, REPLICAS * ROWS)),
                 *out = cohort_value_create(s);
    (void)snprintf(who, sizeof who, "call_inside, replica %d on host", BAD);
    bad = -1;
    bool is_good = runs(s, in, out) && runs(s, in, out) && good(cohort_wait(s) == COHORT_OK);
    bad = BAD;
    (void)cohort_run(s, call_inside, COHORT_REPLICA_ID, in, out);
    ok(is_good && good(cohort_wait(s) == COHORT_EINVAL) && says(who) && says("called in the body"),
       "a body in the midst of others that calls its strategy is named with its replica, on %s",
       devices);
    bad = -1;
    ok(good(cohort_strategy_recover(s) == COHORT_OK) && runs(s, in, out) &&
           good(cohort_value_read(out, COHORT_ARRAY(y, REPLICAS * ROWS)) == COHORT_OK) &&
           good(memcmp(x, y, sizeof y) == 0),
       "and after recover they run");
    cohort_strategy_destroy(s);
}

static void everything(void)
{
    as_alone("host");
    as_alone("host/2");
    of_items("host/2");
    named("host");
    named("host/2");
}

int main(void)
{
    (void)alarm(120); /* a hang is a failure */
    fill();
    everything();
    core_live warm = core_live_now();
    everything();
    core_no_leak(warm);
    return tap_done();
}
