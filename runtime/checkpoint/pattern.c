/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/checkpoint/pattern.h"

#include "runtime/base/assert.h"
#include "runtime/base/memory.h"

#include <stdio.h>
#include <string.h>

/* What stands before the *, and behind it. */
typedef struct halves {
    size_t before;
    const char *behind; /* NULL: there is no * */
} halves;

static halves cut(const char *pattern)
{
    const char *star = strchr(pattern, '*');
    return star != NULL ? (halves){ (size_t)(star - pattern), star + 1 }
                        : (halves){ strlen(pattern), NULL };
}

bool cohort_pattern_is_one(const char *pattern)
{
    return strchr(pattern, '*') == strrchr(pattern, '*');
}

bool cohort_pattern_fits(const char *pattern, const char *name)
{
    halves h = cut(pattern);
    size_t length = strlen(name), behind = h.behind != NULL ? strlen(h.behind) : 0;
    if (h.behind == NULL)
        return strcmp(pattern, name) == 0;
    return length >= h.before + behind && strncmp(pattern, name, h.before) == 0 &&
           strcmp(name + length - behind, h.behind) == 0;
}

char *cohort_pattern_rename(const char *from, const char *to, const char *name)
{
    halves f = cut(from), t = cut(to);
    cohort_assert(cohort_pattern_fits(from, name));
    if (f.behind == NULL || t.behind == NULL)
        return cohort_string_copy(to);
    size_t middle = strlen(name) - f.before - strlen(f.behind), behind = strlen(t.behind);
    char *renamed = cohort_allocate(t.before + middle + behind + 1, 1);
    if (renamed == NULL)
        return NULL;
    memcpy(renamed, to, t.before);
    memcpy(renamed + t.before, name + f.before, middle);
    memcpy(renamed + t.before + middle, t.behind, behind);
    return renamed;
}
