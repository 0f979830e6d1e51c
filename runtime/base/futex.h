/* SPDX-License-Identifier: BSD-3-Clause */
/* Sleeping on a word of this process until somebody has changed it: futex(2). A condition of POSIX
 * takes a mutex with it, which costs each of those who wake up a system call more. */
#ifndef COHORT_BASE_FUTEX_H
#define COHORT_BASE_FUTEX_H

#include <stdatomic.h>
#include <stdint.h>

/* Sleep while the word is `seen`, until woken or until that time of cohort_clock_ns (INT64_MAX:
 * without an end). May return for nothing. No thread is cancelled in it. */
void cohort_futex_wait(atomic_uint *word, unsigned seen, int64_t end_ns);

/* Change the word and wake all who sleep on it. */
void cohort_futex_wake(atomic_uint *word);

#endif
