/* SPDX-License-Identifier: BSD-3-Clause */
/* What a chief and its workers say to each other: the chief orders, a worker reports. Both are one
 * program on machines of one kind, so structs travel as they are, by the tag that a strategy has
 * with its servers, which say nothing between these ranks. */
#ifndef COHORT_COORDINATOR_WORDS_H
#define COHORT_COORDINATOR_WORDS_H

#include <stdint.h>

typedef enum cohort_order_kind {
    COHORT_ORDER_CLOSURE = 1, /* followed by the argument, where it has one */
    COHORT_ORDER_HERE,        /* the chief is there */
    COHORT_ORDER_LEAVE
} cohort_order_kind;

enum { COHORT_WORDS_NAME = 64, COHORT_WORDS_TEXT = 480 };

typedef struct cohort_order {
    uint32_t kind;
    uint32_t has_lost; /* LEAVE: a worker is gone, so that nobody waits for all to end */
    uint64_t number, argument_bytes, result_bytes;
    char name[COHORT_WORDS_NAME];
} cohort_order;

typedef enum cohort_report_kind {
    COHORT_REPORT_READY = 1,
    COHORT_REPORT_HERE,
    COHORT_REPORT_DONE,  /* followed by the result, where there is one */
    COHORT_REPORT_LEAVES /* the last word */
} cohort_report_kind;

typedef struct cohort_report {
    uint32_t kind;
    int32_t status;         /* DONE: of the closure */
    uint64_t number, bytes; /* DONE: which one, and of its result */
    char text[COHORT_WORDS_TEXT];
} cohort_report;

#endif
