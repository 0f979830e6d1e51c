/* SPDX-License-Identifier: BSD-3-Clause */
/* Several resolvers as one. */
#include "config.h"

#include "tests/tap.h"

#include <cohort/cohort.h>

#define refuses(call, text, ...)                                                                   \
    (ok((call) == NULL, __VA_ARGS__), has_text(cohort_error_text(), text, "and says so"))

static cohort_resolver *one(const char *type, const char *const addresses[], int n,
                            const int32_t indices[])
{
    const cohort_job job = { type, addresses, n, indices };
    return cohort_resolver_simple(&job, 1, NULL, 0);
}

/* The union of two jobs "worker", as JSON; the resolvers are dropped, the union has shares. */
static void is_union(cohort_resolver *a, cohort_resolver *b, const char *wanted, const char *claim)
{
    cohort_resolver *u = cohort_resolver_union((cohort_resolver *[]){ a, b }, 2);
    cohort_resolver_destroy(a), cohort_resolver_destroy(b);
    const cohort_cluster_spec *spec = cohort_resolver_cluster_spec(u);
    is_text(spec != NULL ? cohort_cluster_spec_json(spec) : cohort_error_text(), wanted, "%s",
            claim);
    cohort_resolver_destroy(u);
}

static void test_merging(void)
{
    const char *const ab[] = { "a:1", "b:1" }, *const c[] = { "c:1" };
    is_union(one("worker", ab, 2, NULL), one("worker", c, 1, NULL),
             "{\"worker\": [\"a:1\", \"b:1\", \"c:1\"]}", "lists follow one another");
    is_union(one("worker", ab, 2, NULL), one("worker", c, 1, (const int32_t[]){ 3 }),
             "{\"worker\": {\"0\": \"a:1\", \"1\": \"b:1\", \"3\": \"c:1\"}}",
             "indices stay where one is no list");
    is_union(one("worker", c, 1, (const int32_t[]){ 2 }), one("worker", ab, 2, NULL),
             "{\"worker\": [\"a:1\", \"b:1\", \"c:1\"]}",
             "which may become one, whatever comes first");
    is_union(one("worker", ab, 2, NULL), one("worker", c, 1, (const int32_t[]){ 1 }),
             "resolver 'union': cluster spec: job 'worker' has two tasks of index 1: 'b:1', 'c:1'",
             "an index that is there twice is an error");
    is_union(one("worker", ab, 2, NULL), one("ps", c, 1, NULL),
             "{\"worker\": [\"a:1\", \"b:1\"], \"ps\": [\"c:1\"]}", "jobs are put together");
    is_union(one("worker", ab, 0, NULL), one("worker", c, 1, NULL), "{\"worker\": [\"c:1\"]}",
             "a job may have no tasks");
    cohort_resolver *same = one("worker", ab, 2, NULL), *u;
    u = cohort_resolver_union((cohort_resolver *[]){ same, same }, 2);
    ok(cohort_resolver_num_tasks(u, "worker") == 4, "a resolver may be there twice");
    cohort_resolver_destroy(same);
    ok(cohort_resolver_num_tasks(u, "worker") == 4, "and lives as long as the union");
    cohort_resolver_destroy(u);
}

static void test_first(void)
{
    const char *const a[] = { "a:1" }, *const b[] = { "b:1" };
    const cohort_job ja = { "worker", a, 1, NULL }, jb = { "ps", b, 1, NULL };
    const cohort_accelerators gpu = { "GPU", 1 };
    cohort_accelerators found[1] = { { NULL, 0 } };
    cohort_resolver *first = cohort_resolver_simple_with(
                        &ja, 1,
                        &(cohort_resolver_options){ .task_type = "worker",
                                                    .master = "m1",
                                                    .rpc_layer = "r1",
                                                    .environment = "e1",
                                                    .accelerators = &gpu,
                                                    .num_accelerators = 1 }),
                    *second = cohort_resolver_simple_with(
                        &jb, 1,
                        &(cohort_resolver_options){
                            .task_type = "ps", .task_id = 5, .master = "m2", .rpc_layer = "r2" }),
                    *u = cohort_resolver_union((cohort_resolver *[]){ first, second }, 2);
    is_text(cohort_resolver_task_type(u), "worker", "the task is the first one's");
    ok(cohort_resolver_task_id(u) == 0, "and its id");
    is_text(cohort_resolver_environment(u), "e1", "and the environment");
    is_text(cohort_resolver_rpc_layer(u), "r1", "and the layer");
    is_text(cohort_resolver_master(u, NULL, 0, NULL), "r1://m1", "and the master");
    is_text(cohort_resolver_master(u, NULL, 0, "x"), "x://m1", "with another layer");
    is_text(cohort_resolver_accelerator_ids(u), "", "and the accelerators' ids");
    ok(cohort_resolver_num_accelerators(u, found, 1) == 1 && found[0].count == 1,
       "and the accelerators");
    is_text(cohort_resolver_master(u, "ps", 0, NULL), "r1://b:1", "a task may be any");
    refuses(cohort_resolver_master(u, "ps", 1, NULL), "no task of index 1 in job 'ps'",
            "that there is");
    cohort_resolver_destroy(u);
    u = cohort_resolver_union_with(
        (cohort_resolver *[]){ first, second }, 2,
        &(cohort_resolver_options){ .task_type = "ps", .rpc_layer = "o" });
    is_text(cohort_resolver_task_type(u), "ps", "options win");
    is_text(cohort_resolver_master(u, NULL, 0, NULL), "o://m1", "also over the first's layer");
    cohort_resolver_destroy(u), cohort_resolver_destroy(first), cohort_resolver_destroy(second);
}

static void test_topology(void)
{
    const char *const a[] = { "a:1" };
    cohort_resolver *mesh = cohort_resolver_tpu("host/3", 0, NULL), *other = one("ps", a, 1, NULL),
                    *u = cohort_resolver_union((cohort_resolver *[]){ mesh, other }, 2),
                    *turned = cohort_resolver_union((cohort_resolver *[]){ other, mesh }, 2);
    ok(cohort_resolver_topology(u) != NULL &&
           cohort_resolver_topology(u) == cohort_resolver_topology(mesh),
       "the topology is that of the first");
    refuses(cohort_resolver_topology(turned), "resolver 'simple' has no topology",
            "also where that has none");
    cohort_resolver_destroy(mesh), cohort_resolver_destroy(other);
    ok(cohort_topology_num_devices(cohort_resolver_topology(u), 0) == 3,
       "and is there as long as the union");
    cohort_resolver_destroy(u), cohort_resolver_destroy(turned);
}

static void test_refusals(void)
{
    const char *const a[] = { "a:1" };
    cohort_resolver *r = one("worker", a, 1, NULL);
    refuses(cohort_resolver_union(NULL, 0), "cohort_resolver_union: 0 resolvers; 1 to 1024",
            "a union of nothing is refused");
    refuses(cohort_resolver_union(NULL, 2), "the list of resolvers is NULL", "and of no list");
    refuses(cohort_resolver_union((cohort_resolver *[]){ r, NULL }, 2), "resolver 1 is NULL",
            "and of no resolver");
    refuses(cohort_resolver_union_with(&r, 1, &(cohort_resolver_options){ .task_type = "\n" }),
            "task_type of the options", "and with wrong options");
    cohort_resolver_destroy(r);
    refuses(cohort_resolver_union(&r, 1), "resolver 0 is destroyed already",
            "and of one that is gone");
}

int main(void)
{
    int64_t blocks;
    /* plugins and parts of devices stay */
    cohort_resolver_destroy(cohort_resolver_tpu("host/3", 0, NULL));
    blocks = cohort_memory_blocks();
    test_merging();
    test_first();
    test_topology();
    test_refusals();
    ok(cohort_memory_blocks() == blocks, "no memory is left behind");
    return tap_done();
}
