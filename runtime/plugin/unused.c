/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of what was found and is not used, for `cohort devices` and for error texts. Entries are
 * only ever appended, at the end, so a program may hold one while others are added. */
#include "config.h"

#include "runtime/plugin/unused.h"

#include "runtime/base/error.h"
#include "runtime/base/log.h"
#include "runtime/base/memory.h"

#include <string.h>

static void destroy(cohort_unused *unused)
{
    cohort_free(unused->candidate);
    cohort_free(unused->reason);
    cohort_free(unused->fix);
    cohort_free(unused->name);
    cohort_free(unused);
}

static cohort_unused *create(const char *candidate, const char *name, const char *fix)
{
    cohort_unused *unused = cohort_allocate(1, sizeof *unused);
    if (unused == NULL)
        return NULL;
    unused->candidate = cohort_string_copy(candidate);
    unused->name = cohort_string_copy(name);
    unused->reason = cohort_string_copy(cohort_error_slot());
    unused->fix = cohort_string_copy(fix);
    if (unused->candidate != NULL && unused->name != NULL && unused->reason != NULL &&
        unused->fix != NULL)
        return unused;
    destroy(unused);
    return NULL;
}

static bool is_same(const cohort_unused *a, const cohort_unused *b)
{
    return strcmp(a->candidate, b->candidate) == 0 && strcmp(a->reason, b->reason) == 0;
}

void cohort_unused_add(cohort_unused **list, const char *candidate, const char *name,
                       const char *fix)
{
    cohort_log(COHORT_SUBSYSTEM_PLUGIN, COHORT_LOG_DEBUG, "%s: %s", candidate, cohort_error_slot());
    cohort_unused *unused = create(candidate, name, fix);
    /* the log alone: a list that lacks an entry is no reason for a call to fail */
    if (unused == NULL) {
        cohort_log(COHORT_SUBSYSTEM_PLUGIN, COHORT_LOG_ERROR,
                   "out of memory for the reason why %s is not used", candidate);
        return;
    }
    /* a search that is repeated finds the same faults: they are told once */
    for (; *list != NULL; list = &(*list)->next)
        if (is_same(*list, unused)) {
            destroy(unused);
            return;
        }
    *list = unused;
}

const cohort_unused *cohort_unused_find(const cohort_unused *list, const char *name)
{
    for (; list != NULL; list = list->next)
        if (name[0] != '\0' && strcmp(list->name, name) == 0)
            return list;
    return NULL;
}

const char *cohort_unused_candidate(const cohort_unused *unused)
{
    return unused != NULL ? unused->candidate : "";
}

const char *cohort_unused_reason(const cohort_unused *unused)
{
    return unused != NULL ? unused->reason : "";
}

const char *cohort_unused_fix(const cohort_unused *unused)
{
    return unused != NULL ? unused->fix : "";
}

void cohort_unused_say(cohort_text *s, const cohort_unused *unused)
{
    cohort_text_add(s, "%s: %s", unused->candidate, unused->reason);
    if (unused->fix[0] != '\0')
        cohort_text_add(s, " (fix: %s)", unused->fix);
}

void cohort_unused_say_plugin(cohort_text *s, const cohort_unused *unused)
{
    cohort_text_add(s, "plugin '%s' is not used: ", unused->name);
    cohort_unused_say(s, unused);
}
