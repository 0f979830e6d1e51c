/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is freed all at once, with a limit for what a text from outside may ask for. */
#ifndef COHORT_CLI_POOL_H
#define COHORT_CLI_POOL_H

#include <stdbool.h>
#include <stddef.h>

struct pool_block;

/* Begins all zero. `is_full` stays set once a request was refused, so that it is asked once. */
typedef struct pool {
    struct pool_block *blocks;
    size_t bytes; /* of all blocks */
    bool is_full;
} pool;

/* Zeroed, for any type; NULL beyond POOL_MOST_BYTES in all, or where there is no memory. */
enum { POOL_MOST_BYTES = 256 << 20 };
void *pool_take(pool *p, size_t bytes);

/* The text with a 0 behind it; NULL as above. */
char *pool_text(pool *p, const char *text, size_t length);

/* Room for count items and one more, with what they have now; false as above, and then they stay
 * where they are. */
bool pool_grow(pool *p, void **items, int count, int *capacity, size_t item_bytes);

void pool_free(pool *p);

#endif
