/* SPDX-License-Identifier: BSD-3-Clause */
/* ON_READ variables: a component for each replica, combined when they are read from outside; where
 * there is one copy, the rules of ON_WRITE. */
#include "config.h"

#include "tests/core.h"

#include <time.h>

enum { N = 5 };

COHORT_ITEMS(set_to, i, n, (int64_t n, float x, COHORT_OUT float w[n]), { w[i] = x; });

COHORT_ITEMS(add, i, n, (int64_t n, const float g[n], float w[n]), { w[i] += g[i]; });

COHORT_ITEMS(add_first, i, n, (int64_t n, int64_t m, const float g[m], float w[n]),
             { w[i] += g[0]; });

COHORT_ITEMS(set_id, i, n, (int64_t n, int32_t id, COHORT_OUT float w[n]), { w[i] = (float)id; });

/* Not before whoever does not wait for it would have gone on. */
COHORT_FUNCTION(set_late, (int64_t n, int64_t step, COHORT_OUT float w[n]), COHORT_HOST_ONLY)
{
    (void)nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    for (int64_t i = 0; i < n; i++)
        w[i] = (float)step;
}

COHORT_ITEMS(copy, i, n, (int64_t n, const float w[n], COHORT_OUT float x[n]), { x[i] = w[i]; });

static cohort_variable *make(cohort_strategy *s, const char *name, cohort_aggregation aggregation,
                             float initial)
{
    float content[N];
    for (int i = 0; i < N; i++)
        content[i] = initial;
    return cohort_variable_create(s, name, COHORT_ARRAY(content, N),
                                  &(cohort_variable_options){ .synchronization = COHORT_ON_READ,
                                                              .aggregation = aggregation });
}

/* What is read from outside. */
static bool reads(cohort_variable *v, float wanted)
{
    float found[N];
    return good(cohort_variable_read(v, COHORT_ARRAY(found, N)) == COHORT_OK) &&
           (good(found[0] == wanted && found[N - 1] == wanted) ||
            (diag("%g, not %g", (double)found[0], (double)wanted), false));
}

/* Component r is first + r * more. */
static bool components_are(cohort_variable *v, int replicas, float first, float more)
{
    cohort_array components[CORE_MAX_REPLICAS];
    cohort_copy copies[CORE_MAX_REPLICAS];
    bool is_good = good(cohort_local_results(v, components, CORE_MAX_REPLICAS) == replicas) &&
                   good(cohort_variable_copies(v, copies, CORE_MAX_REPLICAS) == replicas);
    for (int r = 0; r < replicas && is_good; r++) {
        const float *found = components[r].data;
        is_good =
            good(components[r].rank == 1 && components[r].shape[0] == N && copies[r].rows == 0) &&
            (good(found[0] == first + (float)r * more && found[N - 1] == found[0]) ||
             (diag("component %d is %g", r, (double)found[0]), false)) &&
            good(cohort_value_container(cohort_variable_strategy(v), components[r]) == v);
    }
    return is_good;
}

typedef struct job {
    cohort_strategy *s;
    cohort_variable *none, *sum, *mean, *first;
    cohort_variable *plain;
    cohort_value *split;
} job;

static bool make_all(job *j, cohort_strategy *s, float initial)
{
    *j = (job){ .s = s };
    j->none = make(s, "none", COHORT_AGGREGATE_NONE, initial);
    j->sum = make(s, "sum", COHORT_AGGREGATE_SUM, initial);
    j->mean = make(s, "mean", COHORT_AGGREGATE_MEAN, initial);
    j->first = make(s, "first", COHORT_AGGREGATE_ONLY_FIRST_REPLICA, initial);
    return good(j->none != NULL && j->sum != NULL && j->mean != NULL && j->first != NULL);
}

static cohort_variable *nth(const job *j, int i)
{
    return i == 0 ? j->none : i == 1 ? j->sum : i == 2 ? j->mean : j->first;
}

/* ---- From outside. */

static bool written_outside(cohort_strategy *s, int replicas)
{
    job j;
    float r = (float)replicas, found[N];
    if (!make_all(&j, s, 1))
        return false;
    bool is_good = reads(j.sum, r) && reads(j.mean, 1) && reads(j.first, 1) &&
                   refused_for(s, "'none'", cohort_variable_read(j.none, COHORT_ARRAY(found, N))) &&
                   components_are(j.none, replicas, 1, 0);
    for (int i = 0; i < 4 && is_good; i++)
        is_good = good(cohort_variable_assign(nth(&j, i), 2 * replicas) == COHORT_OK);
    is_good = is_good && reads(j.sum, 2 * r) && components_are(j.sum, replicas, 2, 0) &&
              reads(j.mean, 2 * r) && reads(j.first, 2 * r) &&
              components_are(j.none, replicas, 2 * r, 0);
    for (int i = 0; i < 4 && is_good; i++)
        is_good = good(cohort_variable_assign_add(nth(&j, i), 3) == COHORT_OK) &&
                  good(cohort_variable_assign_sub(nth(&j, i), 1) == COHORT_OK);
    is_good = is_good && reads(j.sum, 2 * r + 2) && reads(j.mean, 2 * r + 2) &&
              reads(j.first, 2 * r + 2) && components_are(j.none, replicas, 2 * r + 2, 0);
    cohort_array components[CORE_MAX_REPLICAS];
    is_good = is_good &&
              good(cohort_local_results(j.sum, components, CORE_MAX_REPLICAS) == replicas) &&
              good(*(const float *)components[0].data == 4) &&
              good(replicas == 1 || *(const float *)components[1].data == 2);
    return is_good && good(cohort_variable_assign(j.mean, j.sum) == COHORT_OK) &&
           reads(j.mean, 2 * r + 2) &&
           good(cohort_variable_assign_add(j.sum, j.sum) == COHORT_OK) && reads(j.sum, 4 * r + 4) &&
           refused_for(s, "'none'", cohort_variable_assign(j.mean, j.none)) &&
           reads(j.mean, 2 * r + 2);
}

static bool integers(cohort_strategy *s, int replicas)
{
    int32_t seven[1] = { 7 }, found[1];
    int8_t least[1] = { INT8_MIN }, found8[1];
    cohort_array components[CORE_MAX_REPLICAS];
    const cohort_variable_options options = { .synchronization = COHORT_ON_READ,
                                              .aggregation = COHORT_AGGREGATE_SUM };
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY((int32_t *)NULL, 1), &options);
    cohort_variable *b = cohort_variable_create(s, "b", COHORT_ARRAY((int8_t *)NULL, 1), &options);
    return good(cohort_variable_assign(w, COHORT_ARRAY(seven, 1)) == COHORT_OK) &&
           good(cohort_variable_assign(b, COHORT_ARRAY(least, 1)) == COHORT_OK) &&
           good(cohort_variable_read(w, COHORT_ARRAY(found, 1)) == COHORT_OK) &&
           good(found[0] == 7) &&
           good(cohort_variable_read(b, COHORT_ARRAY(found8, 1)) == COHORT_OK) &&
           good(found8[0] == INT8_MIN) &&
           good(cohort_local_results(w, components, CORE_MAX_REPLICAS) == replicas) &&
           good(*(const int32_t *)components[0].data == 7 / replicas + 7 % replicas) &&
           good(*(const int32_t *)components[replicas - 1].data ==
                (replicas == 1 ? 7 : 7 / replicas));
}

/* ---- In step functions. */

static cohort_status write_own(cohort_replica *me, void *user)
{
    const job *j = user;
    int id = cohort_replica_id(me);
    float mine[N], found[N];
    cohort_status status = COHORT_OK;
    for (int i = 0; i < 4 && status >= 0; i++) {
        status = cohort_variable_assign(nth(j, i), j->split);
        if (status >= 0)
            status = cohort_variable_assign_add(nth(j, i), j->plain);
        for (int k = 0; k < id % 3 && status >= 0; k++) /* this one more often than others */
            status = cohort_variable_assign_sub(nth(j, i), 0);
        if (status >= 0)
            status = cohort_variable_read(nth(j, i), COHORT_ARRAY(found, N));
        if (status >= 0 && (found[0] != (float)id + 0.5f || found[N - 1] != found[0]))
            return cohort_barrier(NULL); /* fails */
    }
    for (int i = 0; i < N; i++)
        mine[i] = found[i] - 0.5f;
    if (status >= 0)
        status = cohort_variable_assign(j->mean, COHORT_ARRAY(mine, N));
    return status >= 0 ? cohort_variable_assign(j->first, j->mean) : status;
}

static bool written_inside(cohort_strategy *s, int replicas)
{
    job j;
    float ids[CORE_MAX_REPLICAS * N], half[N] = { 0.5f, 0.5f, 0.5f, 0.5f, 0.5f };
    float r = (float)replicas;
    for (int i = 0; i < replicas * N; i++)
        ids[i] = (float)(i / N);
    if (!make_all(&j, s, 1))
        return false;
    j.split = cohort_value_split(s, COHORT_ARRAY(ids, replicas * N));
    j.plain = cohort_variable_create(s, "half", COHORT_ARRAY(half, N), NULL);
    cohort_value *x = cohort_value_create(s);
    float found[CORE_MAX_REPLICAS * N];
    bool is_good = good(cohort_for_each_replica(s, write_own, &j) == COHORT_OK) &&
                   components_are(j.none, replicas, 0.5f, 1) &&
                   reads(j.sum, r * (r - 1) / 2 + 0.5f * r) && reads(j.mean, (r - 1) / 2) &&
                   reads(j.first, 0) && components_are(j.first, replicas, 0, 1) &&
                   good(cohort_run(s, copy, j.none, x) == COHORT_OK) &&
                   good(cohort_value_read(x, COHORT_ARRAY(found, replicas * N)) == COHORT_OK);
    for (int i = 0; i < replicas * N && is_good; i++)
        is_good = good(found[i] == ids[i] + 0.5f);
    return is_good && good(cohort_variable_assign(j.none, 3) == COHORT_OK) &&
           components_are(j.none, replicas, 3, 0) &&
           good(cohort_for_each_replica(s, write_own, &j) == COHORT_OK) &&
           components_are(j.none, replicas, 0.5f, 1);
}

/* ---- Updates: once for each component. */

static bool updated(cohort_strategy *s, int replicas)
{
    float ids[CORE_MAX_REPLICAS * N], ones[N] = { 1, 1, 1, 1, 1 };
    float r = (float)replicas;
    job j;
    for (int i = 0; i < replicas * N; i++)
        ids[i] = (float)(i / N);
    cohort_value *split = cohort_value_split(s, COHORT_ARRAY(ids, replicas * N));
    return make_all(&j, s, 0) && good(cohort_update(j.sum, set_to, 5, j.sum) == COHORT_OK) &&
           reads(j.sum, 5 * r) &&
           good(cohort_update(j.none, set_id, COHORT_REPLICA_ID, j.none) == COHORT_OK) &&
           components_are(j.none, replicas, 0, 1) &&
           good(cohort_update(j.sum, add, split, j.sum) == COHORT_OK) &&
           components_are(j.sum, replicas, 5, 1) &&
           good(cohort_update(j.sum, add, j.none, j.sum) == COHORT_OK) &&
           components_are(j.sum, replicas, 5, 2) &&
           good(cohort_update(j.sum, add, COHORT_ARRAY(ones, N), j.sum) == COHORT_OK) &&
           components_are(j.sum, replicas, 6, 2);
}

static cohort_status update_own(cohort_replica *me, void *user)
{
    cohort_variable *v = user;
    cohort_status status = cohort_replica_update(me, v, set_to, 7, v);
    return status < 0 ? status : cohort_variable_assign_add(v, 1);
}

static cohort_status update_late(cohort_replica *me, void *user)
{
    cohort_variable *v = user;
    return cohort_replica_update(me, v, set_late, COHORT_STEP, v);
}

static cohort_status record_late(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    (void)batch;
    return cohort_for_each_replica(s, update_late, user);
}

/* Components are lent where they lie, so when the writes of all of them have ended; also when a
 * step is repeated without making its calls, as two of these three are that are looked at one by
 * one. */
static bool awaited(cohort_strategy *s, int replicas)
{
    enum { WARM = 12 };
    cohort_variable *v = make(s, "v", COHORT_AGGREGATE_NONE, 0);
    cohort_program *p = cohort_program_record(s, record_late, v, NULL, 0);
    bool is_good = good(cohort_program_run(p, NULL, 1) == COHORT_OK) &&
                   components_are(v, replicas, 1, 0) &&
                   good(cohort_program_run(p, NULL, WARM) == COHORT_OK);
    for (int i = 0; i < 3 && is_good; i++)
        is_good = good(cohort_program_run(p, NULL, 1) == COHORT_OK) &&
                  components_are(v, replicas, (float)(1 + WARM + 1 + i), 0);
    return is_good;
}

/* With one replica as with many. */
static bool counted(cohort_strategy *s, int replicas)
{
    cohort_variable *v = make(s, "v", COHORT_AGGREGATE_SUM, 0);
    return good(cohort_variable_updates(v) == 0) &&
           good(cohort_update(v, set_to, 5, v) == COHORT_OK) &&
           good(cohort_variable_updates(v) == 1) &&
           good(cohort_for_each_replica(s, update_own, v) == COHORT_OK) &&
           reads(v, 8 * (float)replicas) && good(cohort_variable_updates(v) == 1);
}

/* A replica without rows does not change its component. */
static bool updated_absent(cohort_strategy *s, int replicas)
{
    float rows[N] = { 1, 1, 1, 1, 1 };
    cohort_array parts[CORE_MAX_REPLICAS];
    job j;
    if (!make_all(&j, s, 3))
        return false;
    for (int r = 0; r < replicas; r++)
        parts[r] = COHORT_ARRAY(rows, r == 0 ? N : 0);
    cohort_value *x = cohort_value_per_replica(s, parts);
    cohort_array components[CORE_MAX_REPLICAS];
    return good(cohort_update(j.none, add_first, x, j.none) == COHORT_OK) &&
           good(cohort_local_results(j.none, components, CORE_MAX_REPLICAS) == replicas) &&
           good(*(const float *)components[0].data == 4) &&
           good(replicas == 1 || *(const float *)components[replicas - 1].data == 3);
}

/* ---- One copy: synchronization has no effect. */

static cohort_status sum_up(cohort_replica *me, void *user)
{
    return cohort_variable_assign(user, cohort_replica_id(me) + 1);
}

static bool is_one_copy(const char *kind, const core_place *place)
{
    cohort_strategy *s =
        cohort_strategy_create(&(cohort_strategy_options){ .name = kind,
                                                           .devices = place->devices,
                                                           .parameter_devices = place->devices,
                                                           .replicas = place->replicas,
                                                           .n_hosted = core_n_hosted(place),
                                                           .hosted = place->hosted });
    cohort_variable *v = make(s, "v", COHORT_AGGREGATE_SUM, 1),
                    *none = make(s, "none", COHORT_AGGREGATE_NONE, 7);
    bool is_good = good(v != NULL && none != NULL) && reads(v, 1) &&
                   good(cohort_variable_assign_add(v, 1) == COHORT_OK) && reads(v, 2) &&
                   good(cohort_for_each_replica(s, sum_up, v) == COHORT_OK) &&
                   reads(v, (float)(place->replicas * (place->replicas + 1)) / 2) && reads(none, 7);
    cohort_strategy_destroy(s);
    return is_good;
}

static void as_on_write(const char *kind)
{
    bool is_good = true;
    for (size_t i = 0; i < CORE_PLACES && is_good; i++)
        is_good = is_one_copy(kind, &core_places[i]);
    ok(is_good, "under %s there is one copy, and the rules of ON_WRITE hold", kind);
}

int main(void)
{
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) { /* prototypes are parsed once for the process */
        warm = core_live_now();
        core_everywhere(written_outside,
                        "writes from outside go to the components, and reads combine them");
        core_everywhere(
            integers,
            "a sum of integers is shared out with its remainder, so that it is read again");
        core_everywhere(written_inside,
                        "a replica writes and reads its own component, at its own pace");
        core_everywhere(updated, "an update runs for each component, with what is its replica's");
        core_everywhere(awaited, "components are lent when what a recorded step writes has ended");
        core_everywhere(counted, "only what changes all components at once counts as an update");
        core_everywhere(updated_absent, "but not for that of a replica without rows");
        as_on_write("central");
        as_on_write("round-robin");
        as_on_write("sharded");
    }
    core_no_leak(warm);
    return tap_done();
}
