/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading variables on devices: stores where a device reaches them, else caches that are brought up
 * to date. */
#include "config.h"

#include "runtime/value/variable.h"

#include "runtime/value/remote.h"

cohort_status cohort_variable_check_readable(cohort_variable *v, const char *call)
{
    if (v->remote != NULL) /* it has content everywhere else, which in a trial nobody looks at */
        return v->strategy->is_trial ? COHORT_OK : cohort_remote_refresh(v, call);
    if (v->caches.epoch.now > 0)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL, "%s: variable '%s' %s%s; assign it", call, v->name,
                            v->why_lost != NULL ? "is lost, for " : "never got its content",
                            v->why_lost != NULL ? v->why_lost : "");
}

/* A store on the device itself is preferred to one that it reaches. */
int32_t cohort_variable_store_for(const cohort_variable *v, int32_t device)
{
    int32_t reachable = -1;
    for (int32_t i = 0; i < v->n_stores && !v->is_sharded; i++) {
        if (v->stores[i].device == device)
            return i;
        if (reachable < 0 && cohort_strategy_can_access(v->strategy, device, v->stores[i].device))
            reachable = i;
    }
    return reachable;
}

/* Devices that share memory share a cache: that of the first of them. The search ends at the device
 * itself at the latest, which can access its own memory. */
static cohort_place *cache_for(const cohort_variable *v, int32_t device)
{
    int32_t first = 0;
    while (!cohort_strategy_can_access(v->strategy, device, first))
        first++;
    return cohort_places_at(&v->caches, first);
}

cohort_status cohort_variable_prepare_read(cohort_variable *v, int32_t device)
{
    if (v->is_per_replica || cohort_variable_store_for(v, device) >= 0)
        return COHORT_OK;
    int32_t first = (int32_t)(cache_for(v, device) - v->caches.list);
    return cohort_places_prepare(&v->caches, v->strategy->executor, first);
}

/* Every row once, from where it lives. */
static void bring_up_to_date(cohort_variable *v, cohort_place *cache)
{
    cohort_buffer_require(cache->buffer, v->bytes);
    for (int32_t i = 0; i < (v->is_sharded ? v->n_stores : 1); i++)
        cohort_transfer_copy_blocks(cache->buffer, v->stores[i].offset, 0,
                                    cohort_variable_current(v, i), 0, 0, v->stores[i].bytes, 1);
    cohort_ledger_set(v->strategy->executor, COHORT_NOTED_COUNT, &cache->epoch,
                      v->caches.epoch.now);
}

/* -1: a copy is read. */
static inline int32_t store_of(const cohort_variable *v, int32_t replica, int32_t device)
{
    return v->is_per_replica ? replica : cohort_variable_store_for(v, device);
}

cohort_buffer *cohort_variable_find_read(const cohort_variable *v, int32_t replica, int32_t device)
{
    int32_t store = store_of(v, replica, device);
    return store >= 0 ? cohort_variable_current(v, store) : cache_for(v, device)->buffer;
}

cohort_buffer *cohort_variable_place_read(cohort_variable *v, int32_t replica, int32_t device)
{
    int32_t store = store_of(v, replica, device);
    if (store >= 0)
        return cohort_variable_current(v, store);
    cohort_place *cache = cache_for(v, device);
    if (!cohort_places_is_newest(&v->caches, cache))
        bring_up_to_date(v, cache);
    return cache->buffer;
}

/* The part of a store that lies in [offset, offset + bytes), as bytes of the whole. */
static void copy_part(cohort_variable *v, int32_t store, uint64_t offset, uint64_t bytes,
                      cohort_buffer *into)
{
    const cohort_store *s = &v->stores[store];
    uint64_t first = s->offset > offset ? s->offset : offset;
    uint64_t end = s->offset + s->bytes < offset + bytes ? s->offset + s->bytes : offset + bytes;
    if (first < end)
        cohort_transfer_copy_blocks(into, first - offset, 0, cohort_variable_current(v, store),
                                    first - s->offset, 0, end - first, 1);
}

/* A cache that is up to date spares the way from another device. */
static cohort_buffer *find_near(const cohort_variable *v, int32_t device)
{
    int32_t store = cohort_variable_store_for(v, device);
    if (store >= 0)
        return cohort_variable_current(v, store);
    const cohort_place *cache = cache_for(v, device);
    return cohort_places_is_newest(&v->caches, cache) ? cache->buffer : NULL;
}

void cohort_variable_copy_range(cohort_variable *v, int32_t replica, uint64_t offset,
                                uint64_t bytes, cohort_buffer *into)
{
    cohort_buffer *near = v->is_per_replica ? cohort_variable_current(v, replica)
                                            : find_near(v, into->context->index);
    if (near != NULL)
        cohort_transfer_copy_blocks(into, 0, 0, near, offset, 0, bytes, 1);
    for (int32_t i = 0; i < (v->is_sharded ? v->n_stores : 1) && near == NULL; i++)
        copy_part(v, i, offset, bytes, into);
}
