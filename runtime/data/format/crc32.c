/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/data/format/crc32.h"

#include "runtime/data/format/crc_table.h"

#include <pthread.h>

static const uint32_t POLYNOMIAL = 0xedb88320u;
static cohort_crc_table table;

static void fill_table(void)
{
    cohort_crc_table_fill(&table, POLYNOMIAL);
}

uint32_t cohort_crc32(uint32_t crc, const void *data, size_t bytes)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, fill_table);
    return cohort_crc_by_table(&table, crc, data, bytes);
}
