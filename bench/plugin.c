/* SPDX-License-Identifier: BSD-3-Clause */
/* bench/plugin: what a device of a vendor's costs that is written as plainly as one can be, the
 * skeleton, beside the host's own plugin, which has had every attention, in one run and in turns.
 *
 *   launch  an empty function of one replica, and a wait
 *   row     64 of them, and one wait
 *   saxpy   4 KiB and 1 MiB of float32 in each array, and a wait: on the host with one core, since
 *           the skeleton runs bodies in the thread that launches them
 *   sum     two replicas' arrays of 64 KiB, which the skeleton leaves to the core
 *
 * bench/run tells where the skeleton is, which is not installed as a plugin. */
#include "config.h"

#include "bench/must.h"
#include "bench/turns.h"

enum { ROW = 64, KIB = 1024, MOST_FLOATS = KIB * KIB / 4 };

COHORT_FUNCTION(nothing, (void), COHORT_HOST_ONLY)
{
}

COHORT_FUNCTION(saxpy, (int64_t n, float a, const float x[n], float y[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] += a * x[i];
}

typedef struct device {
    cohort_strategy *s;
    cohort_value *x, *y, *sum;
} device;

static void finish(void *user)
{
    must(cohort_wait(((device *)user)->s) == COHORT_OK, "a wait");
}

static void launch(void *user)
{
    device *d = user;
    must(cohort_run(d->s, nothing) == COHORT_OK, "a launch");
    finish(user);
}

static void launch_row(void *user)
{
    device *d = user;
    for (int i = 0; i < ROW; i++)
        must(cohort_run(d->s, nothing) == COHORT_OK, "a launch");
    finish(user);
}

static void launch_saxpy(void *user)
{
    device *d = user;
    must(cohort_run(d->s, saxpy, 1e-6, d->x, d->y) == COHORT_OK, "a launch");
    finish(user);
}

static void reduce(void *user)
{
    device *d = user;
    must(cohort_reduce(COHORT_SUM, d->x, COHORT_NO_AXIS, d->sum) == COHORT_OK, "a sum");
    finish(user);
}

static device open_device(const char *devices, int32_t replicas, int64_t floats)
{
    static float content[2 * MOST_FLOATS];
    device d = { .s = cohort_strategy_create(
                     &(cohort_strategy_options){ .devices = devices, .replicas = replicas }) };
    must(d.s != NULL, devices);
    d.x = cohort_value_split(d.s, COHORT_ARRAY(content, replicas * floats));
    d.y = cohort_value_split(d.s, COHORT_ARRAY(content, replicas * floats));
    d.sum = cohort_value_create(d.s);
    must(d.x != NULL && d.y != NULL && d.sum != NULL, devices);
    return d;
}

static void measure(const char *row, turns_fn call, int32_t replicas, int64_t floats)
{
    device host = open_device("host:0", replicas, floats),
           skeleton = open_device("skeleton:0", replicas, floats);
    turns_side sides[] = {
        { "cohort", "host:0", call, .bench = &host, .is_limit = true },
        { "cohort", "skeleton:0", call, .bench = &skeleton },
    };
    turns_row(row, sides, 2);
    cohort_strategy_destroy(host.s);
    cohort_strategy_destroy(skeleton.s);
}

int main(void)
{
    turns_table("plugin");
    measure("an empty launch and a wait", launch, 1, 1);
    measure("64 empty launches and a wait", launch_row, 1, 1);
    measure("saxpy, 4 KiB", launch_saxpy, 1, KIB);
    measure("saxpy, 1 MiB", launch_saxpy, 1, MOST_FLOATS);
    measure("a sum of two, 64 KiB", reduce, 2, 16 * KIB);
    return 0;
}
