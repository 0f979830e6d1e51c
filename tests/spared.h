/* SPDX-License-Identifier: BSD-3-Clause */
/* Who is never refused memory or a thread by a program that stands in for the C library. */
#ifndef COHORT_TESTS_SPARED_H
#define COHORT_TESTS_SPARED_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The loader and the OpenMP runtimes end the process when they get no memory or thread: they get
 * it. */
static struct {
    uintptr_t begin, end;
} spared[8];
static int n_spared;

static int spare(struct dl_phdr_info *info, size_t bytes, void *user)
{
    (void)bytes, (void)user;
    if (strstr(info->dlpi_name, "/ld-") == NULL && strstr(info->dlpi_name, "libgomp") == NULL &&
        strstr(info->dlpi_name, "libomp") == NULL)
        return 0;
    uintptr_t end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD &&
            info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz > end)
            end = info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
    spared[n_spared].begin = info->dlpi_addr;
    spared[n_spared].end = info->dlpi_addr + end;
    return ++n_spared == 8;
}

static bool is_spared(const void *caller)
{
    for (int i = 0; i < n_spared; i++)
        if ((uintptr_t)caller >= spared[i].begin && (uintptr_t)caller < spared[i].end)
            return true;
    return false;
}

/* Before the first of them is asked. */
static void spare_runtimes(void)
{
    (void)dl_iterate_phdr(spare, NULL);
}

#endif
