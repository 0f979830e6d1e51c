/* SPDX-License-Identifier: BSD-3-Clause */
/* One process of those that tests/cluster_mpi.t starts by mpirun: what TensorFlow answered with as
 * many workers of one replica (tests/data/golden), row by row, each by a strategy over all
 * processes. Every process compares what is its own. Rank 0 says how many rows there were; whoever
 * differs says where.
 *
 *   cluster_golden FILE... */
#include "config.h"

#include <cohort/cohort.h>

#include "tests/cluster_process.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

enum { MOST = 3000 };

typedef struct row {
    const char *id, *op;
    json_t *args;
    cohort_strategy *s;
} row;

/* ------------------------------------------------------------------ JSON of values */

static double number(const row *r, const char *name, double otherwise)
{
    json_t *n = json_object_get(r->args, name);
    return json_is_number(n) ? json_number_value(n) : otherwise;
}

static const char *text(const row *r, const char *name)
{
    const char *t = json_string_value(json_object_get(r->args, name));
    return t != NULL ? t : "";
}

static json_t *element(cohort_dtype dtype, const char *at)
{
    double x = 0;
    (void)cohort_dtype_convert(dtype, at, COHORT_F64, &x);
    return json_real(x);
}

static json_t *nest(const cohort_array *a, int axis, const char **at)
{
    if (axis == a->rank) {
        json_t *one = element(a->dtype, *at);
        *at += cohort_dtype_bytes(a->dtype);
        return one;
    }
    json_t *list = json_array();
    for (int64_t i = 0; i < a->shape[axis]; i++)
        json_array_append_new(list, nest(a, axis + 1, at));
    return list;
}

static json_t *array_json(const cohort_array *a)
{
    const char *at = a->data;
    return nest(a, 0, &at);
}

/* The only local result; NULL: there is an error. */
static json_t *local_json(cohort_argument x)
{
    cohort_array found;
    return cohort_local_results_of(x, &found, 1) == 1 ? array_json(&found) : NULL;
}

static json_t *value_json(cohort_value *v)
{
    return v != NULL ? local_json(cohort_argument_make_(COHORT_ARGUMENT_VALUE, v)) : NULL;
}

static json_t *variable_json(cohort_variable *v)
{
    return v != NULL ? local_json(cohort_argument_make_(COHORT_ARGUMENT_VARIABLE, v)) : NULL;
}

/* Takes all of them; NULL where one is. */
static json_t *list_of(json_t *const items[], int n)
{
    json_t *list = json_array();
    int is_whole = 1;
    for (int i = 0; i < n; i++) {
        is_whole = is_whole && items[i] != NULL;
        if (items[i] != NULL)
            json_array_append_new(list, items[i]);
    }
    if (is_whole)
        return list;
    json_decref(list);
    return NULL;
}
#define LIST(...)                                                                                  \
    list_of((json_t *[]){ __VA_ARGS__ }, sizeof((json_t *[]){ __VA_ARGS__ }) / sizeof(json_t *))

/* Numbers as close as a float32 that was printed. */
static int is_equal(json_t *a, json_t *b)
{
    if (json_is_number(a) && json_is_number(b)) {
        double x = json_number_value(a), y = json_number_value(b);
        return fabs(x - y) <= 1e-6 * fmax(1, fabs(y));
    }
    if (!json_is_array(a) || !json_is_array(b))
        return json_equal(a, b);
    int same = json_array_size(a) == json_array_size(b);
    for (size_t i = 0; same && i < json_array_size(a); i++)
        same = is_equal(json_array_get(a, i), json_array_get(b, i));
    return same;
}

/* ------------------------------------------------------------------ what each replica holds */

/* n elements, in this shape, of numbers that become the dtype. */
static cohort_value *holding(const row *r, cohort_dtype dtype, int rank_of, const int64_t shape[],
                             const double numbers[], int64_t n)
{
    static char bytes[MOST * 16];
    cohort_array a = { .data = bytes, .dtype = dtype, .rank = rank_of };
    cohort_array all[8] = { { 0 } };
    for (int i = 0; i < rank_of; i++)
        a.shape[i] = shape[i];
    for (int64_t i = 0; i < n; i++)
        (void)cohort_dtype_convert(COHORT_F64, &numbers[i], dtype,
                                   bytes + i * cohort_dtype_bytes(dtype));
    for (int i = 0; i < size; i++)
        all[i] = a; /* that of this process alone is looked at */
    return cohort_value_per_replica(r->s, all);
}

static cohort_value *rows_of(const row *r, int64_t n, double x)
{
    double numbers[8];
    for (int i = 0; i < 8; i++)
        numbers[i] = x;
    return holding(r, COHORT_F32, 1, &n, numbers, n);
}

static cohort_value *scalar(const row *r, double x)
{
    return holding(r, COHORT_F32, 0, NULL, &x, 1);
}

static json_t *reduced(const row *r, cohort_reduce_op op, cohort_value *x, int axis)
{
    cohort_value *y = cohort_value_create(r->s);
    return cohort_reduce(op, x, axis, y) == COHORT_OK ? value_json(y) : NULL;
}

static json_t *typed(const row *r, cohort_reduce_op op, cohort_value *x, int axis)
{
    cohort_value *y = cohort_value_create(r->s);
    cohort_dtype dtype;
    if (cohort_reduce(op, x, axis, y) != COHORT_OK || cohort_value_shape(y, rank, &dtype, NULL) < 0)
        return NULL;
    return LIST(value_json(y), json_string(cohort_dtype_name(dtype)));
}

/* ------------------------------------------------------------------ reductions */

static json_t *dtypes(const row *r)
{
    cohort_value *x = holding(r, cohort_dtype_parse(text(r, "dtype")), 1, (int64_t[]){ 2 },
                              (double[]){ rank + 1, 2 }, 2);
    return LIST(typed(r, COHORT_SUM, x, COHORT_NO_AXIS), typed(r, COHORT_MEAN, x, COHORT_NO_AXIS),
                typed(r, COHORT_SUM, x, 0), typed(r, COHORT_MEAN, x, 0));
}

static json_t *along(const row *r, cohort_value *x)
{
    return LIST(reduced(r, COHORT_SUM, x, 0), reduced(r, COHORT_MEAN, x, 0));
}

static json_t *uneven(const row *r)
{
    return along(r, rows_of(r, rank + 1, rank));
}

static json_t *only_first(const row *r)
{
    return along(r, rows_of(r, rank == 0 ? 1 : 0, 8));
}

static json_t *ids(const row *r)
{
    cohort_value *x = scalar(r, rank);
    return LIST(reduced(r, COHORT_SUM, x, COHORT_NO_AXIS),
                reduced(r, COHORT_MEAN, x, COHORT_NO_AXIS));
}

static double of_worker(const row *r)
{
    return json_number_value(json_array_get(json_object_get(r->args, "per_worker"), (size_t)rank));
}

static json_t *one_each(const row *r)
{
    return reduced(r, COHORT_SUM, scalar(r, of_worker(r)), COHORT_NO_AXIS);
}

/* Distinct numbers, ascending, and how often each is there. */
static json_t *counted(json_t *list)
{
    double seen[4] = { 0 };
    int counts[4] = { 0 }, n = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        double x = json_number_value(json_array_get(list, i));
        int at = 0;
        while (at < n && seen[at] != x)
            at++;
        must(at < 4, "there are few numbers");
        seen[at] = x;
        counts[at]++;
        n += at == n;
    }
    json_decref(list);
    json_t *values = json_array(), *often = json_array();
    for (int i = 0; i < n; i++) {
        json_array_append_new(values, json_real(seen[i]));
        json_array_append_new(often, json_integer(counts[i]));
    }
    return LIST(values, often);
}

static json_t *vectors(const row *r)
{
    static double numbers[MOST];
    int64_t n = (int64_t)number(r, "length", 0);
    must(n > 0 && n <= MOST, "there is room for the row");
    for (int64_t i = 0; i < n; i++)
        numbers[i] = of_worker(r);
    json_t *sum = reduced(r, COHORT_SUM, holding(r, COHORT_F32, 1, &n, numbers, n), COHORT_NO_AXIS);
    return sum != NULL ? counted(sum) : NULL;
}

static json_t *host_tensor(const row *r)
{
    cohort_value *one = cohort_value_number(r->s, 1), *to = cohort_value_create(r->s),
                 *batch[] = { one, cohort_value_number(r->s, 1) },
                 *into[] = { cohort_value_create(r->s), cohort_value_create(r->s) };
    const cohort_argument at[] = { COHORT_AT("host:0"), COHORT_AT("host:0") };
    json_t *sum = reduced(r, COHORT_SUM, one, COHORT_NO_AXIS);
    if (sum == NULL || cohort_reduce_to(COHORT_SUM, one, COHORT_AT("host:0"), to) != COHORT_OK ||
        cohort_batch_reduce_to(COHORT_SUM, 2, batch, at, into) != COHORT_OK) {
        json_decref(sum);
        return NULL;
    }
    return LIST(sum, value_json(to), LIST(value_json(into[0]), value_json(into[1])));
}

/* ------------------------------------------------------------------ gathers, steps */

static json_t *gathered(const row *r, cohort_value *x)
{
    cohort_value *y = cohort_value_create(r->s);
    return cohort_gather(x, 0, y) == COHORT_OK ? value_json(y) : NULL;
}

static json_t *gather_none(const row *r)
{
    return gathered(r, rows_of(r, rank == 0 ? 0 : 2, rank));
}

static json_t *gather_uneven(const row *r)
{
    double numbers[8];
    for (int i = 0; i < 8; i++)
        numbers[i] = rank;
    return gathered(r, holding(r, COHORT_F32, 2, (int64_t[]){ rank + 1, 1 }, numbers, rank + 1));
}

typedef struct job {
    cohort_value *x, *y, *into;
    cohort_variable *v;
    cohort_write_op op;
    double number;
} job;

static cohort_status gather_in_step(cohort_replica *me, void *user)
{
    const job *j = user;
    return cohort_all_gather(me, j->x, 1, j->into);
}

static json_t *all_gather(const row *r)
{
    double numbers[8];
    for (int i = 0; i < 8; i++)
        numbers[i] = rank;
    job j = { .x = holding(r, COHORT_F32, 2, (int64_t[]){ 1, rank + 1 }, numbers, rank + 1),
              .into = cohort_value_create(r->s) };
    return cohort_for_each_replica(r->s, gather_in_step, &j) == COHORT_OK ? LIST(value_json(j.into))
                                                                          : NULL;
}

static cohort_status reduce_in_step(cohort_replica *me, void *user)
{
    const job *j = user;
    cohort_value *const sums[] = { j->x, j->y }, *const means[] = { j->into };
    cohort_status status = cohort_all_reduce(me, COHORT_SUM, sums, 2);
    return status < 0 ? status : cohort_all_reduce(me, COHORT_MEAN, means, 1);
}

static json_t *all_reduce(const row *r)
{
    job j = { .x = scalar(r, rank), .y = scalar(r, 2 * rank), .into = scalar(r, 2 * rank) };
    return cohort_for_each_replica(r->s, reduce_in_step, &j) == COHORT_OK
               ? LIST(LIST(value_json(j.y)), LIST(value_json(j.into)))
               : NULL;
}

/* ------------------------------------------------------------------ variables */

static cohort_variable *variable(const row *r, cohort_synchronization synchronization, float first)
{
    static const char *const names[] = { "NONE", "SUM", "MEAN", "ONLY_FIRST_REPLICA" };
    cohort_variable_options o = { .synchronization = synchronization };
    for (int i = 0; i < 4; i++)
        if (strcmp(text(r, "aggregation"), names[i]) == 0)
            o.aggregation = (cohort_aggregation)i;
    return cohort_variable_create(r->s, "w",
                                  ((cohort_array){ .data = &first, .dtype = COHORT_F32 }), &o);
}

static cohort_write_op write_op(const row *r)
{
    const char *op = text(r, "op");
    return strcmp(op, "assign") == 0       ? COHORT_ASSIGN
           : strcmp(op, "assign_add") == 0 ? COHORT_ASSIGN_ADD
                                           : COHORT_ASSIGN_SUB;
}

static cohort_status write(cohort_variable *v, cohort_write_op op, double x)
{
    float number_of = (float)x;
    return op == COHORT_ASSIGN       ? cohort_variable_assign(v, number_of)
           : op == COHORT_ASSIGN_ADD ? cohort_variable_assign_add(v, number_of)
                                     : cohort_variable_assign_sub(v, number_of);
}

static cohort_status write_in_step(cohort_replica *me, void *user)
{
    const job *j = user;
    (void)me;
    return write(j->v, j->op, j->number);
}

static json_t *replica_write(const row *r)
{
    job j = { .v = variable(r, COHORT_ON_WRITE, (float)number(r, "init", 0)),
              .op = write_op(r),
              .number = strcmp(text(r, "argument"), "id") == 0 ? rank + 1 : 5 };
    return cohort_for_each_replica(r->s, write_in_step, &j) == COHORT_OK ? LIST(variable_json(j.v))
                                                                         : NULL;
}

static json_t *cross_write(const row *r)
{
    cohort_variable *v = variable(r, COHORT_ON_WRITE, (float)number(r, "init", 0));
    return write(v, write_op(r), 5) == COHORT_OK ? LIST(variable_json(v)) : NULL;
}

static json_t *on_read(const row *r)
{
    job j = { .v = variable(r, COHORT_ON_READ, 0), .op = COHORT_ASSIGN, .number = rank + 2 };
    float whole;
    if (cohort_for_each_replica(r->s, write_in_step, &j) != COHORT_OK ||
        cohort_variable_read(j.v, COHORT_ARRAY(&whole, 1)) != COHORT_OK)
        return NULL;
    return LIST(LIST(variable_json(j.v)), json_real((double)whole));
}

/* ------------------------------------------------------------------ data */

static cohort_auto_shard policy(const row *r)
{
    const char *p = text(r, "policy");
    return strcmp(p, "OFF") == 0    ? COHORT_SHARD_OFF
           : strcmp(p, "DATA") == 0 ? COHORT_SHARD_DATA
           : strcmp(p, "FILE") == 0 ? COHORT_SHARD_FILE
                                    : COHORT_SHARD_AUTO;
}

static cohort_input *input(const row *r, int repeats)
{
    cohort_dataset *d = cohort_dataset_range(0, (int64_t)number(r, "n", 0), 1);
    if (repeats)
        d = cohort_dataset_repeat(d, -1);
    d = cohort_dataset_batch(d, (int64_t)number(r, "G", 0), false);
    return cohort_distribute_dataset(
        r->s, cohort_dataset_with_options(d, &(cohort_dataset_options){ .auto_shard = policy(r) }));
}

static json_t *steps(const row *r, int repeats)
{
    cohort_input *in = input(r, repeats);
    cohort_value *x = cohort_value_create(r->s);
    json_t *list = json_array();
    cohort_status status = in != NULL ? COHORT_OK : COHORT_EINVAL;
    for (int i = 0; status == COHORT_OK && (!repeats || i < 4); i++) {
        status = cohort_input_next(in, &x);
        if (status == COHORT_OK)
            json_array_append_new(list, LIST(value_json(x)));
    }
    if (status >= 0)
        return list;
    json_decref(list);
    return NULL;
}

static json_t *all_steps(const row *r)
{
    return steps(r, 0);
}

static json_t *four_steps(const row *r)
{
    return steps(r, 1);
}

static json_t *reduced_steps(const row *r)
{
    cohort_input *in = input(r, 0);
    cohort_value *x = cohort_value_create(r->s);
    json_t *list = json_array();
    while (cohort_input_next(in, &x) == COHORT_OK)
        json_array_append_new(list, along(r, x));
    return list;
}

/* ------------------------------------------------------------------ rows */

static const struct {
    const char *op;
    json_t *(*run)(const row *r);
} operations[] = {
    { "reduce SUM, MEAN (axis none), SUM, MEAN (axis 0) of [id+1, 2]", dtypes },
    { "replica i holds i+1 rows of value i: SUM axis=0, MEAN axis=0", uneven },
    { "only replica 0 holds rows [8.]: SUM axis=0, MEAN axis=0", only_first },
    { "reduce SUM, MEAN of the replica id", ids },
    { "reduce SUM of one float32 per worker", one_each },
    { "reduce SUM of a vector of equal float32 per worker: distinct results and how often",
      vectors },
    { "reduce SUM, reduce_to, batch_reduce_to of a host tensor 1.0", host_tensor },
    { "gather axis 0, replica 0 holds no row, the others 2", gather_none },
    { "gather axis 0 of i+1 rows of value i", gather_uneven },
    { "all_gather axis 1 of shape (1, i+1)", all_gather },
    { "all_reduce SUM of the list [id, 2*id] and MEAN", all_reduce },
    { "replica write (id: argument id+1; literal: 5.0)", replica_write },
    { "cross-replica write of 5.0", cross_write },
    { "ON_READ: replica assign(id+2); components and cross-replica read", on_read },
    { "experimental_distribute_dataset(range(n).batch(G)): rows of each worker's replica, every "
      "step",
      all_steps },
    { "range(3).repeat().batch(4), 4 steps", four_steps },
    { "range(9).batch(4): per step [SUM axis=0, MEAN axis=0] (int64)", reduced_steps },
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static json_t *member(json_t *r, const char *name)
{
    return json_object_get(r, name);
}

/* What this worker is to have; NULL: an error. */
static json_t *wanted(json_t *r)
{
    json_t *result = member(r, "cohort_result") != NULL  ? member(r, "cohort_result")
                     : member(r, "cohort_error") != NULL ? NULL
                                                         : member(r, "result");
    json_t *own = json_array_get(member(result, "workers"), (size_t)rank);
    if (!json_is_object(own))
        return json_incref(own);
    return LIST(json_incref(member(own, "values")), json_incref(member(own, "counts")));
}

static void tell(const row *it, json_t *found, json_t *own)
{
    char *a = found != NULL ? json_dumps(found, JSON_ENCODE_ANY) : NULL,
         *b = own != NULL ? json_dumps(own, JSON_ENCODE_ANY) : NULL;
    printf("rank %d: %s: found %s, wanted %s\n", rank, it->id, a != NULL ? a : cohort_error_text(),
           b != NULL ? b : "an error");
    free(a);
    free(b);
}

static void judge(json_t *r, const row *it, json_t *found)
{
    json_t *own = wanted(r);
    bool is_error = found == NULL && cohort_strategy_status(it->s) < 0;
    if (own == NULL ? !is_error : found == NULL || !is_equal(found, own))
        tell(it, found, own);
    json_decref(own);
    json_decref(found);
}

/* 1: it was one of these. */
static int run(json_t *r, cohort_resolver *workers)
{
    row it = { .id = json_string_value(member(r, "id")),
               .op = json_string_value(member(r, "op")),
               .args = member(r, "args") };
    const char *kind = json_string_value(member(r, "strategy"));
    int i = 0;
    while (i < OPERATIONS && (it.op == NULL || strcmp(it.op, operations[i].op) != 0))
        i++;
    if (i == OPERATIONS || kind == NULL || strcmp(kind, "multi-worker-mirrored") != 0 ||
        json_integer_value(member(r, "replicas")) != size)
        return 0;
    it.s = cohort_multi_worker_mirrored(workers, "host:0");
    must(it.s != NULL, it.id);
    judge(r, &it, operations[i].run(&it));
    cohort_strategy_destroy(it.s);
    return 1;
}

int main(int argc, char **argv)
{
    cohort_resolver *workers = cohort_resolver_mpi(COHORT_MPI_WORLD);
    must(workers != NULL, "there is a cluster");
    rank = cohort_resolver_task_id(workers);
    size = cohort_resolver_num_tasks(workers, "worker");
    int rows = 0;
    for (int i = 1; i < argc; i++) {
        json_error_t error;
        json_t *table = json_load_file(argv[i], 0, &error);
        must(json_is_array(table), argv[i]);
        for (size_t k = 0; k < json_array_size(table); k++)
            rows += run(json_array_get(table, k), workers);
        json_decref(table);
    }
    if (rank == 0)
        printf("%d rows\n", rows);
    cohort_resolver_destroy(workers);
    return 0;
}
