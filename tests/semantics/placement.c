/* SPDX-License-Identifier: BSD-3-Clause */
/* I: where variables live. These open strategies of their own. */
#include "config.h"

#include "tests/semantics/cases.h"

static cohort_strategy *named(const char *name, const char *devices, const char *parameter_devices)
{
    return cohort_strategy_create(&(cohort_strategy_options){
        .name = name, .devices = devices, .parameter_devices = parameter_devices });
}

/* The device on which the only copy of a variable lies. */
static const char *home_of(cohort_strategy *s, const cohort_variable *v)
{
    const cohort_device *devices[MOST];
    cohort_copy copy;
    int n = cohort_strategy_parameter_devices(s, devices, MOST);
    return cohort_variable_copies(v, &copy, 1) == 1 && copy.device < n
               ? cohort_device_id(devices[copy.device])
               : "?";
}

/* One accelerator: variables there. Several: on the host. None: all on the host. */
static bool lives_centrally(cohort_strategy *unused, int replicas, const void *data)
{
    static const struct {
        const char *devices, *home;
    } cases[] = { { "loopback:0", "loopback:0" },
                  { "loopback/2", "host:0" },
                  { "host:0", "host:0" } };
    bool is_good = true;
    (void)unused, (void)replicas, (void)data;
    for (int i = 0; i < 3 && is_good; i++) {
        cohort_strategy *s = cohort_central_storage(cases[i].devices, NULL);
        cohort_variable *v = variable(s, 1, COHORT_AUTO, COHORT_AGGREGATE_NONE);
        is_good = good(v != NULL) && good(strcmp(home_of(s, v), cases[i].home) == 0) && reads(v, 1);
        cohort_strategy_destroy(s);
    }
    return is_good;
}

static bool takes_turns(cohort_strategy *unused, int replicas, const void *data)
{
    cohort_strategy *s = named("round-robin", "host/2", NULL);
    bool is_good = good(s != NULL);
    (void)unused, (void)replicas, (void)data;
    for (int i = 0; i < 4 && is_good; i++)
        is_good = good(strcmp(home_of(s, variable(s, 1, COHORT_AUTO, COHORT_AGGREGATE_NONE)),
                              i % 2 == 0 ? "host:0.0" : "host:0.1") == 0);
    cohort_strategy_destroy(s);
    return is_good;
}

/* Rows of a variable of `rows` rows and 3 columns in each of its shards. */
static bool is_cut(cohort_strategy *s, const cohort_placement *placement, int64_t rows, int n,
                   const int64_t wanted[])
{
    cohort_copy shards[WIDTH];
    cohort_variable *v =
        cohort_variable_create(s, "cut", COHORT_ARRAY((float *)NULL, rows, 3),
                               &(cohort_variable_options){ .placement = placement });
    bool is_good = good(v != NULL) && good(cohort_variable_copies(v, shards, WIDTH) == n);
    int64_t first = 0;
    for (int i = 0; i < n && is_good; first += wanted[i++])
        is_good = good((shards[i].rows == 0 ? rows : shards[i].rows) == wanted[i]) &&
                  good(shards[i].first_row == first);
    cohort_variable_destroy(v);
    return is_good;
}

static bool cuts(cohort_strategy *unused, int replicas, const void *data)
{
    static const int64_t ones[] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 }, seven[] = { 4, 3 },
                         ten[] = { 5, 5 };
    const cohort_placement two = cohort_placement_fixed_shards(2),
                           five = cohort_placement_fixed_shards(5),
                           twelve = cohort_placement_fixed_shards(12);
    cohort_strategy *s = named("sharded", "host/2", NULL);
    (void)unused, (void)replicas, (void)data;
    bool is_good = good(s != NULL) && is_cut(s, &five, 3, 3, ones) &&
                   is_cut(s, NULL, 7, 2, seven) && is_cut(s, &two, 10, 2, ten) &&
                   is_cut(s, &twelve, 10, 10, ones);
    cohort_strategy_destroy(s);
    return is_good;
}

const semantic_case placement_cases[] = {
    { "P2 central storage: on the only device, else on the host", 1, VALUES_ALONE, lives_centrally,
      NULL },
    { "P5 round-robin: one device after the other, scalars too", 1, VALUES_ALONE, takes_turns,
      NULL },
    { "P7, P8 shards have rows evenly, and there are no more than rows", 1, VALUES_ALONE, cuts,
      NULL },
    { NULL, 0, ANY_PLACEMENT, NULL, NULL },
};
