/* SPDX-License-Identifier: BSD-3-Clause */
/* The work on one element, in steps, so that whoever wants the results gives the room between
 * the first and the last: a cursor takes a block, a batch its own memory. */
#include "config.h"

#include "runtime/data/dataset/mapping.h"

#include "runtime/base/error.h"
#include "runtime/data/dataset/answer.h"

#include <string.h>

static const char call[] = "cohort_dataset_map", with_call[] = "cohort_dataset_map_with";

static const cohort_map *map_of(const cohort_mapping *m)
{
    return m->dataset->parameters;
}

cohort_status cohort_mapping_shape(cohort_mapping *m)
{
    const cohort_host_function *f = map_of(m)->function;
    if (f == NULL) {
        cohort_answer_arrays_begin(m->dataset->specs, m->dataset->n_components, m->out);
        return COHORT_OK;
    }
    cohort_status status =
        cohort_host_function_solve(f, m->in, m->number, &m->room, &m->bounds, m->out);
    return status < 0 ? cohort_error_prefix(status, "%s", call) : COHORT_OK;
}

cohort_status cohort_mapping_work(cohort_mapping *m)
{
    const cohort_map *map = map_of(m);
    const cohort_dataset *d = m->dataset;
    cohort_status status;
    if (map->function != NULL) {
        status =
            cohort_host_function_call(map->function, m->bounds, m->pool, m->number, m->in, m->out);
        return status < 0 ? cohort_error_prefix(status, "%s", call) : COHORT_OK;
    }
    cohort_callback callback;
    cohort_callback_begin(&callback, NULL, NULL);
    status = map->fn(m->in, m->out, map->user);
    status = cohort_answer_judge(&callback, status, with_call, m->number);
    return status < 0 ? status
                      : cohort_answer_arrays_check(d->specs, m->out, d->n_components, with_call,
                                                   m->number);
}

/* Every result is where there was room for it: nothing has to be copied. */
static bool is_in_place(const cohort_mapping *m, void *const places[])
{
    bool is = true;
    for (int32_t k = 0; k < m->dataset->n_components; k++)
        is = is && places[k] != NULL && m->out[k].data == places[k];
    return is;
}

/* The callback may fill the memory that it was given, or set `data` to memory of its own: only then
 * is the result copied. */
static cohort_status work_in_block(cohort_mapping *m, cohort_retained *out)
{
    void *places[sizeof m->out / sizeof *m->out];
    int32_t n = m->dataset->n_components;
    cohort_block *block;
    cohort_status status = cohort_answer_arrays_place(m->out, n, m->pool, &block);
    for (int32_t k = 0; k < n; k++)
        places[k] = m->out[k].data;
    if (status >= 0)
        status = cohort_mapping_work(m);
    if (status >= 0 && is_in_place(m, places))
        return cohort_answer_arrays_adopt(m->out, n, block, out);
    if (status >= 0)
        status = cohort_answer_arrays_copy(m->out, n, m->pool, out);
    cohort_block_release(block);
    return status;
}

cohort_status cohort_mapping_apply(const cohort_dataset *dataset, cohort_pool *pool, int64_t number,
                                   const cohort_array in[], cohort_retained *out)
{
    /* not initialised as a whole: it has room for the arrays of every possible component */
    cohort_mapping m;
    m.dataset = dataset;
    m.pool = pool;
    m.number = number;
    m.in = in;
    cohort_element_drop(out);
    cohort_status status = cohort_mapping_shape(&m);
    return status < 0 ? status : work_in_block(&m, out);
}
