/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps are counted from what datasets say of themselves, and nothing is read: elements of SHARED
 * are steps, those of OWN are cut into pieces, and ELEMENTS are dealt out. */
#include "config.h"

#include "runtime/input/cardinality.h"

int64_t cohort_cardinality_longer(int64_t a, int64_t b)
{
    if (a == COHORT_INFINITE || b == COHORT_INFINITE)
        return COHORT_INFINITE;
    if (a == COHORT_UNKNOWN || b == COHORT_UNKNOWN)
        return COHORT_UNKNOWN;
    return a > b ? a : b;
}

/* ------------------------------------------------------------------ pieces */

static int64_t rounded_up(int64_t n, int64_t by)
{
    return n / by + (n % by > 0);
}

/* Of one batch. The shares are no step's yet. */
static int64_t pieces_of(const cohort_input *input, int64_t rows)
{
    return rounded_up(rows, cohort_division_piece(&input->division, rows, input->first_replica,
                                                  input->strategy->n_replicas, input->shares));
}

/* Full batches first, then what is left. */
static int64_t pieces_of_batches(const cohort_input *input, const cohort_dataset *batches)
{
    int64_t elements = batches->inputs[0]->cardinality, rows = batches->batch_rows;
    int64_t full = cohort_cardinality_times(elements / rows, pieces_of(input, rows));
    int64_t rest = elements % rows;
    return rest > 0 ? cohort_cardinality_add(full, pieces_of(input, rest)) : full;
}

/* Of all elements, where their rows are known: each has as many, or they are batches as they were
 * made, in whatever order and however often. */
static int64_t pieces(const cohort_input *input, const cohort_dataset *dataset)
{
    int64_t times = 1, rows = dataset->specs[0].shape[0];
    if (rows == 0 || dataset->cardinality <= 0)
        return rows == 0 ? 0 : dataset->cardinality;
    if (rows > 0)
        return cohort_cardinality_times(dataset->cardinality, pieces_of(input, rows));
    for (; dataset->kind->keeps_elements || dataset->kind->is_repeated;
         dataset = dataset->inputs[0])
        times *= dataset->cardinality / dataset->inputs[0]->cardinality;
    return dataset->kind->is_stacking
               ? cohort_cardinality_times(pieces_of_batches(input, dataset), times)
               : COHORT_UNKNOWN;
}

/* ------------------------------------------------------------------ steps */

/* A batch without rows is no step. */
static int64_t batches(const cohort_dataset *dataset)
{
    return dataset->specs[0].shape[0] == 0 ? 0 : dataset->cardinality;
}

/* The longest of the replicas' own datasets, or rounds of the one that all have. */
static int64_t rounds(const cohort_input *input)
{
    int64_t steps = 0;
    for (int32_t i = 0; i < input->n_sources; i++)
        steps = cohort_cardinality_longer(steps, input->sources[i].dataset->cardinality);
    bool are_dealt = !input->is_per_replica && steps > 0;
    return are_dealt ? rounded_up(steps, input->strategy->n_replicas) : steps;
}

int64_t cohort_input_count_steps(const cohort_input *input)
{
    const cohort_dataset *dataset = input->sources[0].dataset;
    if (input->manner == COHORT_MANNER_ELEMENTS)
        return rounds(input);
    return input->manner == COHORT_MANNER_OWN ? pieces(input, dataset) : batches(dataset);
}

int64_t cohort_input_cardinality(const cohort_input *input)
{
    return cohort_handle_is(input, COHORT_HANDLE_INPUT) ? input->cardinality : COHORT_UNKNOWN;
}
