/* SPDX-License-Identifier: BSD-3-Clause */
/* The users who can put another file in the place of one: its owner, the owners of the folders
 * above it, and the groups that may write to any of these. */
#ifndef COHORT_PLUGIN_WRITERS_H
#define COHORT_PLUGIN_WRITERS_H

#include <stdbool.h>
#include <sys/types.h>

/* More than these are not remembered: whoever is left out is taken for somebody else. */
enum { COHORT_WRITERS_MOST = 16 };

typedef struct cohort_writers {
    int n_owners, n_groups;
    uid_t owners[COHORT_WRITERS_MOST];
    gid_t groups[COHORT_WRITERS_MOST];
    bool is_anybody; /* a folder or the file is open to all */
} cohort_writers;

/* Of a real path. In a sticky folder, such as /tmp, others add files and replace none, so they do
 * not count. Nobody where something on the way cannot be looked at. */
void cohort_writers_find(const char *real_path, cohort_writers *out);

bool cohort_writers_have_owner(const cohort_writers *writers, uid_t owner);

/* Whether members of the group can write, or everybody. */
bool cohort_writers_have_group(const cohort_writers *writers, gid_t group);

#endif
