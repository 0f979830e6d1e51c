/* SPDX-License-Identifier: BSD-3-Clause */
/* Hosts of SageMaker: lists and hosts that make no sense, what right ones are, and 1,000 hostile
 * lists. SEED=N draws others. */
#include "config.h"

#include "tests/resolver.h"

static void set(const char *hosts, const char *own)
{
    set_one("SM_HOSTS", hosts);
    set_one("SM_CURRENT_HOST", own);
}

static void test_variables(void)
{
    static const struct {
        const char *hosts, *own, *text;
    } rows[] = {
        { NULL, "algo-1", "SM_HOSTS is not set: this is no training job of SageMaker" },
        { "", "algo-1", "SM_HOSTS is not set" },
        { "[\"algo-1\"]", NULL, "SM_CURRENT_HOST is not set" },
        { "[\"algo-1\"]", "algo-2",
          "SM_CURRENT_HOST is 'algo-2', and none of the 1 hosts of SM_HOSTS" },
        { "[\"algo-1\"]", "\x1b", "SM_CURRENT_HOST is '\\x1b'" },
        { "algo-1", "algo-1", "SM_HOSTS: byte 4: no JSON" },
        { "[\"algo-1\"", "algo-1", "SM_HOSTS: byte 9: no JSON" },
        { "[]", "algo-1", "SM_HOSTS: byte 0: it is empty, not a list of hosts" },
        { "{\"algo-1\": 1}", "algo-1", "SM_HOSTS: byte 0: it is an object, not a list" },
        { "[\"algo-1\", 2]", "algo-1", "SM_HOSTS: byte 11: host 1 is an integer, not a text" },
        { "[[\"algo-1\"]]", "algo-1", "SM_HOSTS: byte 1: host 0 is an array, not a text" },
        { "[\"\"]", "algo-1", "SM_HOSTS: byte 1: '' is no name of a host" },
        { "[\"a:1\"]", "algo-1", "SM_HOSTS: byte 1: 'a:1' is no name of a host" },
        { "[\"a b\"]", "algo-1", "SM_HOSTS: byte 1: 'a b' is no name of a host" },
        { "[\"a\\u0000\"]", "algo-1", "SM_HOSTS: byte" },
        { "[\"\xff\"]", "algo-1", "SM_HOSTS: byte 2: no JSON" },
        { "[\"b\", \"algo-1\", \"b\"]", "algo-1", "SM_HOSTS has host 'b' twice" },
        { "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "algo-1",
          "SM_HOSTS: byte 32: more than 32 brackets" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        set(rows[i].hosts, rows[i].own);
        refuses(cohort_resolver_sagemaker(), rows[i].text, "refused, row %zu", i);
    }
    has_text(cohort_error_text(), "cohort_resolver_sagemaker: ", "the call is named");
}

static void test_hosts(void)
{
    set("[\"algo-2\", \"algo-1\", \"algo-10\"]", "algo-2");
    refuses(cohort_resolver_sagemaker_with(65536, NULL), "the port is 65536", "no port");
    refuses(cohort_resolver_sagemaker_with(-1, NULL), "the port is -1", "nor this");
    cohort_resolver *r = cohort_resolver_sagemaker();
    is_text(cohort_resolver_name(r), "sagemaker", "a resolver of SageMaker");
    is_cluster(r, "{\"worker\": [\"algo-1:2223\", \"algo-10:2223\", \"algo-2:2223\"]}", "worker", 2,
               "algo-2:2223");
    is_text(cohort_resolver_rpc_layer(r), "", "without an rpc layer");
    is_text(cohort_resolver_master(r, "worker", 1, "grpc"), "grpc://algo-10:2223",
            "or another's master");
    ok(cohort_resolver_master(r, "ps", 0, NULL) == NULL, "but none of a job that there is not");
    set("[\"algo-1\"]", "algo-1");
    is_cluster(r, "{\"worker\": [\"algo-1:2223\"]}", "worker", 0, "");
    set("[\"algo-1\"", "algo-1");
    ok(cohort_resolver_cluster_spec(r) == NULL, "a list that is cut later is an error");
    has_text(cohort_error_text(), "resolver 'sagemaker': SM_HOSTS: byte 9", "which says where");
    cohort_resolver_destroy(r);

    set("[\"a\", \"b\"]", NULL);
    r = cohort_resolver_sagemaker_with(
        7, &(cohort_resolver_options){ .task_type = "worker", .task_id = 1, .rpc_layer = "x" });
    is_cluster(r, "{\"worker\": [\"a:7\", \"b:7\"]}", "worker", 1, "x://b:7");
    cohort_resolver_destroy(r);
}

static void test_hostile(void)
{
    char text[256];
    int bad = 0;
    for (int i = 0; i < 1000 && bad < 3; i++) {
        draw_damaged("[\"algo-1\", \"algo-2\", \"algo-3\"]", text, sizeof text);
        set(text, "algo-1");
        if (is_told(cohort_resolver_sagemaker(), "SM_HOSTS"))
            continue;
        bad++;
        diag("'%s': %s", text, cohort_error_text());
    }
    ok(bad == 0, "1000 damaged lists are read, or named");
    static char long_list[(1 << 20) + 2];
    memset(long_list, ' ', sizeof long_list - 1);
    set(long_list, "algo-1");
    refuses(cohort_resolver_sagemaker(), "SM_HOSTS: byte 1048576: it has more than 1048576 bytes",
            "a list that is too long");
}

static void test_many(void)
{
    enum { BYTES = 1 << 20 };
    char *list = malloc(BYTES);
    size_t n = (size_t)snprintf(list, BYTES, "[\"0\"");
    for (int i = 1; i <= 65536; i++)
        n += (size_t)snprintf(list + n, BYTES - n, ",\"%d\"", i);
    (void)snprintf(list + n, BYTES - n, "]");
    set(list, "0");
    refuses(cohort_resolver_sagemaker(), "there are more than 65536 hosts",
            "more hosts than a cluster may have tasks");
    free(list);
}

int main(void)
{
    int64_t blocks = cohort_memory_blocks();
    set("[\"a\"]", "a");
    cohort_resolver *r = cohort_resolver_sagemaker();
    bool has_json = r != NULL;
    cohort_resolver_destroy(r);
    draw_begin();
    if (!has_json) {
        has_text(cohort_error_text(), "built without jansson", "a build without jansson says so");
    } else {
        test_variables();
        test_hosts();
        test_hostile();
        test_many();
    }
    ok(cohort_memory_blocks() == blocks, "no memory is left behind");
    return tap_done();
}
