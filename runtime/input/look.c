/* SPDX-License-Identifier: BSD-3-Clause */
/* Looking at an input: rows, specs, waits, a text for people. */
#include "config.h"

#include "runtime/input/input.h"

#include "runtime/base/print.h"

int64_t cohort_input_rows(const cohort_input *input)
{
    return cohort_handle_is(input, COHORT_HANDLE_INPUT) ? input->total_rows : 0;
}

int64_t cohort_input_replica_rows(const cohort_input *input, int replica)
{
    if (!cohort_handle_is(input, COHORT_HANDLE_INPUT))
        return 0;
    const cohort_strategy *s = input->strategy;
    int64_t here = (int64_t)replica - s->first_replica;
    return here >= 0 && here < s->n_replicas ? input->rows[here] : 0;
}

/* Rows of every replica in every step, when these are the same: every batch is full, and divides
 * evenly. */
static int64_t steady_rows(const cohort_input *input, int64_t rows)
{
    const cohort_division *d = &input->division;
    bool is_even = rows >= 0 && d->weights == NULL && rows % d->n_replicas == 0 &&
                   (d->full_rows <= rows || d->split != COHORT_SPLIT_FILL);
    return is_even && input->manner == COHORT_MANNER_SHARED ? rows / d->n_replicas : -1;
}

/* Extents that change from step to step are -1, as in every spec. */
int cohort_input_element_spec(const cohort_input *input, cohort_spec out[], int capacity)
{
    if (!cohort_handle_is(input, COHORT_HANDLE_INPUT))
        return -1;
    const cohort_spec *specs = cohort_input_specs(input);
    for (int k = 0; out != NULL && k < capacity && k < cohort_input_components(input); k++) {
        out[k] = specs[k];
        if (input->manner != COHORT_MANNER_ELEMENTS)
            out[k].shape[0] = steady_rows(input, specs[k].shape[0]);
    }
    return cohort_input_components(input);
}

void cohort_input_waits(const cohort_input *input, int64_t *out_last_ns, int64_t *out_total_ns,
                        int64_t *out_steps)
{
    bool is_there = cohort_handle_is(input, COHORT_HANDLE_INPUT);
    if (out_last_ns != NULL)
        *out_last_ns = is_there ? input->last_wait_ns : 0;
    if (out_total_ns != NULL)
        *out_total_ns = is_there ? input->waited_ns : 0;
    if (out_steps != NULL)
        *out_steps = is_there ? input->steps : 0;
}

/* ------------------------------------------------------------------ text */

static const char *name_of(cohort_split split)
{
    return split == COHORT_SPLIT_BALANCED ? "balanced"
           : split == COHORT_SPLIT_CEIL   ? "ceil"
                                          : "fill";
}

/* In the words of cohort/dataset.h, so that a reader finds what to change. */
static void describe_division(const cohort_input *input, FILE *out)
{
    const cohort_division *d = &input->division;
    if (input->manner == COHORT_MANNER_ELEMENTS) {
        (void)fprintf(out, "%s, to %d replicas\n",
                      input->is_per_replica ? "a dataset for each replica"
                                            : "whole elements in turn",
                      input->strategy->n_replicas);
        return;
    }
    (void)fprintf(out, "batches divided over %d replicas (%s%s", d->n_replicas, name_of(d->split),
                  d->weights != NULL ? ", by weight" : "");
    if (d->full_rows > 0)
        (void)fprintf(out, ", %lld rows in a full one", (long long)d->full_rows);
    (void)fprintf(out, ")%s\n",
                  input->manner == COHORT_MANNER_OWN ? ", every pipeline its own batches" : "");
}

static void print_input(const void *what, FILE *out)
{
    const cohort_input *input = what;
    (void)fprintf(out, "pipeline %d of %d: ", input->context.input_pipeline_id,
                  input->context.num_input_pipelines);
    describe_division(input, out);
    for (int32_t i = 0; i < input->n_sources; i++)
        cohort_dataset_print(input->sources[i].dataset, out);
}

const char *cohort_input_describe(cohort_input *input)
{
    return cohort_handle_is(input, COHORT_HANDLE_INPUT)
               ? cohort_print_kept(&input->description, print_input, input)
               : "";
}
