/* SPDX-License-Identifier: BSD-3-Clause */
/* Places are an array over a range of devices, because the one range in use is all devices of a
 * strategy, or a single one, whose place stands beside its epoch. A place without a buffer costs no
 * memory on its device. */
#include "config.h"

#include "runtime/value/places.h"

#include "runtime/base/assert.h"

#include <string.h>

cohort_status cohort_places_init(cohort_places *places, cohort_executor *executor,
                                 int32_t first_device, int32_t n)
{
    size_t bytes = (size_t)n * sizeof *places->list;
    places->first_device = first_device;
    places->list = n == 1 ? &places->one : cohort_staging_take(&executor->staging, bytes);
    places->n = places->list != NULL ? n : 0;
    if (places->list == NULL)
        return COHORT_ENOMEM;
    memset(places->list, 0, bytes);
    return COHORT_OK;
}

void cohort_places_fini(cohort_places *places)
{
    for (int32_t i = 0; i < places->n; i++)
        cohort_buffer_destroy(places->list[i].buffer);
    if (places->list != &places->one)
        cohort_staging_give(places->list);
    places->list = NULL;
    places->n = 0;
}

/* Also NULL of places that were not begun, since n is 0 then. */
cohort_place *cohort_places_at(const cohort_places *places, int32_t device)
{
    int32_t i = device - places->first_device;
    return i >= 0 && i < places->n ? &places->list[i] : NULL;
}

cohort_status cohort_places_prepare(cohort_places *places, cohort_executor *executor,
                                    int32_t device)
{
    cohort_place *place = cohort_places_at(places, device);
    cohort_assert(place != NULL);
    if (place->buffer == NULL)
        place->buffer =
            cohort_buffer_create_for(executor, executor->contexts[device], COHORT_PURPOSE_VALUES);
    return place->buffer != NULL ? COHORT_OK : COHORT_ENOMEM;
}

int32_t cohort_places_newest_device(const cohort_places *places)
{
    for (int32_t i = 0; i < places->n; i++)
        if (cohort_places_is_newest(places, &places->list[i]))
            return places->first_device + i;
    return -1;
}

/* Any of the newest copies is right; what is nearer is cheaper. */
cohort_buffer *cohort_places_find(const cohort_places *places, const cohort_context *context)
{
    const cohort_place *own = cohort_places_at(places, context->index);
    cohort_buffer *best = NULL;
    if (own != NULL && cohort_places_is_newest(places, own))
        return own->buffer;
    for (int32_t i = 0; i < places->n; i++) {
        const cohort_place *place = &places->list[i];
        if (!cohort_places_is_newest(places, place))
            continue;
        if (context->can_access[places->first_device + i])
            return place->buffer;
        best = best == NULL ? place->buffer : best;
    }
    return best;
}

/* The buffers are kept for the next copies; only what they hold counts no more. */
void cohort_places_forget(cohort_places *places, uint64_t epoch)
{
    cohort_ledger_reset(&places->epoch, 1, epoch);
    for (int32_t i = 0; i < places->n; i++) {
        cohort_ledger_reset(&places->list[i].epoch, 1, 0);
        if (places->list[i].buffer != NULL)
            (void)cohort_buffer_settle(places->list[i].buffer);
    }
}
