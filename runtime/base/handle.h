/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles: objects that the library makes and a program holds until it destroys them: strategies,
 * values, variables, ...
 *
 * Each starts with a mark, so that a call which gets one that was destroyed says so, instead of
 * reading freed memory: always while it is in quarantine (base/quarantine.h), by luck later. It
 * cannot be known that its memory has become another object of the same kind. */
#ifndef COHORT_BASE_HANDLE_H
#define COHORT_BASE_HANDLE_H

#include "runtime/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum cohort_handle_kind {
    COHORT_HANDLE_STRATEGY,
    COHORT_HANDLE_VALUE,
    COHORT_HANDLE_VARIABLE,
    COHORT_HANDLE_INPUT,
    COHORT_HANDLE_METRIC,
    COHORT_HANDLE_PROGRAM,
    COHORT_HANDLE_DATASET,
    COHORT_HANDLE_ITERATOR,
    COHORT_HANDLE_NPY,
    COHORT_HANDLE_CLUSTER_SPEC,
    COHORT_HANDLE_RESOLVER,
    COHORT_HANDLE_TOPOLOGY,
    COHORT_HANDLE_ASSIGNMENT,
    COHORT_HANDLE_CONFIG,
    COHORT_HANDLE_CHECKPOINT,
    COHORT_HANDLE_CHECKPOINT_MANAGER,
    COHORT_HANDLE_COORDINATOR,
    COHORT_HANDLE_REMOTE_VALUE,
    COHORT_HANDLE_FUNCTION /* a struct of the program's, without a mark */
} cohort_handle_kind;

/* The first member of the struct. */
typedef struct cohort_handle {
    uint64_t mark;
    /* of one that was destroyed: what it was made from, in quarantine no longer than this one;
     * NULL: nothing */
    const struct cohort_handle *owner;
} cohort_handle;

/* The mark of an object that is there. Its address is part of it, so a copy of an object has no
 * valid mark. The constant is arbitrary. */
static inline uint64_t cohort_handle_mark(const cohort_handle *handle, cohort_handle_kind kind)
{
    return ((uint64_t)(uintptr_t)handle ^ UINT64_C(0x9e3779b97f4a7c15)) + (uint64_t)kind;
}

static inline void cohort_handle_begin(cohort_handle *handle, cohort_handle_kind kind)
{
    handle->mark = cohort_handle_mark(handle, kind);
}

/* The object is there, and of this kind. NULL is no object. */
static inline bool cohort_handle_is(const void *object, cohort_handle_kind kind)
{
    const cohort_handle *handle = object;
    return handle != NULL && handle->mark == cohort_handle_mark(handle, kind);
}

/* The object is destroyed from now on. owner: see the struct. */
void cohort_handle_end(cohort_handle *handle, const cohort_handle *owner);

/* The same for an object that has freed what it owns: its own block, of so many bytes, goes into
 * quarantine. */
void cohort_handle_free(cohort_handle *handle, size_t bytes, const cohort_handle *owner);

/* The object that a destroyed one was made from, if it is there and of this kind; else NULL. */
const void *cohort_handle_owner(const void *object, cohort_handle_kind kind,
                                cohort_handle_kind owner);

/* COHORT_EINVAL with "call: what ..." when the object is NULL, was destroyed, or is none of this
 * kind. For a NULL the text keeps the reason of the error slot where that is why an object of this
 * kind was not made, and nothing of any other error.
 *
 * what  for people: "the value", a parameter's name */
cohort_status cohort_handle_refuse(const void *object, cohort_handle_kind kind, const char *call,
                                   const char *what);

static inline cohort_status cohort_handle_check(const void *object, cohort_handle_kind kind,
                                                const char *call, const char *what)
{
    return cohort_handle_is(object, kind) ? COHORT_OK
                                          : cohort_handle_refuse(object, kind, call, what);
}

/* The object is there, so it may be destroyed. Else the slot and the log say why not. */
bool cohort_handle_may_destroy(const void *object, cohort_handle_kind kind, const char *call,
                               const char *what);

/* The last line of a call that makes an object: where it is NULL, the slot remembers that no object
 * of this kind was made, and why is what it says. That stays while calls tell the same error: the
 * one that sticks to a strategy, or that of an object that is NULL because of it. Returns the
 * object. */
void *cohort_handle_made(cohort_handle_kind kind, void *object);

#endif
