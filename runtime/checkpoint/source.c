/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/checkpoint/source.h"

#include "runtime/base/array.h"
#include "runtime/base/byte_order.h"
#include "runtime/data/format/elements.h"
#include "runtime/rows/fetch.h"

#include <string.h>

/* Into memory of as many bytes as one component has, or all of it. component: -1: what is read. */
static cohort_status fetch(const cohort_source_of_tensor *source, int32_t component, void *room)
{
    const cohort_item *item = source->item;
    const cohort_item_form form = cohort_item_form_of(item);
    cohort_array whole = {
        .data = room, .dtype = form.dtype, .rank = form.rank, .item_bytes = form.item_bytes
    };
    memcpy(whole.shape, form.shape, (size_t)form.rank * sizeof *form.shape);
    if (item->variable == NULL) {
        cohort_array_pack(room, &item->part->array);
        return COHORT_OK;
    }
    return component < 0 ? cohort_fetch_whole(item->variable, &whole)
                         : cohort_fetch_component(item->variable, component, &whole);
}

cohort_status cohort_source_fetch(const cohort_source_of_tensor *source, int32_t component,
                                  void *room, int64_t bytes)
{
    cohort_dtype dtype = cohort_item_form_of(source->item).dtype;
    cohort_status status = fetch(source, component, room);
    if (status >= 0 && !cohort_byte_order_is_little() && cohort_dtype_kind(dtype) != 'V')
        cohort_elements_arrange(room, bytes, dtype, true);
    return status;
}

int32_t cohort_source_pieces(const cohort_source_of_tensor *source)
{
    return source->has_components ? source->item->variable->n_stores : 1;
}
