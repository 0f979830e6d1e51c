/* SPDX-License-Identifier: BSD-3-Clause */
/* A dataset's graph as text, for people: a line for each node, its inputs below it. Recursion is
 * bounded by the depth of graphs (dataset.c). */
#include "config.h"

#include "runtime/data/dataset/dataset.h"

#include "runtime/base/print.h"

static void print_specs(const cohort_dataset *dataset, FILE *out)
{
    for (int32_t k = 0; k < dataset->n_components; k++) {
        const cohort_spec *s = &dataset->specs[k];
        (void)fprintf(out, "%s%s[", k > 0 ? ", " : "", cohort_dtype_name(s->dtype));
        for (int32_t i = 0; i < s->rank; i++)
            (void)fprintf(out, "%s%lld", i > 0 ? "," : "", (long long)s->shape[i]);
        (void)fputc(']', out);
    }
}

static void print_node(const cohort_dataset *dataset, FILE *out, int depth)
{
    (void)fprintf(out, "%*s%s", 2 * depth, "", dataset->kind->name);
    if (dataset->kind->describe != NULL) {
        (void)fputc(' ', out);
        dataset->kind->describe(dataset, out);
    }
    (void)fputs(": ", out);
    print_specs(dataset, out);
    (void)fputc('\n', out);
    for (int32_t i = 0; i < dataset->n_inputs; i++)
        print_node(dataset->inputs[i], out, depth + 1);
}

void cohort_dataset_print(const void *dataset, FILE *out)
{
    print_node(dataset, out, 0);
}

/* The text is lent, so the dataset keeps it until the next call or its end. */
const char *cohort_dataset_describe(cohort_dataset *dataset)
{
    return cohort_handle_is(dataset, COHORT_HANDLE_DATASET)
               ? cohort_print_kept(&dataset->description, cohort_dataset_print, dataset)
               : "";
}
