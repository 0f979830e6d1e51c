/* SPDX-License-Identifier: BSD-3-Clause */
/* The way to a real path, from the top: "/", "/a" and "/a/b" of "/a/b". */
#ifndef COHORT_PLUGIN_WAY_H
#define COHORT_PLUGIN_WAY_H

#include <stddef.h>
#include <string.h>

/* The next one behind the first `length` bytes of an absolute path, 0 to begin with; `out` has room
 * for the whole path. Returns its length; 0: there is none. */
static inline size_t cohort_way_next(const char *path, size_t length, char *out)
{
    if (path[length] == '\0')
        return 0;
    size_t next = length == 0 ? 1 : length + (path[length] == '/');
    if (length > 0)
        next += strcspn(path + next, "/");
    memcpy(out, path, next);
    out[next] = '\0';
    return next;
}

#endif
