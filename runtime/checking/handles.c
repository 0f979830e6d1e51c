/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of what a plugin has handed out, the latest first. */
#include "config.h"

#include "runtime/checking/handles.h"

#include "runtime/base/memory.h"

cohort_held *cohort_handles_find(const cohort_handles *handles, const void *handle)
{
    cohort_held *held = handles->first;
    while (held != NULL && held->handle != handle)
        held = held->next;
    return held;
}

cohort_held *cohort_handles_add(cohort_handles *handles, const void *handle)
{
    cohort_held *held = cohort_allocate(1, sizeof *held);
    if (held == NULL)
        return NULL;
    held->handle = handle;
    held->next = handles->first;
    handles->first = held;
    handles->ever++;
    handles->n++;
    if (handles->n > handles->most)
        handles->most = handles->n;
    return held;
}

void cohort_handles_drop(cohort_handles *handles, cohort_held *held)
{
    cohort_held **link = &handles->first;
    if (held == NULL)
        return;
    while (*link != held)
        link = &(*link)->next;
    *link = held->next;
    handles->n--;
    cohort_padded_free(&held->room);
    cohort_free(held->text);
    cohort_free(held);
}

void cohort_handles_drop_all(cohort_handles *handles)
{
    while (handles->first != NULL)
        cohort_handles_drop(handles, handles->first);
}
