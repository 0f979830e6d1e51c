/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that a search has found and that were not opened yet, in the order of the search.
 *
 * Two names may lead to one file, by a link. The file is opened under its first name; whoever asks
 * for the plugin by the other name finds it through the twin. */
#include "config.h"

#include "runtime/plugin/candidate.h"

#include "runtime/base/assert.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"

#include <string.h>
#include <sys/stat.h>

/* A file that cannot be looked at (stat) stays in the list with inode 0, which is no other file's:
 * why it cannot be used is told when it is opened. */
static cohort_candidate *create(const char *path, const char *name, uint32_t rank)
{
    struct stat entry;
    cohort_candidate *candidate = cohort_allocate(1, sizeof *candidate);
    char *copy = candidate != NULL ? cohort_string_copy(path) : NULL;
    if (copy == NULL) {
        cohort_free(candidate);
        return NULL;
    }
    *candidate = (cohort_candidate){ .rank = rank, .path = copy };
    cohort_assert(strlen(name) < sizeof candidate->name); /* of cohort_search_name */
    memcpy(candidate->name, name, strlen(name) + 1);
    if (stat(path, &entry) == 0) {
        candidate->device = (uint64_t)entry.st_dev;
        candidate->inode = (uint64_t)entry.st_ino;
    }
    return candidate;
}

bool cohort_candidate_is_same(const cohort_candidate *a, const cohort_candidate *b)
{
    return a == b || (a->inode != 0 && a->inode == b->inode && a->device == b->device);
}

cohort_status cohort_candidate_add(cohort_candidate **list, const char *path, const char *name,
                                   uint32_t rank)
{
    cohort_candidate *made = create(path, name, rank), *same = NULL;
    if (made == NULL)
        return cohort_error_memory("a plugin file");
    /* the last of several equal files gets the twin, so that twins form a chain */
    for (; *list != NULL; list = &(*list)->next)
        same = cohort_candidate_is_same(*list, made) ? *list : same;
    if (same != NULL)
        same->twin = made;
    *list = made;
    return COHORT_OK;
}

static bool is_communicator(const cohort_candidate *candidate)
{
    return strncmp(candidate->name, COHORT_SEARCH_COMMUNICATOR,
                   strlen(COHORT_SEARCH_COMMUNICATOR)) == 0;
}

bool cohort_candidate_is_wanted(const cohort_candidate *candidate, const char *name)
{
    bool is_wanted = name == NULL && !is_communicator(candidate);
    for (; name != NULL && !is_wanted && candidate != NULL; candidate = candidate->twin)
        is_wanted = strcmp(candidate->name, name) == 0;
    return is_wanted;
}

const char *cohort_candidate_name(const cohort_candidate *candidate)
{
    return candidate != NULL ? candidate->name : "";
}

const char *cohort_candidate_file(const cohort_candidate *candidate)
{
    return candidate != NULL ? candidate->path : "";
}
