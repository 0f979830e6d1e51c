/* SPDX-License-Identifier: BSD-3-Clause */
/* The size that full batches of a pipeline have: what the share of a replica is computed from. */
#include "config.h"

#include "tests/table/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *chain;
} pipelines[] = {
    { "batch4-take5", "range(32).batch(4).take(5)" },
    { "zip44", "zip(range(8).batch(4),range(8).batch(4))" },
    { "zip-4-static3", "zip(range(8).batch(4),rows(2,3))" },
    { "zip48", "zip(range(8).batch(4),range(8).batch(8))" },
    { "batch4-map", "range(8).batch(4).map" },
    { "batch4-drop-map", "range(8).batch(4,drop).map" },
    { "batch4-prefetch", "range(8).batch(4).prefetch(1)" },
    { "batch4-repeat", "range(8).batch(4).repeat(2)" },
    { "batch4-shuffle", "range(8).batch(4).shuffle(2)" },
    { "batch4-shard", "range(8).batch(4).shard(2,0)" },
    { "batch4-cache", "range(8).batch(4).cache" },
    { "batch4-concat4", "range(8).batch(4).concatenate(range(8).batch(4))" },
    { "batch4-options", "range(8).batch(4).options" },
    { "padded4", "range(8).padded_batch(4)" },
    { "unbatched", "range(8)" },
    { "rows-static", "rows(4,3)" },
    { "batch4-unbatch", "range(8).batch(4).unbatch" },
    { "batch4-unbatch-batch6", "range(8).batch(4).unbatch.batch(6)" },
    { "flat_map-batch4", "range(2).flat_map" },
    { "interleave-batch4", "range(2).interleave" },
    { "batch4-rebatch2", "range(8).batch(4).rebatch(2)" },
};
enum { PIPELINES = sizeof pipelines / sizeof *pipelines };

/* An input says it in its description, "(fill, 4 rows in a full one)"; -1: it does not, each
 * element counts. */
static json_t *inferred(table_case *c)
{
    const char *name = table_text(c, "pipeline", "");
    int i = 0;
    long rows = -1;
    if (strcmp(name, "batch4-take-while") == 0 || strcmp(name, "batch4-assert-card") == 0)
        return table_skipped(c, "no counterpart: take_while and assert_cardinality");
    while (i < PIPELINES && strcmp(pipelines[i].name, name) != 0)
        i++;
    if (i == PIPELINES)
        return table_malformed(c, "pipeline \"%s\"", name);
    cohort_dataset *d = table_dataset(c, pipelines[i].chain);
    cohort_input *input = d == NULL ? NULL : cohort_distribute_dataset(c->s, d);
    if (input == NULL)
        return table_failed(c);
    const char *says = strstr(cohort_input_describe(input), "(fill");
    if (says == NULL)
        return table_malformed(c, "a description without how batches are divided: %s",
                               cohort_input_describe(input));
    if (strncmp(says, "(fill, ", 7) == 0)
        rows = strtol(says + 7, NULL, 10);
    return json_pack("{s:I}", "value", (json_int_t)rows);
}

const table_operation table_spec_operations[] = {
    { "inferred batch size", inferred },
    { "inferred batch size (-1: none; the legacy rule is used)", inferred },
    { NULL, NULL },
};
