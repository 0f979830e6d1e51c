/* SPDX-License-Identifier: BSD-3-Clause */
/* How tests of the core get hold of the plugins loopback and stream that the library has loaded. */
#ifndef COHORT_TESTS_STEER_H
#define COHORT_TESTS_STEER_H

#include "cohort/cohort.h"
#include "plugins/loopback.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline const cohort_loopback *steer_open(const char *file, const char *table)
{
    typedef const cohort_plugin *(*entry_fn)(const cohort_request *rq, cohort_error *err);
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    union {
        void *symbol;
        entry_fn entry;
    } found = { library != NULL ? dlsym(library, "cohort_plugin_entry_1") : NULL };
    cohort_request request = { .struct_size = sizeof request,
                               .core_minor = COHORT_ABI_MINOR,
                               .core_version = "test" };
    const cohort_plugin *plugin = found.symbol != NULL ? found.entry(&request, NULL) : NULL;
    return plugin != NULL && plugin->extension != NULL ? plugin->extension(plugin->self, table)
                                                       : NULL;
}

/* NULL when there is no such plugin in the folders of $COHORT_PLUGIN_PATH. The library comes first,
 * so that it is the library that gives the plugin its host table. */
static inline const cohort_loopback *steer_plugin(const char *name, const char *table)
{
    const cohort_loopback *found = NULL;
    const char *paths = getenv("COHORT_PLUGIN_PATH");
    (void)cohort_device_next(NULL);
    for (const char *path = paths; path != NULL && found == NULL;
         path = strchr(path, ':') != NULL ? strchr(path, ':') + 1 : NULL) {
        char file[4096];
        (void)snprintf(file, sizeof file, "%.*s/cohort-%s.so", (int)strcspn(path, ":"), path, name);
        found = steer_open(file, table);
    }
    return found;
}

static inline const cohort_loopback *steer(void)
{
    return steer_plugin("loopback", COHORT_LOOPBACK);
}

static inline const cohort_loopback *steer_stream(void)
{
    return steer_plugin("stream", COHORT_STREAM);
}

/* What happens at the nth such operation of a part from now on, and at every one after it when that
 * is sticky. */
static inline int32_t steer_rule(const cohort_loopback *loopback, cohort_loopback_action action,
                                 uint32_t part, uint32_t op, uint32_t nth, int is_sticky)
{
    return loopback->rule(&(cohort_loopback_rule){ .part = part,
                                                   .op = op,
                                                   .nth = nth,
                                                   .sticky = (uint32_t)is_sticky,
                                                   .action = action,
                                                   .status = COHORT_EINTERNAL });
}

#endif
