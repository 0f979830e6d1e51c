/* SPDX-License-Identifier: BSD-3-Clause */
/* Plugins that are asked in processes of their own, all at once, before this one opens any. A
 * driver that ends whoever asks it then ends a child, and is told with its signal and its last
 * words. */
#ifndef COHORT_CLI_PROBE_H
#define COHORT_CLI_PROBE_H

#include "cli/finding.h"

typedef enum probe_depth {
    PROBE_ASK, /* each plugin for its devices */
    PROBE_RUN  /* and each device is opened, and builds and runs a kernel */
} probe_depth;

typedef struct probe_wish {
    probe_depth depth;
    const char *devices;      /* run kernels on the plugins of this list alone; NULL: on all */
    const char *const *files; /* ask these as well, ahead of those that are found */
    int n_files;
} probe_wish;

/* The findings, in the order of the search; NULL: nothing. The caller's. The library must
 * not have been asked for devices before, since they do not survive a fork; here it is not. */
finding *probe_plugins(const probe_wish *wish);

#endif
