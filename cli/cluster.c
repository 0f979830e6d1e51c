/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort cluster: what the environment says of a cluster, and what is wrong with it. */
#include "config.h"

#include "cli/address.h"
#include "cli/cli.h"
#include "cli/json.h"
#include "cli/visible.h"

#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: cohort cluster [--json]\n"
    "\n"
    "Explain the cluster that TF_CONFIG describes, the step of Slurm, the Job of Kubernetes or "
    "the\n"
    "training job of SageMaker that this process is in, or the processes that mpirun has started:\n"
    "its jobs, which task this process is, and what that has to do; and say what is wrong with\n"
    "it, and where.\n"
    "\n"
    "  --json  one JSON object: schema, sources\n"
    "  --help  this text\n"
    "\n"
    "Exit codes: 0 fine, also when there is no cluster, 1 something is wrong, 2 wrong usage.\n";

enum { TEXT = 2048, SHOWN_TASKS = 16, MOST_TASKS = 65536, AROUND = 30 };

typedef struct source {
    const char *name;
    const char *variables[3]; /* any of them is enough */
    cohort_resolver *(*open)(void);
} source;

static cohort_resolver *resolver_mpi(void)
{
    return cohort_resolver_mpi(COHORT_MPI_WORLD);
}

static const source sources[] = {
    { "TF_CONFIG", { "TF_CONFIG" }, cohort_resolver_tf_config },
    { "Slurm",
      { "SLURM_STEP_NODELIST", "SLURM_STEP_TASKS_PER_NODE", "SLURM_STEP_NUM_TASKS" },
      cohort_resolver_slurm },
    { "Kubernetes",
      { "JOB_COMPLETION_INDEX", "COHORT_KUBERNETES_TASKS" },
      cohort_resolver_kubernetes },
    { "SageMaker", { "SM_HOSTS", "SM_CURRENT_HOST" }, cohort_resolver_sagemaker },
    { "MPI", { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK" }, resolver_mpi },
};
enum { SOURCES = sizeof sources / sizeof *sources };

/* The answers of a source. Texts are lent by the resolver. */
typedef struct report {
    const source *source;
    cohort_resolver *resolver;
    const cohort_cluster_spec *spec;
    const char *task_type, *master, *rpc_layer, *environment, *ids;
    int32_t task_id; /* negative: none */
    /* of the task; negative: it has none */
    int is_chief, worker_count, id_in_cluster;
    cohort_accelerators accelerators[16];
    int n_accelerators;
    char error[TEXT]; /* "": all is fine */
} report;

static bool is_set(const source *s)
{
    for (size_t i = 0; i < sizeof s->variables / sizeof *s->variables; i++)
        if (s->variables[i] != NULL && cli_setting(s->variables[i])[0] != '\0')
            return true;
    return false;
}

/* ------------------------------------------------------------------ looking */

static bool fails(report *r)
{
    (void)snprintf(r->error, sizeof r->error, "%s", cohort_error_text());
    return false;
}

static bool ask(report *r)
{
    r->resolver = r->source->open();
    r->spec = r->resolver != NULL ? cohort_resolver_cluster_spec(r->resolver) : NULL;
    if (r->spec == NULL)
        return fails(r);
    r->task_type = cohort_resolver_task_type(r->resolver);
    r->rpc_layer = cohort_resolver_rpc_layer(r->resolver);
    r->environment = cohort_resolver_environment(r->resolver);
    r->ids = cohort_resolver_accelerator_ids(r->resolver);
    r->master = cohort_resolver_master(r->resolver, NULL, 0, NULL);
    r->task_id = cohort_resolver_task_id(r->resolver);
    r->n_accelerators = cohort_resolver_num_accelerators(
        r->resolver, r->accelerators, sizeof r->accelerators / sizeof *r->accelerators);
    return r->master != NULL && r->ids != NULL && r->n_accelerators >= 0 ? true : fails(r);
}

/* Roles are of jobs that have the names of roles; a ps is no worker. */
static bool find_role(report *r)
{
    bool is_worker = strcmp(r->task_type, "ps") != 0;
    r->is_chief = cohort_cluster_spec_is_chief(r->spec, r->task_type, r->task_id);
    if (r->is_chief < 0)
        return fails(r);
    if (r->task_type[0] == '\0' || !is_worker)
        return true;
    r->worker_count = cohort_cluster_spec_worker_count(r->spec, r->task_type);
    r->id_in_cluster = cohort_cluster_spec_id_in_cluster(r->spec, r->task_type, r->task_id);
    return true;
}

/* Of MPI the number behind the colon is a rank. */
static bool check_addresses(report *r, const char *job)
{
    static int32_t tasks[MOST_TASKS];
    const char *why;
    char shown[256];
    int n = cohort_cluster_spec_task_indices(r->spec, job, tasks, MOST_TASKS);
    for (int i = 0; i < n; i++) {
        const char *address = cohort_cluster_spec_task_address(r->spec, job, tasks[i]);
        if (address_host(address, &why) > 0)
            continue;
        (void)snprintf(r->error, sizeof r->error, "%s: the address of %s %d is '%s': %s",
                       r->source->name, job, (int)tasks[i], visible(address, shown, sizeof shown),
                       why);
        return false;
    }
    return true;
}

static bool check_all_addresses(report *r)
{
    bool is_fine = true;
    for (int i = 0; i < cohort_cluster_spec_num_jobs(r->spec) && is_fine; i++)
        is_fine = check_addresses(r, cohort_cluster_spec_job(r->spec, i));
    return is_fine;
}

static report look(const source *s)
{
    report r = { .source = s,
                 .task_id = -1,
                 .is_chief = -1,
                 .worker_count = -1,
                 .id_in_cluster = -1,
                 .n_accelerators = -1 };
    bool is_fine = ask(&r) && find_role(&r);
    if (is_fine && s->open != resolver_mpi)
        is_fine = check_all_addresses(&r);
    if (is_fine && r.task_type[0] != '\0' && r.task_id < 0)
        (void)snprintf(r.error, sizeof r.error,
                       "%s: the task is of type %s, and has no index; \"index\" says which",
                       s->name, r.task_type);
    return r;
}

/* ------------------------------------------------------------------ as JSON */

static void print_accelerators(json *out, const report *r)
{
    json_object(out, "accelerators");
    for (int i = 0; i < r->n_accelerators; i++)
        json_integer(out, r->accelerators[i].kind, r->accelerators[i].count);
    json_object_end(out);
}

static void print_number(json *out, const char *key, int number)
{
    if (number >= 0)
        json_integer(out, key, number);
    else
        json_null(out, key);
}

static void print_report(json *out, const report *r)
{
    json_object(out, NULL);
    json_text(out, "name", r->source->name);
    json_text(out, "error", r->error[0] != '\0' ? r->error : NULL);
    if (r->spec != NULL)
        json_number(out, "cluster", cohort_cluster_spec_json(r->spec));
    else
        json_null(out, "cluster");
    json_text(out, "task_type", r->task_type);
    print_number(out, "task_id", r->task_id);
    json_text(out, "master", r->master);
    json_text(out, "rpc_layer", r->rpc_layer);
    json_text(out, "environment", r->environment);
    if (r->is_chief >= 0)
        json_bool(out, "is_chief", r->is_chief);
    else
        json_null(out, "is_chief");
    print_number(out, "worker_count", r->worker_count);
    print_number(out, "id_in_cluster", r->id_in_cluster);
    print_accelerators(out, r);
    json_text(out, "accelerator_ids", r->ids);
    json_object_end(out);
}

/* ------------------------------------------------------------------ as text */

/* Texts of a cluster come from outside. */
static void print_visible(const char *text)
{
    visible_print(stdout, text, strlen(text));
}

static void print_line(const char *what, const char *text)
{
    printf("  %-12s ", what);
    print_visible(text);
    printf("\n");
}

static void print_job(const report *r, const char *type)
{
    char shown[64];
    int n = cohort_cluster_spec_num_tasks(r->spec, type);
    int32_t indices[SHOWN_TASKS];
    (void)cohort_cluster_spec_task_indices(r->spec, type, indices, SHOWN_TASKS);
    for (int i = 0; i < n && i < SHOWN_TASKS; i++) {
        bool is_own =
            r->task_type != NULL && strcmp(type, r->task_type) == 0 && indices[i] == r->task_id;
        printf("  %-12s %d  ", i == 0 ? visible(type, shown, sizeof shown) : "", (int)indices[i]);
        print_visible(cohort_cluster_spec_task_address(r->spec, type, indices[i]));
        printf("%s\n", is_own ? "   <- this process" : "");
    }
    if (n == 0)
        printf("  %-12s no task\n", visible(type, shown, sizeof shown));
    else if (n > SHOWN_TASKS)
        printf("  %-12s and %d more\n", "", n - SHOWN_TASKS);
}

static void print_task(const report *r)
{
    if (r->task_type == NULL || r->task_type[0] == '\0') {
        print_line("task", "none: this process is not in the cluster");
        return;
    }
    printf("  %-12s ", "task");
    print_visible(r->task_type);
    if (r->task_id >= 0)
        printf(" %d", (int)r->task_id);
    if (r->is_chief >= 0)
        printf(r->is_chief ? ", the chief" : ", not the chief");
    if (r->id_in_cluster >= 0 && r->worker_count > 0)
        printf(", number %d of %d from 0 on", r->id_in_cluster, r->worker_count);
    printf("\n");
}

static void print_optional(const char *what, const char *text)
{
    if (text != NULL && text[0] != '\0')
        print_line(what, text);
}

static void print_text(const report *r)
{
    printf("%s\n", r->source->name);
    if (r->spec == NULL)
        return;
    print_task(r);
    print_optional("master", r->master);
    print_optional("rpc layer", r->rpc_layer);
    print_optional("environment", r->environment);
    for (int i = 0; i < r->n_accelerators; i++)
        printf("  %-12s %d\n", r->accelerators[i].kind, (int)r->accelerators[i].count);
    print_optional("numbers", r->ids);
    for (int i = 0; i < cohort_cluster_spec_num_jobs(r->spec); i++)
        print_job(r, cohort_cluster_spec_job(r->spec, i));
    if (cohort_cluster_spec_num_jobs(r->spec) == 0)
        print_line("cluster", "empty: this process is alone");
}

/* Where in the text of a variable the error is; -1: it names no byte of it. */
static long find_place(const report *r, const char *variable)
{
    char place[32];
    (void)snprintf(place, sizeof place, "%s: byte ", variable);
    const char *found = strstr(r->error, place);
    return found != NULL ? strtol(found + strlen(place), NULL, 10) : -1;
}

/* The text of a variable around the byte that the error names. */
static void print_place(const report *r, const char *variable)
{
    const char *text = cli_setting(variable);
    long bytes = (long)strlen(text), at = find_place(r, variable);
    if (at < 0 || at > bytes)
        return;
    long from = at > AROUND ? at - AROUND : 0, to = bytes - at > AROUND ? at + AROUND : bytes;
    fprintf(stderr, "at: %s", from > 0 ? "..." : "");
    visible_print(stderr, text + from, (size_t)(at - from));
    fprintf(stderr, " >>> ");
    visible_print(stderr, text + at, (size_t)(to - at));
    fprintf(stderr, "%s\n", to < bytes ? "..." : "");
}

static void print_error(const report *r)
{
    if (r->error[0] == '\0')
        return;
    cli_fail(EXIT_FAILED, "%s", r->error);
    print_place(r, "TF_CONFIG");
    print_place(r, "SM_HOSTS");
}

/* ------------------------------------------------------------------ the command */

/* out NULL: as text. The exit code. */
static int explain(const source *s, json *out)
{
    report r = look(s);
    if (out != NULL)
        print_report(out, &r);
    else
        print_text(&r);
    print_error(&r);
    cohort_resolver_destroy(r.resolver);
    return r.error[0] != '\0' ? EXIT_FAILED : EXIT_OK;
}

/* Launchers whose processes know of one another on paper alone. */
static void print_unconnected(void)
{
    static const char *const connected[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK" },
                             *const counts[] = { "SLURM_STEP_NUM_TASKS", "WORLD_SIZE" };
    for (size_t i = 0; i < sizeof connected / sizeof *connected; i++)
        if (cli_setting(connected[i])[0] != '\0')
            return;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (atol(cli_setting(counts[i])) > 1) {
            printf("%s says that this is one of %ld processes, and nothing connects them: "
                   "strategies over workers want cohort launch, or srun --mpi=pmix\n",
                   counts[i], atol(cli_setting(counts[i])));
            return;
        }
}

static int explain_all(json *out)
{
    int code = EXIT_OK, n = 0;
    for (int i = 0; i < SOURCES; i++)
        if (is_set(&sources[i])) {
            code = explain(&sources[i], out) != EXIT_OK ? EXIT_FAILED : code;
            n++;
        }
    if (n == 0 && out == NULL)
        printf(
            "no cluster: TF_CONFIG is not set, this is no step of Slurm, no Job of Kubernetes and "
            "none of SageMaker, and no mpirun has started it\n");
    if (out == NULL)
        print_unconnected();
    return code;
}

static int run(const cli_command *self, int argc, char **argv)
{
    bool wants_json;
    int code;
    json out = { .file = stdout };
    if (!cli_json_option(self, argc, argv, &wants_json, &code))
        return code;
    if (!cli_no_words(self, argc, argv))
        return EXIT_USAGE;
    if (!wants_json)
        return explain_all(NULL);
    json_object(&out, NULL);
    json_integer(&out, "schema", 1);
    json_array(&out, "sources");
    code = explain_all(&out);
    json_array_end(&out);
    json_object_end(&out);
    return code;
}

const cli_command cli_cluster = { "cluster",
                                  "the cluster of TF_CONFIG, Slurm, Kubernetes, SageMaker or MPI",
                                  help,
                                  run,
                                  cli_json_options,
                                  NULL };
