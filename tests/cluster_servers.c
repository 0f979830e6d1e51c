/* SPDX-License-Identifier: BSD-3-Clause */
/* One process of those that tests/cluster_servers.t starts by mpirun: a worker, a parameter server
 * or an evaluator. Says nothing when all is as it should be.
 *
 *   cluster_servers MODE SERVERS [EVALUATORS]
 *
 * Modes are the functions in the table at the end. */
#include "config.h"

#include "tests/served_process.h"

#include <signal.h>
#include <unistd.h>

/* ------------------------------------------------------------------ modes */

static void places(void)
{
    static const char *const names[] = { "a", "b", "c", "d" };
    cohort_strategy *s = make();
    cohort_copy copies[8];
    cohort_placement two = cohort_placement_fixed_shards(2);
    for (int i = 0; i < 4; i++) {
        cohort_variable *v = make_floats(s, names[i], (float[]){ 0, 0 }, 2, NULL);
        must(cohort_variable_copies(v, copies, 8) == 1 && copies[0].device == i % n_servers,
             "variables go to one server after the other");
    }
    cohort_variable *cut = make_floats(s, "cut", (float[]){ 1, 2, 3, 4, 5, 6, 7 }, 7,
                                       &(cohort_variable_options){ .placement = &two });
    must(cohort_variable_copies(cut, copies, 8) == 2 && copies[0].rows == 4 && copies[1].rows == 3,
         "7 rows in 2 are 4 and 3");
    must(copies[0].device == 0 && copies[1].device == 1 % n_servers, "on one after the other");
    must(strstr(cohort_strategy_describe(s), "rows 0-3 on parameter server 0") != NULL,
         "it says where");
    reads(cut, (float[]){ 1, 2, 3, 4, 5, 6, 7 }, 7, "it reads as one");
    cohort_strategy_destroy(s);
}

static void writes(void)
{
    cohort_strategy *s = make();
    cohort_variable *counter = make_counter(s);
    cohort_placement three = cohort_placement_fixed_shards(3);
    cohort_variable *v = make_floats(s, "w", (float[]){ 1, 2, 3, 4, 5, 6, 7, 8 }, 8,
                                     &(cohort_variable_options){ .placement = &three });
    meets(counter, 1);
    for (int i = 0; i < 10; i++) {
        must(cohort_variable_assign_add(v, 2) == COHORT_OK, "it is added to");
        must(cohort_variable_assign_sub(v, 1) == COHORT_OK, "and subtracted from");
    }
    meets(counter, 2);
    float expected[8];
    for (int i = 0; i < 8; i++)
        expected[i] = (float)(1 + i + 10 * n_workers);
    reads(v, expected, 8, "no write is lost");
    must(cohort_variable_updates(v) == 20 * n_workers, "and all are counted");
    meets(counter, 3);
    if (worker == 0)
        must(cohort_variable_assign(v, COHORT_ARRAY(((float[8]){ 8, 7, 6, 5, 4, 3, 2, 1 }), 8)) ==
                 COHORT_OK,
             "one assigns it");
    meets(counter, 4);
    reads(v, (float[8]){ 8, 7, 6, 5, 4, 3, 2, 1 }, 8, "which all read");
    cohort_strategy_destroy(s);
}

static void rows(void)
{
    enum { ROWS = 1000, WIDTH = 3 };
    cohort_strategy *s = make();
    cohort_variable *counter = make_counter(s);
    cohort_placement cut = cohort_placement_fixed_shards(4);
    cohort_array zeros = {
        .dtype = COHORT_F32, .item_bytes = 4, .rank = 2, .shape = { ROWS, WIDTH }
    };
    cohort_variable *table =
        cohort_variable_create(s, "table", zeros, &(cohort_variable_options){ .placement = &cut });
    must(table != NULL, "there is a table");
    const int32_t ids[] = { 999, 0, 250, 249, 0 };
    float x[5 * WIDTH];
    for (int i = 0; i < 5 * WIDTH; i++)
        x[i] = (float)(i / WIDTH + 1);
    must(cohort_variable_scatter_add(table, COHORT_ARRAY(ids, 5), COHORT_ARRAY(x, 5, WIDTH)) ==
             COHORT_OK,
         "rows are added");
    meets(counter, 1);
    cohort_value *found = cohort_value_create(s);
    float got[5 * WIDTH];
    const int64_t wide[] = { 0, 999, 1, 250, 249 };
    must(cohort_variable_gather(table, COHORT_ARRAY(wide, 5), found) == COHORT_OK, "rows are read");
    must(cohort_value_read(found, COHORT_ARRAY(got, 5, WIDTH)) == COHORT_OK, "and are there");
    const float expected[] = { 7, 1, 0, 3, 4 };
    for (int i = 0; i < 5 * WIDTH; i++)
        must(got[i] == expected[i / WIDTH] * (float)n_workers, "each with what all have added");
    must(cohort_variable_updates(table) == n_workers, "a scatter is one write of every shard");
    meets(counter, 2);
    must(cohort_variable_gather(table, COHORT_ARRAY(((int64_t[]){ 1000 }), 1), found) ==
             COHORT_EINVAL,
         "an id that is no row is an error");
    must(strstr(cohort_error_text(), "id 1000 of replica 0 is no row") != NULL, "which says so");
    must(cohort_strategy_recover(s) == COHORT_OK, "that is recovered from");
    cohort_strategy_destroy(s);
}

COHORT_FUNCTION(sum_of, (int64_t n, const float w[n], COHORT_OUT float out[1]), COHORT_HOST_ONLY)
{
    out[0] = 0;
    for (int64_t i = 0; i < n; i++)
        out[0] += w[i];
}

/* Read whole by functions, and written by what replicas agree on. */
static cohort_status step(cohort_replica *me, void *user)
{
    cohort_variable *v = user;
    float one[4];
    cohort_status status = cohort_variable_read(v, COHORT_ARRAY(one, 4));
    return status < 0 ? status : cohort_variable_assign_add(v, (float)(1 + cohort_replica_id(me)));
}

/* Rows of a replica's own, and rows that all add together; with several replicas on a device,
 * too. */
static cohort_status rows_step(cohort_replica *me, void *user)
{
    cohort_variable *table = ((cohort_variable **)user)[0];
    cohort_value *found = ((cohort_value **)user)[1];
    int32_t id = cohort_replica_id(me);
    float ones[2] = { 1, 1 };
    cohort_status status = cohort_variable_gather(table, COHORT_ARRAY(&id, 1), found);
    return status < 0
               ? status
               : cohort_variable_scatter_add(table, COHORT_ARRAY(&id, 1), COHORT_ARRAY(ones, 1, 2));
}

static void steps(void)
{
    cohort_strategy *s = cohort_strategy_create(&(cohort_strategy_options){
        .name = "parameter-server", .resolver = cluster, .devices = two_devices(), .replicas = 5 });
    must(s != NULL, "there is a strategy");
    cohort_variable *counter = make_counter(s);
    cohort_placement two = cohort_placement_fixed_shards(2);
    float zeros[5][2] = { { 0 } }, got[5][2];
    cohort_variable *table = cohort_variable_create(
        s, "table", COHORT_ARRAY(&zeros[0][0], 5, 2),
        &(cohort_variable_options){ .aggregation = COHORT_AGGREGATE_SUM, .placement = &two });
    cohort_value *found = cohort_value_create(s);
    void *both[] = { table, found };
    for (int i = 0; i < 3; i++) {
        must(cohort_for_each_replica(s, rows_step, both) == COHORT_OK,
             "replicas read and add rows");
        must(cohort_value_read(found, COHORT_ARRAY(&got[0][0], 5, 2)) == COHORT_OK &&
                 got[4][1] >= (float)i,
             "each its own");
    }
    meets(counter, 1);
    must(cohort_variable_read(table, COHORT_ARRAY(&got[0][0], 5, 2)) == COHORT_OK &&
             got[0][0] == (float)(3 * n_workers) && got[4][1] == (float)(3 * n_workers),
         "and none is lost");
    meets(counter, 2);
    cohort_variable *own = cohort_variable_create(
        s, "own", COHORT_ARRAY(((float[]){ 2 }), 1),
        &(cohort_variable_options){ .synchronization = COHORT_ON_READ,
                                    .aggregation = COHORT_AGGREGATE_SUM,
                                    .placement = cohort_placement_find("mirrored") });
    cohort_variable *sum = make_floats(s, "sum", (float[]){ 0 }, 1, NULL);
    must(cohort_variable_assign(sum, own) == COHORT_OK, "components are assigned");
    reads(sum, (float[]){ 10 }, 1, "as what they add up to");
    cohort_array nothing = { .dtype = COHORT_F32, .rank = 2, .shape = { 0, 3 } };
    cohort_variable *empty = cohort_variable_create(s, "empty", nothing, NULL);
    must(empty != NULL && cohort_variable_assign(empty, 1) == COHORT_OK &&
             cohort_variable_read(empty, nothing) == COHORT_OK,
         "a variable may be empty");
    cohort_variable *one = cohort_variable_create(
        s, "one", (cohort_array){ .dtype = COHORT_F64, .data = &(double){ 3 } }, NULL);
    must(one != NULL && cohort_variable_assign_add(one, 0.0) == COHORT_OK, "or one number");
    cohort_strategy_destroy(s);
}

static void functions(void)
{
    cohort_strategy *s = make();
    cohort_variable *counter = make_counter(s);
    cohort_variable *v =
        make_floats(s, "w", (float[]){ 1, 2, 3, 4 }, 4,
                    &(cohort_variable_options){ .aggregation = COHORT_AGGREGATE_SUM });
    cohort_value *sums = cohort_value_create(s);
    float got[2];
    for (int i = 0; i < 3; i++) {
        must(cohort_run(s, sum_of, v, sums) == COHORT_OK, "a function reads it");
        must(cohort_value_read(sums, COHORT_ARRAY(got, 2)) == COHORT_OK && got[1] == 10,
             "as it is");
    }
    meets(counter, 1);
    must(cohort_for_each_replica(s, step, v) == COHORT_OK, "replicas add to it together");
    meets(counter, 2);
    float expected[4];
    for (int i = 0; i < 4; i++)
        expected[i] = (float)(1 + i + 3 * n_workers);
    reads(v, expected, 4, "once for each worker");
    must(cohort_run(s, sum_of, v, sums) == COHORT_OK &&
             cohort_value_read(sums, COHORT_ARRAY(got, 2)) == COHORT_OK &&
             got[0] == (float)(10 + 12 * n_workers),
         "which the function sees");
    cohort_metric *m = cohort_metric_create(s, "sum", "seen");
    must(m != NULL, "metrics are the worker's own");
    cohort_strategy_destroy(s);
}

static void refusals(void)
{
    static const cohort_placement *mirrored;
    cohort_strategy *s = make();
    cohort_variable *v = make_floats(s, "w", (float[]){ 1, 2 }, 2, NULL);
    mirrored = cohort_placement_find("mirrored");
    cohort_variable *own = make_floats(s, "own", (float[]){ 1, 2 }, 2,
                                       &(cohort_variable_options){ .placement = mirrored });
    must(cohort_variable_assign(own, (double)worker) == COHORT_OK, "what is mirrored stays here");
    reads(own, (float[]){ (float)worker, (float)worker }, 2, "and is each worker's own");
    must(cohort_variable_create(s, "w", COHORT_ARRAY(((float[]){ 1 }), 1), NULL) == NULL,
         "a name is taken once");
    (void)cohort_strategy_recover(s);
    must(cohort_variable_assign(v, COHORT_ARRAY(((float[]){ 1, 2, 3 }), 3)) == COHORT_EINVAL,
         "another shape is an error");
    (void)cohort_strategy_recover(s);
    reads(v, (float[]){ 1, 2 }, 2, "and nothing has changed");
    cohort_strategy_destroy(s);
    must(cohort_strategy_create(&(cohort_strategy_options){ .staleness = 1 }) == NULL,
         "staleness is of parameter servers");
}

static void other_shape(void)
{
    cohort_strategy *s = make();
    cohort_variable *counter = make_counter(s);
    cohort_variable *v = NULL;
    if (worker == 0)
        v = make_floats(s, "w", (float[]){ 1, 2 }, 2, NULL);
    meets(counter, 1);
    if (worker == 1) {
        v = cohort_variable_create(s, "w", COHORT_ARRAY(((float[]){ 1, 2, 3 }), 3), NULL);
        must(v == NULL, "another shape is refused");
        printf("told: %s\n", cohort_error_text());
        must(cohort_strategy_recover(s) == COHORT_OK, "and recovered from");
        v = make_floats(s, "w", (float[]){ 8, 8 }, 2, NULL);
        reads(v, (float[]){ 1, 2 }, 2, "the content is the chief's");
    }
    if (worker > 1)
        v = make_floats(s, "w", (float[]){ 9, 9 }, 2, NULL);
    cohort_variable_destroy(v);
    reads(make_floats(s, "w", (float[]){ 3, 2, 1 }, 3, NULL), (float[]){ 3, 2, 1 }, 3,
          "what all have destroyed can be made anew");
    cohort_strategy_destroy(s);
}

/* Worker 1 is slow: the others are held. */
static void stale(void)
{
    cohort_strategy *s = make_with("host:0", NULL, 2);
    cohort_variable *v = make_floats(s, "w", (float[]){ 0 }, 1, NULL);
    float found;
    for (int i = 0; i < 6; i++) {
        if (worker == 1)
            (void)nanosleep(&(struct timespec){ 0, 30000000 }, NULL);
        must(cohort_variable_assign_add(v, worker == 1 ? 1 : 0) == COHORT_OK, "a write");
        must(cohort_variable_read(v, COHORT_ARRAY(&found, 1)) == COHORT_OK, "a read");
        must(worker == 1 || found >= (float)(i + 1 - 2),
             "the slowest is two writes behind at most");
    }
    cohort_strategy_destroy(s);
}

/* Worker 1 stops writing, and is there all the same. */
static void too_stale(void)
{
    cohort_strategy *s = make_with("host:0", NULL, 1);
    cohort_variable *v = make_floats(s, "w", (float[]){ 0 }, 1, NULL);
    cohort_status status = COHORT_OK;
    if (worker == 1)
        (void)nanosleep(&(struct timespec){ 2, 500000000 }, NULL);
    for (int i = 0; i < 3 && status >= 0 && worker != 1; i++)
        status = cohort_variable_assign_add(v, 1);
    if (worker != 1)
        printf("told: %s\n", cohort_error_text());
    cohort_strategy_destroy(s);
}

/* Worker 0 never makes the variable. */
static void not_made(void)
{
    cohort_strategy *s = make();
    if (worker == 0)
        (void)nanosleep(&(struct timespec){ 2, 500000000 }, NULL);
    else if (cohort_variable_create(s, "w", COHORT_ARRAY(((float[]){ 1 }), 1), NULL) == NULL)
        printf("told: %s\n", cohort_error_text());
    cohort_strategy_destroy(s);
}

/* Servers stop meanwhile. */
static void frozen(void)
{
    cohort_strategy *s = make();
    cohort_variable *counter = make_counter(s);
    cohort_status status = COHORT_OK;
    while (status >= 0)
        status = cohort_variable_assign_add(counter, 1);
    printf("told: %s\n", cohort_error_text());
    must(cohort_strategy_recover(s) == COHORT_ELOST, "which is not recovered from");
    cohort_strategy_destroy(s);
    fflush(stdout);
    _Exit(1);
}

/* Server 1 stops meanwhile, and nothing else is asked of server 0. */
static void one_frozen(void)
{
    cohort_strategy *s = make();
    (void)make_counter(s);
    cohort_variable *w = make_floats(s, "w", (float[]){ 1 }, 1, NULL);
    cohort_status status = COHORT_OK;
    while (status >= 0)
        status = cohort_variable_assign_add(w, 1);
    printf("told: %s\n", cohort_error_text());
    fflush(stdout);
    _Exit(1);
}

/* Worker 1 stands, and the others have left. */
static void silent(void)
{
    cohort_strategy *s = make();
    (void)make_counter(s);
    if (worker == 1)
        raise(SIGSTOP);
    cohort_strategy_destroy(s);
    (void)nanosleep(&(struct timespec){ 20, 0 }, NULL); /* until mpirun ends it */
}

/* Asks for nothing for longer than a server is patient, but calls its strategy. */
static void busy(void)
{
    cohort_strategy *s = make();
    cohort_variable *v = make_floats(s, "w", (float[]){ 1 }, 1, NULL);
    cohort_value *y = cohort_value_create(s);
    const float x[2] = { 1, 2 }; /* borrowed until the replicas have run */
    for (int i = 0; i < 10; i++) {
        (void)nanosleep(&(struct timespec){ 0, 300000000 }, NULL);
        must(cohort_run(s, sum_of, COHORT_ARRAY(x, 2), y) == COHORT_OK,
             "a call that no server is asked for");
    }
    reads(v, (float[]){ 1 }, 1, "the server is still there");
    cohort_strategy_destroy(s);
}

COHORT_FUNCTION(nap, (COHORT_OUT float out[1]), COHORT_HOST_ONLY)
{
    (void)nanosleep(&(struct timespec){ 0, 300000000 }, NULL);
    out[0] = 1;
}

static cohort_status record_nap(cohort_strategy *s, cohort_value *const batch[], void *user)
{
    (void)batch;
    return cohort_run(s, nap, (cohort_value *)user);
}

/* The same in a single call, the replay of a program. */
static void busy_program(void)
{
    cohort_strategy *s = make_with("host:0", NULL, 0);
    cohort_variable *v = make_floats(s, "w", (float[]){ 1 }, 1, NULL);
    cohort_program *p = cohort_program_record(s, record_nap, cohort_value_create(s), NULL, 0);
    must(p != NULL && cohort_program_run(p, NULL, 10) == COHORT_OK, "a program of long steps");
    reads(v, (float[]){ 1 }, 1, "the server is still there");
    cohort_strategy_destroy(s);
}

static void no_strategy(int64_t staleness)
{
    must(cohort_strategy_create(&(cohort_strategy_options){
             .name = "parameter-server", .resolver = cluster, .staleness = staleness }) == NULL,
         "no strategy");
    printf("told: %s\n", cohort_error_text());
}

/* Each with another bound: all are told. */
static void paces(void)
{
    no_strategy(worker + 1);
}

/* One with a bound that is none. */
static void no_pace(void)
{
    no_strategy(worker == 0 ? 1 : -1);
}

/* One task alone is told something else of the cluster, by its TF_CONFIG, or asks for something
 * else; all are told so. Tasks are workers 0 and 1, and server 0. */
static int joins(const cohort_placement *placement)
{
    if (is_task("ps"))
        return cohort_server_run(NULL, NULL) == COHORT_OK;
    cohort_strategy *s = cohort_parameter_server(NULL, placement);
    cohort_strategy_destroy(s);
    return s != NULL;
}

static int place_first(const cohort_place_request *request, cohort_copy out[], int capacity,
                       void *user)
{
    (void)request, (void)capacity, (void)user;
    out[0] = (cohort_copy){ .device = 0 };
    return 1;
}

static void set_task(const char *jobs, const char *type, int id)
{
    char text[200];
    (void)snprintf(text, sizeof text,
                   "{\"cluster\": {%s}, \"task\": {\"type\": \"%s\", \"index\": %d}}", jobs, type,
                   id);
    must(setenv("TF_CONFIG", text, 1) == 0, "TF_CONFIG is set");
}

static void contradict(void)
{
    static const char usual[] = "\"worker\": [\"a:1\", \"b:1\"], \"ps\": [\"c:1\"]";
    static const struct {
        int task; /* 2: the server */
        const char *jobs, *type;
        int id;
    } wrong[] = { { 1, "\"worker\": [\"a:1\"], \"ps\": [\"b:1\", \"c:1\"]", "ps", 0 },
                  { 1, "\"chief\": [\"a:1\"], \"ps\": [\"c:1\"]", "chief", 0 },
                  { 1, "\"worker\": [\"b:1\"]", "worker", 0 },
                  { 1, "\"worker\": [\"a:1\", \"b:2\"], \"ps\": [\"c:1\"]", "worker", 1 },
                  { 0, "\"worker\": [", "worker", 0 },
                  { 2, usual, "worker", 1 },
                  { 2, "\"chief\": [\"a:1\"], \"ps\": [\"b:1\", \"c:1\"]", "ps", 1 } };
    const int task = is_task("ps") ? 2 : worker;
    const cohort_placement two = cohort_placement_fixed_shards(2),
                           three = cohort_placement_fixed_shards(3);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        set_task(usual, is_task("ps") ? "ps" : "worker", worker);
        if (task == wrong[i].task)
            set_task(wrong[i].jobs, wrong[i].type, wrong[i].id);
        must(!joins(NULL), "a cluster that one task contradicts is none");
        printf("told: %d: %s\n", task, cohort_error_text());
    }
    set_task(usual, is_task("ps") ? "ps" : "worker", worker);
    must(!joins(task == 1 ? &two : &three), "neither are two placements");
    printf("told: %d: %s\n", task, cohort_error_text());
    char names[2][72] = { "a policy of a name that is longer than what is shown of it, number 1",
                          "a policy of a name that is longer than what is shown of it, number 2" };
    const cohort_placement longer = { .name = names[task == 1], .place = place_first };
    must(!joins(&longer), "nor are two whose names begin alike");
    printf("told: %d: %s\n", task, cohort_error_text());
    must(joins(&two), "and then all go on");
}

/* One task makes another strategy than the others, or is no task of the kind that it takes itself
 * for. Two workers, and a server. */
typedef enum manner { USUAL, SERVES, IS_SERVED, IS_MIRRORED } manner;

static void tells(int task, manner how, cohort_resolver *resolver)
{
    cohort_strategy *s = NULL;
    cohort_status status = COHORT_EINVAL;
    if (how == SERVES || (how == USUAL && task == 2))
        status = cohort_server_run(resolver, NULL);
    else
        s = how == IS_MIRRORED ? cohort_multi_worker_mirrored(resolver, "host:0")
                               : cohort_parameter_server(resolver, NULL);
    must(s == NULL && status < 0, "no task has what others have not");
    printf("told: %d: %s\n", task, cohort_error_text());
}

static void misplaced(void)
{
    static const char served[] = "\"worker\": [\"a:1\", \"b:1\"], \"ps\": [\"c:1\"]",
                      mirrored[] = "\"worker\": [\"a:1\", \"b:1\", \"c:1\"]";
    const int task = is_task("ps") ? 2 : worker;
    tells(task, task == 1 ? SERVES : USUAL, cluster);
    tells(task, task == 2 ? IS_SERVED : USUAL, cluster);
    tells(task, task == 0 ? IS_MIRRORED : USUAL, cluster);
    set_task(task == 0 ? mirrored : served, is_task("ps") ? "ps" : "worker", worker);
    tells(task, task == 0 ? IS_MIRRORED : USUAL, NULL);
    set_task(served, is_task("ps") ? "ps" : "worker", worker);
    must(joins(NULL), "and then all go on");
}

/* One worker leaves early, the others go on. */
static void leaves(void)
{
    cohort_strategy *s = make_with("host:0", NULL, 1);
    cohort_variable *v = make_floats(s, "w", (float[]){ 0 }, 1, NULL);
    for (int i = 0; i < 5 && (worker == 0 || i == 0); i++)
        must(cohort_variable_assign_add(v, 1) == COHORT_OK, "nobody waits for who has left");
    cohort_strategy_destroy(s);
}

/* Two strategies, one after the other and at once. */
static void twice(void)
{
    for (int i = 0; i < 2; i++) {
        cohort_strategy *s = make();
        reads(make_floats(s, "w", (float[]){ (float)i }, 1, NULL), (float[]){ (float)i }, 1,
              "each has variables of its own");
        cohort_strategy_destroy(s);
    }
}

static void evaluate(void)
{
    cohort_strategy *s = make();
    cohort_variable *counter = make_counter(s);
    tell_workers();
    waits_for(counter, (float)n_workers);
    must(cohort_variable_assign_add(counter, 1) == COHORT_EINVAL, "an evaluator writes nothing");
    must(strstr(cohort_error_text(), "an evaluator reads") != NULL, "and is told so");
    cohort_strategy_destroy(s);
}

static void evaluated(void)
{
    cohort_strategy *s = make();
    cohort_variable *counter = make_counter(s);
    meets(counter, 1);
    wait_for_evaluator();
    cohort_strategy_destroy(s);
}

/* ------------------------------------------------------------------ which */

static const struct mode {
    const char *name;
    void (*run)(void);
    int served; /* so many strategies */
} modes[] = {
    { "places", places, 1 },       { "writes", writes, 1 },   { "rows", rows, 1 },
    { "functions", functions, 1 }, { "steps", steps, 1 },     { "refusals", refusals, 1 },
    { "shape", other_shape, 1 },   { "stale", stale, 1 },     { "too-stale", too_stale, 1 },
    { "not-made", not_made, 1 },   { "frozen", frozen, 1 },   { "one-frozen", one_frozen, 1 },
    { "silent", silent, 1 },       { "leaves", leaves, 1 },   { "twice", twice, 2 },
    { "paces", paces, 1 },         { "no-pace", no_pace, 1 }, { "contradict", contradict, 0 },
    { "misplaced", misplaced, 0 }, { "busy", busy, 1 },       { "busy-program", busy_program, 1 },
    { "evaluated", evaluated, 1 }
};

static void stop(int signal)
{
    (void)signal;
    raise(SIGSTOP);
}

static int is_mode(const struct mode *mode, const char *name)
{
    return strcmp(mode->name, name) == 0;
}

static void serve(const struct mode *mode)
{
    if (is_mode(mode, "contradict") || is_mode(mode, "misplaced")) {
        mode->run();
        return;
    }
    if (is_mode(mode, "frozen") ||
        (is_mode(mode, "one-frozen") && cohort_resolver_task_id(cluster) == 1)) {
        (void)signal(SIGALRM, stop);
        (void)alarm(1);
    }
    for (int i = 0; i < mode->served; i++) {
        cohort_status status = cohort_server_run(
            cluster, &(cohort_server_options){ .device = getenv("TEST_SERVER_DEVICE") });
        if (status < 0 && (is_mode(mode, "paces") || is_mode(mode, "no-pace"))) {
            printf("told: %s\n", cohort_error_text());
            return;
        }
        if (status < 0 && is_mode(mode, "silent")) {
            printf("told: %s\n", cohort_error_text());
            fflush(stdout);
            _Exit(1);
        }
        must(status == COHORT_OK, "all workers leave");
    }
}

int main(int argc, char **argv)
{
    const struct mode *mode = modes;
    while (mode < modes + sizeof modes / sizeof *modes && strcmp(mode->name, argv[1]) != 0)
        mode++;
    must(mode < modes + sizeof modes / sizeof *modes, "there is such a mode");
    find_task(argc > 2 ? atoi(argv[2]) : 0, argc > 3 ? atoi(argv[3]) : 0);
    if (is_task("ps"))
        serve(mode);
    else if (is_task("evaluator"))
        evaluate();
    else
        mode->run();
    cohort_resolver_destroy(cluster);
    return 0;
}
