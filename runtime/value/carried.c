/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/value/carried.h"

typedef void (*see_content)(cohort_content *content, void *user);

void cohort_carried_see(cohort_value *value, see_content see, void *user)
{
    for (int32_t r = 0; value->components != NULL && r < value->strategy->n_replicas; r++)
        see(&value->components[r], user);
    see(&value->plain, user);
}

static void see_values(const cohort_strategy *s, see_content see, void *user)
{
    for (cohort_dependent *d = s->dependents.next; d != &s->dependents; d = d->next)
        if (cohort_handle_is(d, COHORT_HANDLE_VALUE))
            cohort_carried_see((cohort_value *)d, see, user);
}

static void note(cohort_content *content, void *user)
{
    (void)user;
    content->step_epoch = content->places.epoch.now;
    content->is_read_first = content->is_spent = false;
}

void cohort_carried_begin(cohort_strategy *s)
{
    see_values(s, note, NULL);
}

static void note_again(cohort_content *content, void *user)
{
    (void)user;
    content->is_spent = content->is_spent || content->places.epoch.now != content->step_epoch;
    content->step_epoch = content->places.epoch.now;
    content->is_read_first = false;
}

void cohort_carried_begin_again(cohort_strategy *s)
{
    see_values(s, note_again, NULL);
}

static void find(cohort_content *content, void *user)
{
    const cohort_content **carried = user;
    const bool is_changed = content->places.epoch.now != content->step_epoch;
    if (content->is_read_first && (is_changed || content->is_spent))
        *carried = content;
}

void cohort_carried_tell(const cohort_strategy *s, char out[COHORT_SHAPE_BYTES])
{
    const cohort_content *carried = NULL;
    see_values(s, find, &carried);
    out[0] = '\0';
    if (carried != NULL)
        (void)cohort_shape_to_string(carried->dtype, carried->extents.rank, carried->extents.shape,
                                     out);
}
