/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of Slurm: host lists, tasks of hosts, jobs, ports, GPUs; and what makes no sense. */
#include "config.h"

#include "tests/resolver.h"

static void set(const char *rank, const char *tasks, const char *hosts, const char *per_node)
{
    set_one("SLURM_PROCID", rank);
    set_one("SLURM_STEP_NUM_TASKS", tasks);
    set_one("SLURM_STEP_NODELIST", hosts);
    set_one("SLURM_STEP_TASKS_PER_NODE", per_node);
}

/* Where Slurm says that the task is; NULL: it says nothing of it. */
static void set_place(const char *distribution, const char *node, const char *local,
                      const char *name)
{
    set_one("SLURM_DISTRIBUTION", distribution);
    set_one("SLURM_NODEID", node);
    set_one("SLURM_LOCALID", local);
    set_one("SLURMD_NODENAME", name);
}

/* ------------------------------------------------------------------ lists */

static void is_hosts(const char *list, const char *wanted)
{
    char all[1024] = "", host[64];
    int n = cohort_slurm_host(list, 0, NULL, 0);
    for (int k = 0; k < n; k++) {
        (void)cohort_slurm_host(list, k, host, sizeof host);
        (void)snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", k > 0 ? " " : "", host);
    }
    is_text(n < 0 ? cohort_error_text() : all, wanted, "hosts '%s'", list);
}

static void test_hosts(void)
{
    char out[4];
    is_hosts("n[1-2],m5,o[3-4,6,7-9]", "n1 n2 m5 o3 o4 o6 o7 o8 o9");
    is_hosts("t02n[13,41,43]", "t02n13 t02n41 t02n43");
    is_hosts("n[008-011]", "n008 n009 n010 n011");
    is_hosts("n[9-10]", "n9 n10");
    is_hosts("[1-2]", "1 2");
    is_hosts("alone", "alone");
    is_hosts("", "");
    ok(cohort_slurm_host("n[1-65536]", 0, NULL, 0) == 65536, "as many hosts as there may be");
    ok(cohort_slurm_host("n[100-101]", 1, out, sizeof out) == 2 && strcmp(out, "n10") == 0,
       "a name is cut where there is no room");
    is_hosts("n[1-65537]", "cohort_slurm_host: byte 9: more than 65536 of them");
    is_hosts("n[0-999999999]", "cohort_slurm_host: byte 13: more than 65536 of them");
    is_hosts("n[1-2]m", "cohort_slurm_host: byte 6: 'm'; expected a comma: nothing follows the "
                        "brackets of a host");
    is_hosts("n[1-2", "cohort_slurm_host: byte 5: ''; expected a comma or ]");
    is_hosts("n[1-2]]", "cohort_slurm_host: byte 6: ']'; expected a comma: nothing follows the "
                        "brackets of a host");
    is_hosts("n]", "cohort_slurm_host: byte 1: ']'; expected a comma: nothing follows the brackets "
                   "of a host");
    is_hosts("n[]", "cohort_slurm_host: byte 2: ']'; expected a number of at most 9 digits");
    is_hosts("n[1,]", "cohort_slurm_host: byte 4: ']'; expected a number of at most 9 digits");
    is_hosts("n[1-]", "cohort_slurm_host: byte 4: ']'; expected a number of at most 9 digits");
    is_hosts("n[-1]", "cohort_slurm_host: byte 2: '-1]'; expected a number of at most 9 digits");
    is_hosts("n[5-3]", "cohort_slurm_host: byte 2: '5-3]'; expected a range that goes up");
    is_hosts("n[1-2-3]", "cohort_slurm_host: byte 5: '-3]'; expected a comma or ]");
    is_hosts("n[1234567890]",
             "cohort_slurm_host: byte 2: '1234567890]'; expected a number of at most 9 digits");
    is_hosts("a,,b", "cohort_slurm_host: byte 2: ',b'; expected the name of a host");
    is_hosts(",a", "cohort_slurm_host: byte 0: ',a'; expected the name of a host");
    is_hosts("a,", "cohort_slurm_host: byte 1: ','; expected a host behind the comma");
    is_hosts("a\x01[1]", "cohort_slurm_host: byte 0: 'a\\x01[1]'; expected UTF-8 without control "
                         "characters");
    static char list[(1 << 20) + 2];
    memset(list, 'a', sizeof list - 1);
    ok(cohort_slurm_host(list, 0, NULL, 0) == COHORT_EINVAL &&
           cohort_slurm_tasks(list, NULL, 0) == COHORT_EINVAL,
       "a list that is too long is refused");
    has_text(cohort_error_text(), "cohort_slurm_tasks: it has more than 1048576 bytes",
             "and says so");
    list[1100] = '\0';
    ok(cohort_slurm_host(list, 0, NULL, 0) == COHORT_EINVAL, "so is a name that is too long");
    has_text(cohort_error_text(), "cohort_slurm_host: byte 0: 'aaa", "and says where");
    ok(cohort_slurm_host(NULL, 0, NULL, 0) == COHORT_EINVAL, "no list is refused");
    ok(cohort_slurm_host("a,b", 2, out, sizeof out) == COHORT_EINVAL,
       "so is a host beyond the last");
    has_text(cohort_error_text(), "no host 2; the list has 2", "and says so");
}

static void is_tasks(const char *list, const char *wanted)
{
    char all[512] = "";
    int32_t tasks[16];
    int n = cohort_slurm_tasks(list, tasks, 16);
    for (int k = 0; k < n && k < 16; k++)
        (void)snprintf(all + strlen(all), sizeof all - strlen(all), "%s%d", k > 0 ? " " : "",
                       (int)tasks[k]);
    is_text(n < 0 ? cohort_error_text() : all, wanted, "tasks '%s'", list);
}

static void test_tasks(void)
{
    is_tasks("3(x2),4,1", "3 3 4 1");
    is_tasks("2(x3)", "2 2 2");
    is_tasks("1", "1");
    is_tasks("", "");
    is_tasks("3(x0),4", "4");
    ok(cohort_slurm_tasks("1(x65536)", NULL, 0) == 65536, "as many numbers as there may be");
    is_tasks("1(x65537)", "cohort_slurm_tasks: byte 9: more than 65536 of them");
    is_tasks("1(x65536),1", "cohort_slurm_tasks: byte 11: more than 65536 of them");
    is_tasks("a", "cohort_slurm_tasks: byte 0: 'a'; expected a number of at most 9 digits");
    is_tasks("-1", "cohort_slurm_tasks: byte 0: '-1'; expected a number of at most 9 digits");
    is_tasks("3(2)", "cohort_slurm_tasks: byte 1: '(2)'; expected (x and a number)");
    is_tasks("3(x2", "cohort_slurm_tasks: byte 4: ''; expected )");
    is_tasks("3(x)", "cohort_slurm_tasks: byte 3: ')'; expected a number of at most 9 digits");
    is_tasks("3,", "cohort_slurm_tasks: byte 1: ','; expected a number, or (x and a number), and a "
                   "comma or the end");
    is_tasks("3 4", "cohort_slurm_tasks: byte 1: ' 4'; expected a number, or (x and a number), and "
                    "a comma or the end");
}

/* ------------------------------------------------------------------ steps */

static void test_steps(void)
{
    const cohort_slurm_job jobs[] = { { "worker", 5 }, { "ps", 1 } };
    const cohort_accelerators none = { NULL, 0 };
    cohort_accelerators found[1] = { none };
    set("0", "3", "t02n[13,41,43]", "1(x3)");
    cohort_resolver *r = cohort_resolver_slurm();
    is_text(cohort_resolver_name(r), "slurm", "a resolver of Slurm");
    is_cluster(r, "{\"worker\": [\"t02n13:8888\", \"t02n41:8888\", \"t02n43:8888\"]}", "worker", 0,
               "grpc://t02n13:8888");
    is_text(cohort_resolver_environment(r), "", "it has no environment");
    set("2", "3", "t02n[13,41,43]", "1(x3)");
    ok(cohort_resolver_task_id(r) == 2, "it reads again at each question");
    set("7", "3", "t02n[13,41,43]", "1(x3)");
    refuses(cohort_resolver_task_type(r),
            "resolver 'slurm': SLURM_PROCID is 7, and the step has 3 tasks", "and fails then");
    cohort_resolver_destroy(r);

    set("5", "6", "n[1-2]", "3(x2)");
    r = cohort_resolver_slurm_with(&(cohort_slurm_options){
        .jobs = jobs, .num_jobs = 2, .gpus_per_node = 3, .gpus_per_task = 1 });
    is_cluster(r,
               "{\"ps\": [\"n1:8888\"], \"worker\": [\"n1:8889\", \"n1:8890\", \"n2:8888\", "
               "\"n2:8889\", \"n2:8890\"]}",
               "worker", 4, "grpc://n2:8890");
    is_text(cohort_resolver_accelerator_ids(r), "2", "its GPU is the third of its host");
    ok(cohort_resolver_num_accelerators(r, found, 1) == 1 && found[0].count == 1 &&
           strcmp(found[0].kind, "GPU") == 0,
       "it has one");
    cohort_resolver_destroy(r);

    r = cohort_resolver_slurm_with(&(cohort_slurm_options){
        .port_base = 1337, .tasks_per_node = 3, .gpus_per_node = -1, .rpc_layer = "" });
    is_cluster(r,
               "{\"worker\": [\"n1:1337\", \"n1:1338\", \"n1:1339\", \"n2:1337\", \"n2:1338\", "
               "\"n2:1339\"]}",
               "worker", 5, "n2:1339");
    ok(cohort_resolver_num_accelerators(r, found, 1) == 0, "without GPUs it has none");
    is_text(cohort_resolver_accelerator_ids(r), "", "nor their ids");
    cohort_resolver_destroy(r);

    set("1", "3", "n[9-10]", "2,1");
    r = cohort_resolver_slurm_with(&(cohort_slurm_options){ .gpus_per_node = 4 });
    is_cluster(r, "{\"worker\": [\"n9:8888\", \"n9:8889\", \"n10:8888\"]}", "worker", 1,
               "grpc://n9:8889");
    is_text(cohort_resolver_accelerator_ids(r), "2,3",
            "GPUs are divided among the tasks of a host");
    cohort_resolver_destroy(r);
}

static void test_variables(void)
{
    static const struct {
        const char *rank, *tasks, *hosts, *per_node, *text;
    } rows[] = {
        { NULL, "3", "n[1-3]", "1(x3)", "SLURM_PROCID is not set: this is no step of Slurm" },
        { "0", NULL, "n[1-3]", "1(x3)", "SLURM_STEP_NUM_TASKS is not set" },
        { "0", "3", NULL, "1(x3)", "SLURM_STEP_NODELIST is not set" },
        { "0", "3", "", "1(x3)", "SLURM_STEP_NODELIST is not set" },
        { "0", "3", "n[1-3]", NULL, "SLURM_STEP_TASKS_PER_NODE is not set" },
        { "x", "3", "n[1-3]", "1(x3)", "SLURM_PROCID is 'x'; expected an integer from 0 to" },
        { "-1", "3", "n[1-3]", "1(x3)", "SLURM_PROCID is '-1'" },
        { "\x1b\xff", "3", "n[1-3]", "1(x3)", "SLURM_PROCID is '\\x1b\\xff'" },
        { "99999999999999999999", "3", "n[1-3]", "1(x3)", "SLURM_PROCID is '9999" },
        { "3", "3", "n[1-3]", "1(x3)", "SLURM_PROCID is 3, and the step has 3 tasks" },
        { "0", "4", "n[1-3]", "1(x3)", "SLURM_STEP_NUM_TASKS is 4, and its hosts have 3" },
        { "0", "65537", "n[1-3]", "1(x3)", "SLURM_STEP_NUM_TASKS is '65537'" },
        { "0", "3", "n[1-3", "1(x3)", "SLURM_STEP_NODELIST: byte 5: ''; expected a comma or ]" },
        { "0", "2", "n[1-2,1]", "1(x3)", "SLURM_STEP_NODELIST has host 'n1' twice" },
        { "0", "3", "n[1-3]", "1(x2)",
          "SLURM_STEP_TASKS_PER_NODE is of 2 hosts, and SLURM_STEP_NODELIST has 3" },
        { "0", "3", "n[1-3]", "1(x", "SLURM_STEP_TASKS_PER_NODE: byte 3" },
        { "0", "3", "n[1-2]", "999999999(x2)", "the step has 1999999998 tasks, more than 65536" },
        { "0", "60000", "n1", "60000",
          "60000 tasks of one host from port 8888 on need ports above" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        set(rows[i].rank, rows[i].tasks, rows[i].hosts, rows[i].per_node);
        refuses(cohort_resolver_slurm(), rows[i].text, "refused, row %zu", i);
    }
    has_text(cohort_error_text(), "cohort_resolver_slurm: ", "the call is named");
}

/* ------------------------------------------------------------------ distributions */

static void is_laid_out(const char *distribution, const char *addresses, const char *master)
{
    cohort_resolver *r = cohort_resolver_slurm();
    is_text(r != NULL ? cohort_cluster_spec_json(cohort_resolver_cluster_spec(r))
                      : cohort_error_text(),
            addresses, "%s", distribution);
    is_text(r != NULL ? cohort_resolver_master(r, NULL, 0, NULL) : "", master, "and this task");
    cohort_resolver_destroy(r);
}

static void test_distributions(void)
{
    set("1", "4", "n[1-2]", "2(x2)");
    set_place("cyclic", "1", "0", "n2");
    is_laid_out("cyclic, two and two",
                "{\"worker\": [\"n1:8888\", \"n2:8888\", \"n1:8889\", \"n2:8889\"]}",
                "grpc://n2:8888");
    set("2", "4", "n[1-2]", "2(x2)");
    set_place("block:cyclic", "1", "0", "n2");
    is_laid_out("block, and cyclic on each host",
                "{\"worker\": [\"n1:8888\", \"n1:8889\", \"n2:8888\", \"n2:8889\"]}",
                "grpc://n2:8888");
    set("4", "6", "n[1-3]", "3,1,2");
    set_place("cyclic:block,Pack", "2", "1", "n3");
    is_laid_out("cyclic, and hosts that are full",
                "{\"worker\": [\"n1:8888\", \"n2:8888\", \"n3:8888\", \"n1:8889\", "
                "\"n3:8889\", \"n1:8890\"]}",
                "grpc://n3:8889");
    set("3", "6", "n[1-2]", "3(x2)");
    set_one("SLURM_DIST_PLANESIZE", "2");
    set_place("plane", "1", "1", "n2");
    is_laid_out("planes of two",
                "{\"worker\": [\"n1:8888\", \"n1:8889\", \"n2:8888\", \"n2:8889\", "
                "\"n1:8890\", \"n2:8890\"]}",
                "grpc://n2:8889");
    cohort_resolver *r = cohort_resolver_slurm_with(&(cohort_slurm_options){ .gpus_per_node = 3 });
    is_text(cohort_resolver_accelerator_ids(r), "1", "whose GPU is that of its place on its host");
    cohort_resolver_destroy(r);
    set("1", "2", "n1", "2");
    set_place("arbitrary", "0", "1", "n1");
    is_laid_out("arbitrary, on one host", "{\"worker\": [\"n1:8888\", \"n1:8889\"]}",
                "grpc://n1:8889");
    set_place(NULL, NULL, NULL, NULL);
    set_one("SLURM_DIST_PLANESIZE", NULL);
}

static void test_contradictions(void)
{
    static const struct {
        const char *distribution, *node, *local, *name, *text;
    } rows[] = {
        { NULL, "1", "0", "n2",
          "SLURM_NODEID is 1, and SLURM_PROCID 1 is task 1 of host 0, 'n1', where "
          "SLURM_DISTRIBUTION is not set: Slurm has dealt out the tasks in another way" },
        { "block", NULL, "0", NULL, "SLURM_LOCALID is 0, and SLURM_PROCID 1 is task 1 of host 0" },
        { "cyclic", NULL, NULL, "n1",
          "SLURMD_NODENAME is n1, and SLURM_PROCID 1 is task 0 of host 1, 'n2', where "
          "SLURM_DISTRIBUTION is cyclic" },
        { "cyclic", "0", NULL, NULL, "SLURM_NODEID is 0" },
        { NULL, "x", NULL, NULL, "SLURM_NODEID is 'x'; expected an integer from 0 to" },
        { NULL, NULL, "-1", NULL, "SLURM_LOCALID is '-1'" },
        { NULL, NULL, NULL, "n\x1b", "SLURMD_NODENAME is n\\x1b" },
        { "arbitrary", "0", "1", "n1", "SLURM_DISTRIBUTION is arbitrary" },
        { "plane", NULL, NULL, NULL, "SLURM_DIST_PLANESIZE, which says how many tasks of a plane" },
        { "round", NULL, NULL, NULL, "SLURM_DISTRIBUTION is 'round'; expected block, cyclic" },
        { "bloc", NULL, NULL, NULL, "SLURM_DISTRIBUTION is 'bloc'" },
    };
    set("1", "4", "n[1-2]", "2(x2)");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        set_place(rows[i].distribution, rows[i].node, rows[i].local, rows[i].name);
        refuses(cohort_resolver_slurm(), rows[i].text, "a place that is another, row %zu", i);
    }
    set_place("plane", NULL, NULL, NULL);
    set_one("SLURM_DIST_PLANESIZE", "0");
    refuses(cohort_resolver_slurm(), "SLURM_DIST_PLANESIZE is '0'; expected an integer from 1 to",
            "planes of nothing");
    set_one("SLURM_DIST_PLANESIZE", NULL);
    set_place(NULL, NULL, NULL, NULL);
}

static void refuse_options(cohort_slurm_options options, const char *text, const char *claim)
{
    refuses(cohort_resolver_slurm_with(&options), text, "%s is refused", claim);
}

static void test_options(void)
{
    const cohort_slurm_job nine = { "worker", 9 }, nameless = { NULL, 6 }, empty = { "worker", 0 },
                           twice[] = { { "w", 3 }, { "w", 3 } };
    int something = 0;
    set("5", "6", "n[1-2]", "3(x2)");
    refuse_options((cohort_slurm_options){ .jobs = &nine, .num_jobs = 1 },
                   "9 tasks are asked for, and the step has 6", "more than there is");
    refuse_options((cohort_slurm_options){ .jobs = &nameless, .num_jobs = 1 },
                   "the type of a job is NULL", "a job without a name");
    refuse_options((cohort_slurm_options){ .jobs = &empty, .num_jobs = 1 },
                   "job 'worker' has 0 tasks; 1 to 65536", "a job without tasks");
    refuse_options((cohort_slurm_options){ .jobs = twice, .num_jobs = 2 }, "job 'w' is there twice",
                   "a job that is there twice");
    refuse_options((cohort_slurm_options){ .num_jobs = 1 }, "the jobs of the options are NULL",
                   "no list of jobs");
    refuse_options((cohort_slurm_options){ .num_jobs = -1 }, "num_jobs of the options is -1",
                   "a negative number");
    refuse_options((cohort_slurm_options){ .port_base = 65536 },
                   "port_base of the options is 65536", "no port");
    refuse_options((cohort_slurm_options){ .port_base = 65534 }, "need ports above 65535",
                   "a port that is too high for all tasks");
    refuse_options((cohort_slurm_options){ .tasks_per_node = 2 },
                   "SLURM_PROCID is 5, and the step has 4 tasks", "another number of tasks");
    refuse_options((cohort_slurm_options){ .gpus_per_node = 3, .gpus_per_task = 2 },
                   "2 GPUs for each of 3 tasks of one host, which has 3",
                   "more GPUs than there are");
    refuse_options((cohort_slurm_options){ .rpc_layer = "\x80" }, "rpc_layer of the options",
                   "a layer that is no text");
    refuse_options((cohort_slurm_options){ .reserved_word = 1 }, "reserved_word of the options",
                   "a reserved word");
    refuse_options((cohort_slurm_options){ .reserved = { &something } },
                   "reserved[0] of the options is not zero", "another one");
}

int main(void)
{
    warm_accelerators();
    int64_t blocks = cohort_memory_blocks();
    test_hosts();
    test_tasks();
    test_steps();
    test_variables();
    test_distributions();
    test_contradictions();
    test_options();
    ok(cohort_memory_blocks() == blocks, "no memory is left behind");
    return tap_done();
}
