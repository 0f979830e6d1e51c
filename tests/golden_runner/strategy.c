/* SPDX-License-Identifier: BSD-3-Clause */
/* The strategy that a row asks for. */
#include "config.h"

#include "tests/golden_runner/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names of the table, and where Cohort puts variables then. */
static const struct {
    const char *prefix, *name, *parameter_devices;
    bool has_workers;
} kinds[] = {
    { "mirrored", "mirrored", NULL, false },
    { "central", "central", NULL, false },
    { "onedevice", "one-device", NULL, false },
    { "default", "one-device", NULL, false },
    { "none", NULL, NULL, false },
    { "multi-worker", NULL, NULL, true },
    { "parameter-server-v1", "central", NULL, false }, /* without a server */
    { "parameter-server-v2", "central", "host/2", false },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* A list: as many of its items as there are replicas. One device: cut into as many parts, or into
 * as many as it says.
 */
static void device_list(const table_case *c, int replicas, char *out, size_t bytes)
{
    int items = 1;
    (void)snprintf(out, bytes, "%s", c->devices);
    for (char *comma = strchr(out, ','); comma != NULL; comma = strchr(comma + 1, ','))
        if (++items > replicas) {
            *comma = '\0';
            return;
        }
    char *slash = strchr(out, '/'), *end = slash != NULL ? slash : out + strlen(out);
    long parts = slash != NULL ? strtol(slash + 1, NULL, 10) : replicas;
    if (items > 1)
        return;
    *end = '\0';
    if (parts > 1 && replicas > 1)
        (void)snprintf(end, bytes - (size_t)(end - out), "/%ld",
                       parts < replicas ? parts : (long)replicas);
}

/* A device that cannot be cut so far hosts all replicas. */
static cohort_strategy *create(const table_case *c, int kind, int replicas)
{
    char devices[TABLE_TEXT];
    if (kinds[kind].has_workers && c->workers != NULL)
        return cohort_multi_worker_mirrored(c->workers, "host:0");
    cohort_strategy_options options = { .name = kinds[kind].name,
                                        .devices = devices,
                                        .parameter_devices = kinds[kind].parameter_devices,
                                        .replicas = replicas };
    device_list(c, replicas, devices, sizeof devices);
    cohort_strategy *s = cohort_strategy_create(&options);
    if (s == NULL && strchr(devices, ',') == NULL && strchr(devices, '/') != NULL) {
        *strchr(devices, '/') = '\0';
        s = cohort_strategy_create(&options);
    }
    return s;
}

/* What differs in TensorFlow alone is the same here. */
static bool is_ending(const char *text)
{
    static const char *const endings[] = { "", "-v1", "-mirrored", "-onedevice-reduction",
                                           "-hierarchical" };
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (strcmp(text, endings[i]) == 0)
            return true;
    return false;
}

static int kind_of(const table_case *c)
{
    for (int i = 0; i < KINDS; i++) {
        size_t n = strlen(kinds[i].prefix);
        if (strncmp(c->strategy_name, kinds[i].prefix, n) == 0 && is_ending(c->strategy_name + n))
            return i;
    }
    return KINDS;
}

bool table_open(table_case *c)
{
    int kind = kind_of(c);
    if (c->replicas < 1 || c->replicas > TABLE_MAX_REPLICAS)
        return table_malformed(c, "%d replicas", c->replicas) != NULL;
    if (kind == KINDS)
        return table_unknown(c, "strategy", c->strategy_name) != NULL;
    if (kinds[kind].has_workers && !c->has_workers && c->workers == NULL)
        return table_skipped(c, "several processes") != NULL;
    c->s = create(c, kind, c->replicas);
    return c->s != NULL ||
           table_malformed(c, "no strategy on %s: %s", c->devices, cohort_error_text()) != NULL;
}

cohort_strategy *table_open_worker(table_case *c, int replicas)
{
    cohort_strategy *s = create(c, kind_of(c), replicas);
    if (s == NULL)
        (void)table_malformed(c, "no strategy on %s: %s", c->devices, cohort_error_text());
    return s;
}

static cohort_status add_ones(cohort_replica *me, void *user)
{
    float one = 1, sum = 0;
    cohort_value *value = user;
    cohort_status status = cohort_replica_set(me, value, COHORT_ARRAY(&one, 1));
    if (status == COHORT_OK)
        status = cohort_all_reduce(me, COHORT_SUM, &value, 1);
    if (status == COHORT_OK)
        status = cohort_replica_read(me, value, COHORT_ARRAY(&sum, 1));
    return status == COHORT_OK && sum != (float)cohort_replica_count(me) ? COHORT_EINTERNAL
                                                                         : status;
}

bool table_recovers(table_case *c)
{
    if (c->s == NULL)
        return true;
    cohort_value *value = NULL;
    bool works = cohort_strategy_recover(c->s) == COHORT_OK &&
                 (value = cohort_value_create(c->s)) != NULL &&
                 cohort_for_each_replica(c->s, add_ones, value) == COHORT_OK;
    cohort_value_destroy(value);
    return works;
}
