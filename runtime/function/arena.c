/* SPDX-License-Identifier: BSD-3-Clause */
/* Chunks are taken from the front and never given back one by one, so that a signature, which
 * points to many small things, has one owner and one free. Chunks are zeroed by cohort_allocate,
 * hence all that is taken is. */
#include "config.h"

#include "runtime/function/arena.h"

#include "runtime/base/assert.h"
#include "runtime/base/memory.h"

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

enum { ALIGNMENT = 16, CHUNK_BYTES = 4096, MOST_KEPT = 1 << 20 };

struct cohort_arena_chunk {
    cohort_arena_chunk *older;
    size_t used, capacity; /* bytes of data */
    size_t before;         /* the capacity of all older ones */
    alignas(ALIGNMENT) char data[];
};

static cohort_arena_chunk *add_chunk(cohort_arena *arena, size_t bytes)
{
    /* what is left in the chunk before is lost: signatures are small and made once */
    size_t capacity = bytes < CHUNK_BYTES ? CHUNK_BYTES : bytes;
    cohort_arena_chunk *chunk = cohort_allocate(1, sizeof *chunk + capacity);
    if (chunk == NULL)
        return NULL;
    chunk->older = arena->newest;
    chunk->capacity = capacity;
    chunk->before = chunk->older != NULL ? chunk->older->before + chunk->older->capacity : 0;
    return arena->newest = chunk;
}

void *cohort_arena_take(cohort_arena *arena, size_t count, size_t size)
{
    size_t bytes = 0;
    cohort_arena_chunk *chunk = arena->newest;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2)
        return NULL;
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (chunk == NULL || chunk->capacity - chunk->used < bytes)
        chunk = add_chunk(arena, bytes);
    if (chunk == NULL)
        return NULL;
    cohort_assert(chunk->capacity - chunk->used >= bytes);
    chunk->used += bytes;
    return chunk->data + chunk->used - bytes;
}

char *cohort_arena_text(cohort_arena *arena, const char *text, size_t length)
{
    char *copy = cohort_arena_take(arena, length + 1, 1);
    return copy != NULL ? memcpy(copy, text, length) : NULL;
}

size_t cohort_arena_bytes(const cohort_arena *arena)
{
    return arena->newest != NULL ? arena->newest->before + arena->newest->used : 0;
}

/* Where there is no memory for one chunk of all the next one is as small as ever. */
void cohort_arena_clear(cohort_arena *arena)
{
    cohort_arena_chunk *newest = arena->newest;
    const size_t capacity = newest != NULL ? newest->before + newest->capacity : 0;
    if (newest == NULL)
        return;
    if (newest->older == NULL && capacity <= MOST_KEPT) {
        memset(newest->data, 0, newest->used);
        newest->used = 0;
        return;
    }
    cohort_arena_free(arena);
    (void)add_chunk(arena, capacity < MOST_KEPT ? capacity : MOST_KEPT);
}

void cohort_arena_free(cohort_arena *arena)
{
    while (arena->newest != NULL) {
        cohort_arena_chunk *chunk = arena->newest;
        arena->newest = chunk->older;
        cohort_free(chunk);
    }
}
