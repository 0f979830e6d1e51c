/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables of a room are made by all guests and destroyed by all guests, each at its own time.
 * Sizes and shapes come from outside of the process: they are checked before they are used. */
#include "config.h"

#include "runtime/server/room_do.h"

#include "runtime/base/array.h"
#include "runtime/base/assert.h"
#include "runtime/base/memory.h"
#include "runtime/server/worker_call.h"
#include "runtime/value/variable.h"

#include <string.h>

static cohort_status read_array(const cohort_service *e, cohort_array *out)
{
    const cohort_server_request *q = &e->request;
    *out = (cohort_array){ .dtype = (cohort_dtype)q->dtype,
                           .rank = q->rank,
                           .item_bytes = q->item_bytes };
    memcpy(out->shape, q->shape, sizeof out->shape);
    if (q->name_bytes == 0 || q->name_bytes > q->bytes || e->bytes[q->name_bytes - 1] != '\0')
        return cohort_request_refuse("a variable without a name");
    cohort_status status = cohort_array_check(out, true, "a variable");
    uint64_t bytes = q->bytes - q->name_bytes;
    if (status < 0)
        return status;
    if (bytes != (q->is_zero ? 0 : (uint64_t)(cohort_array_items(out) * q->item_bytes)))
        return cohort_request_refuse("a content of another size");
    out->data = bytes > 0 ? cohort_memory_own(e->bytes + q->name_bytes) : NULL;
    return COHORT_OK;
}

static cohort_status check_same(const cohort_lodger *l, const cohort_array *array)
{
    const cohort_variable *v = l->variable;
    char has[128], got[128];
    bool is_same =
        v->dtype == array->dtype && v->item_bytes == array->item_bytes &&
        v->extents.rank == array->rank &&
        memcmp(v->extents.shape, array->shape, (size_t)array->rank * sizeof *array->shape) == 0;
    return is_same ? COHORT_OK
                   : cohort_error_set(
                         COHORT_EINVAL,
                         "variable '%s' is %s here, made by another worker, and %s is asked for; "
                         "all workers make the same variables",
                         v->name,
                         cohort_shape_to_string(v->dtype, v->extents.rank, v->extents.shape, has),
                         cohort_shape_to_string(array->dtype, array->rank, array->shape, got));
}

/* By guest 0, whose content it is. */
static cohort_status make(cohort_room *room, const char *name, const cohort_array *array,
                          cohort_lodger **out)
{
    cohort_lodger *l = cohort_lodger_take(room);
    cohort_variable *v =
        l != NULL ? cohort_variable_create(room->strategy, name, *array, NULL) : NULL;
    cohort_status status = cohort_room_finish(room, v != NULL ? COHORT_OK : cohort_error_status());
    if (status < 0) {
        if (v != NULL)
            cohort_variable_destroy(v);
        return status;
    }
    cohort_assert(l != NULL);
    memset(l->writes, 0, (size_t)room->n_guests * sizeof *l->writes);
    memset(l->lodgings, 0, (size_t)room->n_guests * sizeof *l->lodgings);
    l->variable = v;
    l->version = 1;
    *out = l;
    return COHORT_OK;
}

static cohort_status refuse_guest(const cohort_room *room, const char *name, cohort_lodging lodging)
{
    if (lodging == COHORT_LODGING_USED)
        return cohort_error_set(COHORT_EINVAL, "this worker has variable '%s' already", name);
    char first[COHORT_RANKS_NAME];
    cohort_room_name(room, 0, first);
    return cohort_error_set(COHORT_ELOST,
                            "variable '%s' begins with the content of %s, which has destroyed its "
                            "strategy",
                            name, first);
}

/* COHORT_EAGAIN: guest 0 has not made it yet; or this one has destroyed the one of that name, and
 * others have not. */
cohort_status cohort_room_do_create(cohort_room *room, cohort_service *e)
{
    cohort_array array;
    cohort_status status = read_array(e, &array);
    if (status < 0)
        return status;
    cohort_lodger *l = cohort_lodger_find_by_name(room, e->bytes);
    cohort_lodging lodging = l != NULL ? l->lodgings[e->guest] : COHORT_LODGING_TO_COME;
    if (lodging == COHORT_LODGING_USED || (l == NULL && e->guest > 0 && room->has_left[0]))
        return refuse_guest(room, e->bytes, lodging);
    if (lodging == COHORT_LODGING_OVER || (l == NULL && e->guest > 0))
        return COHORT_EAGAIN;
    status = l != NULL ? check_same(l, &array) : make(room, e->bytes, &array, &l);
    if (status < 0)
        return status;
    l->lodgings[e->guest] = COHORT_LODGING_USED;
    e->answer.variable = (int32_t)(l - room->list);
    e->answer.version = l->version;
    return COHORT_OK;
}

cohort_status cohort_room_do_destroy(cohort_room *room, cohort_service *e)
{
    cohort_lodger *l = cohort_lodger_find(room, e->guest, e->request.variable);
    if (l == NULL)
        return COHORT_EINVAL;
    l->lodgings[e->guest] = COHORT_LODGING_OVER;
    cohort_lodger_end_if_over(room, l);
    return COHORT_OK;
}
