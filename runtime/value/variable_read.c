/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading variables on devices: stores where a device reaches them, else caches that are brought up
 * to date. */
#include "config.h"

#include "runtime/value/variable.h"

static bool can_access(const cohort_variable *v, int32_t device, int32_t other)
{
    return cohort_strategy_context(v->strategy, device)->can_access[other];
}

int32_t cohort_variable_store_for(const cohort_variable *v, int32_t device)
{
    int32_t reachable = -1;
    for (int32_t i = 0; i < v->n_stores && !v->is_sharded; i++) {
        if (v->stores[i].device == device)
            return i;
        if (reachable < 0 && can_access(v, device, v->stores[i].device))
            reachable = i;
    }
    return reachable;
}

/* Devices that share memory share a cache: that of the first of them. */
static cohort_variable_cache *cache_for(const cohort_variable *v, int32_t device,
                                        int32_t *out_where)
{
    *out_where = 0;
    while (!can_access(v, device, *out_where))
        ++*out_where;
    return &v->caches[*out_where];
}

cohort_status cohort_variable_prepare_read(cohort_variable *v, int32_t device)
{
    int32_t where;
    if (v->is_per_replica || cohort_variable_store_for(v, device) >= 0)
        return COHORT_OK;
    cohort_variable_cache *cache = cache_for(v, device, &where);
    if (cache->buffer == NULL)
        cache->buffer = cohort_buffer_create(v->strategy->executor,
                                             cohort_strategy_context(v->strategy, where));
    return cache->buffer != NULL ? COHORT_OK : COHORT_ENOMEM;
}

/* Every row once, from where it lives. */
static void bring_up_to_date(cohort_variable *v, cohort_variable_cache *cache)
{
    cohort_buffer_require(cache->buffer, v->bytes);
    for (int32_t i = 0; i < (v->is_sharded ? v->n_stores : 1); i++)
        cohort_transfer_copy_blocks(cache->buffer, v->stores[i].offset, 0,
                                    cohort_variable_current(v, i), 0, 0, v->stores[i].bytes, 1);
    cache->version = v->version;
}

cohort_buffer *cohort_variable_place_read(cohort_variable *v, int32_t replica, int32_t device)
{
    int32_t where, store = v->is_per_replica ? replica : cohort_variable_store_for(v, device);
    if (store >= 0)
        return cohort_variable_current(v, store);
    cohort_variable_cache *cache = cache_for(v, device, &where);
    if (cache->version != v->version)
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
    int32_t where, store = cohort_variable_store_for(v, device);
    if (store >= 0)
        return cohort_variable_current(v, store);
    const cohort_variable_cache *cache = cache_for(v, device, &where);
    return cache->version == v->version ? cache->buffer : NULL;
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
