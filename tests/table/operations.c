/* SPDX-License-Identifier: BSD-3-Clause */
/* The operations that are known, and how they end. */
#include "config.h"

#include "tests/table/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const table_operation *const groups[] = {
    table_reduce_operations,    table_destination_operations, table_collective_operations,
    table_run_operations,       table_merge_operations,       table_scope_operations,
    table_result_operations,    table_variable_operations,    table_write_operations,
    table_update_operations,    table_gather_operations,      table_placement_operations,
    table_split_operations,     table_structure_operations,   table_spec_operations,
    table_worker_operations,    table_function_operations,    table_source_operations,
    table_shard_operations,     table_end_operations,         table_iterator_operations,
    table_parameter_operations, table_checkpoint_operations,  table_topology_operations,
    table_packs_operations,     table_cluster_operations,     table_resolver_operations,
    table_config_operations,    table_absent_operations,
};
enum { GROUPS = sizeof groups / sizeof *groups };

static bool matches(const char *name, const char *op, const char **out_rest)
{
    size_t n = strlen(name);
    bool is_prefix = n > 0 && name[n - 1] == '*';
    *out_rest = is_prefix ? op + n - 1 : op + strlen(op);
    return is_prefix ? strncmp(name, op, n - 1) == 0 : strcmp(name, op) == 0;
}

const table_operation *table_operation_find(table_case *c)
{
    for (size_t i = 0; i < GROUPS; i++)
        for (const table_operation *operation = groups[i]; operation->name != NULL; operation++)
            if (strlen(c->op) + 1 >= strlen(operation->name) &&
                matches(operation->name, c->op, &c->rest))
                return c->has_workers = groups[i] == table_worker_operations, operation;
    return NULL;
}

void table_operations_print(void)
{
    for (size_t i = 0; i < GROUPS; i++)
        for (const table_operation *operation = groups[i]; operation->name != NULL; operation++)
            (void)puts(operation->name);
}

json_t *table_failed(table_case *c)
{
    (void)snprintf(c->failure, sizeof c->failure, "%s", cohort_error_text());
    return NULL;
}

json_t *table_skipped(table_case *c, const char *why)
{
    c->skip = why;
    return NULL;
}

json_t *table_malformed(table_case *c, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (c->malformed[0] == '\0') /* the first reason is the one */
        (void)vsnprintf(c->malformed, sizeof c->malformed, format, arguments);
    va_end(arguments);
    return NULL;
}

void *table_memory(table_case *c, size_t bytes)
{
    void **more = realloc(c->blocks, (c->n_blocks + 1) * sizeof *more);
    void *block = calloc(1, bytes + 1);
    if (more == NULL || block == NULL) {
        (void)fprintf(stderr, "golden: out of memory\n");
        exit(2);
    }
    c->blocks = more;
    return c->blocks[c->n_blocks++] = block;
}
