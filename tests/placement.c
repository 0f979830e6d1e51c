/* SPDX-License-Identifier: BSD-3-Clause */
/* Where variables live makes no difference to what they are: the same claims under every policy, on
 * many devices. What moves is counted on devices with memory of their own. */
#include "config.h"

#include "tests/core.h"
#include "tests/steer.h"

enum { ROWS = 7, COLUMNS = 3, ITEMS = ROWS * COLUMNS };

COHORT_ITEMS(momentum, i, n, (int64_t n, float rate, const float g[n], float v[n], float w[n]), {
    v[i] = 0.5f * v[i] + g[i];
    w[i] -= rate * v[i];
});

/* bias is whole, whatever w is. */
COHORT_ITEMS(add_rows, i, n *k,
             (int64_t n, int64_t k, const float *g COHORT_SHAPE(n, k), const float bias[k],
              float *w COHORT_SHAPE(n, k)),
             { w[i] += g[i] + bias[i % k]; });

COHORT_ITEMS(add_flat, i, n, (int64_t n, const float g[n], float w[n]), { w[i] += g[i]; });

COHORT_ITEMS(set_to, i, n, (int64_t n, float x, COHORT_OUT float w[n]), { w[i] = x; });

COHORT_ITEMS(times, i, n, (int64_t n, const float w[n], float x[n]), { x[i] *= w[i]; });

/* ---- Policies and devices. */

typedef struct policy {
    const char *name, *kind;
    int64_t shards, min_bytes, max_bytes; /* of a partitioner; 0: that of the kind */
} policy;

static const policy policies[] = {
    { "mirrored", "mirrored", 0, 0, 0 },       { "central", "central", 0, 0, 0 },
    { "round-robin", "round-robin", 0, 0, 0 }, { "sharded", "sharded", 0, 0, 0 },
    { "3 shards", "sharded", 3, 0, 0 },        { "100 shards", "sharded", 100, 0, 0 },
    { "min_bytes", "sharded", 0, 30, 0 },      { "max_bytes", "sharded", 0, 0, 25 },
};
enum { POLICIES = sizeof policies / sizeof *policies };

typedef struct place {
    const char *devices, *parameter_devices;
    int32_t replicas;
} place;

static const place places[] = {
    { "host", NULL, 1 },          { "host", NULL, 5 },
    { "host/2", NULL, 3 },        { "host/4", "host/4", 4 },
    { "loopback", NULL, 3 },      { "loopback/3,host", NULL, 8 },
    { "loopback/2", "host", 4 },  { "host", "loopback/3", 2 },
    { "stream/3", NULL, 4 },      { "loopback,stream", "host,stream", 5 },
    { "opencl:0,host", NULL, 3 },
};
enum { PLACES = sizeof places / sizeof *places };

static cohort_placement partitioner(const policy *p)
{
    return p->shards > 0      ? cohort_placement_fixed_shards(p->shards)
           : p->min_bytes > 0 ? cohort_placement_min_bytes(p->min_bytes, 4)
                              : cohort_placement_max_bytes(p->max_bytes, INT64_MAX);
}

static cohort_strategy *open_place(const place *where, const policy *p)
{
    bool is_cut = p->shards + p->min_bytes + p->max_bytes > 0;
    cohort_placement cut = partitioner(p);
    const char *parameters =
        where->parameter_devices != NULL ? where->parameter_devices : where->devices;
    return cohort_strategy_create(&(cohort_strategy_options){ .name = p->kind,
                                                              .devices = where->devices,
                                                              .parameter_devices = parameters,
                                                              .replicas = where->replicas,
                                                              .placement = is_cut ? &cut : NULL });
}

static bool has_opencl;

static bool is_there(const place *where)
{
    return has_opencl || strstr(where->devices, "opencl") == NULL;
}

static void everywhere(core_check_fn check, const char *claim)
{
    bool is_good = true;
    for (size_t i = 0; i < POLICIES && is_good; i++)
        for (size_t j = 0; j < PLACES && is_good; j++) {
            if (!is_there(&places[j]))
                continue;
            cohort_strategy *s = open_place(&places[j], &policies[i]);
            is_good = good(s != NULL) && check(s, places[j].replicas);
            cohort_strategy_destroy(s);
            if (!is_good)
                diag("%s, %d replicas on %s; latest error: %s", policies[i].name,
                     (int)places[j].replicas, places[j].devices, cohort_error_text());
        }
    ok(is_good, "%s", claim);
}

/* ---- What is equal. */

static bool is_equal(const float *found, const float *wanted, int n)
{
    for (int i = 0; i < n; i++)
        if (!good(memcmp(&found[i], &wanted[i], sizeof *found) == 0)) {
            diag("element %d is %g, not %g", i, (double)found[i], (double)wanted[i]);
            return false;
        }
    return true;
}

/* Every copy, where it lives, has the rows that it should have. */
static bool copies_are(cohort_variable *v, const float *wanted)
{
    enum { MOST = 64 };
    cohort_array arrays[MOST];
    cohort_copy copies[MOST];
    int n = cohort_local_results(v, arrays, MOST);
    bool is_good = good(n >= 1 && n <= MOST && n == cohort_variable_copies(v, copies, MOST));
    for (int i = 0; i < n && is_good; i++) {
        int64_t rows = copies[i].rows > 0 ? copies[i].rows : ROWS;
        is_good =
            good(arrays[i].rank == 2 && arrays[i].shape[0] == rows &&
                 arrays[i].shape[1] == COLUMNS) &&
            good(cohort_value_container(cohort_variable_strategy(v), arrays[i]) == v) &&
            is_equal(arrays[i].data, wanted + copies[i].first_row * COLUMNS, (int)rows * COLUMNS);
    }
    return is_good;
}

static bool is(cohort_variable *v, const float *wanted)
{
    float found[ITEMS];
    return good(cohort_variable_read(v, COHORT_ARRAY(found, ROWS, COLUMNS)) == COHORT_OK) &&
           is_equal(found, wanted, ITEMS) && copies_are(v, wanted);
}

static void count_up(float *x, float by)
{
    for (int i = 0; i < ITEMS; i++)
        x[i] = by * (float)i;
}

static cohort_variable *make(cohort_strategy *s, const char *name, const float *content)
{
    return cohort_variable_create(s, name, COHORT_ARRAY((float *)content, ROWS, COLUMNS), NULL);
}

/* ---- Writes from outside. */

static bool assigned(cohort_strategy *s, int replicas)
{
    float up[ITEMS], wanted[ITEMS], turned[ITEMS];
    (void)replicas;
    count_up(up, 1);
    cohort_variable *w = make(s, "w", up), *other = make(s, "other", NULL);
    cohort_array columns = COHORT_ARRAY(up, ROWS, COLUMNS);
    columns.strides[0] = 1, columns.strides[1] = ROWS;
    for (int i = 0; i < ITEMS; i++) {
        wanted[i] = 2.5f;
        turned[i] = (float)(i % COLUMNS * ROWS + i / COLUMNS);
    }
    float zeros[ITEMS] = { 0 };
    return good(w != NULL && other != NULL) && is(w, up) && is(other, zeros) &&
           good(cohort_variable_assign(w, 2.5) == COHORT_OK) && is(w, wanted) &&
           good(cohort_variable_assign(w, columns) == COHORT_OK) && is(w, turned) &&
           good(cohort_variable_assign(other, w) == COHORT_OK) && is(other, turned) &&
           good(cohort_variable_assign(w, cohort_value_plain(s, COHORT_ARRAY(up, ROWS, COLUMNS))) ==
                COHORT_OK) &&
           is(w, up) && good(cohort_variable_assign(w, w) == COHORT_OK) && is(w, up);
}

static bool added(cohort_strategy *s, int replicas)
{
    float up[ITEMS], wanted[ITEMS], rows[CORE_MAX_REPLICAS * ITEMS];
    count_up(up, 0.1f);
    for (int i = 0; i < replicas * ITEMS; i++)
        rows[i] = 1;
    memcpy(wanted, up, sizeof wanted);
    cohort_variable *w = make(s, "w", up), *other = make(s, "other", up);
    cohort_value *plain = cohort_value_plain(s, COHORT_ARRAY(up, ROWS, COLUMNS)),
                 *sum = cohort_value_create(s);
    bool is_good =
        good(cohort_variable_assign_add(w, 1.5) == COHORT_OK) &&
        good(cohort_variable_assign_sub(w, COHORT_ARRAY(up, ROWS, COLUMNS)) == COHORT_OK) &&
        good(cohort_variable_assign_add(w, plain) == COHORT_OK) &&
        good(cohort_variable_assign_add(w, other) == COHORT_OK) &&
        good(cohort_variable_assign_sub(w, w) == COHORT_OK) &&
        good(cohort_reduce(COHORT_SUM,
                           cohort_value_split(s, COHORT_ARRAY(rows, replicas, ROWS, COLUMNS)), 0,
                           sum) == COHORT_OK) &&
        good(cohort_variable_assign_sub(w, sum) == COHORT_OK) &&
        good(cohort_variable_assign_add(other, other) == COHORT_OK);
    for (int i = 0; i < ITEMS; i++)
        wanted[i] = (float)-replicas;
    is_good = is_good && is(w, wanted);
    for (int i = 0; i < ITEMS; i++)
        wanted[i] = up[i] + up[i];
    return is_good && is(other, wanted);
}

/* ---- Updates, and the reads of runs between them. */

static bool updated(cohort_strategy *s, int replicas)
{
    float g[ITEMS], v[ITEMS] = { 0 }, w[ITEMS];
    (void)replicas;
    count_up(g, 0.3f);
    count_up(w, 1);
    cohort_variable *vw = make(s, "w", w);
    cohort_variable *vv = cohort_variable_create(s, "v", COHORT_ARRAY((float *)NULL, ROWS, COLUMNS),
                                                 &(cohort_variable_options){ .colocate_with = vw });
    cohort_variable *vg = cohort_variable_create(s, "g", COHORT_ARRAY(g, ROWS, COLUMNS),
                                                 &(cohort_variable_options){ .colocate_with = vw });
    cohort_value *pg = cohort_value_plain(s, COHORT_ARRAY(g, ROWS, COLUMNS));
    bool is_good = good(vv != NULL && vg != NULL);
    for (int step = 0; step < 9 && is_good; step++) {
        for (int i = 0; i < ITEMS; i++) {
            v[i] = 0.5f * v[i] + g[i];
            w[i] -= 0.1f * v[i];
        }
        cohort_status status =
            step % 3 == 0 ? cohort_update(vw, momentum, 0.1f, pg, vv, vw)
            : step % 3 == 1
                ? cohort_update(vw, momentum, 0.1f, vg, vv, vw)
                : cohort_update(vw, momentum, 0.1f, COHORT_ARRAY(g, ROWS, COLUMNS), vv, vw);
        is_good = good(status == COHORT_OK) && (step % 4 != 3 || (is(vw, w) && is(vv, v)));
    }
    return is_good && is(vw, w) && is(vv, v) && is(vg, g);
}

static bool updated_rows(cohort_strategy *s, int replicas)
{
    float g[ITEMS], w[ITEMS], bias[COLUMNS] = { 10, 20, 30 };
    (void)replicas;
    count_up(g, 0.25f);
    count_up(w, 1);
    cohort_variable *vw = make(s, "w", w), *vg = make(s, "elsewhere", g);
    cohort_variable *vb = cohort_variable_create(s, "bias", COHORT_ARRAY(bias, COLUMNS), NULL);
    bool is_good =
        good(cohort_update(vw, add_rows, vg, vb, vw) == COHORT_OK) &&
        good(cohort_update(vw, add_rows, cohort_value_plain(s, COHORT_ARRAY(g, ROWS, COLUMNS)),
                           COHORT_ARRAY(bias, COLUMNS), vw) == COHORT_OK) &&
        good(cohort_update(vw, add_flat, vw, vw) == COHORT_OK);
    for (int i = 0; i < ITEMS; i++) {
        w[i] += g[i] + bias[i % COLUMNS];
        w[i] += g[i] + bias[i % COLUMNS];
        w[i] += w[i];
    }
    return is_good && is(vw, w) && good(cohort_update(vw, set_to, 4, vw) == COHORT_OK) &&
           good(cohort_update(vw, add_rows, vw, vb, vw) == COHORT_OK) && good(vw != NULL);
}

/* Each run sees what was written before it, and not what comes after. */
static bool read_by_runs(cohort_strategy *s, int replicas)
{
    enum { ROUNDS = 5 };
    float x[CORE_MAX_REPLICAS * ITEMS], found[CORE_MAX_REPLICAS * ITEMS];
    for (int i = 0; i < replicas * ITEMS; i++)
        x[i] = 1;
    cohort_variable *w = make(s, "w", NULL);
    cohort_value *all = cohort_value_split(s, COHORT_ARRAY(x, replicas * ROWS, COLUMNS));
    bool is_good = true;
    for (int i = 1; i <= ROUNDS && is_good; i++)
        is_good = good((i % 2 == 0 ? cohort_variable_assign(w, i)
                                   : cohort_update(w, set_to, (float)i, w)) == COHORT_OK) &&
                  good(cohort_run(s, times, w, all) == COHORT_OK);
    is_good =
        is_good && good(cohort_variable_assign(w, -1) == COHORT_OK) &&
        good(cohort_value_read(all, COHORT_ARRAY(found, replicas * ROWS, COLUMNS)) == COHORT_OK);
    for (int i = 0; i < replicas * ITEMS && is_good; i++)
        is_good = good(found[i] == 120);
    return is_good;
}

static bool of_any_shape(cohort_strategy *s, int replicas)
{
    double one = 1, found = 0;
    float nothing[1] = { 0 }, single[COLUMNS] = { 1, 2, 3 };
    int64_t shape[COHORT_MAX_RANK];
    cohort_dtype dtype;
    (void)replicas;
    cohort_variable *scalar = cohort_variable_create(
        s, "scalar", (cohort_array){ .data = &one, .dtype = COHORT_F64 }, NULL);
    cohort_variable *empty = cohort_variable_create(s, "empty", COHORT_ARRAY(nothing, 0, 4), NULL);
    cohort_variable *row = cohort_variable_create(s, "row", COHORT_ARRAY(single, 1, COLUMNS), NULL);
    return good(scalar != NULL && empty != NULL && row != NULL) &&
           good(cohort_variable_assign_add(scalar, 0.25) == COHORT_OK) &&
           good(cohort_variable_read(scalar, COHORT_ARRAY(&found, 1)) == COHORT_OK) &&
           good(found == 1.25) && good(cohort_variable_assign(empty, 1) == COHORT_OK) &&
           good(cohort_variable_assign_sub(empty, 1) == COHORT_OK) &&
           good(cohort_update(empty, set_to, 3, empty) == COHORT_OK) &&
           good(cohort_variable_read(empty, COHORT_ARRAY(nothing, 0, 4)) == COHORT_OK) &&
           good(cohort_variable_shape(empty, &dtype, shape) == 2) &&
           good(shape[0] == 0 && shape[1] == 4) &&
           good(cohort_variable_assign_sub(row, COHORT_ARRAY(single, 1, COLUMNS)) == COHORT_OK) &&
           good(cohort_variable_read(row, COHORT_ARRAY(single, 1, COLUMNS)) == COHORT_OK) &&
           good(single[2] == 0) && good(cohort_variable_shape(scalar, &dtype, NULL) == 0) &&
           good(dtype == COHORT_F64);
}

/* ---- In step functions. */

typedef struct job {
    cohort_strategy *s;
    cohort_variable *sum, *mean, *first, *own, *found[CORE_MAX_REPLICAS];
    cohort_value *ids, *plain;
    float up[ITEMS];
} job;

static _Thread_local cohort_status latest;

#define must(call) ((latest = (call)) == COHORT_OK)

static cohort_status written_together(cohort_replica *me, void *user)
{
    job *j = user;
    int id = cohort_replica_id(me);
    float mine[ITEMS];
    for (int i = 0; i < ITEMS; i++)
        mine[i] = (float)id;
    if (!must(cohort_variable_assign(j->sum, COHORT_ARRAY(mine, ROWS, COLUMNS))) ||
        !must(cohort_variable_assign_add(j->sum, 1)) ||
        !must(cohort_variable_assign_sub(j->sum, j->plain)) ||
        !must(cohort_variable_assign(j->mean, j->ids)) ||
        !must(cohort_variable_assign_add(j->mean, 2)) ||
        !must(cohort_variable_assign_sub(j->mean, j->plain)) ||
        !must(cohort_variable_assign(j->first, id + 5)) ||
        !must(cohort_variable_assign_add(j->first, j->mean)) ||
        !must(cohort_variable_read(j->first, COHORT_ARRAY(mine, ROWS, COLUMNS))))
        return latest;
    return mine[0] == 5 + (float)(cohort_replica_count(me) - 1) / 2 + 2 ? COHORT_OK
                                                                        : COHORT_EINTERNAL;
}

static cohort_variable *aggregated(cohort_strategy *s, const char *name,
                                   cohort_aggregation aggregation)
{
    return cohort_variable_create(s, name, COHORT_ARRAY((float *)NULL, ROWS, COLUMNS),
                                  &(cohort_variable_options){ .aggregation = aggregation });
}

static bool written_in_steps(cohort_strategy *s, int replicas)
{
    float ids[CORE_MAX_REPLICAS * ITEMS], sum[ITEMS], mean[ITEMS], first[ITEMS];
    job j = { .s = s };
    for (int i = 0; i < replicas * ITEMS; i++)
        ids[i] = (float)(i / ITEMS);
    count_up(j.up, 1);
    j.sum = aggregated(s, "sum", COHORT_AGGREGATE_SUM);
    j.mean = aggregated(s, "mean", COHORT_AGGREGATE_MEAN);
    j.first = aggregated(s, "first", COHORT_AGGREGATE_ONLY_FIRST_REPLICA);
    j.ids = cohort_value_split(s, COHORT_ARRAY(ids, replicas * ROWS, COLUMNS));
    j.plain = cohort_value_plain(s, COHORT_ARRAY(j.up, ROWS, COLUMNS));
    float total = (float)(replicas * (replicas - 1)) / 2, average = (float)(replicas - 1) / 2;
    for (int i = 0; i < ITEMS; i++) {
        sum[i] = total + (float)replicas - (float)replicas * j.up[i];
        mean[i] = average + 2 - j.up[i];
        first[i] = 5 + average + 2 - j.up[i];
    }
    return good(cohort_for_each_replica(s, written_together, &j) == COHORT_OK) && is(j.sum, sum) &&
           is(j.mean, mean) && is(j.first, first);
}

/* The component of a replica without rows is no contribution. */
static cohort_status written_by_some(cohort_replica *me, void *user)
{
    const job *j = user;
    cohort_status status = cohort_variable_assign(j->sum, j->ids);
    (void)me;
    return status >= 0 ? cohort_variable_assign(j->mean, j->ids) : status;
}

static cohort_status written_by_first(cohort_replica *me, void *user)
{
    const job *j = user;
    (void)me;
    return cohort_variable_assign(j->first, j->ids);
}

static bool written_without_rows(cohort_strategy *s, int replicas)
{
    float threes[ITEMS], sum[ITEMS];
    cohort_array parts[CORE_MAX_REPLICAS];
    job j = { .s = s };
    int present = replicas / 2;
    for (int i = 0; i < ITEMS; i++) {
        threes[i] = 3;
        sum[i] = 3 * (float)present;
    }
    for (int r = 0; r < replicas; r++)
        parts[r] = COHORT_ARRAY(threes, r % 2 == 1 ? ROWS : 0, COLUMNS);
    j.sum = aggregated(s, "sum", COHORT_AGGREGATE_SUM);
    j.mean = aggregated(s, "mean", COHORT_AGGREGATE_MEAN);
    j.first = aggregated(s, "first", COHORT_AGGREGATE_ONLY_FIRST_REPLICA);
    j.ids = cohort_value_per_replica(s, parts);
    cohort_status status = cohort_for_each_replica(s, written_by_some, &j);
    if (present == 0)
        return good(status == COHORT_EINVAL) && good(strstr(cohort_error_text(), "'sum'") != NULL);
    return good(status == COHORT_OK) && is(j.sum, sum) && is(j.mean, threes) &&
           good(cohort_for_each_replica(s, written_by_first, &j) == COHORT_EINVAL) &&
           good(strstr(cohort_error_text(), "replica 0") != NULL);
}

static cohort_status created_together(cohort_replica *me, void *user)
{
    job *j = user;
    char name[20];
    float mine[ITEMS];
    int id = cohort_replica_id(me);
    (void)snprintf(name, sizeof name, "dense_%d", id);
    count_up(mine, (float)(id + 3));
    j->found[id] = make(j->s, name, mine);
    if (j->found[id] == NULL)
        return COHORT_EINTERNAL;
    return cohort_variable_read(j->found[id], COHORT_ARRAY(mine, ROWS, COLUMNS));
}

static bool created_in_steps(cohort_strategy *s, int replicas)
{
    float wanted[ITEMS];
    job j = { .s = s };
    count_up(wanted, 3);
    bool is_good = good(cohort_for_each_replica(s, created_together, &j) == COHORT_OK);
    for (int r = 0; r < replicas && is_good; r++)
        is_good = good(j.found[r] == cohort_variable_find(s, "dense_0"));
    return is_good && is(j.found[0], wanted);
}

int main(void)
{
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    cohort_strategy *gpu = cohort_mirrored("opencl:0");
    has_opencl = gpu != NULL;
    cohort_strategy_destroy(gpu);
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) { /* prototypes are parsed once for the process */
        warm = core_live_now();
        everywhere(assigned, "numbers, arrays, values and variables are assigned to every copy");
        everywhere(added, "and added and subtracted");
        everywhere(updated, "updates change every copy alike");
        everywhere(updated_rows, "and get the rows of a shard where it is one");
        everywhere(read_by_runs, "runs read the whole variable as it was when they were called");
        everywhere(of_any_shape, "a scalar, no row and one row are variables too");
        everywhere(written_in_steps, "what replicas write together is combined");
        everywhere(written_without_rows, "but for replicas without rows");
        everywhere(created_in_steps,
                   "and what they create together is one variable, with one name");
    }
    core_no_leak(warm);
    return tap_done();
}
