/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings: plugins and devices that were tried in processes of their own. */
#ifndef COHORT_CLI_FINDING_H
#define COHORT_CLI_FINDING_H

#include <stdbool.h>
#include <stddef.h>

typedef enum finding_kind {
    FINDING_GOOD,   /* a device did all that it was asked for */
    FINDING_SAID,   /* a warning in the log, of what the driver of `subject` does */
    FINDING_FAILED, /* an error in words */
    FINDING_ENDED   /* its process ended, or it did not answer in time */
} finding_kind;

typedef struct finding {
    struct finding *next;
    finding_kind kind;
    char *
        /* the id of a device, or the name of a plugin, or its file where the user gave it */
        subject;
    char *file; /* of a plugin that ended the process before it had listed its devices; else NULL */
    char *text; /* a sentence */
} finding;

/* file: NULL, or that of a plugin. NULL: out of memory. */
finding *finding_new(finding_kind kind, const char *subject, const char *file, const char *text);

/* Put it, and all behind it, at the end of the list. One for which there was no memory is lost: it
 * is for a message. */
void finding_add(finding **list, finding *added);
void finding_free_all(finding *list);

/* Plugins that ended their process when they were asked are left out of this one. */
void finding_leave_out(const finding *list);

/* Whether a list of devices, "host/2,opencl:0", means a device or, by its name, a plugin. */
bool finding_is_meant(const char *devices, const char *subject);

/* The first one that ended its process and that the list of devices means; NULL: none. */
const finding *finding_find_ended(const finding *list, const char *devices);

/* The fix for one that ended its process. Returns out. */
const char *finding_fix(const finding *ended, char *out, size_t size);

#endif
