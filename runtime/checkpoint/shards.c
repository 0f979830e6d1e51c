/* SPDX-License-Identifier: BSD-3-Clause */
/* The tensors of a checkpoint, as one list over all its shards. What the first shard has is there
 * once for all workers; of the others each adds rows to components, and has arrays of its own. */
#include "config.h"

#include "runtime/checkpoint/file.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ one tensor */

/* Of an element that lies as bytes, whose number is the last extent; false: there is no such dtype,
 * or it has another size. */
static bool take_dtype(const char *text, cohort_checkpoint_tensor *t)
{
    char name[32];
    size_t length = strcspn(text, "[");
    if (length >= sizeof name || t->rank == 0 || t->dtype != COHORT_U8)
        return false;
    memcpy(name, text, length);
    name[length] = '\0';
    t->dtype = cohort_dtype_parse(name);
    t->item_bytes = t->shape[--t->rank];
    bool is_struct = t->dtype == COHORT_RECORD && t->item_bytes > 0;
    return is_struct || (t->dtype == COHORT_C128 && t->item_bytes == cohort_dtype_bytes(t->dtype));
}

/* The dtype stands in the metadata of the shard. */
static cohort_status find_dtype(const cohort_checkpoint *c, const cohort_safetensors *shard,
                                cohort_checkpoint_tensor *t)
{
    size_t room = sizeof COHORT_CHECKPOINT_DTYPE + strlen(t->name);
    char *key = shard->has_sums ? cohort_allocate(room, 1) : NULL;
    if (key == NULL)
        return shard->has_sums ? cohort_error_memory(c->path) : COHORT_OK;
    (void)snprintf(key, room, COHORT_CHECKPOINT_DTYPE "%s", t->name);
    const char *text = cohort_safetensors_text(shard, key);
    cohort_free(key);
    return text == NULL || take_dtype(text, t)
               ? COHORT_OK
               : cohort_error_set(COHORT_EINVAL, "%s: tensor '%.256s': no array has the dtype '%s'",
                                  shard->file.path, t->name, text);
}

static cohort_status describe(const cohort_checkpoint *c, const cohort_safetensors *shard,
                              const cohort_tensor *from, cohort_checkpoint_tensor *out)
{
    *out = (cohort_checkpoint_tensor){ .name = from->name,
                                       .type = from->type->name,
                                       .dtype = from->type->dtype,
                                       .rank = from->rank,
                                       .shape = from->shape,
                                       .item_bytes = cohort_dtype_bytes(from->type->dtype),
                                       .bytes = from->bytes,
                                       .crc = from->sum,
                                       .has_crc = from->has_sum };
    return find_dtype(c, shard, out);
}

/* ------------------------------------------------------------------ parts of something */

/* How long the name is in front of an ending; 0: it has another one. */
static size_t length_before(const char *name, const char *ending)
{
    size_t length = strlen(name), end = strlen(ending);
    bool has_it = length > end && strcmp(name + length - end, ending) == 0;
    return has_it ? length - end : 0;
}

static size_t length_before_own(const char *name, int32_t worker)
{
    char ending[sizeof COHORT_CHECKPOINT_OWN + 12];
    (void)snprintf(ending, sizeof ending, COHORT_CHECKPOINT_OWN "%" PRId32, worker);
    return length_before(name, ending);
}

static cohort_status own(const cohort_checkpoint *c, cohort_place_of_tensor *place,
                         const char *name, size_t length)
{
    place->owner = cohort_string_copy(name);
    if (place->owner == NULL)
        return cohort_error_memory(c->path);
    place->owner[length] = '\0';
    return COHORT_OK;
}

/* A tensor of components is another part of what their variable is saved as; an array of a worker's
 * own is one of those that a part is saved as. */
static cohort_status find_owner(const cohort_checkpoint *c, cohort_place_of_tensor *place)
{
    const cohort_safetensors *shard = &c->shards[place->shard];
    const char *name = place->tensor->name;
    place->worker = -1;
    if (!shard->has_sums || cohort_checkpoint_is_part(c))
        return COHORT_OK;
    size_t length = length_before(name, COHORT_CHECKPOINT_REPLICAS);
    if (length > 0)
        return own(c, place, name, length);
    length = c->listed.n > 0 ? length_before_own(name, place->shard) : 0;
    if (length == 0)
        return COHORT_OK;
    place->worker = place->shard;
    return own(c, place, name, length);
}

/* ------------------------------------------------------------------ all shards */

static cohort_status add(cohort_checkpoint *c, int32_t shard, const cohort_tensor *tensor)
{
    c->places[c->n] = (cohort_place_of_tensor){ .shard = shard, .tensor = tensor };
    cohort_status status = describe(c, &c->shards[shard], tensor, &c->tensors[c->n]);
    if (status >= 0)
        status = find_owner(c, &c->places[c->n]);
    c->n++;
    return status;
}

static cohort_status refuse(const cohort_checkpoint *c, int32_t shard, const char *name,
                            const char *why)
{
    return cohort_error_set(COHORT_EINVAL, "%s: tensor '%.256s': %s", c->paths[shard], name, why);
}

/* Of another worker: its own, or of components, which the first one has too. */
static cohort_status add_other(cohort_checkpoint *c, int32_t shard, const cohort_tensor *tensor)
{
    if (length_before_own(tensor->name, shard) > 0)
        return add(c, shard, tensor);
    if (length_before(tensor->name, COHORT_CHECKPOINT_REPLICAS) > 0 &&
        cohort_safetensors_find(&c->shards[0], tensor->name) != NULL)
        return COHORT_OK;
    return refuse(c, shard, tensor->name, "the first worker alone saves such");
}

/* Rows of the other workers follow those of the first one. */
static cohort_status add_rows(cohort_checkpoint *c, size_t index, int32_t shard)
{
    cohort_checkpoint_tensor *t = &c->tensors[index];
    cohort_place_of_tensor *place = &c->places[index];
    const cohort_tensor *first = place->tensor,
                        *more = cohort_safetensors_find(&c->shards[shard], t->name);
    if (more == NULL)
        return refuse(c, shard, t->name, "is not there, and the first worker has it");
    bool is_alike = more->type == first->type && more->rank == first->rank && first->rank > 0 &&
                    more->shape[0] == c->listed.shards[shard].replicas &&
                    memcmp(more->shape + 1, first->shape + 1,
                           (size_t)(first->rank - 1) * sizeof *more->shape) == 0;
    if (!is_alike)
        return refuse(c, shard, t->name, "does not fit to the manifest and the first worker's");
    if (shard == 0)
        return COHORT_OK;
    place->shape[0] += more->shape[0];
    t->has_crc = false;
    return __builtin_add_overflow(t->bytes, more->bytes, &t->bytes)
               ? refuse(c, shard, t->name, "is more than there can be")
               : COHORT_OK;
}

static cohort_status join_components(cohort_checkpoint *c, size_t index)
{
    cohort_checkpoint_tensor *t = &c->tensors[index];
    cohort_place_of_tensor *place = &c->places[index];
    cohort_status status = COHORT_OK;
    place->shape = cohort_allocate((size_t)t->rank + 1, sizeof *place->shape);
    if (place->shape == NULL)
        return cohort_error_memory(c->path);
    memcpy(place->shape, place->tensor->shape, (size_t)place->tensor->rank * sizeof *place->shape);
    t->shape = place->shape;
    for (int32_t s = 0; s < c->n_shards && status >= 0; s++)
        status = add_rows(c, index, s);
    return status;
}

static cohort_status join_all(cohort_checkpoint *c)
{
    cohort_status status = COHORT_OK;
    for (size_t i = 0; i < c->n && status >= 0 && c->listed.n > 0; i++)
        if (c->places[i].owner != NULL && c->places[i].worker < 0)
            status = join_components(c, i);
    return status;
}

static cohort_status add_all(cohort_checkpoint *c)
{
    cohort_status status = COHORT_OK;
    for (int32_t s = 0; s < c->n_shards; s++)
        for (size_t i = 0; i < c->shards[s].n && status >= 0; i++)
            status = s == 0 ? add(c, s, &c->shards[s].tensors[i])
                            : add_other(c, s, &c->shards[s].tensors[i]);
    return status;
}

/* ------------------------------------------------------------------ looking up */

static int compare_names(const void *a, const void *b)
{
    const cohort_checkpoint_tensor *const *s = a, *const *t = b;
    return strcmp((*s)->name, (*t)->name);
}

static void sort_names(cohort_checkpoint *c)
{
    for (size_t i = 0; i < c->n; i++)
        c->by_name[i] = &c->tensors[i];
    if (c->n > 0)
        qsort(c->by_name, c->n, sizeof *c->by_name, compare_names);
}

int cohort_checkpoint_find(const cohort_checkpoint *c, const char *name)
{
    const cohort_checkpoint_tensor wanted = { .name = name }, *key = &wanted;
    const cohort_checkpoint_tensor *const *found =
        c->n > 0 ? bsearch(&key, c->by_name, c->n, sizeof *c->by_name, compare_names) : NULL;
    return found != NULL ? (int)(*found - c->tensors) : -1;
}

cohort_status cohort_checkpoint_list_tensors(cohort_checkpoint *c)
{
    size_t most = 0;
    for (int32_t s = 0; s < c->n_shards; s++)
        most += c->shards[s].n;
    c->tensors = cohort_allocate(most, sizeof *c->tensors);
    c->places = cohort_allocate(most, sizeof *c->places);
    c->by_name = cohort_allocate(most, sizeof *c->by_name);
    bool has_memory = c->tensors != NULL && c->places != NULL && c->by_name != NULL;
    cohort_status status = has_memory ? add_all(c) : cohort_error_memory(c->path);
    if (status >= 0)
        status = join_all(c);
    if (status >= 0)
        sort_names(c);
    return status;
}
