/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/kept.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

/* Not counted as the library's memory, for it is there to stay. */
typedef struct kept {
    const void *memory;
    struct kept *next;
} kept;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static kept *all; /* held: lock */

void cohort_keep(const void *memory)
{
    kept *k = memory != NULL ? malloc(sizeof *k) : NULL;
    if (k == NULL)
        return;
    pthread_mutex_lock(&lock);
    *k = (kept){ memory, all };
    all = k;
    pthread_mutex_unlock(&lock);
}
