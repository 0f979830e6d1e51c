/* SPDX-License-Identifier: BSD-3-Clause */
/* Plugin files that the search found and $COHORT_PLUGINS lets in; each is opened when a device of
 * its name is wanted. */
#ifndef COHORT_PLUGIN_CANDIDATE_H
#define COHORT_PLUGIN_CANDIDATE_H

#include "runtime/plugin/search.h"

#include <cohort/device.h>

#include <stdint.h>

struct cohort_candidate {
    struct cohort_candidate *next; /* in the order of the search */
    /* the next one that is the same file, under another name or through another path */
    struct cohort_candidate *twin;
    uint64_t device, inode; /* 0, 0: not known */
    uint32_t rank;          /* as in cohort_loaded */
    bool is_tried;          /* also of one that was left out */
    char name[COHORT_SEARCH_NAME_BYTES];
    char *path;
};

/* Append a file of this name; nothing of it is opened. COHORT_ENOMEM: it is not in the list.
 * Candidates live as long as the process. */
cohort_status cohort_candidate_add(cohort_candidate **list, const char *path, const char *name,
                                   uint32_t rank);

/* Whether a candidate must be tried before it is known which plugins of this name (NULL: of any
 * that may have devices) there are. A candidate of another name must be, too, when a later
 * candidate of the wanted name is the same file, since the first of two names is that of the
 * plugin. */
bool cohort_candidate_is_wanted(const cohort_candidate *candidate, const char *name);

/* Whether two are one file, whatever their names. */
bool cohort_candidate_is_same(const cohort_candidate *a, const cohort_candidate *b);

#endif
