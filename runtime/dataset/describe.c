/* SPDX-License-Identifier: BSD-3-Clause */
/* A dataset's graph as text: for people, and to tell whether a position is one of the same data. */
#include "config.h"

#include "runtime/dataset/dataset.h"

#include "runtime/base/error.h"

#include <stdlib.h>

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

/* Reading ahead and options change no row; batch sizes may change between saving and restoring. */
static void print_node(const cohort_dataset *dataset, FILE *out, bool for_position, int depth)
{
    bool is_left_out = for_position && dataset->kind->is_quiet;
    if (!is_left_out) {
        (void)fprintf(out, "%*s%s", 2 * depth, "", dataset->kind->name);
        if (dataset->kind->describe != NULL && !(for_position && dataset->kind->is_stacking)) {
            (void)fputc(' ', out);
            dataset->kind->describe(dataset, out);
        }
        if (!for_position) {
            (void)fputs(": ", out);
            print_specs(dataset, out);
        }
        (void)fputc('\n', out);
    }
    for (int32_t i = 0; i < dataset->n_inputs; i++)
        print_node(dataset->inputs[i], out, for_position, depth + (is_left_out ? 0 : 1));
}

void cohort_dataset_print(const cohort_dataset *dataset, FILE *out, bool for_position)
{
    print_node(dataset, out, for_position, 0);
}

const char *cohort_dataset_describe(cohort_dataset *dataset)
{
    size_t bytes = 0;
    char *text = NULL;
    FILE *out = dataset != NULL ? open_memstream(&text, &bytes) : NULL;
    if (out == NULL)
        return "";
    cohort_dataset_print(dataset, out, false);
    if (fclose(out) != 0) {
        free(text);
        return "";
    }
    free(dataset->description);
    dataset->description = text;
    return text;
}
