/* SPDX-License-Identifier: BSD-3-Clause */
/* Instances of Google Compute Engine: lists and functions that make no sense, what right ones are,
 * and 1,000 hostile lists. SEED=N draws others. */
#include "config.h"

#include "tests/resolver.h"

#define ONE(name, ip)                                                                              \
    "{\"name\": \"" name "\", \"networkInterfaces\": [{\"networkIP\": \"" ip "\"}]}"
#define URL "https://www.googleapis.com/compute/v1/projects/"
static const char two[] = "[" ONE("vm-b", "10.0.0.2") ", " ONE("vm-a", "10.0.0.10") "]";

static cohort_resolver *make(const char *instances, const char *own)
{
    return cohort_resolver_gce(&(cohort_gce_options){ .instances = instances, .instance = own });
}

static void test_lists(void)
{
    static const struct {
        const char *list, *own, *text;
    } rows[] = {
        { NULL, "vm-a", "there is no instances: the options do not give it" },
        { two, NULL, "there is no name: the options do not give it" },
        { two, "vm-c", "this instance is 'vm-c', and none of the 2 of instances that run" },
        { two, "\x1b", "this instance is '\\x1b'" },
        { "", "vm-a", "instances: byte 0: no JSON" },
        { "[", "vm-a", "instances: byte 1: no JSON" },
        { "1", "vm-a", "instances: byte" },
        { "\"a\"", "vm-a", "instances: byte" },
        { "[]", "vm-a", "instances has none that runs" },
        { "{}", "vm-a", "instances: byte 0: the list of instances is an object without \"items\"" },
        { "{\"items\": {\"zones/z\": []}}", "vm-a",
          "instances: byte 10: the list of instances is an object" },
        { "{\"nextPageToken\": \"x\", \"items\": []}", "vm-a", "one page of several" },
        { "{\"nextPageToken\": 1, \"items\": []}", "vm-a", "nextPageToken is an integer" },
        { "[1]", "vm-a", "instances: byte 1: an instance is an integer; each is an object" },
        { "[{}]", "vm-a", "instances: byte 1: an instance is without a name" },
        { "[{\"name\": 1}]", "vm-a", "instances: byte 1: name is an integer" },
        { "[{\"name\": \"vm-a\"}]", "vm-a", "an instance without networkInterfaces" },
        { "[{\"name\": \"vm-a\", \"status\": 1}]", "vm-a", "status is an integer" },
        { "[{\"name\": \"vm-a\", \"status\": \"STAGING\"}]", "vm-a", "none that runs" },
        { "[{\"instance\": \"vm-a\"}]", "vm-a", "an instance is without a name" },
        { "[{\"instance\": \"/projects/p/instances/vm-a\"}]", "vm-a", "is no URL" },
        { "[{\"instance\": \"/projects/a:p/zones/z/instances/vm-a\"}]", "vm-a",
          "instances: byte 1: 'vm-a.z.c.a:p.internal' is no name of a host" },
        { "[{\"name\": \"vm-a\", \"networkInterfaces\": [{\"networkIP\": 1}]}]", "vm-a",
          "networkIP is an integer" },
        { "[{\"name\": \"vm-a\", \"networkInterfaces\": {}}]", "vm-a",
          "without networkInterfaces" },
        { "[" ONE("vm-a", "a b") "]", "vm-a", "instances: byte 1: 'a b' is no name of a host" },
        { "[" ONE("vm-a", "::1") "]", "vm-a", "instances: byte 1: '::1' is no name of a host" },
        { "[" ONE("vm-a", "1.2.3.4") "," ONE("vm-b", "1.2.3.4") "]", "vm-a",
          "instances has host '1.2.3.4' twice" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        refuses(make(rows[i].list, rows[i].own), rows[i].text, "refused, row %zu", i);
    has_text(cohort_error_text(), "cohort_resolver_gce: ", "the call is named");
    refuses(cohort_resolver_gce(NULL), "they have no function 'metadata' to ask", "no options");
    refuses(cohort_resolver_gce(
                &(cohort_gce_options){ .instances = two, .instance = "vm-a", .port = -1 }),
            "the port is -1", "no port");
    refuses(cohort_resolver_gce(
                &(cohort_gce_options){ .instances = two, .instance = "vm-a", .reserved_word = 1 }),
            "reserved_word of the options is 1", "a reserved word");
}

static void test_instances(void)
{
    cohort_resolver *r = make(two, "vm-a\n");
    is_text(cohort_resolver_name(r), "gce", "a resolver of Compute Engine");
    is_cluster(r, "{\"worker\": [\"10.0.0.10:8470\", \"10.0.0.2:8470\"]}", "worker", 0,
               "grpc://10.0.0.10:8470");
    cohort_resolver_destroy(r);
    r = make("[" ONE("a", "10.0.0.1") "," ONE("b", "10.0.0.10") "]", "a");
    is_cluster(r, "{\"worker\": [\"10.0.0.10:8470\", \"10.0.0.1:8470\"]}", "worker", 1,
               "grpc://10.0.0.1:8470");
    cohort_resolver_destroy(r);
    r = cohort_resolver_gce(&(cohort_gce_options){
        .instances = "{\"items\": [{\"instance\": \"" URL "p/zones/z-b/instances/vm-1\", "
                     "\"status\": \"RUNNING\"}, {\"instance\": \"" URL
                     "p/zones/z-b/instances/vm-0\"}, {\"instance\": \"" URL
                     "p/zones/z-b/instances/vm-2\", \"status\": \"STOPPING\"}]}",
        .instance = "vm-1",
        .task_type = "ps",
        .port = 1 });
    is_cluster(r, "{\"ps\": [\"vm-0.z-b.c.p.internal:1\", \"vm-1.z-b.c.p.internal:1\"]}", "ps", 1,
               "grpc://vm-1.z-b.c.p.internal:1");
    cohort_resolver_destroy(r);
    r = cohort_resolver_gce(&(cohort_gce_options){
        .instances = two, .answers = &(cohort_resolver_options){ .task_type = "" } });
    is_text(r != NULL ? cohort_resolver_task_type(r) : cohort_error_text(), "",
            "a program beside the group");
    cohort_resolver_destroy(r);
}

/* ------------------------------------------------------------------ functions */

typedef struct server {
    const char *list, *name;
    int asked;
    bool fails;
} server;

static const char *serve(void *user, const char *path)
{
    server *s = user;
    s->asked++;
    if (s->fails) {
        (void)cohort_error_set(COHORT_ELOST, "no route");
        return NULL;
    }
    if (strcmp(path, "instances") == 0)
        return s->list;
    return strcmp(path, "instance/name") == 0 ? s->name : "another path";
}

static void test_functions(void)
{
    server s = { NULL, "vm-b", 0, false };
    const cohort_gce_options options = { .metadata = serve, .user = &s };
    refuses(cohort_resolver_gce(&options),
            "there is no instances: the options do not give it, and the function 'metadata' has "
            "none",
            "a text that the function has not");
    s.list = two;
    cohort_resolver *r = cohort_resolver_gce(&options);
    is_cluster(r, "{\"worker\": [\"10.0.0.10:8470\", \"10.0.0.2:8470\"]}", "worker", 1,
               "grpc://10.0.0.2:8470");
    s.list = "[" ONE("vm-b", "10.0.0.3") "]";
    is_text(cohort_resolver_address(r, "worker", 0), "10.0.0.3:8470", "the function is asked anew");
    s.fails = true;
    ok(cohort_resolver_task_id(r) == COHORT_ELOST, "what it fails with is the error");
    has_text(cohort_error_text(), "the function 'metadata', asked for instances: no route",
             "with its words");
    cohort_resolver_destroy(r);
}

static void test_hostile(void)
{
    char text[512];
    int bad = 0;
    for (int i = 0; i < 1000 && bad < 3; i++) {
        draw_damaged(two, text, sizeof text);
        if (is_told(make(text, "vm-a"), "instance"))
            continue;
        bad++;
        diag("'%s': %s", text, cohort_error_text());
    }
    ok(bad == 0, "1000 damaged lists are read, or named");
}

int main(void)
{
    int64_t blocks = cohort_memory_blocks();
    cohort_resolver *r = make(two, "vm-a");
    bool has_json = r != NULL || strstr(cohort_error_text(), "built without jansson") == NULL;
    cohort_resolver_destroy(r);
    draw_begin();
    if (!has_json) {
        skip("lists of instances", "no jansson");
    } else {
        test_lists();
        test_instances();
        test_functions();
        test_hostile();
    }
    ok(cohort_memory_blocks() == blocks, "no memory is left behind");
    return tap_done();
}
