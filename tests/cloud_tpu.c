/* SPDX-License-Identifier: BSD-3-Clause */
/* Machines of a Cloud TPU: texts that make no sense, what right ones are, and 1,000 hostile ones.
 * SEED=N draws others. */
#include "config.h"

#include "tests/resolver.h"

static const char two[] = "unknown:unknown:10.164.0.5,unknown:unknown:10.164.0.4";

static void test_texts(void)
{
    static const struct {
        const char *endpoints, *number, *type, *env, *text;
    } rows[] = {
        { NULL, "0", NULL, NULL, "there is no worker-network-endpoints: the options do not" },
        { "", "0", NULL, NULL, "worker-network-endpoints: machine 0, of ID:ID:ADDRESS,...: ''" },
        { "a:b:1.2.3.4,", "0", NULL, NULL, "machine 1, of ID:ID:ADDRESS,...: '' is no name" },
        { ",a", "0", NULL, NULL, "worker-network-endpoints: machine 0" },
        { "a:b:", "0", NULL, NULL, "worker-network-endpoints: machine 0" },
        { "1.2.3.4:8470", "0", NULL, NULL, "'1.2.3.4:8470' is no name of a host" },
        { "a:b:c:d", "0", NULL, NULL, "'c:d' is no name of a host" },
        { "a:b:c d", "0", NULL, NULL, "'c d' is no name of a host" },
        { "a:b:c,d:e:c", "0", NULL, NULL, "worker-network-endpoints has host 'c' twice" },
        { two, NULL, NULL, NULL, "there is no agent-worker-number, and no WORKER_ID in tpu-env" },
        { two, "2", NULL, NULL,
          "agent-worker-number is 2, and worker-network-endpoints has 2 machines" },
        { two, "x", NULL, NULL, "agent-worker-number is 'x'; expected an integer" },
        { two, "", NULL, NULL, "agent-worker-number is ''" },
        { two, "-1", NULL, NULL, "agent-worker-number is '-1'" },
        { two, "99999999999999999999", NULL, NULL, "agent-worker-number is '9999" },
        { two, NULL, NULL, "WORKER_ID: '0", "tpu-env: line 1: a value begins with a quotation" },
        { two, NULL, NULL, "A: 'b'\nWORKER_ID: \"", "tpu-env: line 2" },
        { two, NULL, NULL, "WORKER_IDS: '0'", "no WORKER_ID in tpu-env" },
        { two, "0", "v3", NULL, "accelerator-type is 'v3'; expected TYPE-NUMBER" },
        { two, "0", "-8", NULL, "accelerator-type is '-8'" },
        { two, "0", "v3-", NULL, "accelerator-type is 'v3-'" },
        { two, "0", "v3-0", NULL, "accelerator-type is 'v3-0'" },
        { two, "0", "v3-2147483648", NULL, "accelerator-type is 'v3-2147483648'" },
        { two, "0", "v3-7", NULL, "accelerator-type is 'v3-7', whose 7 do not divide among the 2" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const cohort_cloud_tpu_options options = { .endpoints = rows[i].endpoints,
                                                   .worker_number = rows[i].number,
                                                   .accelerator_type = rows[i].type,
                                                   .tpu_env = rows[i].env };
        refuses(cohort_resolver_cloud_tpu(&options), rows[i].text, "refused, row %zu", i);
    }
    has_text(cohort_error_text(), "cohort_resolver_cloud_tpu: ", "the call is named");
    refuses(cohort_resolver_cloud_tpu(NULL), "they have no function 'metadata'", "no options");
    refuses(
        cohort_resolver_cloud_tpu(&(cohort_cloud_tpu_options){ .endpoints = two, .port = 65536 }),
        "the port is 65536", "no port");
    refuses(cohort_resolver_cloud_tpu(
                &(cohort_cloud_tpu_options){ .endpoints = two, .reserved_word = 1 }),
            "reserved_word of the options is 1", "a reserved word");
}

static void test_machines(void)
{
    cohort_accelerators found[1] = { { NULL, 0 } };
    cohort_resolver *r = cohort_resolver_cloud_tpu(&(cohort_cloud_tpu_options){
        .endpoints = two, .worker_number = "1\n", .accelerator_type = "v3-16" });
    is_text(cohort_resolver_name(r), "cloud_tpu", "a resolver of a Cloud TPU");
    is_cluster(r, "{\"worker\": [\"10.164.0.5:8470\", \"10.164.0.4:8470\"]}", "worker", 1,
               "grpc://10.164.0.4:8470");
    ok(cohort_resolver_num_accelerators(r, found, 1) == 1 && found[0].count == 8 &&
           strcmp(found[0].kind, "TPU") == 0,
       "each has its part of the cores");
    cohort_resolver_destroy(r);
    r = cohort_resolver_cloud_tpu(&(cohort_cloud_tpu_options){
        .endpoints = "10.0.0.1",
        .tpu_env = "ACCELERATOR_TYPE: 'v5litepod-4'\r\nZONE: ''\nWORKER_ID: 0\n",
        .port = 1 });
    is_cluster(r, "{\"worker\": [\"10.0.0.1:1\"]}", "worker", 0, "grpc://10.0.0.1:1");
    ok(cohort_resolver_num_accelerators(r, found, 1) == 1 && found[0].count == 4,
       "also of what tpu-env says");
    cohort_resolver_destroy(r);
    r = cohort_resolver_cloud_tpu(
        &(cohort_cloud_tpu_options){ .endpoints = two, .worker_number = "0" });
    ok(cohort_resolver_num_accelerators(r, found, 1) == 0, "without a type it has none");
    cohort_resolver_destroy(r);
    r = cohort_resolver_cloud_tpu(&(cohort_cloud_tpu_options){
        .endpoints = two,
        .accelerator_type = "nonsense",
        .answers = &(cohort_resolver_options){ .task_type = "worker",
                                               .task_id = 0,
                                               .rpc_layer = "",
                                               .accelerators = &(cohort_accelerators){ "CORE", 2 },
                                               .num_accelerators = 1 } });
    is_cluster(r, "{\"worker\": [\"10.164.0.5:8470\", \"10.164.0.4:8470\"]}", "worker", 0,
               "10.164.0.5:8470");
    cohort_resolver_destroy(r);
}

/* ------------------------------------------------------------------ functions */

static const char *serve(void *user, const char *path)
{
    char *asked = user;
    (void)strcat(strcat(asked, strrchr(path, '/') + 1), " ");
    if (strcmp(path, "instance/attributes/worker-network-endpoints") == 0)
        return two;
    if (strcmp(path, "instance/attributes/tpu-env") == 0)
        return "WORKER_ID: '1'\nACCELERATOR_TYPE: 'v4-16'";
    return NULL;
}

static void test_function(void)
{
    char asked[4096] = "";
    cohort_resolver *r =
        cohort_resolver_cloud_tpu(&(cohort_cloud_tpu_options){ .metadata = serve, .user = asked });
    is_text(r != NULL ? asked : cohort_error_text(),
            "worker-network-endpoints worker-network-endpoints agent-worker-number tpu-env "
            "worker-network-endpoints accelerator-type tpu-env ",
            "a function is asked for what is missing");
    is_cluster(r, "{\"worker\": [\"10.164.0.5:8470\", \"10.164.0.4:8470\"]}", "worker", 1,
               "grpc://10.164.0.4:8470");
    cohort_resolver_destroy(r);
}

static void test_hostile(void)
{
    static const char *const whats[] = { "worker-network-endpoints", "agent-worker-number",
                                         "accelerator-type", "tpu-env" };
    static const char env[] = "ACCELERATOR_TYPE: 'v3-16'\nWORKER_ID: '1'\n";
    int bad = 0;
    for (int i = 0; i < 1000 && bad < 3; i++) {
        char text[256];
        uint32_t which = draw(4);
        const char *given[] = { two, "1", "v3-16", env };
        draw_damaged(given[which], text, sizeof text);
        given[which] = text;
        bool is_env = which == 3;
        const cohort_cloud_tpu_options options = { .endpoints = given[0],
                                                   .worker_number = is_env ? NULL : given[1],
                                                   .accelerator_type = is_env ? NULL : given[2],
                                                   .tpu_env = given[3] };
        cohort_resolver *r = cohort_resolver_cloud_tpu(&options);
        if (is_env && r == NULL ? cohort_error_text()[0] != '\0' : is_told(r, whats[which]))
            continue;
        bad++;
        diag("%s '%s': %s", whats[which], text, cohort_error_text());
    }
    ok(bad == 0, "1000 damaged texts are read, or named");
    static char huge[(1 << 20) + 2];
    memset(huge, 'a', sizeof huge - 1);
    refuses(cohort_resolver_cloud_tpu(&(cohort_cloud_tpu_options){ .endpoints = huge }),
            "worker-network-endpoints has more than 1048576 bytes", "a text that is too long");
}

int main(void)
{
    int64_t blocks = cohort_memory_blocks();
    draw_begin();
    test_texts();
    test_machines();
    test_function();
    test_hostile();
    ok(cohort_memory_blocks() == blocks, "no memory is left behind");
    return tap_done();
}
