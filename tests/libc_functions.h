/* SPDX-License-Identifier: BSD-3-Clause */
/* For tests that stand in for the C library's allocator: the functions that they stand in for. */
#ifndef COHORT_TESTS_LIBC_FUNCTIONS_H
#define COHORT_TESTS_LIBC_FUNCTIONS_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

/* next_malloc() is the C library's malloc, and so on. */
#define NEXT(name, type, ...)                                                                      \
    static type (*next_##name(void))(__VA_ARGS__)                                                  \
    {                                                                                              \
        static void *_Atomic found;                                                                \
        union {                                                                                    \
            void *symbol;                                                                          \
            type (*call)(__VA_ARGS__);                                                             \
        } next;                                                                                    \
        if (found == NULL)                                                                         \
            found = dlsym(RTLD_NEXT, #name);                                                       \
        next.symbol = found;                                                                       \
        return next.call;                                                                          \
    }
NEXT(malloc, void *, size_t)
NEXT(calloc, void *, size_t, size_t)
NEXT(realloc, void *, void *, size_t)
NEXT(free, void, void *)
NEXT(posix_memalign, int, void **, size_t, size_t)
NEXT(aligned_alloc, void *, size_t, size_t)

static char early[4096]; /* dlsym may allocate before it has found anything */
static size_t early_used;

static void *calloc_next(size_t n, size_t bytes)
{
    static _Thread_local bool is_looking;
    if (is_looking) {
        size_t wanted = (n * bytes + 15) / 16 * 16;
        early_used += wanted;
        return early_used <= sizeof early ? early + early_used - wanted : NULL;
    }
    is_looking = true;
    void *(*next)(size_t, size_t) = next_calloc();
    is_looking = false;
    return next(n, bytes);
}

static void free_next(void *block)
{
    if ((char *)block < early || (char *)block >= early + sizeof early)
        next_free()(block);
}

#endif
