/* SPDX-License-Identifier: BSD-3-Clause */
/* golden: runs tables of recorded cases and prints TAP. */
#include "config.h"

#include "tests/table/table.h"
#include "tests/tap.h"

#include <getopt.h>

static const char usage[] =
    "usage: golden [--devices LIST] FILE.json...\n"
    "       golden --list\n"
    "Run the cases of tables and print TAP. Exit status 0: none failed; 1: some did; 2: a wrong "
    "call, or a file that\n"
    "is no table.\n"
    "  --devices LIST  devices that host the replicas, of a list as many as there are replicas; "
    "one device is cut\n"
    "                  into as many parts [host]\n"
    "  --list          print the operations that are known; a * stands for any text\n"
    "  --help          print this\n"
    "Where COHORT_PLUGIN_PATH is not set the plugins are those of the build.\n";

static void run_case(const json_t *row, const char *devices, cohort_split split)
{
    const json_t *replicas = json_object_get(row, "replicas"),
                 *strategy = json_object_get(row, "strategy");
    table_case c = { .id = json_string_value(json_object_get(row, "id")),
                     .op = json_string_value(json_object_get(row, "op")),
                     .strategy_name = strategy == NULL ? "none" : json_string_value(strategy),
                     .args = json_object_get(row, "args"),
                     .replicas = replicas == NULL ? 1 : (int)json_integer_value(replicas),
                     .devices = devices,
                     .split = split };
    char unknown[TABLE_TEXT];
    const table_operation *operation = table_operation_find(&c);
    json_t *found = NULL;
    (void)snprintf(unknown, sizeof unknown, "operation '%s' is not known", c.op);
    if (operation == NULL)
        (void)table_skipped(&c, unknown);
    else if (table_open(&c))
        found = operation->perform(&c);
    table_read_whole(&c, row);
    table_judge(&c, row, found);
    cohort_strategy_destroy(c.s);
    table_remove_files(&c);
    json_decref(c.unread);
    for (size_t i = 0; i < c.n_blocks; i++)
        free(c.blocks[i]);
    free(c.blocks);
}

/* Where TensorFlow divides batches as the option CEIL does, once more with it. */
static void run_row(const json_t *row, const char *devices)
{
    const char *ceil = json_string_value(json_object_get(row, "cohort_ceil"));
    run_case(row, devices, COHORT_SPLIT_FILL);
    if (ceil != NULL && strcmp(ceil, "same") == 0)
        run_case(row, devices, COHORT_SPLIT_CEIL);
}

static bool run_file(const char *path, const char *devices)
{
    json_t *table = table_load(path);
    const json_t *row;
    size_t i;
    if (table != NULL)
        diag("%s", path);
    json_array_foreach(table, i, row) run_row(row, devices);
    json_decref(table);
    return table != NULL;
}

int main(int argc, char **argv)
{
    static const struct option options[] = { { "devices", required_argument, NULL, 'd' },
                                             { "list", no_argument, NULL, 'l' },
                                             { "help", no_argument, NULL, 'h' },
                                             { NULL, 0, NULL, 0 } };
    const char *devices = "host";
    bool is_read = true;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;)
        if (option == 'd')
            devices = optarg;
        else if (option == 'l')
            return table_operations_print(), 0;
        else
            return (void)fputs(usage, option == 'h' ? stdout : stderr), option == 'h' ? 0 : 2;
    if (optind == argc)
        return (void)fputs(usage, stderr), 2;
    (void)setenv("COHORT_PLUGIN_PATH", BUILD_PLUGIN_PATH, 0); /* by hand, from any folder */
    for (int i = optind; i < argc; i++)
        is_read = run_file(argv[i], devices) && is_read;
    int status = tap_done();
    return is_read ? status : 2;
}
