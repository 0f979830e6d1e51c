/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions: the core's own kernel, in ranges over the crew. Each element is combined by itself,
 * so the ranges change no bit. */
#include "config.h"

#include "host/handles.h"
#include "host/host.h"
#include "host/work.h"

#include <stdatomic.h>

/* GRAIN_BYTES: of all terms together, the least that is combined at a time; of fewer, what each
 * such call costs besides its loop takes as long as the loop. */
enum { TEAM_BYTES = 64 * 1024, GRAIN_BYTES = 32 * 1024, LINE_BYTES = 64 };

struct combination {
    const cohort_reduction *reduction;
    const void *const *pointers;
    void *dst;
    _Atomic cohort_status status;
};

/* On a thread of the crew. Any of the errors is as good as another: they come from the operation
 * and the type, which are the same in all ranges. */
static void combine_range(void *context, uint64_t first, uint64_t count)
{
    struct combination *whole = context;
    cohort_status st = host_table->reduce_native(host_table->ctx, whole->reduction, whole->pointers,
                                                 whole->dst, first, count);
    if (st < 0)
        atomic_store(&whole->status, st);
}

#define ELEMENT_BYTES(name, value, text, bytes, kind) [value] = (bytes),
static const uint64_t element_bytes[] = { COHORT_DTYPES(ELEMENT_BYTES) };

/* 0: of a type that is none. */
static uint64_t bytes_of(uint32_t type)
{
    return type < sizeof element_bytes / sizeof *element_bytes ? element_bytes[type] : 0;
}

/* In elements; whole cache lines for every type. */
static uint64_t grain_of(const cohort_reduction *reduction, uint64_t element)
{
    uint64_t lines = GRAIN_BYTES / LINE_BYTES / (reduction->nterms > 0 ? reduction->nterms : 1);
    return element > 0 ? lines * LINE_BYTES / element : 1;
}

cohort_status host_reduce(cohort_dev *dev, cohort_queue *queue, const cohort_reduction *reduction,
                          cohort_event **out_event, cohort_error *err)
{
    (void)queue;
    (void)out_event;
    const void *pointers[COHORT_MAX_TERMS];
    /* an order that this plugin does not know is left to the core */
    if (reduction->order != COHORT_ORDER_STACK || reduction->nterms > COHORT_MAX_TERMS)
        return cohort_fail(err, COHORT_ENOTSUP, 0, "order %u of %u terms", reduction->order,
                           reduction->nterms);
    for (uint32_t i = 0; i < reduction->nterms; i++)
        pointers[i] = reduction->terms[i].mem->address;
    struct combination whole = { reduction, pointers, reduction->dst->address, COHORT_OK };
    uint64_t element = bytes_of(reduction->type);
    (void)work_split(dev, reduction->count * element > TEAM_BYTES, reduction->count,
                     grain_of(reduction, element), combine_range, &whole);
    cohort_status st = atomic_load(&whole.status);
    return st < 0 ? cohort_fail(err, st, 0, "op %u of type %u", reduction->op, reduction->type)
                  : COHORT_OK;
}
