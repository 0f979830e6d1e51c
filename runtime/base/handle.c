/* SPDX-License-Identifier: BSD-3-Clause */
/* A mark is the address of its object mixed with the kind, so a copy of an object, or memory
 * that happens to hold another object, does not pass. Nothing here is atomic: to destroy an
 * object while another thread uses it is a mistake of the program that marks cannot find. */
#include "config.h"

#include "runtime/base/handle.h"

#include "runtime/base/assert.h"
#include "runtime/base/log.h"
#include "runtime/base/quarantine.h"

/* The complement of the mark. Marks of the kinds at one address are consecutive numbers, and no
 * complement of one is among them. */
static uint64_t mark_of_destroyed(const cohort_handle *handle, cohort_handle_kind kind)
{
    return ~cohort_handle_mark(handle, kind);
}

/* A mark is a sum of what the address gives and the kind; with the former taken out the kind is
 * left. */
static cohort_handle_kind kind_of(const cohort_handle *handle)
{
    return (cohort_handle_kind)(handle->mark - cohort_handle_mark(handle, (cohort_handle_kind)0));
}

void cohort_handle_end(cohort_handle *handle, const cohort_handle *owner)
{
    cohort_assert(kind_of(handle) < COHORT_HANDLE_FUNCTION); /* it was begun, and ends once */
    handle->mark = mark_of_destroyed(handle, kind_of(handle));
    handle->owner = owner;
}

void cohort_handle_free(cohort_handle *handle, size_t bytes, const cohort_handle *owner)
{
    cohort_handle_end(handle, owner);
    cohort_quarantine(handle, bytes, sizeof *handle);
}

static bool is_destroyed(const cohort_handle *handle, cohort_handle_kind kind)
{
    return handle != NULL && handle->mark == mark_of_destroyed(handle, kind);
}

const void *cohort_handle_owner(const void *object, cohort_handle_kind kind,
                                cohort_handle_kind owner)
{
    const cohort_handle *handle = object;
    return is_destroyed(handle, kind) && cohort_handle_is(handle->owner, owner) ? handle->owner
                                                                                : NULL;
}

cohort_status cohort_handle_refuse(const void *object, cohort_handle_kind kind, const char *call,
                                   const char *what)
{
    if (object == NULL)
        return cohort_error_null_object(call, what, UINT32_C(1) << kind);
    return cohort_error_set(COHORT_EINVAL,
                            is_destroyed(object, kind)
                                ? "%s: %s is destroyed already"
                                : "%s: %s is none that Cohort made, or it was destroyed long ago",
                            call, what);
}

void *cohort_handle_made(cohort_handle_kind kind, void *object)
{
    if (object == NULL)
        cohort_error_note_unmade(UINT32_C(1) << kind);
    return object;
}

/* Calls that destroy return nothing, so the reason goes to the log. */
bool cohort_handle_may_destroy(const void *object, cohort_handle_kind kind, const char *call,
                               const char *what)
{
    if (cohort_handle_check(object, kind, call, what) >= 0)
        return true;
    cohort_log(COHORT_SUBSYSTEM_BASE, COHORT_LOG_ERROR, "%s", cohort_error_slot());
    return false;
}
