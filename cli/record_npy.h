/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of structs, and of long double, as NumPy's files with the fields' names. */
#ifndef COHORT_CLI_RECORD_NPY_H
#define COHORT_CLI_RECORD_NPY_H

#include "cli/item.h"

/* definition: the text of --type, which has the names; NULL, or with structs inside: they are f0,
 * f1 and so on, one for each number. The exit code, EXIT_OK, or another after a message; then the
 * file is as it was. */
int record_npy_save(const char *path, const item_type *type, const char *definition,
                    const cohort_array *array);

#endif
