/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that people have and nothing here reads: what they are, and what to do with them. */
#ifndef COHORT_CLI_FOREIGN_H
#define COHORT_CLI_FOREIGN_H

#include "cli/file_peek.h"

/* The meaning of the first bytes: "an HDF5 file ...: what to do"; NULL: nothing that is known
 * here. */
const char *foreign_find(const file_peek *peek);

/* The same of a zip file without arrays, from the name of its first member; never NULL. */
const char *foreign_zip(const file_peek *peek);

#endif
