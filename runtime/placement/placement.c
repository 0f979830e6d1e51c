/* SPDX-License-Identifier: BSD-3-Clause */
/* The policies of the library by name, and the question to any policy, which may be the program's.
 *
 * An answer is checked as a whole before anything is made of it: every row of the variable lies in
 * exactly one range, or every copy is whole and on a device of its own. Variables rely on that
 * without looking again. */
#include "config.h"

#include "runtime/placement/placement.h"

#include "runtime/base/callback.h"
#include "runtime/base/digest.h"
#include "runtime/base/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ the small policies */

/* Mirrored: a copy on every device, all equal. */
static int place_mirrored(const cohort_place_request *request, cohort_copy out[], int capacity,
                          void *user)
{
    (void)user;
    for (int32_t i = 0; i < request->num_parameter_devices && i < capacity; i++)
        out[i].device = i;
    return request->num_parameter_devices;
}

/* One copy on the first parameter device: central storage, and one device. */
static int place_one_copy(const cohort_place_request *request, cohort_copy out[], int capacity,
                          void *user)
{
    (void)request;
    (void)capacity;
    (void)user;
    out[0].device = 0;
    return 1;
}

/* Round-robin: variable k has one copy, on parameter device k mod their number. */
static int place_round_robin(const cohort_place_request *request, cohort_copy out[], int capacity,
                             void *user)
{
    (void)capacity;
    (void)user;
    out[0].device = request->ordinal % request->num_parameter_devices;
    return 1;
}

/* ------------------------------------------------------------------ the table */

static const cohort_placement table[] = {
    { .name = "mirrored", .place = place_mirrored, .flags = COHORT_PLACEMENT_MIRRORS },
    { .name = "central", .place = place_one_copy },
    { .name = "one-device", .place = place_one_copy },
    { .name = "round-robin", .place = place_round_robin },
    { .name = "sharded", .place = cohort_place_shard_per_device },
};

const cohort_placement *cohort_placement_find(const char *name)
{
    for (size_t i = 0; name != NULL && i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

cohort_status cohort_placement_check(const cohort_placement *placement, const char *who)
{
    if (placement->name == NULL || placement->name[0] == '\0' || placement->place == NULL)
        return cohort_error_set(COHORT_EINVAL, "%s: a placement needs a name and a function", who);
    if ((placement->flags & ~(uint32_t)COHORT_PLACEMENT_MIRRORS) != 0)
        return cohort_error_set(
            COHORT_EINVAL,
            "%s: flags of placement '%s' are 0x%x; COHORT_PLACEMENT_MIRRORS is the only one", who,
            placement->name, placement->flags);
    for (size_t i = 0; i < sizeof placement->reserved / sizeof *placement->reserved; i++)
        if (placement->reserved[i] != 0)
            return cohort_error_set(COHORT_EINVAL,
                                    "%s: reserved[%zu] of placement '%s' is not zero", who, i,
                                    placement->name);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ checks of an answer */

typedef struct answer {
    const cohort_placement *placement;
    const cohort_place_request *request;
    cohort_copy *copies;
    int n;
} answer;

static cohort_status wrong(const answer *a, int copy, const char *what)
{
    const cohort_copy *c = &a->copies[copy];
    return cohort_error_set(
        COHORT_EINVAL,
        "variable '%s': placement '%s' gives %d copies, and copy %d (device %d, rows %lld + %lld) "
        "%s",
        a->request->name, a->placement->name, a->n, copy, c->device, (long long)c->first_row,
        (long long)c->rows, what);
}

static cohort_status check_devices(const answer *a)
{
    for (int i = 0; i < a->n; i++)
        if (a->copies[i].device < 0 || a->copies[i].device >= a->request->num_parameter_devices)
            return wrong(a, i, "lies on no parameter device");
    return COHORT_OK;
}

static int compare_devices(const void *a, const void *b)
{
    int32_t one = ((const cohort_copy *)a)->device, other = ((const cohort_copy *)b)->device;
    return (one > other) - (one < other);
}

/* Sorted first: copies of equal devices then stand side by side, and the order of copies does not
 * depend on the policy's. */
static cohort_status check_whole(const answer *a)
{
    qsort(a->copies, (size_t)a->n, sizeof *a->copies, compare_devices);
    for (int i = 0; i < a->n; i++) {
        if (a->copies[i].rows != 0)
            return wrong(a, i, "is a range of rows, and another one is whole");
        if (a->copies[i].first_row != 0)
            return wrong(a, i, "is whole and does not start at row 0");
        if (i > 0 && a->copies[i].device == a->copies[i - 1].device)
            return wrong(a, i, "lies on the same device as another one");
    }
    return COHORT_OK;
}

/* Ranges keep their order and their devices: several may lie on one. */
static cohort_status check_ranges(const answer *a)
{
    int64_t row = 0, rows = a->request->spec.rank > 0 ? a->request->spec.shape[0] : 0;
    for (int i = 0; i < a->n; i++) {
        const cohort_copy *c = &a->copies[i];
        if (c->rows <= 0 || c->first_row != row || c->rows > rows - row)
            return wrong(a, i, "does not go on where the one before it ends");
        row += c->rows;
    }
    return row == rows ? COHORT_OK : wrong(a, a->n - 1, "does not end with the last row");
}

static cohort_status check(answer *a)
{
    if (a->n < 1 || a->n > COHORT_PLACEMENT_CAPACITY)
        return cohort_error_set(
            COHORT_EINVAL, "variable '%s': placement '%s' gives %d copies; 1 to %d",
            a->request->name, a->placement->name, a->n, COHORT_PLACEMENT_CAPACITY);
    cohort_status status = check_devices(a);
    if (status < 0)
        return status;
    /* one range with all rows is a whole copy, and becomes one, so that there is one form of it */
    bool is_one_range = a->n == 1 && a->request->spec.rank > 0 && a->copies[0].first_row == 0 &&
                        a->copies[0].rows == a->request->spec.shape[0];
    if (is_one_range)
        a->copies[0].rows = 0;
    return a->copies[0].rows == 0 ? check_whole(a) : check_ranges(a);
}

/* ------------------------------------------------------------------ asking */

/* What the function of the policy answers, checked. */
static cohort_status place(answer *a)
{
    cohort_callback callback;
    cohort_callback_begin(&callback, NULL, NULL);
    a->n =
        a->placement->place(a->request, a->copies, COHORT_PLACEMENT_CAPACITY, a->placement->user);
    cohort_status status = cohort_callback_end(&callback, a->n < 0 ? a->n : COHORT_OK);
    if (status >= 0)
        return check(a);
    return cohort_error_prefix(status, "variable '%s': placement '%s'", a->request->name,
                               a->placement->name);
}

/* The policy writes to room for the most copies there may be, and the caller gets a block of the
 * right size. */
int cohort_placement_ask(const cohort_placement *placement, const cohort_place_request *request,
                         cohort_copy **out_copies)
{
    *out_copies = NULL;
    answer a = { placement, request,
                 cohort_allocate(COHORT_PLACEMENT_CAPACITY, sizeof(cohort_copy)), 0 };
    if (a.copies == NULL)
        return cohort_error_memory("a variable");
    cohort_status status = place(&a);
    if (status >= 0 && (*out_copies = cohort_allocate((size_t)a.n, sizeof **out_copies)) == NULL)
        status = cohort_error_memory("a variable");
    if (status >= 0)
        memcpy(*out_copies, a.copies, (size_t)a.n * sizeof *a.copies);
    cohort_free(a.copies);
    return status >= 0 ? a.n : status;
}

/* ------------------------------------------------------------------ comparing */

cohort_placement_note cohort_placement_note_of(const cohort_placement *p)
{
    enum { SHOWN = 48 };
    cohort_placement_note note = { .digest = COHORT_DIGEST_OF_NOTHING };
    if (p == NULL) {
        (void)snprintf(note.text, sizeof note.text, "the usual one");
        return note;
    }
    const char *name = p->name != NULL ? p->name : "";
    const int64_t numbers[] = { p->number, p->max_shards, p->flags };
    note.digest = cohort_digest_add(cohort_digest_of_text(name), numbers, sizeof numbers);
    int used = snprintf(note.text, sizeof note.text, "%.*s(%lld, %lld)", SHOWN, name,
                        (long long)p->number, (long long)p->max_shards);
    if (strlen(name) > SHOWN || p->flags != 0)
        (void)snprintf(note.text + used, sizeof note.text - (size_t)used, ", digest %016llx",
                       (unsigned long long)note.digest);
    return note;
}
