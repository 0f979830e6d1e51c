/* SPDX-License-Identifier: BSD-3-Clause */
/* The installation that this library belongs to, found from the library's own file: a tree may have
 * been moved, copied or unpacked since configure was told its folders. */
#ifndef COHORT_BASE_INSTALLED_H
#define COHORT_BASE_INSTALLED_H

#include "runtime/base/limits.h"

#include <cohort/status.h>

/* The real path of the file that this code was loaded from; "" where the system does not say. Found
 * once. Threads: any. */
const char *cohort_installed_library(void);

/* The folder of the tree around it, a real path: as far above the library as the prefix is above
 * its folder. "" as before. */
const char *cohort_installed_root(void);

/* Where `folder`, one of configure's absolute folders, is: as seen from the library, where there is
 * such a folder, else where configure was told. With raised privileges always the latter, for
 * whoever starts such a program may choose by which path. A folder outside of the prefix does not
 * move. */
void cohort_installed_at(const char *folder, char out[COHORT_LIMIT_PATH_BYTES]);

#endif
