/* SPDX-License-Identifier: BSD-3-Clause */
/* Where plugin files are looked for, and in which order. */
#ifndef COHORT_PLUGIN_SEARCH_H
#define COHORT_PLUGIN_SEARCH_H

#include <cohort/status.h>

#include <stdbool.h>

enum { COHORT_SEARCH_NAME_BYTES = 64 };

/* The function that a search calls. */
typedef struct cohort_search {
    void (*found)(void *user, const char *file);
    /* A place that is not searched; the reason is in the thread's error slot. */
    void (*ignored)(void *user, const char *place, const char *fix);
    void *user;
} cohort_search;

/* Call back for the candidates of $COHORT_PLUGIN_PATH, of the installed folder and of the
 * manifests, in this order, each folder by name in strcmp order. Under AT_SECURE the installed
 * folder alone. Nothing is opened but folders and manifests. */
void cohort_search_run(const cohort_search *search);

/* NAME of ".../cohort-NAME.so". COHORT_EINVAL when the file is not called so, or NAME has other
 * characters than letters, digits, '_' and '-', or more than 63. */
cohort_status cohort_search_name(const char *file, char name[COHORT_SEARCH_NAME_BYTES]);

/* Plugins of these names have no devices (cohort/communicator.h). */
#define COHORT_SEARCH_COMMUNICATOR "communicator-"

/* Whether $COHORT_PLUGINS lets a plugin of this name in: a list of names that may be loaded, or,
 * after ^, may not. COHORT_EINVAL with the reason when it may not. */
cohort_status cohort_search_filter(const char *name);

#endif
