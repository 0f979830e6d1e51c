/* SPDX-License-Identifier: BSD-3-Clause */
/* The cost of keeping an element depends on whose memory it is: lasting memory and blocks are held,
 * only the rest is copied. The list of parts is always copied, since it is the cursor's. */
#include "config.h"

#include "runtime/data/dataset/element.h"

#include "runtime/base/array.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"

#include <string.h>

enum { ALIGNMENT = 128 }; /* of each component in a block */

int64_t cohort_part_items(const cohort_array *part)
{
    return cohort_shape_items(part->rank, part->shape);
}

size_t cohort_part_bytes(const cohort_array *part)
{
    return (size_t)(cohort_part_items(part) * cohort_dtype_bytes(part->dtype));
}

bool cohort_spec_bytes(const cohort_spec *spec, size_t *out)
{
    int64_t bytes = cohort_dtype_bytes(spec->dtype);
    bool fits = bytes > 0;
    for (int32_t i = 0; fits && i < spec->rank; i++)
        fits = spec->shape[i] >= 0 && cohort_multiply(bytes, spec->shape[i], &bytes);
    *out = fits ? (size_t)bytes : 0;
    return fits && bytes <= PTRDIFF_MAX;
}

bool cohort_element_reserve(size_t *at, size_t bytes, size_t *out_offset)
{
    size_t start = (*at + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    *out_offset = start;
    return start >= *at && !__builtin_add_overflow(start, bytes, at) && *at <= PTRDIFF_MAX;
}

cohort_status cohort_element_make_room(cohort_retained *retained, int32_t n)
{
    if (retained->n == n)
        return COHORT_OK;
    cohort_element_fini(retained);
    retained->parts = cohort_allocate((size_t)n, sizeof *retained->parts);
    retained->n = retained->parts != NULL ? n : 0;
    return retained->parts != NULL ? COHORT_OK : cohort_error_memory("the elements of a dataset");
}

/* All parts one behind the other in a block of the pool: the first pass finds its size, the second
 * the places, by the same arithmetic. */
static cohort_status copy_parts(cohort_pool *pool, cohort_retained *retained)
{
    size_t at = 0, offset = 0;
    for (int32_t k = 0; k < retained->n; k++)
        (void)cohort_element_reserve(&at, cohort_part_bytes(&retained->parts[k]), &offset);
    cohort_block *block = cohort_pool_take(pool, at);
    if (block == NULL)
        return COHORT_ENOMEM;
    at = 0;
    for (int32_t k = 0; k < retained->n; k++) {
        size_t bytes = cohort_part_bytes(&retained->parts[k]);
        (void)cohort_element_reserve(&at, bytes, &offset);
        void *copy = (char *)block->memory + offset;
        if (bytes > 0)
            memcpy(copy, retained->parts[k].data, bytes);
        retained->parts[k].data = copy;
    }
    retained->block = block;
    return COHORT_OK;
}

cohort_status cohort_element_retain(const cohort_element *element, cohort_pool *pool,
                                    cohort_retained *retained)
{
    cohort_element_drop(retained);
    cohort_status status = cohort_element_make_room(retained, element->n);
    if (status < 0)
        return status;
    /* the list of parts is the cursor's, whoever owns the memory of the parts */
    memcpy(retained->parts, element->parts, (size_t)element->n * sizeof *retained->parts);
    if (element->block == NULL && !element->is_lasting)
        return copy_parts(pool, retained);
    retained->block = element->block;
    cohort_block_hold(retained->block);
    return COHORT_OK;
}

cohort_element cohort_element_view(const cohort_retained *retained)
{
    return (cohort_element){ .parts = retained->parts,
                             .n = retained->n,
                             .block = retained->block,
                             .is_lasting = retained->block == NULL };
}

void cohort_element_drop(cohort_retained *retained)
{
    cohort_block_release(retained->block);
    retained->block = NULL;
}

void cohort_element_fini(cohort_retained *retained)
{
    cohort_element_drop(retained);
    cohort_free(retained->parts);
    *retained = (cohort_retained){ 0 };
}
