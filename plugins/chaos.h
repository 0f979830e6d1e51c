/* SPDX-License-Identifier: BSD-3-Clause */
/* A plugin that is another one, with faults, for tests alone: each operation is handed on to the
 * plugin that it wraps, and at the K-th call of one something happens that a device may do to us.
 * Its devices are named chaos:0 and so on. Nothing is drawn by chance here: a schedule is a text,
 * and the same text does the same again.
 *
 * $COHORT_CHAOS is the schedule, words with spaces between:
 *
 *   plugin=FILE              the plugin to wrap, an absolute path
 *   mask=SLOT,SLOT           these slots of cohort_ops are NULL, and what a device claims by them
 *                            is taken away; without event_wait each operation is waited for
 *   rule=SLOT,K,FAULT[,N]    at the K-th call of SLOT, of all devices together, from 1 on; of K+ at
 *                            that one and each after it. Up to 16
 *
 * Faults:
 *   error,CODE   nothing is done, and CODE is answered: -10
 *   after,CODE   it is done, and CODE is answered
 *   delay,MS     so long later than it would be
 *   hang         it is not done before the test says `release`, and then late
 *   lose         the device is lost: this call and all after it, of the same device, answer
 *                COHORT_ELOST; close, free and destroy do their work nevertheless
 *   crash        the process ends by SIGABRT
 *   status       COHORT_OK becomes 7, which is no status
 *   none         COHORT_OK without what it hands out
 *   both         an error, and an event
 *   event        an event out of nothing
 *   text         an error whose text has no end
 *   more         a number that is handed out is 1000 larger
 *   odd          an address that is handed out is one byte further
 * and mistakes that only COHORT_CHECK=plugins finds (plugins/chaos/mistake.c):
 *   float, signals, cpus  the state of the calling thread is another one afterwards
 *   ret, into, all, from  a launch writes behind its result, read behind its range or less than its
 *                range, write to what it is to read
 *   late         read, with events: the last byte is written after the event was done
 *   block        write: a byte behind the block is written, too
 *   twice        the object of the call before is handed out again
 *   overlap, moved  mem_host_ptr: an address of another block, or another one each time
 *   answer       event_wait: another answer the second time
 *   order        reduce: terms from right to left */
#ifndef COHORT_PLUGINS_CHAOS_H
#define COHORT_PLUGINS_CHAOS_H

#include <cohort/plugin.h>

#define COHORT_CHAOS "chaos.control/1" /* the extension that is a cohort_chaos */

typedef struct cohort_chaos_counts {
    uint64_t devices, mems, kernels, events; /* alive */
    uint64_t struck;                         /* how often a rule met a call */
} cohort_chaos_counts;

typedef struct cohort_chaos {
    uint32_t struct_size, reserved;
    void (*counts)(cohort_chaos_counts *out_counts);
    uint64_t (*calls)(const char *slot); /* so far; 0 for a slot that there is not */
    void (*release)(void);               /* let go what hangs, now and later */
} cohort_chaos;

#endif
