/* SPDX-License-Identifier: BSD-3-Clause */
/* Placement policies of programs: what they may answer, what they may call, and as many shards as
 * there can be. */
#include "config.h"

#include "tests/core.h"

#include <limits.h>
#include <stdatomic.h>

enum { ROWS = 7, COLUMNS = 3, SHARDS = 4096, ROUNDS = 3 };

/* ------------------------------------------------------------------ answers */

typedef struct answer {
    int n;
    cohort_copy copies[3];
    const char *text; /* NULL: right */
} answer;

static int give(const cohort_place_request *request, cohort_copy out[], int capacity, void *user)
{
    const answer *a = user;
    (void)request;
    (void)capacity;
    memcpy(out, a->copies, sizeof a->copies);
    return a->n;
}

static const answer answers[] = {
    { 2, { { 1, 0, 0, 0 }, { 0, 0, 0, 3 } }, "range of rows" },
    { 2, { { 0, 0, 0, 0 }, { 1, 0, 0, 3 } }, "range of rows" },
    { 2, { { 0, 0, 0, ROWS }, { 1, 0, 0, ROWS } }, "go on" },
    { 2, { { 0, 0, 0, 0 }, { 0, 0, 0, 0 } }, "same device" },
    { 2, { { 0, 0, 0, 3 }, { 1, 0, 4, 3 } }, "go on" },
    { 2, { { 0, 0, 0, 4 }, { 1, 0, 3, 4 } }, "go on" },
    { 2, { { 0, 0, 0, 3 }, { 1, 0, 3, INT64_MAX } }, "go on" },
    { 2, { { 0, 0, 0, -3 }, { 1, 0, -3, 10 } }, "go on" },
    { 1, { { 0, 0, 0, 5 } }, "last row" },
    { 1, { { 0, 0, -1, 0 } }, "row 0" },
    { 1, { { 2, 0, 0, 0 } }, "no parameter device" },
    { 1, { { -1, 0, 0, 0 } }, "no parameter device" },
    { 0, { { 0 } }, "0 copies" },
    { INT_MAX, { { 0 } }, "copies" },
    { INT_MIN, { { 0 } }, "which is no status" },
    { COHORT_ENOTSUP, { { 0 } }, "it returned -5 (not supported)" },
    { 2, { { 1, 0, 0, 0 }, { 0, 0, 0, 0 } }, NULL },
    { 2, { { 1, 0, 0, 3 }, { 1, 0, 3, 4 } }, NULL },
    { 1, { { 1, 0, 0, ROWS } }, NULL },
};

static bool is_answered(cohort_strategy *s, const answer *a)
{
    float content[ROWS * COLUMNS] = { 1, 2, 3 }, found[ROWS * COLUMNS];
    cohort_placement policy = { .name = "mine", .place = give, .user = (void *)a };
    cohort_variable_options options = { .placement = &policy };
    cohort_variable *v =
        cohort_variable_create(s, "v", COHORT_ARRAY(content, ROWS, COLUMNS), &options);
    if (a->text != NULL)
        return good(v == NULL) &&
               refused(s, a->n == COHORT_ENOTSUP ? COHORT_ENOTSUP : COHORT_EINVAL,
                       cohort_strategy_status(s)) &&
               says(a->text) && says("'v'") && good(cohort_variable_find(s, "v") == NULL);
    bool is_good = good(v != NULL) && good(cohort_variable_copies(v, NULL, 0) == a->n) &&
                   good(cohort_variable_assign_add(v, v) == COHORT_OK) &&
                   good(cohort_variable_read(v, COHORT_ARRAY(found, ROWS, COLUMNS)) == COHORT_OK) &&
                   good(found[2] == 6);
    cohort_variable_destroy(v);
    return is_good;
}

static void check_answers(void)
{
    cohort_strategy *s = cohort_mirrored("loopback,host");
    bool is_good = s != NULL;
    for (size_t i = 0; i < sizeof answers / sizeof *answers && is_good; i++)
        if (!(is_good = is_answered(s, &answers[i])))
            diag("answer %zu", i);
    ok(is_good, "what is no placement is refused by name, and what is one is taken");
    float x[1] = { 0 };
    cohort_placement policy = {
        .name = "mine", .place = give, .user = (void *)&answers[16], .flags = 6
    };
    ok(refused_null_for(s, "0x6",
                        cohort_variable_create(s, "v", COHORT_ARRAY(x, 1),
                                               &(cohort_variable_options){ .placement = &policy })),
       "unknown flags are refused");
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ calls */

typedef struct job {
    cohort_strategy *s;
    cohort_variable *other, *table, *own;
    cohort_value *ids, *rows;
    atomic_int asked, wrong;
} job;

/* Everything that it calls of the strategy is refused, at once, and so is what has called it. */
static int call_back(const cohort_place_request *request, cohort_copy out[], int capacity,
                     void *user)
{
    job *j = user;
    float x[2] = { 1, 2 };
    (void)request;
    (void)capacity;
    bool is_good = good(cohort_variable_create(j->s, "inner", COHORT_ARRAY(x, 2), NULL) == NULL) &&
                   good(cohort_variable_assign(j->other, 1) == COHORT_EINVAL) &&
                   good(cohort_variable_read(j->other, COHORT_ARRAY(x, 2)) == COHORT_EINVAL) &&
                   good(cohort_variable_gather(j->other, j->ids, j->rows) == COHORT_EINVAL) &&
                   good(cohort_variable_scatter_add(j->other, j->ids, j->rows) == COHORT_EINVAL) &&
                   good(cohort_wait(j->s) == COHORT_EINVAL) &&
                   good(cohort_value_create(j->s) == NULL);
    cohort_variable_destroy(j->other);
    cohort_strategy_destroy(j->s);
    atomic_fetch_add(&j->asked, 1);
    atomic_fetch_add(&j->wrong, !is_good);
    out[0].device = 0;
    return 1;
}

static cohort_variable *create(job *j, const char *name)
{
    float x[2] = { 3, 4 };
    cohort_placement policy = { .name = "caller", .place = call_back, .user = j };
    return cohort_variable_create(j->s, name, COHORT_ARRAY(x, 2),
                                  &(cohort_variable_options){ .placement = &policy });
}

static cohort_status create_merged(cohort_strategy *s, void *const all[], int replicas)
{
    (void)s;
    (void)replicas;
    return create(all[0], "merged") == NULL ? COHORT_OK : COHORT_EINTERNAL;
}

static cohort_status merge_in_step(cohort_replica *me, void *user)
{
    return cohort_merge_call(me, create_merged, user);
}

static cohort_status create_in_step(cohort_replica *me, void *user)
{
    static cohort_placement policy; /* one for all: options are compared */
    float x[2] = { 3, 4 };
    job *j = user;
    if (cohort_replica_id(me) == 0)
        policy = (cohort_placement){ .name = "caller", .place = call_back, .user = j };
    cohort_status status = cohort_barrier(me);
    if (status < 0)
        return status;
    const cohort_variable_options options = { .placement = &policy };
    return cohort_variable_create(j->s, "inside", COHORT_ARRAY(x, 2), &options) == NULL
               ? COHORT_OK
               : COHORT_EINTERNAL;
}

static bool calls_back(cohort_strategy *s, int replicas)
{
    static const char why[] = "placement 'caller': cohort_variable_create: ";
    float zeros[2] = { 0 }, found[2];
    int32_t ids[1] = { 0 };
    (void)replicas;
    job j = { .s = s, .other = cohort_variable_create(s, "other", COHORT_ARRAY(zeros, 2), NULL) };
    j.ids = cohort_value_plain(s, COHORT_ARRAY(ids, 1));
    j.rows = cohort_value_create(s);
    return refused_null_for(s, why, create(&j, "outside")) &&
           refused_for(s, why, cohort_for_each_replica(s, create_in_step, &j)) &&
           refused_for(s, why, cohort_for_each_replica(s, merge_in_step, &j)) &&
           good(atomic_load(&j.asked) == 3) && good(atomic_load(&j.wrong) == 0) &&
           good(cohort_variable_find(s, "inner") == NULL) &&
           good(cohort_variable_find(s, "outside") == NULL) &&
           good(cohort_variable_find(s, "inside") == NULL) &&
           good(cohort_variable_find(s, "merged") == NULL) &&
           good(cohort_variable_read(j.other, COHORT_ARRAY(found, 2)) == COHORT_OK) &&
           good(found[1] == 0) &&
           good(cohort_variable_create(s, "merged", COHORT_ARRAY(zeros, 2), NULL) != NULL);
}

/* ------------------------------------------------------------------ counting */

static int remember(const cohort_place_request *request, cohort_copy out[], int capacity,
                    void *user)
{
    (void)capacity;
    *(int *)user = request->ordinal;
    out[0].device = request->ordinal % request->num_parameter_devices;
    return 1;
}

/* The ordinal that a policy sees for one more variable; with `slots`, two more are placed like
 * it. */
static int count(cohort_strategy *s, const cohort_placement *policy, bool has_slots)
{
    static int names;
    float x[2] = { 0 };
    char name[32];
    (void)snprintf(name, sizeof name, "v%d", names++);
    cohort_variable *v = cohort_variable_create(s, name, COHORT_ARRAY(x, 2),
                                                &(cohort_variable_options){ .placement = policy });
    for (int i = 0; i < 2 && has_slots; i++) {
        (void)snprintf(name, sizeof name, "v%d", names++);
        (void)good(cohort_variable_create(s, name, COHORT_ARRAY(x, 2),
                                          &(cohort_variable_options){ .colocate_with = v }) !=
                   NULL);
    }
    return v != NULL ? *(int *)policy->user : -1;
}

static void check_ordinals(void)
{
    int own = -1, general = -1;
    cohort_placement mine = { .name = "mine", .place = remember, .user = &own },
                     all = { .name = "all", .place = remember, .user = &general };
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = "loopback/2,host", .placement = &all });
    bool is_good =
        good(count(s, &mine, true) == 0) && good(count(s, &mine, true) == 1) &&
        good(cohort_variable_create(s, "w", COHORT_ARRAY(&(float){ 0 }, 1), NULL) != NULL) &&
        good(general == 0) && good(count(s, &mine, true) == 2);
    cohort_variable_destroy(cohort_variable_find(s, "v0"));
    ok(is_good && good(count(s, &mine, false) == 3),
       "a policy counts the variables that it has placed, and not those that are placed like them");
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ many shards */

static float content[SHARDS * 2];

/* The plan of one replica's read is longer than a ring, while others plan what is theirs. */
static cohort_status read_shards(cohort_replica *me, void *user)
{
    static _Thread_local float found[SHARDS * 2];
    const job *j = user;
    float own[COLUMNS];
    cohort_status status = COHORT_OK;
    for (int round = 0; round < ROUNDS && status >= 0; round++) {
        float number = (float)(cohort_replica_id(me) * 100 + round);
        status = cohort_variable_assign(j->own, number);
        if (status >= 0 && cohort_replica_id(me) % 2 == 1)
            status = cohort_variable_read(j->table, COHORT_ARRAY(found, SHARDS, 2));
        else if (status >= 0)
            status = cohort_variable_gather(j->table, j->ids, j->rows);
        if (status >= 0 && cohort_replica_id(me) % 2 == 1 &&
            memcmp(found, content, sizeof found) != 0)
            return COHORT_EINTERNAL;
        if (status >= 0)
            status = cohort_variable_assign_add(j->own, j->own);
        if (status >= 0)
            status = cohort_variable_read(j->own, COHORT_ARRAY(own, COLUMNS));
        if (status >= 0 && own[COLUMNS - 1] != 2 * number)
            return COHORT_EINTERNAL;
    }
    return status;
}

static bool shards(cohort_strategy *s, int replicas)
{
    enum { IDS = 16 };
    int64_t ids[CORE_MAX_REPLICAS * IDS];
    float zeros[COLUMNS] = { 0 };
    static float found[CORE_MAX_REPLICAS * IDS * 2], all[SHARDS * 2];
    cohort_placement cut = cohort_placement_fixed_shards(SHARDS),
                     more = cohort_placement_fixed_shards(SHARDS + 1);
    for (int i = 0; i < replicas * IDS; i++)
        ids[i] = (i * 37) % SHARDS;
    job j = { .s = s };
    j.table = cohort_variable_create(s, "table", COHORT_ARRAY(content, SHARDS, 2),
                                     &(cohort_variable_options){ .placement = &cut });
    j.own = cohort_variable_create(s, "own", COHORT_ARRAY(zeros, COLUMNS),
                                   &(cohort_variable_options){ .synchronization = COHORT_ON_READ });
    j.ids = cohort_value_split(s, COHORT_ARRAY(ids, replicas * IDS));
    j.rows = cohort_value_create(s);
    bool is_good = good(j.table != NULL && j.own != NULL) &&
                   good(cohort_for_each_replica(s, read_shards, &j) == COHORT_OK);
    is_good =
        is_good && good(cohort_variable_gather(j.table, j.ids, j.rows) == COHORT_OK) &&
        good(cohort_value_read(j.rows, COHORT_ARRAY(found, replicas * IDS, 2)) == COHORT_OK) &&
        good(cohort_variable_scatter_sub(j.table, j.ids, j.rows) == COHORT_OK) &&
        good(cohort_variable_scatter_add(j.table, j.ids, j.rows) == COHORT_OK) &&
        good(cohort_variable_read(j.table, COHORT_ARRAY(all, SHARDS, 2)) == COHORT_OK) &&
        good(memcmp(all, content, sizeof all) == 0);
    for (int i = 0; i < replicas * IDS && is_good; i++)
        is_good = good(found[2 * i + 1] == content[2 * ids[i] + 1]);
    return is_good && refused_null_for(s, "4097",
                                       cohort_variable_create(
                                           s, "more", COHORT_ARRAY((float *)NULL, SHARDS + 1, 2),
                                           &(cohort_variable_options){ .placement = &more }));
}

static void check_shards(void)
{
    static const core_place places[] = { { "host/2", 3, NULL },
                                         { "loopback/3,host", 8, NULL },
                                         { "loopback,stream", 5, NULL } };
    bool is_good = true;
    for (int i = 0; i < SHARDS * 2; i++)
        content[i] = (float)(i % 1024);
    for (size_t i = 0; i < sizeof places / sizeof *places && is_good; i++) {
        cohort_strategy *s = core_open(&places[i]);
        is_good = s != NULL && shards(s, places[i].replicas);
        cohort_strategy_destroy(s);
    }
    ok(is_good, "as many shards as there can be are read by replicas at once, and not one more");
}

/* ------------------------------------------------------------------ partitioners */

static cohort_placement fixed(int64_t number, int64_t most)
{
    (void)most;
    return cohort_placement_fixed_shards(number);
}

typedef struct partition {
    cohort_placement (*make)(int64_t number, int64_t most);
    int64_t number, most, rows, columns;
    int shards;
} partition;

/* In float32. Those of TensorFlow's formulas: ceil(bytes / number) of _min_bytes; of _max_bytes
 * ceil(rows / floor(number / bytes of a row)). */
static const partition partitions[] = {
    { cohort_placement_min_bytes, 256 << 10, 8, 1000, 256, 4 },
    { cohort_placement_min_bytes, 256 << 10, 3, 1000, 256, 3 },
    { cohort_placement_min_bytes, 256 << 10, 8, 100, 1, 1 },
    { cohort_placement_min_bytes, 4, INT64_MAX, 5, 3, 5 },
    { cohort_placement_min_bytes, 24, 8, 8, 3, 4 },
    { cohort_placement_min_bytes, 25, 8, 8, 3, 4 },
    { cohort_placement_min_bytes, 4, 8, 8, 0, 1 },
    { cohort_placement_max_bytes, 1 << 10, INT64_MAX, 10, 256, 10 },
    { cohort_placement_max_bytes, 2 << 10, INT64_MAX, 10, 256, 5 },
    { cohort_placement_max_bytes, 3 << 10, INT64_MAX, 10, 256, 4 },
    { cohort_placement_max_bytes, 3 << 10, 2, 10, 256, 2 },
    { cohort_placement_max_bytes, 1, 3, 10, 256, 3 },
    { cohort_placement_max_bytes, 1 << 20, 3, 10, 256, 1 },
    { fixed, 3, 0, 10, 2, 3 },
    { fixed, 20, 0, 10, 2, 10 },
};

static bool is_cut(cohort_strategy *s, const partition *p)
{
    cohort_placement placement = p->make(p->number, p->most);
    cohort_variable *v =
        cohort_variable_create(s, "cut", COHORT_ARRAY((float *)NULL, p->rows, p->columns),
                               &(cohort_variable_options){ .placement = &placement });
    bool is_good = good(v != NULL) && good(cohort_variable_copies(v, NULL, 0) == p->shards);
    cohort_variable_destroy(v);
    return is_good;
}

/* Refused for a variable of its own; the strategy's partitioner leaves it whole. */
static bool keeps_scalar(cohort_placement placement)
{
    float zero = 0;
    cohort_array scalar = { .data = &zero, .dtype = COHORT_F32 };
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = "host/2", .placement = &placement });
    bool is_good = good(s != NULL) &&
                   refused_null_for(
                       s, "variable 'x': placement 'sharded': a scalar has no rows to cut",
                       cohort_variable_create(
                           s, "x", scalar, &(cohort_variable_options){ .placement = &placement }));
    cohort_variable *v = is_good ? cohort_variable_create(s, "x", scalar, NULL) : NULL;
    is_good = is_good && good(cohort_variable_copies(v, NULL, 0) == 1);
    cohort_strategy_destroy(s);
    return is_good;
}

static bool is_refused(cohort_strategy *s, cohort_placement placement, const char *text)
{
    float x[4] = { 0 };
    return refused_null_for(
        s, text,
        cohort_variable_create(s, "x", COHORT_ARRAY(x, 4),
                               &(cohort_variable_options){ .placement = &placement }));
}

static void check_partitioners(void)
{
    cohort_strategy *s = cohort_mirrored("host/2");
    bool is_good = good(s != NULL);
    for (size_t i = 0; i < sizeof partitions / sizeof *partitions && is_good; i++)
        if (!(is_good = is_cut(s, &partitions[i])))
            diag("partition %zu", i);
    ok(is_good, "partitioners cut as TensorFlow's do");
    ok(is_refused(s, cohort_placement_fixed_shards(0), "the number of shards is 0") &&
           is_refused(s, cohort_placement_min_bytes(0, 2), "the smallest size of a shard is 0") &&
           is_refused(s, cohort_placement_min_bytes(4, 0), "the largest number of shards is 0") &&
           is_refused(s, cohort_placement_max_bytes(-1, 2), "the largest size of a shard is -1") &&
           is_refused(s, cohort_placement_max_bytes(4, -2), "the largest number of shards is -2"),
       "their numbers are at least 1");
    cohort_strategy_destroy(s);
    ok(keeps_scalar(cohort_placement_fixed_shards(3)) &&
           keeps_scalar(cohort_placement_min_bytes(1, 8)) &&
           keeps_scalar(cohort_placement_max_bytes(1, 8)),
       "a scalar is not cut, and an error where it was to be");
}

int main(void)
{
    (void)core_warm();
    core_live warm = { 0 };
    for (int i = 0; i < 2; i++) { /* prototypes are parsed once for the process */
        warm = core_live_now();
        check_answers();
        check_ordinals();
        core_everywhere(calls_back,
                        "a policy that calls the strategy gets errors, in every context");
        check_shards();
        check_partitioners();
    }
    core_no_leak(warm);
    return tap_done();
}
