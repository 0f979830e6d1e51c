/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is short for Cohort alone, in a program that stands in for the C library's allocator:
 * once `left` is a number, so many of its allocations succeed, and the next is refused. Not for
 * builds with a sanitizer. */
#ifndef COHORT_TESTS_OWN_MEMORY_H
#define COHORT_TESTS_OWN_MEMORY_H

#include "tests/libc_functions.h"

#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Of Cohort: what MPI does without memory is its own affair. */
enum { MOST_RANGES = 16 };
static struct range {
    uintptr_t first, end;
} ranges[MOST_RANGES];
static int num_ranges;

static atomic_int left = -1; /* so many allocations succeed; -1: all */
static bool is_lasting;      /* all after the one that is refused are, too */
static atomic_bool was_refused;

static int note_object(struct dl_phdr_info *info, size_t size, void *user)
{
    const char *name = strrchr(info->dlpi_name, '/');
    (void)size, (void)user;
    if (name == NULL || (strncmp(name, "/libcohort", 10) != 0 && strncmp(name, "/cohort-", 8) != 0))
        return 0;
    for (int i = 0; i < info->dlpi_phnum && num_ranges < MOST_RANGES; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD) {
            uintptr_t first = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            ranges[num_ranges++] = (struct range){ first, first + info->dlpi_phdr[i].p_memsz };
        }
    return 0;
}

static bool is_of_cohort(const void *caller)
{
    bool is = false;
    for (int i = 0; i < num_ranges && !is; i++)
        is = (uintptr_t)caller >= ranges[i].first && (uintptr_t)caller < ranges[i].end;
    return is;
}

static bool refuses(const void *caller)
{
    if (atomic_load(&left) < 0 || !is_of_cohort(caller))
        return false;
    int before = atomic_fetch_sub(&left, 1);
    if (before > 0)
        return false;
    atomic_store(&left, is_lasting ? 0 : -1);
    atomic_store(&was_refused, true);
    errno = ENOMEM;
    return true;
}

/* Before anybody has an error of dlsym's, which the next one would free. */
__attribute__((constructor)) static void find_next(void)
{
    (void)next_free();
}

#include "tests/allocator.h"

#endif
