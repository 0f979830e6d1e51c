/* SPDX-License-Identifier: BSD-3-Clause */
/* Clusters: specs, roles, and resolvers that are given in code or written by a program. */
#include "config.h"

#include "tests/tap.h"

#include <cohort/cohort.h>

/* Refused: NULL, with this text. */
#define refuses(call, text, ...)                                                                   \
    (ok((call) == NULL, __VA_ARGS__), has_text(cohort_error_text(), text, "and says so"))

static const char *const two[] = { "a:1", "b:2" }, *const one[] = { "c:3" };

/* "chief1 worker2 ps1": jobs with so many tasks, TYPE0:1 and so on. */
static cohort_cluster_spec *spec_of(const char *words)
{
    static char texts[8][8][16], types[8][16];
    static const char *addresses[8][8];
    cohort_job jobs[8];
    int n = 0;
    for (const char *word = words; *word != '\0'; n++) {
        size_t letters = strcspn(word, "0123456789");
        (void)snprintf(types[n], sizeof types[n], "%.*s", (int)letters, word);
        jobs[n] = (cohort_job){ types[n], addresses[n], word[letters] - '0', NULL };
        for (int i = 0; i < jobs[n].count; i++) {
            (void)snprintf(texts[n][i], sizeof texts[n][i], "%.8s%d:1", types[n], i);
            addresses[n][i] = texts[n][i];
        }
        word += letters + 1;
        word += *word == ' ';
    }
    return cohort_cluster_spec_create(jobs, n);
}

/* ------------------------------------------------------------------ specs */

static void test_questions(void)
{
    const cohort_job jobs[] = { { "worker", two, 2, NULL },
                                { "ps", two, 2, (const int32_t[]){ 5, 2 } },
                                { "evaluator", NULL, 0, NULL } };
    cohort_cluster_spec *spec = cohort_cluster_spec_create(jobs, 3);
    int32_t indices[2] = { 7, 7 };
    ok(cohort_cluster_spec_num_jobs(spec) == 3, "a spec of three jobs");
    is_text(cohort_cluster_spec_job(spec, 1), "ps", "they have an order");
    ok(cohort_cluster_spec_job(spec, 3) == NULL && cohort_cluster_spec_job(spec, -1) == NULL,
       "and an end");
    ok(cohort_cluster_spec_num_tasks(spec, "worker") == 2 &&
           cohort_cluster_spec_num_tasks(spec, "evaluator") == 0,
       "tasks of a job are counted");
    ok(cohort_cluster_spec_num_tasks(spec, "boss") == COHORT_ENOENT, "there is no boss");
    has_text(cohort_error_text(), "no job 'boss' in the cluster; its jobs: worker, ps, evaluator",
             "and the others are listed");
    ok(cohort_cluster_spec_task_indices(spec, "ps", indices, 1) == 2 && indices[0] == 2 &&
           indices[1] == 7,
       "indices are in order, as far as there is room");
    is_text(cohort_cluster_spec_task_address(spec, "ps", 5), "a:1", "an address by its index");
    refuses(cohort_cluster_spec_task_address(spec, "ps", 0), "no task of index 0 in job 'ps'",
            "a task that there is not is refused");
    refuses(cohort_cluster_spec_task_address(spec, "worker", -1), "has 2 tasks, from 0 on",
            "so is one before the first");
    is_text(cohort_cluster_spec_json(spec),
            "{\"worker\": [\"a:1\", \"b:2\"], \"ps\": {\"2\": \"b:2\", \"5\": \"a:1\"}, "
            "\"evaluator\": {}}",
            "as JSON: lists where indices have no gap");
    cohort_cluster_spec_destroy(spec);
}

static void test_equality(void)
{
    const cohort_job jobs[] = { { "worker", two, 2, NULL }, { "ps", one, 1, NULL } },
                     swapped[] = { jobs[1],
                                   { "worker", (const char *[]){ "b:2", "a:1" }, 2,
                                     (const int32_t[]){ 1, 0 } } },
                     moved[] = { { "worker", two, 2, (const int32_t[]){ 1, 0 } }, jobs[1] },
                     fewer[] = { { "worker", two, 1, NULL }, jobs[1] },
                     other[] = { { "chief", two, 2, NULL }, jobs[1] };
    cohort_cluster_spec *a = cohort_cluster_spec_create(jobs, 2),
                        *b = cohort_cluster_spec_create(swapped, 2),
                        *c = cohort_cluster_spec_create(moved, 2),
                        *d = cohort_cluster_spec_create(fewer, 2),
                        *e = cohort_cluster_spec_create(other, 2),
                        *f = cohort_cluster_spec_create(jobs, 1);
    ok(cohort_cluster_spec_is_equal(a, a) && cohort_cluster_spec_is_equal(a, b),
       "specs are equal in any order of jobs and tasks");
    ok(!cohort_cluster_spec_is_equal(a, c), "but not with other addresses");
    ok(!cohort_cluster_spec_is_equal(a, d), "or fewer tasks");
    ok(!cohort_cluster_spec_is_equal(a, e) && !cohort_cluster_spec_is_equal(a, f),
       "or other jobs, or fewer");
    ok(!cohort_cluster_spec_is_equal(a, NULL), "and nothing equals no spec");
    cohort_cluster_spec_destroy(a), cohort_cluster_spec_destroy(b), cohort_cluster_spec_destroy(c);
    cohort_cluster_spec_destroy(d), cohort_cluster_spec_destroy(e), cohort_cluster_spec_destroy(f);
}

static void refuse_job(cohort_job job, const char *text, const char *claim)
{
    const cohort_job jobs[] = { { "first", one, 1, NULL }, job };
    refuses(cohort_cluster_spec_create(jobs, 2), text, "%s is refused", claim);
}

static void test_wrong_specs(void)
{
    static char text[1026];
    memset(text, 'x', sizeof text - 1);
    refuse_job((cohort_job){ NULL, one, 1, NULL }, "the type of a job is NULL", "a job of no type");
    refuse_job((cohort_job){ "", one, 1, NULL }, "the type of a job is empty", "an empty type");
    refuse_job((cohort_job){ "a\nb", one, 1, NULL }, "is 'a\\x0ab'; expected UTF-8",
               "a type with an end of line");
    refuse_job((cohort_job){ "first", one, 1, NULL }, "job 'first' is there twice",
               "a job that is there");
    refuse_job((cohort_job){ "w", one, -1, NULL }, "job 'w' has -1 tasks; 0 to 65536",
               "a negative number of tasks");
    refuse_job((cohort_job){ "w", one, 65537, NULL }, "job 'w' has 65537 tasks",
               "a larger number than there may be");
    refuse_job((cohort_job){ "w", one, 65536, NULL }, "job 'w' is one too many",
               "such a number of all jobs together");
    refuse_job((cohort_job){ "w", NULL, 1, NULL }, "addresses is NULL, for 1 tasks",
               "a job without its addresses");
    refuse_job((cohort_job){ "w", (const char *[]){ "a:1", NULL }, 2, NULL },
               "address 1 of job 'w' is NULL", "an address that is NULL");
    refuse_job((cohort_job){ "w", (const char *[]){ "\xff:1" }, 1, NULL },
               "address 0 of job 'w' is '\\xff:1'; expected UTF-8", "one that is not UTF-8");
    refuse_job((cohort_job){ "w", (const char *[]){ text }, 1, NULL },
               "address 0 of job 'w' has more than 1024 bytes", "one that is too long");
    refuse_job((cohort_job){ "w", two, 2, (const int32_t[]){ 0, -3 } },
               "job 'w' has a task of index -3", "a negative index");
    refuse_job((cohort_job){ "w", two, 2, (const int32_t[]){ 4, 4 } },
               "job 'w' has two tasks of index 4", "an index that is there twice");
    refuses(cohort_cluster_spec_create(NULL, 1), "the list of jobs is NULL", "no list is refused");
    refuses(cohort_cluster_spec_create(NULL, -1), "-1 jobs; 0 to 1024", "and fewer jobs than none");
    static char types[1025][8];
    static cohort_job many[1025];
    for (int i = 0; i < 1025; i++) {
        (void)snprintf(types[i], sizeof types[i], "j%d", i);
        many[i] = (cohort_job){ types[i], one, 1, NULL };
    }
    refuses(cohort_cluster_spec_create(many, 1025), "1025 jobs; 0 to 1024", "and too many");
    cohort_cluster_spec *most = cohort_cluster_spec_create(many, 1024);
    ok(cohort_cluster_spec_num_jobs(most) == 1024, "one less is fine");
    cohort_cluster_spec_destroy(most);
    refuses(cohort_cluster_spec_json(NULL), "the spec is NULL", "NULL is no spec");
    ok(cohort_cluster_spec_num_jobs(NULL) == COHORT_EINVAL, "and has no jobs");
    cohort_cluster_spec *spec = cohort_cluster_spec_create(NULL, 0);
    is_text(cohort_cluster_spec_json(spec), "{}", "the empty cluster is one");
    cohort_cluster_spec_destroy(spec);
    refuses(cohort_cluster_spec_json(spec), "the spec is destroyed already", "until it is gone");
    cohort_cluster_spec_destroy(spec);
    has_text(cohort_error_text(), "destroyed already", "which it is once");
    cohort_cluster_spec_destroy(NULL);
}

/* ------------------------------------------------------------------ roles: 2.K */

static void test_chiefs(void)
{
    static const struct {
        const char *cluster, *type;
        int32_t id, chief;
        const char *text;
    } rows[] = {
        { "chief1 worker2 ps1 evaluator1", "chief", 0, 1, "" },
        { "chief1 worker2 ps1 evaluator1", "worker", 0, 0, "" },
        { "chief1 worker2 ps1 evaluator1", "ps", 0, 0, "" },
        { "chief1 worker2 ps1 evaluator1", "evaluator", 0, 1, "" },
        { "chief1 worker2 ps1 evaluator1", NULL, 0, 0, "" },
        { "worker2", "worker", 0, 1, "" },
        { "worker2", "worker", 1, 0, "" },
        { "worker2", "worker", -1, 0, "" },
        { "worker2", "evaluator", 3, 1, "" },
        { "worker2", "worker", 2, COHORT_EINVAL, "there is no worker 2: the cluster has 2 tasks" },
        { "worker2", "boss", 0, COHORT_EINVAL,
          "no task type 'boss'; chief, worker, ps and evaluator" },
        { "worker2", "chief", 0, COHORT_EINVAL,
          "task type 'chief' is not in the cluster; its jobs: worker" },
        { "chief2", NULL, 0, COHORT_EINVAL, "the cluster has 2 tasks of job 'chief'; at most one" },
        { "evaluator2", NULL, 0, COHORT_EINVAL, "2 tasks of job 'evaluator'; at most one" },
        { "boss1", NULL, 0, COHORT_EINVAL, "the cluster has a job 'boss'; jobs are chief" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cohort_cluster_spec *spec = spec_of(rows[i].cluster);
        int found = cohort_cluster_spec_is_chief(spec, rows[i].type, rows[i].id);
        const char *type = rows[i].type != NULL ? rows[i].type : "nobody";
        if (!ok(found == rows[i].chief, "is %s %d of %s the chief", type, (int)rows[i].id,
                rows[i].cluster))
            diag("found %d: %s", found, cohort_error_text());
        if (rows[i].chief < 0)
            has_text(cohort_error_text(), rows[i].text, "and why not");
        cohort_cluster_spec_destroy(spec);
    }
}

static void test_counts(void)
{
    cohort_cluster_spec *spec = spec_of("chief1 worker2 ps1"), *empty = spec_of(""),
                        *tested = spec_of("evaluator1"), *ps = spec_of("ps2");
    ok(cohort_cluster_spec_worker_count(spec, "chief") == 3 &&
           cohort_cluster_spec_worker_count(spec, "worker") == 3,
       "chief and workers work together");
    ok(cohort_cluster_spec_worker_count(tested, "evaluator") == 1, "an evaluator does alone");
    ok(cohort_cluster_spec_worker_count(spec, "evaluator") == COHORT_ENOENT,
       "where there is one at all");
    ok(cohort_cluster_spec_worker_count(spec, "ps") == COHORT_EINVAL, "a ps is no worker");
    ok(cohort_cluster_spec_id_in_cluster(spec, "chief", 0) == 0 &&
           cohort_cluster_spec_id_in_cluster(spec, "worker", 0) == 1 &&
           cohort_cluster_spec_id_in_cluster(spec, "worker", 1) == 2 &&
           cohort_cluster_spec_id_in_cluster(tested, "evaluator", 0) == 0,
       "the chief is first, workers follow");
    ok(cohort_cluster_spec_id_in_cluster(spec, "ps", 0) == COHORT_EINVAL, "a ps has no id there");
    ok(cohort_cluster_spec_id_in_cluster(spec, "worker", -1) == COHORT_EINVAL,
       "nor has a worker before the first");
    is_text(cohort_cluster_spec_collective_leader(spec, "worker", 1), "/job:chief/replica:0/task:0",
            "the chief leads");
    is_text(cohort_cluster_spec_coordination_leader(spec), "/job:ps/replica:0/task:0",
            "a ps coordinates");
    is_text(cohort_cluster_spec_collective_leader(tested, "evaluator", 0), "",
            "an evaluator has no leader");
    is_text(cohort_cluster_spec_collective_leader(empty, "chief", 0), "",
            "nor has the empty cluster");
    is_text(cohort_cluster_spec_coordination_leader(empty), "", "or a coordinator");
    refuses(cohort_cluster_spec_collective_leader(ps, "ps", 0), "no chief and no worker",
            "a cluster of ps alone has no leader");
    cohort_cluster_spec_destroy(spec), cohort_cluster_spec_destroy(empty);
    cohort_cluster_spec_destroy(tested), cohort_cluster_spec_destroy(ps);
}

/* ------------------------------------------------------------------ given in code */

static void test_simple(void)
{
    const cohort_job jobs[] = { { "worker", two, 2, NULL } };
    const cohort_accelerators gpus = { "GPU", 2 };
    cohort_accelerators found[2] = { { NULL, 0 } };
    cohort_resolver *r = cohort_resolver_simple(jobs, 1, NULL, 0);
    is_text(cohort_resolver_name(r), "simple", "a simple resolver");
    is_text(cohort_resolver_master(r, NULL, 0, NULL), "", "has no master of its own");
    is_text(cohort_resolver_task_type(r), "", "and no task");
    ok(cohort_resolver_task_id(r) == COHORT_ENOENT, "nor its id");
    is_text(cohort_resolver_rpc_layer(r), "", "nor an rpc layer");
    is_text(cohort_resolver_environment(r), "", "nor an environment");
    ok(cohort_resolver_num_accelerators(r, NULL, 0) == 0, "nor accelerators");
    is_text(cohort_resolver_master(r, "worker", 1, NULL), "b:2", "it knows masters of tasks");
    is_text(cohort_resolver_master(r, "worker", 0, "grpc"), "grpc://a:1", "with a layer");
    is_text(cohort_resolver_master(r, cohort_resolver_task_type(r), 0, NULL), "",
            "asked for the task that is none, it has none");
    refuses(cohort_resolver_master(r, "worker", 2, NULL), "no task of index 2",
            "but not of one that there is not");
    ok(cohort_resolver_num_tasks(r, "worker") == 2 &&
           cohort_resolver_num_tasks(r, "ps") == COHORT_ENOENT,
       "tasks are counted");
    const char *address = cohort_resolver_address(r, "worker", 0);
    (void)cohort_resolver_master(r, "worker", 1, NULL);
    is_text(address, "a:1", "and have addresses, which another question leaves alone");
    ok(cohort_resolver_cluster_spec(r) == cohort_resolver_cluster_spec(r),
       "an equal answer is the same object");
    cohort_resolver_destroy(r);

    r = cohort_resolver_simple_with(jobs, 1,
                                    &(cohort_resolver_options){ .task_type = "worker",
                                                                .task_id = 1,
                                                                .master = "m:1",
                                                                .rpc_layer = "r1",
                                                                .environment = "e1",
                                                                .accelerators = &gpus,
                                                                .num_accelerators = 1 });
    is_text(cohort_resolver_task_type(r), "worker", "options give a task");
    ok(cohort_resolver_task_id(r) == 1, "and its id");
    is_text(cohort_resolver_master(r, NULL, 0, NULL), "r1://m:1", "and a master");
    is_text(cohort_resolver_environment(r), "e1", "and an environment");
    ok(cohort_resolver_num_accelerators(r, found, 2) == 1 && found[0].count == 2 &&
           strcmp(found[0].kind, "GPU") == 0,
       "and accelerators");
    cohort_resolver_destroy(r);
    refuses(cohort_resolver_task_type(r), "the resolver is destroyed already", "until it is gone");
}

static void refuse_options(cohort_resolver_options options, const char *text, const char *claim)
{
    refuses(cohort_resolver_simple_with(NULL, 0, &options), text, "%s is refused", claim);
}

static void test_wrong_options(void)
{
    const cohort_accelerators negative = { "GPU", -1 }, nameless = { NULL, 1 },
                              twice[] = { { "GPU", 1 }, { "GPU", 2 } };
    int something = 0;
    refuse_options((cohort_resolver_options){ .task_type = "\x7f" }, "task_type of the options is",
                   "a task type that is no text");
    refuse_options((cohort_resolver_options){ .master = "\x80" }, "master of the options",
                   "a master");
    refuse_options((cohort_resolver_options){ .rpc_layer = "\x01" }, "rpc_layer", "a layer");
    refuse_options((cohort_resolver_options){ .environment = "\t" }, "environment",
                   "an environment");
    refuse_options((cohort_resolver_options){ .accelerators = &negative, .num_accelerators = 1 },
                   "-1 accelerators of kind 'GPU'", "a negative count");
    refuse_options((cohort_resolver_options){ .accelerators = &nameless, .num_accelerators = 1 },
                   "a kind of accelerators is NULL", "no kind");
    refuse_options((cohort_resolver_options){ .accelerators = twice, .num_accelerators = 2 },
                   "accelerators of kind 'GPU' are there twice", "a kind that is there twice");
    refuse_options((cohort_resolver_options){ .accelerators = twice, .num_accelerators = -1 },
                   "-1 kinds of accelerators", "a negative number of kinds");
    refuse_options((cohort_resolver_options){ .reserved = { &something } },
                   "cohort_resolver_simple: reserved[0] of the options is not zero",
                   "a reserved word");
    refuses(cohort_resolver_simple(NULL, 2, NULL, 0),
            "cohort_resolver_simple: cluster spec: the list of jobs is NULL",
            "a cluster that is none is refused");
}

/* ------------------------------------------------------------------ of one's own */

typedef struct own {
    int asked, destroyed;
    const char *type, *layer;
    int32_t id;
    bool fails;
} own;

static cohort_cluster_spec *own_spec(void *user)
{
    own *me = user;
    me->asked++;
    if (me->fails)
        return (void)cohort_error_set(COHORT_ENODEV, "the queue is down"), NULL;
    return spec_of(me->asked < 3 ? "worker2" : "worker3");
}

static const char *own_type(void *user)
{
    return ((own *)user)->type;
}

static int32_t own_id(void *user)
{
    return ((own *)user)->id;
}

static const char *own_layer(void *user)
{
    return ((own *)user)->layer;
}

static int own_accelerators(void *user, cohort_accelerators out[], int capacity)
{
    (void)user;
    return capacity >= 2 ? (out[0] = (cohort_accelerators){ "NPU", 4 }, 1) : 0;
}

static void own_destroy(void *user)
{
    ((own *)user)->destroyed++;
}

static const cohort_resolver_ops own_ops = { .struct_size = sizeof own_ops,
                                             .name = "queue",
                                             .cluster_spec = own_spec,
                                             .task_type = own_type,
                                             .task_id = own_id,
                                             .rpc_layer = own_layer,
                                             .num_accelerators = own_accelerators,
                                             .destroy = own_destroy };

static void test_own(void)
{
    own me = { .type = "worker", .layer = "grpc", .id = 1 };
    cohort_accelerators found[1];
    cohort_resolver *r = cohort_resolver_create(&own_ops, &me);
    is_text(cohort_resolver_name(r), "queue", "a resolver of one's own");
    is_text(cohort_resolver_master(r, NULL, 0, NULL), "grpc://worker1:1",
            "its master is the address of its task");
    const cohort_cluster_spec *spec = cohort_resolver_cluster_spec(r);
    ok(spec != NULL && me.asked == 2, "each question asks its function");
    ok(cohort_resolver_num_tasks(r, "worker") == 3, "which may answer otherwise");
    ok(cohort_resolver_num_accelerators(r, found, 1) == 1 && found[0].count == 4,
       "accelerators are its own");
    me.type = "", me.id = COHORT_ENOENT;
    ok(cohort_resolver_task_id(r) == COHORT_ENOENT, "it may have no task");
    is_text(cohort_resolver_master(r, NULL, 0, NULL), "", "and no master then");
    me.fails = true;
    refuses(cohort_resolver_cluster_spec(r), "resolver 'queue': the queue is down",
            "where it fails its words are the error");
    ok(cohort_resolver_num_tasks(r, "worker") == COHORT_ENODEV, "with its status");
    me.type = NULL;
    refuses(cohort_resolver_task_type(r), "resolver 'queue': it returned NULL, and no error",
            "an answer without a word is an error");
    me.type = "\xc3";
    refuses(cohort_resolver_task_type(r), "resolver 'queue': the task type is '\\xc3'",
            "so is one that is no text");
    me.id = -77;
    ok(cohort_resolver_task_id(r) == COHORT_EINVAL, "and a number that is no status");
    ok(me.destroyed == 0, "it is there");
    cohort_resolver_destroy(r);
    ok(me.destroyed == 1, "and gone once");
}

/* Each writes its answer over that of the one before: a text is copied when it is returned. */
static char room[16], asked_for[64];

static const char *room_type(void *user)
{
    (void)user;
    return strcpy(room, "worker");
}

static int32_t room_id(void *user)
{
    (void)user;
    return (void)strcpy(room, "nothing"), 1;
}

static const char *room_layer(void *user)
{
    (void)user;
    return strcpy(room, "grpc");
}

static const char *room_environment(void *user)
{
    (void)user;
    return strcpy(room, "cloud");
}

static const char *room_ids(void *user)
{
    (void)user;
    return strcpy(room, "0,1");
}

static const char *room_master(void *user, const char *type, int32_t id, const char *layer)
{
    (void)user;
    (void)snprintf(asked_for, sizeof asked_for, "%s %d '%s'", type != NULL ? type : "nobody",
                   (int)id, layer);
    return strcpy(room, "m:1");
}

static const cohort_resolver_ops room_ops = { .struct_size = sizeof room_ops,
                                              .name = "room",
                                              .task_type = room_type,
                                              .task_id = room_id,
                                              .rpc_layer = room_layer,
                                              .environment = room_environment,
                                              .accelerator_ids = room_ids,
                                              .master = room_master };

static void test_lent(void)
{
    cohort_resolver *r = cohort_resolver_create(&room_ops, NULL);
    const char *type = cohort_resolver_task_type(r), *layer = cohort_resolver_rpc_layer(r),
               *environment = cohort_resolver_environment(r),
               *ids = cohort_resolver_accelerator_ids(r),
               *master = cohort_resolver_master(r, "worker", 1, "x");
    ok(cohort_resolver_task_id(r) == 1, "an id is asked for beside texts");
    is_text(type, "worker", "a type is lent until it is asked for again");
    is_text(layer, "grpc", "so is a layer");
    is_text(environment, "cloud", "and an environment");
    is_text(ids, "0,1", "and ids of accelerators");
    is_text(master, "m:1", "and a master, which is as its function has it");
    is_text(asked_for, "worker 1 'x'", "that was asked for all of it");
    (void)cohort_resolver_master(r, NULL, 0, NULL);
    is_text(asked_for, "nobody 0 'grpc'", "or for no task, with the layer of the resolver");
    (void)cohort_resolver_master(r, "", 0, "");
    is_text(asked_for, "nobody 0 ''", "or without one");
    cohort_resolver_destroy(r);
    const cohort_job jobs[] = { { "worker", two, 2, NULL } };
    r = cohort_resolver_simple_with(
        jobs, 1,
        &(cohort_resolver_options){ .task_type = "worker", .task_id = -1, .rpc_layer = "grpc" });
    is_text(cohort_resolver_task_type(r), "worker", "options may give a type");
    ok(cohort_resolver_task_id(r) == COHORT_ENOENT, "without a number");
    master = cohort_resolver_master(r, "worker", 0, NULL);
    is_text(cohort_resolver_address(r, "worker", 1), "b:2", "an address has no layer");
    is_text(master, "grpc://a:1", "and leaves the master that is lent");
    is_text(cohort_resolver_master(r, "worker", 0, ""), "a:1", "a layer may be left out");
    is_text(cohort_resolver_accelerator_ids(r), "", "all accelerators are its own");
    cohort_resolver_destroy(r);
}

static void test_wrong_tables(void)
{
    own me = { .destroyed = 0 };
    cohort_resolver_ops ops = own_ops;
    refuses(cohort_resolver_create(NULL, &me), "the table of functions is NULL",
            "no table is refused");
    ops.struct_size = 0;
    refuses(cohort_resolver_create(&ops, &me), "struct_size of the functions is 0",
            "so is one without a size");
    ops.struct_size = sizeof ops + 8;
    refuses(cohort_resolver_create(&ops, &me), "made for a newer Cohort", "or with a larger one");
    ops = own_ops;
    ops.reserved = 1;
    refuses(cohort_resolver_create(&ops, &me), "reserved of the functions", "or reserved words");
    ops = own_ops;
    ops.name = NULL;
    refuses(cohort_resolver_create(&ops, &me), "cohort_resolver_create: the name is NULL",
            "or no name");
    ok(me.destroyed == 0, "and what stands behind it stays the program's");
    ops = (cohort_resolver_ops){ .struct_size = offsetof(cohort_resolver_ops, cluster_spec),
                                 .name = "older" };
    cohort_resolver *r = cohort_resolver_create(&ops, NULL);
    is_text(cohort_cluster_spec_json(cohort_resolver_cluster_spec(r)), "{}",
            "a table without functions is the empty cluster");
    ok(cohort_resolver_num_accelerators(r, NULL, 0) >= 0, "with the machine's accelerators");
    cohort_resolver_destroy(r);
    cohort_resolver_destroy(NULL);
}

/* ------------------------------------------------------------------ meshes */

static void test_wrong_meshes(void)
{
    cohort_resolver *r = cohort_resolver_simple(NULL, 0, NULL, 0);
    refuses(cohort_resolver_tpu("hst", 0, NULL), "cohort_resolver_tpu: no device 'hst'",
            "a mesh of devices that there are not is refused");
    refuses(cohort_resolver_tpu("host/3", 2, (const int32_t[]){ 2, 2 }),
            "mesh (2, 2) has 4 cores, and the list has 3 devices", "so is one that does not fit");
    refuses(cohort_resolver_topology(NULL), "the resolver is NULL", "no resolver has no mesh");
    refuses(cohort_resolver_topology(r), "resolver 'simple' has no topology",
            "nor has one of a cluster");
    cohort_resolver_destroy(r);
    refuses(cohort_resolver_topology(r), "destroyed already", "nor one that was destroyed");
}

static void test_mesh(void)
{
    cohort_accelerators found[2];
    cohort_resolver *r = cohort_resolver_tpu("host/8", 4, (const int32_t[]){ 2, 2, 1, 2 });
    const cohort_topology *t = cohort_resolver_topology(r);
    ok(cohort_topology_rank(t) == 4 && cohort_topology_num_devices(t, 0) == 8 &&
           t == cohort_resolver_topology(r),
       "a resolver of devices as a mesh has their topology");
    is_text(cohort_cluster_spec_json(cohort_resolver_cluster_spec(r)), "{}", "no cluster");
    is_text(cohort_resolver_task_type(r), "", "and no task");
    ok(cohort_resolver_num_accelerators(r, found, 2) == 1 && found[0].count == 8, "but 8 cores");
    is_text(found[0].kind, "CORE", "which it calls so");
    cohort_assignment *a = cohort_assignment_build(t, NULL, NULL, 0, COHORT_CORES_AUTO);
    cohort_resolver_destroy(r);
    ok(cohort_assignment_num_replicas(a) == 8 &&
           cohort_topology_rank(cohort_assignment_topology(a)) == 4,
       "an assignment of it outlives the resolver");
    cohort_assignment_destroy(a);
}

/* Resolvers of a program's own, with a mesh or without words about it. */
static const cohort_topology *own_topology(void *user)
{
    return user;
}

static const cohort_topology *no_topology(void *user)
{
    (void)user;
    (void)cohort_error_set(COHORT_ENODEV, "the pod is away");
    return NULL;
}

static void test_own_mesh(void)
{
    cohort_resolver_ops ops = { .struct_size = sizeof ops,
                                .name = "pod",
                                .topology = own_topology };
    const int32_t cores[2][1][1] = { { { 0 } }, { { 1 } } };
    cohort_topology *t =
        cohort_topology_create(1, (const int32_t[]){ 2 }, COHORT_ARRAY(&cores[0][0][0], 2, 1, 1));
    cohort_resolver *r = cohort_resolver_create(&ops, t);
    ok(cohort_resolver_topology(r) == t, "a resolver of a program's own may have a mesh");
    cohort_topology_destroy(t);
    refuses(cohort_resolver_topology(r), "resolver 'pod': its function: the topology is destroyed",
            "one that is destroyed is refused");
    cohort_resolver_destroy(r);
    ops.topology = no_topology;
    r = cohort_resolver_create(&ops, NULL);
    refuses(cohort_resolver_topology(r), "resolver 'pod': the pod is away",
            "a function may say why there is none");
    cohort_resolver_destroy(r);
    ops.struct_size = offsetof(cohort_resolver_ops, topology);
    r = cohort_resolver_create(&ops, NULL);
    refuses(cohort_resolver_topology(r), "resolver 'pod' has no topology",
            "and an older table has none");
    cohort_resolver_destroy(r);
}

int main(void)
{
    int64_t blocks;
    cohort_resolver_ops warm = { .struct_size = sizeof warm, .name = "warm" };
    cohort_resolver *r = cohort_resolver_create(&warm, NULL);
    (void)cohort_resolver_num_accelerators(r, NULL, 0); /* what plugins are stays loaded */
    cohort_resolver_destroy(r);
    cohort_resolver_destroy(cohort_resolver_tpu("host/8", 0, NULL));
    (void)cohort_resolver_tpu("host/3", 1, (const int32_t[]){ 1 });
    blocks = cohort_memory_blocks();
    test_questions();
    test_equality();
    test_wrong_specs();
    test_chiefs();
    test_counts();
    test_simple();
    test_wrong_options();
    test_own();
    test_lent();
    test_wrong_tables();
    test_wrong_meshes();
    test_mesh();
    test_own_mesh();
    ok(cohort_memory_blocks() == blocks, "no memory is left behind");
    return tap_done();
}
