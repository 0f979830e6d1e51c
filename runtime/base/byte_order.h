/* SPDX-License-Identifier: BSD-3-Clause */
/* The order in which this machine has the bytes of a number. */
#ifndef COHORT_BASE_BYTE_ORDER_H
#define COHORT_BASE_BYTE_ORDER_H

#include <stdbool.h>

static inline bool cohort_byte_order_is_little(void)
{
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
}

#endif
