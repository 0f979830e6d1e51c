/* SPDX-License-Identifier: BSD-3-Clause */
/* TF_CONFIG: what resolvers make of it, and 1,000 hostile texts. SEED=N draws others. */
#include "config.h"

#include "tests/tap.h"

#include <cohort/cohort.h>

#include <inttypes.h>

#define CLUSTER                                                                                    \
    "\"cluster\": {\"chief\": [\"c:1\"], \"worker\": [\"w0:1\", \"w1:1\"], \"ps\": [\"p:1\"]}"
#define TASK "\"task\": {\"type\": \"worker\", \"index\": 1}"
static const char full[] = "{" CLUSTER ", " TASK "}";

static void set(const char *text)
{
    if (text != NULL)
        (void)setenv("TF_CONFIG", text, 1);
    else
        (void)unsetenv("TF_CONFIG");
}

/* ------------------------------------------------------------------ what it says */

static void is_master(cohort_resolver *r, const char *text, const char *wanted, const char *claim)
{
    set(text);
    const char *master = cohort_resolver_master(r, NULL, 0, NULL);
    is_text(master != NULL ? master : cohort_error_text(), wanted, "%s", claim);
}

static void test_nothing(cohort_resolver *r)
{
    set(NULL);
    is_text(cohort_cluster_spec_json(cohort_resolver_cluster_spec(r)), "{}",
            "nothing is the empty cluster");
    is_text(cohort_resolver_task_type(r), "", "without a task");
    ok(cohort_resolver_task_id(r) == COHORT_ENOENT, "or its id");
    has_text(cohort_error_text(), "resolver 'tf_config': this process has no task id",
             "which is said");
    is_text(cohort_resolver_rpc_layer(r), "", "without an rpc layer");
    is_text(cohort_resolver_environment(r), "", "or an environment");
    is_master(r, NULL, "", "or a master");
    is_master(r, "", "", "an empty variable is the same");
    is_master(r, "{}", "", "and an empty object");
}

static void test_full(cohort_resolver *r)
{
    set(full);
    is_text(cohort_cluster_spec_json(cohort_resolver_cluster_spec(r)),
            "{\"chief\": [\"c:1\"], \"worker\": [\"w0:1\", \"w1:1\"], \"ps\": [\"p:1\"]}",
            "a cluster is read");
    is_text(cohort_resolver_task_type(r), "worker", "and a task");
    ok(cohort_resolver_task_id(r) == 1, "and its index");
    is_text(cohort_resolver_master(r, NULL, 0, NULL), "w1:1", "the master is the task's address");
    is_text(cohort_resolver_master(r, "ps", 0, "grpc"), "grpc://p:1", "or another's");
    is_master(r, "{" CLUSTER ", " TASK ", \"session_master\": \"sm:9\"}", "sm:9",
              "a session_master is the master");
    is_text(cohort_resolver_master(r, "ps", 0, "grpc"), "sm:9", "whatever is asked for");
    is_master(r, "{" CLUSTER ", " TASK ", \"rpc_layer\": \"grpc\"}", "grpc://w1:1",
              "an rpc_layer stands before");
    is_master(r, "{" CLUSTER "}", "", "no task has no master");
    is_master(r,
              "{\"cluster\": {\"worker\": [\"a:1\"]}, \"task\": {\"type\": \"worker\", "
              "\"index\": 0}}",
              "", "nor has who is alone");
    set("{\"environment\": \"cloud\", \"rpc_layer\": null, \"model\": [1, {}], \"task\": "
        "{\"trial\": "
        "\"7\"}}");
    is_text(cohort_resolver_environment(r), "cloud", "an environment is told");
    is_text(cohort_resolver_rpc_layer(r), "", "null is as if it were not there");
}

static void test_forms(cohort_resolver *r)
{
    set("{" CLUSTER ", \"task\": {\"type\": \"worker\", \"index\": \"1\"}}");
    ok(cohort_resolver_task_id(r) == 1, "the index may be a text");
    set("{\"cluster\": {\"worker\": {\"2\": \"b:1\", \"0\": \"a:1\"}}, \"task\": {\"type\": "
        "\"worker\", \"index\": 2}}");
    is_text(cohort_cluster_spec_json(cohort_resolver_cluster_spec(r)),
            "{\"worker\": {\"0\": \"a:1\", \"2\": \"b:1\"}}", "a job may be given by index");
    is_text(cohort_resolver_master(r, NULL, 0, NULL), "b:1", "with gaps");
    set("{" CLUSTER ", \"task\": {\"type\": \"evaluator\", \"index\": 4}}");
    is_text(cohort_resolver_task_type(r), "evaluator", "an evaluator need not be in the cluster");
    set("{\"task\": {\"type\": \"worker\", \"index\": 7}}");
    ok(cohort_resolver_task_id(r) == 7, "nor anybody where there is none");
    set(" \n{ \"cl\\u0075ster\" : { \"w\\u00f6rk\" : [ \"a\\\"\\\\:1\" ] } } ");
    is_text(cohort_cluster_spec_json(cohort_resolver_cluster_spec(r)),
            "{\"w\xc3\xb6rk\": [\"a\\\"\\\\:1\"]}", "escapes are read and written");
}

/* What TensorFlow 2.21 takes. */
static void test_lenience(cohort_resolver *r)
{
    set("{" CLUSTER ", \"task\": {\"type\": \"worker\", \"index\": 1.0}}");
    ok(cohort_resolver_task_id(r) == 1, "an index of 1.0 is 1");
    set("{" CLUSTER ", \"task\": {\"type\": \"worker\", \"index\": -0.0}}");
    ok(cohort_resolver_task_id(r) == 0, "and one of -0.0 is 0");
    is_master(r, "{" CLUSTER ", " TASK ", \"session_master\": \"\", \"rpc_layer\": \"\"}", "w1:1",
              "an empty session_master is none, and an empty rpc_layer, too");
    set("{" CLUSTER ", " TASK ", \"environment\": \"\"}");
    is_text(cohort_resolver_environment(r), "", "nor is an empty environment an error");
    set("{\"cluster\": {\"worker\": [\"a:1\"], \"evaluator\": [\"a:1\"]}}");
    is_text(cohort_cluster_spec_json(cohort_resolver_cluster_spec(r)),
            "{\"worker\": [\"a:1\"], \"evaluator\": [\"a:1\"]}",
            "an evaluator may have the address of a task, for none talks to it");
}

static void test_options(void)
{
    cohort_resolver *r = cohort_resolver_tf_config_with(&(cohort_resolver_options){
        .task_type = "ps", .task_id = 0, .rpc_layer = "r", .environment = "e" });
    set(full);
    is_text(cohort_resolver_task_type(r), "ps", "options win over the variable");
    is_text(cohort_resolver_master(r, NULL, 0, NULL), "r://p:1", "also for the master");
    is_text(cohort_resolver_environment(r), "e", "and the environment");
    cohort_resolver_destroy(r);
    ok(cohort_resolver_tf_config_with(&(cohort_resolver_options){ .task_type = "\x80" }) == NULL,
       "options that are no texts are refused");
}

/* ------------------------------------------------------------------ what is wrong with it */

/* The text without its @, which stands before the byte that the error names. */
static size_t unmark(const char *marked, char *out)
{
    size_t at = strcspn(marked, "@");
    (void)sprintf(out, "%.*s%s", (int)at, marked, marked[at] == '@' ? marked + at + 1 : "");
    return at;
}

static bool is_refused(cohort_resolver *r, const char *text, size_t offset, const char *why)
{
    char place[64];
    set(text);
    (void)snprintf(place, sizeof place, "TF_CONFIG: byte %zu: ", offset);
    return cohort_resolver_cluster_spec(r) == NULL &&
           cohort_resolver_num_tasks(r, "worker") == COHORT_EINVAL &&
           strstr(cohort_error_text(), place) != NULL && strstr(cohort_error_text(), why) != NULL;
}

static void test_errors(cohort_resolver *r)
{
    static const struct {
        const char *marked, *why;
    } rows[] = {
        { "@[]", "it is an array, not an object; write it as {\"cluster\"" },
        { "{\"cluster\": @[\"a:1\"]}",
          "the cluster is an array, not an object of jobs; write it as" },
        { "{\"cluster\": @null}", "the cluster is null" },
        { "{\"cluster\": {\"worker\": @2}}", "job worker is an integer, not a list of addresses" },
        { "{\"cluster\": {\"worker\": [\"a:1\", @2]}}",
          "the address of worker 1 is an integer, not a text; put it in quotation marks" },
        { "{\"cluster\": {\"worker\": [@\"\"]}}", "the address of worker 0 is empty" },
        { "{\"cluster\": {\"worker\": [\"a:1\" , @\"b\\n\"]}}",
          "the address of worker 1 is 'b\\x0a'; expected UTF-8 without control characters" },
        { "{\"cluster\": {@\"\": [\"a:1\"]}}", "the name of a job is empty" },
        { "{\"cluster\": {\"ps\": {\"0\": \"a:1\", @\"x\": \"b:1\"}}}",
          "'x' is no index of a task of job ps; the names of tasks are \"0\", \"1\" and so on" },
        { "{\"cluster\": {\"ps\": {@\"-1\": \"a:1\"}}}", "'-1' is no index" },
        { "{\"cluster\": {\"ps\": {@\"2147483648\": \"a:1\"}}}", "'2147483648' is no index" },
        { "{\"cluster\": @{\"ps\": {\"1\": \"a:1\", \"01\": \"b:1\"}}}",
          "job 'ps' has two tasks of index 1" },
        { "{\"cluster\": {\"a\": [\"x:1\", \"y:1\"], \"b\": [\"z:1\", @\"x:1\"]}}",
          "a 0 and b 1 have the same address 'x:1'; each task needs an address of its own" },
        { "{\"task\": @\"worker\"}",
          "the task is a text, not an object; write it as {\"type\": \"worker\"" },
        { "{\"task\": {\"type\": @3}}", "the type of the task is an integer, not a text" },
        { "{\"task\": {\"index\": @true}}", "the index of the task is true, not an integer" },
        { "{\"task\": {\"index\": @1.5}}", "the index of the task is 1.5, not an integer from 0" },
        { "{\"task\": {\"index\": @-1.0}}", "the index of the task is -1, not an integer from 0" },
        { "{\"task\": {\"index\": @1e300}}", "the index of the task is 1e+300, not an integer" },
        { "{\"task\": {\"index\": @\"\"}}", "the index of the task is '', not an integer" },
        { "{\"cluster\": {\"worker\": [\"x:1\"], \"ps\": [@\"x:1\"]}}",
          "worker 0 and ps 0 have the same address" },
        { "{\"cluster\": {\"evaluator\": [\"x:1\"], \"worker\": [\"x:1\", @\"x:1\"]}}",
          "worker 0 and worker 1 have the same address" },
        { "{\"task\": {\"type\": @\"\"}}", "the type of the task is empty" },
        { "{\"task\": {\"index\": @-1}}", "the index of the task is -1, not an integer from 0" },
        { "{\"task\": {\"index\": @2147483648}}", "the index of the task is 2147483648" },
        { "{\"task\": {\"index\": @\"1x\"}}", "the index of the task is '1x', not an integer" },
        { "{" CLUSTER ", \"task\": @{\"type\": \"boss\", \"index\": 0}}",
          "the task is of type 'boss', and the cluster has no such job, but chief, worker, ps; one "
          "of the two is wrong" },
        { "{\"task\": @{\"type\": \"worker\", \"index\": 2}, " CLUSTER "}",
          "the task is worker 2, and the cluster has 2 tasks of that job, none of this index" },
        { "{\"rpc_layer\": @[]}", "rpc_layer is an array, not a text" },
        { "{\"session_master\": @7}", "session_master is an integer" },
        { "{\"environment\": @{}}", "environment is an object" },
        { "{\"task\": {\"type\": \"worker\", \"index\": 0}, @\"sparseCluster\": {\"worker\": "
          "{\"0\": "
          "\"a:1\"}, \"ps\": [\"b:1\"]}}",
          "there is a \"sparseCluster\" and no \"cluster\": it does not name the other workers" },
        { "{@\"sparseCluster\": {}}", "say \"cluster\", with all tasks" },
        { "{@\"sparseCluster\": null, \"environment\": \"cloud\"}", "no \"cluster\"" },
        { "{@", "no JSON: string or '}' expected near end of file" },
        { "{\"a\": 1, \"a\"@: 2}", "no JSON: duplicate object key near '\"a\"'" },
    };
    char text[1024];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t offset = unmark(rows[i].marked, text);
        if (!ok(is_refused(r, text, offset, rows[i].why), "refused: %s", rows[i].marked))
            diag("wanted byte %zu: %s; found %s", offset, rows[i].why, cohort_error_text());
    }
}

enum { ROOM = 1200000, OF_EACH = 100 };
static char text[ROOM];

/* {"cluster": {ITEM, ITEM, ...}} or of one job, n times; the item may have its number. */
static void write_many(const char *begin, const char *item, int n, const char *end)
{
    size_t at = (size_t)sprintf(text, "%s", begin);
    for (int i = 0; i < n; i++) {
        at += (size_t)sprintf(text + at, "%s", i > 0 ? "," : "");
        at += (size_t)sprintf(text + at, item, i);
    }
    (void)sprintf(text + at, "%s", end);
}

static void test_limits(cohort_resolver *r)
{
    write_many("{\"cluster\": {\"w\": [", "\"%d\"", 65536, "]}}");
    set(text);
    ok(cohort_resolver_num_tasks(r, "w") == 65536, "as many tasks as there may be");
    write_many("{\"cluster\": {\"w\": [", "\"%d\"", 65537, "]}}");
    ok(is_refused(r, text, 18, "job w has 65537 tasks, more than 65536"), "and no more");
    write_many("{\"cluster\": {\"v\": [\"x\"], \"w\": [", "\"%d\"", 65536, "]}}");
    ok(is_refused(r, text, 12, "job 'w' is one too many"), "of all jobs together");
    write_many("{\"cluster\": {", "\"j%d\": []", 1024, "}}");
    set(text);
    ok(cohort_resolver_num_tasks(r, "j1023") == 0, "as many jobs as there may be");
    (void)sprintf(
        text, "{\"cluster\": {\"%s\": 1}}",
        "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"
        "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"
        "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4x\xc3\xa4x");
    ok(is_refused(r, text, 79, "\xa4x\\xc3 is an integer"), "a name may be cut, and stays UTF-8");
    write_many("{\"cluster\": {", "\"j%d\": []", 1025, "}}");
    ok(is_refused(r, text, 12, "the cluster has 1025 jobs, more than 1024"), "and no more");
}

/* ------------------------------------------------------------------ hostile texts */

static uint64_t state;

static uint32_t draw(uint32_t n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % n;
}

/* A valid document of several jobs, with all members. */
static size_t draw_valid(void)
{
    static const char *const types[] = { "worker", "ps", "chief" };
    size_t n = (size_t)sprintf(text, "{\"cluster\":%s{", draw(2) ? " " : "\n");
    int tasks = 1 + (int)draw(3);
    for (int j = 0; j < 3; j++) {
        bool is_list = draw(2);
        n += (size_t)sprintf(text + n, "%s\"%s\": %c", j > 0 ? ", " : "", types[j],
                             is_list ? '[' : '{');
        for (int t = 0; t < tasks; t++) {
            n += (size_t)sprintf(text + n, t > 0 ? ", " : "");
            n += is_list ? 0 : (size_t)sprintf(text + n, "\"%d\": ", t);
            n += (size_t)sprintf(text + n, "\"%s%d:%d\"", types[j], t, (int)draw(65536));
        }
        text[n++] = is_list ? ']' : '}';
    }
    return n + (size_t)sprintf(text + n,
                               "}, \"task\": {\"type\": \"%s\", \"index\": %d}, \"rpc_layer\": "
                               "\"grpc\", \"environment\": \"\xc3\xa4\", \"other\": [1.5, null]}",
                               types[draw(3)], (int)draw((uint32_t)tasks));
}

/* Replaces what stands from `from` on, of `length` bytes, by `with`. */
static size_t splice(size_t from, size_t length, const char *with)
{
    size_t n = strlen(with);
    memmove(text + from + n, text + from + length, strlen(text + from + length) + 1);
    memcpy(text + from, with, n);
    return from;
}

static size_t find(const char *part)
{
    const char *at = strstr(text, part);
    return at != NULL ? (size_t)(at - text) : 0;
}

typedef struct hostile {
    size_t offset; /* that the error names, SIZE_MAX: any within the text */
    const char *why;
} hostile;

static hostile nest(void)
{
    size_t depth = 33 + draw(100000), at = 0;
    for (size_t i = 0; i < depth; i++) {
        bool is_object = draw(2);
        at += (size_t)sprintf(text + at, is_object ? "{\"a\":" : "[");
    }
    text[at] = '\0';
    size_t open = 0, offset = 0;
    for (; open < 33; offset++)
        open += text[offset] == '{' || text[offset] == '[';
    return (hostile){ offset - 1, "more than 32 brackets are open" };
}

static hostile duplicate(void)
{
    static const char *const doubles[] = { "\"task\": ", "\"type\": ", "\"worker\": ",
                                           "\"cluster\":" };
    const char *name = doubles[draw(4)];
    char again[64];
    (void)draw_valid();
    (void)snprintf(again, sizeof again, "%s {}, ", name);
    (void)splice(find(name), 0, again);
    return (hostile){ SIZE_MAX, "no JSON: duplicate object key" };
}

/* The value after a member's name is one of a type that it may not have. */
static hostile mistype(void)
{
    static const struct {
        const char *name, *value, *why;
    } wrong[] = {
        { "\"cluster\":", "[1]", "the cluster is an array" },
        { "\"cluster\":", "17", "the cluster is an integer" },
        { "\"worker\":", "\"w:1\"", "job worker is a text" },
        { "\"worker\":", "[[\"w:1\"]]", "the address of worker 0 is an array" },
        { "\"ps\":", "{\"one\": \"p:1\"}", "'one' is no index" },
        { "\"ps\":", "null", "job ps is null" },
        { "\"task\":", "[]", "the task is an array" },
        { "\"type\":", "{}", "the type of the task is an object" },
        { "\"index\":", "[0]", "the index of the task is an array" },
        { "\"index\":", "\"zero\"", "the index of the task is 'zero'" },
        { "\"rpc_layer\":", "false", "rpc_layer is false" },
        { "\"environment\":", "-0.5", "environment is a number with a fraction" },
    };
    uint32_t which = draw(sizeof wrong / sizeof *wrong);
    (void)draw_valid();
    size_t from = find(wrong[which].name) + strlen(wrong[which].name);
    from += strspn(text + from, " \n");
    size_t length = 0, depth = 0;
    do {
        depth += text[from + length] == '{' || text[from + length] == '[';
        depth -= text[from + length] == '}' || text[from + length] == ']';
        length++;
    } while (depth > 0 || (text[from + length] != ',' && text[from + length] != '}' &&
                           text[from + length] != ']'));
    (void)splice(from, length, wrong[which].value);
    if (wrong[which].value[0] == '[' && strcmp(wrong[which].name, "\"worker\":") == 0)
        return (hostile){ from + 1, wrong[which].why };
    return (hostile){ wrong[which].value[1] == '"' ? from + 1 : from, wrong[which].why };
}

static hostile enlarge(void)
{
    char digits[402];
    uint32_t n = 11 + draw(390), kind = draw(4);
    n += n == 19; /* some of these are no larger than jansson takes */
    for (uint32_t i = 0; i < n; i++)
        digits[i] = (char)('1' + draw(9));
    digits[n] = '\0';
    (void)draw_valid();
    size_t from = find("\"index\": ") + 9;
    if (kind == 0) { /* as a text */
        (void)splice(from, 1, "\"\"");
        (void)splice(from + 1, 0, digits);
        return (hostile){ from, "the index of the task is '" };
    }
    if (kind == 1) {
        (void)splice(from, 1, "1e999");
        return (hostile){ SIZE_MAX, "no JSON: real number overflow" };
    }
    (void)splice(from, 1, digits);
    if (kind == 2)
        (void)splice(from, 0, "-");
    bool is_number = n < 19;
    return (hostile){ is_number ? from : SIZE_MAX,
                      is_number ? "the index of the task is " : "no JSON: too big" };
}

static hostile cut(void)
{
    size_t n = draw_valid(), at = 1 + draw((uint32_t)n - 1);
    text[at] = '\0';
    return (hostile){ SIZE_MAX, "no JSON: " };
}

static hostile spoil(void)
{
    static const char *const bytes[] = { "\xff",         "\xc0\xaf", "\x80",
                                         "\xed\xa0\x80", "\xe2\x82", "\xf4\x90\x80\x80" };
    (void)draw_valid();
    (void)splice(find("worker0") + draw(7), 0, bytes[draw(6)]);
    return (hostile){ SIZE_MAX, "no JSON: unable to decode byte" };
}

static hostile control(void)
{
    static const char *const escapes[] = { "\\u0001", "\\n", "\\u007f", "\\u009b" };
    (void)draw_valid();
    size_t at = find("\"worker0");
    (void)splice(at + 1 + draw(7), 0, escapes[draw(4)]);
    return (hostile){ at, "expected UTF-8 without control characters" };
}

static hostile contradict(void)
{
    (void)draw_valid();
    if (draw(2)) {
        char number[16];
        (void)snprintf(number, sizeof number, "%d", 3 + (int)draw(1000000));
        (void)splice(find("\"index\": ") + 9, 1, number);
        return (hostile){ find("{\"type\""), "none of this index; one of the two is wrong" };
    }
    size_t at = find("\"ps0:"), from = find("\"worker0:");
    char address[32];
    (void)snprintf(address, sizeof address, "%.*s",
                   (int)(strchr(text + from + 1, '"') + 1 - text - (long)from), text + from);
    (void)splice(at, (size_t)(strchr(text + at + 1, '"') + 1 - (text + at)), address);
    return (hostile){ at, "worker 0 and ps 0 have the same address" };
}

static hostile overflow(void)
{
    size_t n = draw_valid(), most = 1 << 20, more = most + 1 + draw(1000);
    memset(text + n, ' ', more - n);
    text[more] = '\0';
    return (hostile){ most, "it has more than 1048576 bytes" };
}

/* It is read, or it is not, which has a place in it. */
static hostile scramble(void)
{
    size_t n = draw_valid();
    for (uint32_t i = 0; i <= draw(4); i++)
        text[draw((uint32_t)n)] = (char)(1 + draw(255));
    return (hostile){ SIZE_MAX, NULL };
}

static bool is_right(cohort_resolver *r, hostile wanted)
{
    static const char place[] = "TF_CONFIG: byte ";
    set(text);
    const cohort_cluster_spec *spec = cohort_resolver_cluster_spec(r);
    if (spec != NULL)
        return wanted.why == NULL && cohort_cluster_spec_json(spec) != NULL;
    const char *found = strstr(cohort_error_text(), place);
    char *end = NULL;
    uintmax_t offset = found != NULL ? strtoumax(found + sizeof place - 1, &end, 10) : 0;
    return found != NULL && end[0] == ':' && offset <= strlen(text) &&
           (wanted.offset == SIZE_MAX || offset == wanted.offset) &&
           (wanted.why == NULL || strstr(found, wanted.why) != NULL);
}

static void test_hostile(cohort_resolver *r)
{
    static const struct {
        hostile (*make)(void);
        const char *claim;
    } kinds[] = {
        { nest, "too many brackets" },           { duplicate, "names that are there twice" },
        { mistype, "values of wrong types" },    { enlarge, "numbers that are too large" },
        { cut, "texts cut anywhere" },           { spoil, "texts that are not UTF-8" },
        { control, "control characters" },       { contradict, "contradictions" },
        { overflow, "texts that are too long" }, { scramble, "arbitrary bytes" }
    };
    const char *seed = getenv("SEED");
    state = seed != NULL ? strtoull(seed, NULL, 10) : 1;
    diag("SEED=%" PRIu64, state);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        int bad = 0;
        for (int i = 0; i < OF_EACH && bad < 3; i++) {
            hostile wanted = kinds[k].make();
            if (is_right(r, wanted))
                continue;
            bad++;
            diag("wanted byte %zu: %s; found %s", wanted.offset,
                 wanted.why != NULL ? wanted.why : "any", cohort_error_text());
            diag("%.2000s", text);
        }
        ok(bad == 0, "%d times %s have the right error", OF_EACH, kinds[k].claim);
    }
    (void)draw_valid();
    set(text);
    ok(cohort_resolver_num_tasks(r, "worker") > 0, "and the resolver goes on with what is right");
}

static void test_without(cohort_resolver *r)
{
    has_text(cohort_error_text(), "built without jansson", "a build without jansson says so");
    set(NULL);
    is_text(cohort_cluster_spec_json(cohort_resolver_cluster_spec(r)), "{}",
            "but not where nothing is set");
}

int main(void)
{
    int64_t blocks = cohort_memory_blocks();
    cohort_resolver *r = cohort_resolver_tf_config();
    is_text(cohort_resolver_name(r), "tf_config", "a resolver of TF_CONFIG");
    set("{}");
    if (cohort_resolver_num_tasks(r, "worker") == COHORT_ENOTSUP) {
        test_without(r);
    } else {
        test_nothing(r);
        test_full(r);
        test_forms(r);
        test_lenience(r);
        test_options();
        test_errors(r);
        test_limits(r);
        test_hostile(r);
    }
    cohort_resolver_destroy(r);
    ok(cohort_memory_blocks() == blocks, "no memory is left behind");
    return tap_done();
}
