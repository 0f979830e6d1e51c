/* SPDX-License-Identifier: BSD-3-Clause */
/* golden: runs tables of recorded cases and prints TAP. */
#include "config.h"

#include "tests/golden_runner/table.h"
#include "tests/tap.h"

#include <getopt.h>

static const char usage[] =
    "usage: golden [--devices LIST] FILE.json...\n"
    "       mpirun -n N golden --workers FILE.json...\n"
    "       golden --list\n"
    "Run the cases of tables and print TAP. Exit status 0: none failed; 1: some did; 2: a wrong "
    "call, or a file that\n"
    "is no table.\n"
    "  --devices LIST  devices that host the replicas, of a list as many as there are replicas; "
    "one device is cut\n"
    "                  into as many parts [host]\n"
    "  --workers       this is one of N processes of an MPI: run the cases of as many workers of "
    "one "
    "replica,\n"
    "                  each on host:0, and compare what is this worker's\n"
    "  --list          print the operations that are known; <n> stands for a word\n"
    "  --help          print this\n"
    "Where COHORT_PLUGIN_PATH is not set the plugins are those of the build.\n";

/* What all rows are run on. */
static const char *devices = "host";
static cohort_resolver *workers;

static void run_case(const json_t *row, cohort_split split)
{
    json_t *args = json_object_get(row, "args");
    const json_t *replicas = json_object_get(row, "replicas"),
                 *strategy = json_object_get(row, "strategy");
    table_case c = { .id = json_string_value(json_object_get(row, "id")),
                     .op = json_string_value(json_object_get(row, "op")),
                     .strategy_name = strategy == NULL ? "none" : json_string_value(strategy),
                     .args = args == NULL ? json_object() : json_copy(args),
                     .unread = args == NULL ? json_object() : json_copy(args),
                     .replicas = replicas == NULL ? 1 : (int)json_integer_value(replicas),
                     .devices = devices,
                     .workers = workers,
                     .split = split };
    json_t *found = table_perform(&c);
    table_read_whole(&c, row);
    table_judge(&c, row, found);
    table_destroy_owned(&c);
    cohort_strategy_destroy(c.s);
    table_remove_files(&c);
    table_free(&c);
}

/* Of several processes: is it a row of as many? */
static bool is_for_workers(const json_t *row)
{
    const char *strategy = json_string_value(json_object_get(row, "strategy"));
    return strategy != NULL && strcmp(strategy, "multi-worker-mirrored") == 0 &&
           json_integer_value(json_object_get(row, "replicas")) ==
               cohort_resolver_num_tasks(workers, "worker");
}

/* Where TensorFlow divides batches as the option CEIL does, once more with it. */
static void run_row(const json_t *row)
{
    const char *ceil = json_string_value(json_object_get(row, "cohort_ceil"));
    if (workers != NULL && !is_for_workers(row))
        return;
    run_case(row, COHORT_SPLIT_FILL);
    if (ceil != NULL && strcmp(ceil, "same") == 0)
        run_case(row, COHORT_SPLIT_CEIL);
}

static bool run_file(const char *path)
{
    json_t *table = table_load(path);
    const json_t *row;
    size_t i;
    if (table != NULL)
        diag("%s", path);
    json_array_foreach(table, i, row) run_row(row);
    json_decref(table);
    return table != NULL;
}

int main(int argc, char **argv)
{
    static const struct option options[] = { { "devices", required_argument, NULL, 'd' },
                                             { "workers", no_argument, NULL, 'w' },
                                             { "list", no_argument, NULL, 'l' },
                                             { "help", no_argument, NULL, 'h' },
                                             { NULL, 0, NULL, 0 } };
    bool is_read = true, is_one_of_several = false;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;)
        if (option == 'd')
            devices = optarg;
        else if (option == 'w')
            is_one_of_several = true;
        else if (option == 'l')
            return table_operations_print(), 0;
        else
            return (void)fputs(usage, option == 'h' ? stdout : stderr), option == 'h' ? 0 : 2;
    if (optind == argc)
        return (void)fputs(usage, stderr), 2;
    (void)setenv("COHORT_PLUGIN_PATH", BUILD_PLUGIN_PATH, 0); /* by hand, from any folder */
    if (is_one_of_several && (workers = cohort_resolver_mpi(COHORT_MPI_WORLD)) == NULL)
        return (void)fprintf(stderr, "golden: %s\n", cohort_error_text()), 2;
    for (int i = optind; i < argc; i++)
        is_read = run_file(argv[i]) && is_read;
    cohort_resolver_destroy(workers);
    int status = tap_done();
    return is_read ? status : 2;
}
