/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameter servers, which are parameter devices here: variables cut into shards, and scheduled
 * functions, which are step functions. */
#include "config.h"

#include "tests/table/table.h"

#include <stdio.h>
#include <string.h>

enum { SHARDS = 64 };

/* ---- Variables in shards. */

static cohort_variable *sharded(table_case *c, cohort_array initial, int64_t shards)
{
    const cohort_placement placement = cohort_placement_fixed_shards(shards);
    cohort_variable *v = cohort_variable_create(
        c->s, TABLE_VARIABLE, initial, &(cohort_variable_options){ .placement = &placement });
    if (v == NULL)
        (void)table_failed(c);
    return v;
}

/* Its shards; 0 after table_failed. */
static int shards_of(table_case *c, cohort_variable *v, cohort_copy out[SHARDS])
{
    int n = v == NULL ? 0 : cohort_variable_copies(v, out, SHARDS);
    if (n > 0 && n <= SHARDS)
        return n;
    return v == NULL ? 0 : table_malformed(c, "%d shards", n) != NULL;
}

/* What is in one piece says no more about itself. */
static json_t *described(table_case *c, cohort_variable *v)
{
    cohort_copy shards[SHARDS];
    int n = shards_of(c, v, shards);
    if (n == 0)
        return NULL;
    if (n == 1)
        return json_pack("{s:s}", "type", "CachingVariable");
    json_t *sizes = json_array(), *offsets = json_array(), *names = json_array(),
           *devices = json_array();
    for (int k = 0; k < n; k++) {
        json_array_append_new(sizes, json_integer((json_int_t)shards[k].rows));
        json_array_append_new(offsets, json_integer((json_int_t)shards[k].first_row));
        json_array_append_new(names, json_sprintf("v/part_%d:0", k));
        json_array_append_new(devices, json_sprintf("/job:ps/task:%d/CPU:0", shards[k].device));
    }
    json_array_append_new(offsets,
                          json_integer((json_int_t)(shards[n - 1].first_row + shards[n - 1].rows)));
    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "type", "ShardedVariable", "sizes", sizes,
                     "offsets", offsets, "names", names, "devices", devices);
}

static json_t *parts(table_case *c)
{
    double rows = 0, shards = 0;
    char op[64];
    if (!table_number(c, "rows", &rows) || !table_number(c, "parts", &shards))
        return NULL;
    (void)snprintf(op, sizeof op, "%g rows in %g parts", rows, shards);
    if (!table_rest_is(c, op))
        return NULL;
    const cohort_array zeros = { .dtype = COHORT_F32, .rank = 1, .shape = { (int64_t)rows } };
    return described(c, sharded(c, zeros, (int64_t)shards));
}

/* The partitioner is the strategy's, as there. */
static json_t *scalar_in_parts(table_case *c)
{
    const cohort_placement placement = cohort_placement_fixed_shards(3);
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = "host", .placement = &placement });
    cohort_variable *v =
        s == NULL ? NULL
                  : cohort_variable_create(s, TABLE_VARIABLE, table_scalar(c, 1, COHORT_F32), NULL);
    json_t *found = v == NULL ? table_failed(c) : described(c, v);
    cohort_strategy_destroy(s);
    return found;
}

/* ---- 7 rows of two, 0, 1, 2, ..., in 3 shards. */

enum { ROWS = 7 };

static cohort_variable *seven_rows(table_case *c)
{
    float content[2 * ROWS];
    for (int i = 0; i < 2 * ROWS; i++)
        content[i] = (float)i;
    return sharded(c, COHORT_ARRAY(content, ROWS, 2), 3);
}

static json_t *whole(table_case *c, cohort_variable *v)
{
    float content[2 * ROWS];
    const cohort_array array = COHORT_ARRAY(content, ROWS, 2);
    return cohort_variable_read(v, array) == COHORT_OK ? table_tensor(&array) : table_failed(c);
}

static json_t *read_shards(table_case *c)
{
    cohort_variable *v = seven_rows(c);
    return v == NULL ? NULL : whole(c, v);
}

static json_t *look_up(table_case *c, const int32_t ids[], int n)
{
    cohort_variable *v = seven_rows(c);
    cohort_value *rows = cohort_value_create(c->s);
    if (v == NULL)
        return NULL;
    return cohort_variable_gather(v, COHORT_ARRAY(ids, n), rows) == COHORT_OK ? table_plain(c, rows)
                                                                              : table_failed(c);
}

static json_t *look_up_rows(table_case *c)
{
    return look_up(c, (const int32_t[]){ 6, 0, 3, 3 }, 4);
}

static json_t *slice(table_case *c)
{
    return look_up(c, (const int32_t[]){ 1, 3, 5 }, 3); /* 1:6:2 */
}

static json_t *scatter(table_case *c)
{
    static const int32_t ids[] = { 0, 4, 6 };
    static const float rows[] = { 1, 1, 2, 2, 3, 3 };
    cohort_variable *v = seven_rows(c);
    if (v == NULL)
        return NULL;
    return cohort_variable_scatter_add(v, COHORT_ARRAY(ids, 3), COHORT_ARRAY(rows, 3, 2)) ==
                   COHORT_OK
               ? whole(c, v)
               : table_failed(c);
}

/* ---- Scheduled functions. */

static cohort_status add_three(cohort_replica *me, void *user)
{
    (void)me;
    return cohort_variable_assign_add((cohort_variable *)user, 3.0);
}

static json_t *add_in_step(table_case *c)
{
    cohort_variable *v =
        table_variable(c, table_scalar(c, 8, COHORT_F32), table_text(c, "synchronization", "AUTO"),
                       table_text(c, "aggregation", "NONE"));
    cohort_copy copies[SHARDS];
    float content = 0;
    if (v == NULL || table_step(c, add_three, v) != COHORT_OK || shards_of(c, v, copies) == 0)
        return NULL;
    const cohort_array array = { .data = &content, .dtype = COHORT_F32 };
    if (cohort_variable_read(v, array) != COHORT_OK)
        return table_failed(c);
    return json_pack("{s:s, s:f}", "type",
                     shards_of(c, v, copies) == 1 ? "CachingVariable" : "ShardedVariable", "value",
                     (double)content);
}

static cohort_status note_self(cohort_replica *me, void *user)
{
    int *it = user;
    it[0] = cohort_replica_id(me);
    it[1] = cohort_replica_count(me);
    return COHORT_OK;
}

static json_t *self_in_step(table_case *c)
{
    int it[2] = { -1, -1 };
    return table_step(c, note_self, it) == COHORT_OK
               ? json_pack("{s:[i, i]}", "id_and_replicas", it[0], it[1])
               : NULL;
}

static cohort_status fail(cohort_replica *me, void *user)
{
    (void)me;
    return *(const bool *)user ? cohort_error_set(COHORT_EINVAL, "a step that fails") : COHORT_OK;
}

static json_t *fail_in_step(table_case *c)
{
    bool is_failing = true;
    (void)cohort_for_each_replica(c->s, fail, &is_failing);
    return cohort_wait(c->s) != COHORT_OK ? table_failed(c)
                                          : json_pack("{s:s}", "value", "nothing failed");
}

static json_t *step_after_failure(table_case *c)
{
    bool is_failing = true;
    json_decref(fail_in_step(c));
    is_failing = false;
    if (c->failure[0] == '\0' || cohort_strategy_recover(c->s) != COHORT_OK)
        return table_malformed(c, "the step before it does not fail");
    return table_step(c, fail, &is_failing) == COHORT_OK
               ? json_pack("{s:b}", "done", cohort_wait(c->s) == COHORT_OK)
               : NULL;
}

/* ---- Without servers: TensorFlow's names of the devices. */

static json_t *names_of(const table_case *c, const cohort_device *const devices[], int n)
{
    const cohort_device *workers[TABLE_MAX_REPLICAS];
    json_t *list = json_array();
    int n_workers = cohort_strategy_devices(c->s, workers, TABLE_MAX_REPLICAS);
    for (int i = 0; i < n; i++) {
        int place = 0;
        while (place < n_workers &&
               strcmp(cohort_device_id(workers[place]), cohort_device_id(devices[i])) != 0)
            place++;
        json_array_append_new(list,
                              json_sprintf("/job:localhost/replica:0/task:0/device:CPU:%d", place));
    }
    return list;
}

static json_t *local_devices(table_case *c)
{
    const cohort_device *workers[TABLE_MAX_REPLICAS], *parameters[TABLE_MAX_REPLICAS];
    int n = cohort_strategy_devices(c->s, workers, TABLE_MAX_REPLICAS);
    int n_parameters = cohort_strategy_parameter_devices(c->s, parameters, TABLE_MAX_REPLICAS);
    return json_pack("{s:i, s:o, s:o}", "replicas", cohort_strategy_num_replicas(c->s),
                     "worker_devices", names_of(c, workers, n), "parameter_devices",
                     names_of(c, parameters, n_parameters));
}

/* ---- Clusters that a strategy with parameter servers refuses. */

static json_t *of_cluster(table_case *c, const cohort_job jobs[], int n)
{
    cohort_resolver *r = cohort_resolver_simple(jobs, n, "chief", 0);
    cohort_strategy *s = r == NULL ? NULL
                                   : cohort_strategy_create(&(cohort_strategy_options){
                                         .name = "round-robin", .devices = "host", .resolver = r });
    json_t *found =
        s != NULL ? json_pack("{s:i}", "replicas", cohort_strategy_num_replicas(s)) : NULL;
    if (s == NULL)
        (void)table_failed(c);
    cohort_strategy_destroy(s);
    cohort_resolver_destroy(r);
    return found;
}

static const char *const addresses[] = { "a:1", "b:1", "c:1" };

static json_t *cluster_without_ps(table_case *c)
{
    static const cohort_job jobs[] = { { "chief", addresses, 1, NULL },
                                       { "worker", addresses + 1, 1, NULL } };
    return of_cluster(c, jobs, 2);
}

static json_t *cluster_of_two_chiefs(table_case *c)
{
    static const cohort_job jobs[] = { { "chief", addresses, 2, NULL },
                                       { "ps", addresses + 2, 1, NULL } };
    return of_cluster(c, jobs, 2);
}

const table_operation table_parameter_operations[] = {
    { "variable of *", parts },
    { "scalar variable with a partitioner", scalar_in_parts },
    { "sharded variable of 7 rows in 3 parts as one tensor", read_shards },
    { "embedding lookup of rows [6,0,3,3] in a sharded variable of 7 rows, 3 parts", look_up_rows },
    { "v[1:6:2]", slice },
    { "scatter_add of {0:[1,1], 4:[2,2], 6:[3,3]}", scatter },
    { "variable 8.0, scheduled replica assign_add(3.0)", add_in_step },
    { "replica id and number of replicas in a scheduled run", self_in_step },
    { "a scheduled function fails: join()", fail_in_step },
    { "schedule after the error was reported", step_after_failure },
    { "local, no accelerator: devices", local_devices },
    { "cluster without ps", cluster_without_ps },
    { "cluster with two chiefs", cluster_of_two_chiefs },
    { NULL, NULL },
};
