/* SPDX-License-Identifier: BSD-3-Clause */
/* The plugin of a test, from the build folder. */
#ifndef COHORT_TESTS_SUBJECT_BUILT_H
#define COHORT_TESTS_SUBJECT_BUILT_H

#include "cli/conformance/subject.h"

#include <sys/stat.h>

/* Load build folder + "/" + file. NULL when all is well, else why there is nothing to test. */
static inline const char *subject_load_built(subject *s, const char *file)
{
    static char path[4096];
    const char *folder = getenv("builddir");
    (void)snprintf(path, sizeof path, "%s/%s", folder != NULL ? folder : ".", file);
    struct stat entry;
    if (stat(path, &entry) != 0)
        return "this plugin was not built";
    const char *why = subject_load(s, path);
    return why == NULL && s->n_devices == 0 ? "the plugin has no device" : why;
}

#endif
