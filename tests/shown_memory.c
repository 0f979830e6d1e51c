/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of the host's devices that a device with events reads and writes: an operation that uses
 * it is over before the next one of the same queue is begun, for a plugin may take what it writes
 * in the call. COHORT_CHECK=plugins is one that does. */
#include "config.h"

#include "tests/core.h"
#include "tests/steer.h"

enum { N = 50, STEPS = 6, DELAY_NS = 3000000 };

COHORT_FUNCTION(make, (int64_t n, double by, const float x[n], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = (float)(by * x[i]);
}

COHORT_FUNCTION(keep,
                (int64_t n, int64_t m, const float x[n], const float all[m], COHORT_OUT float y[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++) {
        y[i] = x[i];
        for (int64_t k = 0; k < m; k++)
            y[i] += all[k];
    }
}

static const cohort_loopback *stream;
static int n_mistakes; /* that the check found in the core itself */

static void count_mistakes(void *user, int level, const char *line)
{
    (void)user, (void)level;
    n_mistakes += strstr(line, "a mistake of Cohort") != NULL;
}

/* What a step leaves: rows of each replica, and the sum of all. */
static float wanted(int i, int step)
{
    float all = 0;
    for (int k = 0; k < N; k++)
        all += (float)((step + 1) * k);
    return (float)((step + 1) * i) + all;
}

/* Rows are made on each device, brought together on the first one, which the others do not reach,
 * and used on all of them. Nobody waits between steps. */
static bool plays(const char *devices, int replicas, const char *check)
{
    float x[N], y[STEPS][N];
    cohort_value *made, *all, *used[STEPS];
    bool is_good = true;
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = devices, .replicas = replicas, .check = check });
    for (int i = 0; i < N; i++)
        x[i] = (float)i;
    cohort_value *given = cohort_value_split(s, COHORT_ARRAY(x, N));
    made = cohort_value_create(s);
    all = cohort_value_create(s);
    stream->reset();
    (void)stream->rule(&(cohort_loopback_rule){ .part = COHORT_LOOPBACK_ANY,
                                                .op = COHORT_LOOPBACK_READ,
                                                .sticky = 1,
                                                .action = COHORT_LOOPBACK_DELAY,
                                                .delay_ns = DELAY_NS });
    for (int step = 0; step < STEPS && is_good; step++) {
        used[step] = cohort_value_create(s);
        is_good = good(cohort_run(s, make, step + 1, given, made) == COHORT_OK) &&
                  good(cohort_gather(made, 0, all) == COHORT_OK) &&
                  good(cohort_run(s, keep, made, all, used[step]) == COHORT_OK);
    }
    for (int step = 0; step < STEPS && is_good; step++) {
        is_good = good(cohort_value_read(used[step], COHORT_ARRAY(y[step], N)) == COHORT_OK);
        for (int i = 0; i < N && is_good; i++)
            is_good = good(y[step][i] == wanted(i, step));
    }
    stream->reset();
    cohort_strategy_destroy(s);
    return is_good;
}

static void test_devices(const char *devices, int replicas)
{
    ok(plays(devices, replicas, ""), "%d replicas on %s: what was read is what is written",
       replicas, devices);
    n_mistakes = 0;
    ok(plays(devices, replicas, "plugins"), "also where a write takes its bytes in the call");
    ok(n_mistakes == 0, "and they stay until it is over");
}

int main(void)
{
    stream = steer_stream();
    if (stream == NULL)
        return skip_all("COHORT_PLUGIN_PATH has no stream");
    cohort_log_set(count_mistakes, NULL, COHORT_LOG_ERROR);
    test_devices("host,stream", 2);
    test_devices("host,stream/2", 3);
    test_devices("stream,host", 2);
    core_live warm = core_live_now();
    (void)plays("host,stream", 2, "plugins");
    core_no_leak(warm);
    return tap_done();
}
