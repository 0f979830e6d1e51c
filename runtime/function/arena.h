/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is freed at once: everything that one signature points to. */
#ifndef COHORT_FUNCTION_ARENA_H
#define COHORT_FUNCTION_ARENA_H

#include <stddef.h>

typedef struct cohort_arena_chunk cohort_arena_chunk;

typedef struct cohort_arena {
    cohort_arena_chunk *newest; /* {0} is an empty arena */
} cohort_arena;

/* count * size bytes, zeroed, aligned to 16; NULL when memory is out or the product overflows. */
void *cohort_arena_take(cohort_arena *arena, size_t count, size_t size);

/* A copy of the first `length` bytes of text, terminated; NULL when memory is out. */
char *cohort_arena_text(cohort_arena *arena, const char *text, size_t length);

/* Bytes that were taken since it was empty, and what was lost at the ends of chunks. */
size_t cohort_arena_bytes(const cohort_arena *arena);

/* Empty, with one chunk for as much as there was, up to 1 MiB, so that what comes again takes no
 * new memory. */
void cohort_arena_clear(cohort_arena *arena);

void cohort_arena_free(cohort_arena *arena);

#endif
