/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/futex.h"

#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What the kernel takes for a time: two of its longs, but where it never had such a call. */
#if defined(SYS_futex)
typedef long number;
enum { CALL = SYS_futex };
#else
typedef int64_t number;
enum { CALL = SYS_futex_time64 };
#endif

/* Errors are those that mean: look again. EAGAIN, the word has changed; EINTR; ETIMEDOUT. */
void cohort_futex_wait(atomic_uint *word, unsigned seen, int64_t end_ns)
{
    const number until[2] = { (number)(end_ns / 1000000000), (number)(end_ns % 1000000000) };
    (void)syscall(CALL, word, FUTEX_WAIT_BITSET_PRIVATE, seen, end_ns != INT64_MAX ? until : NULL,
                  NULL, FUTEX_BITSET_MATCH_ANY);
}

void cohort_futex_wake(atomic_uint *word)
{
    (void)atomic_fetch_add(word, 1);
    (void)syscall(CALL, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}
