/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/futex.h"

#include <limits.h>
#include <linux/futex.h>
#include <linux/types.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What the kernel takes for a time, whatever the C library's time_t is: two of its own longs, which
 * have 64 bits on x32 although a long there has 32; but where it never had such a call. */
#if defined(SYS_futex)
typedef __kernel_long_t number;
enum { CALL = SYS_futex };
#else
typedef int64_t number;
enum { CALL = SYS_futex_time64 };
#endif

/* Of a time that is too far away for a number of 32 bits there is a nearer one. */
static number seconds_of(int64_t end_ns)
{
    const int64_t seconds = end_ns / 1000000000;
    return sizeof(number) < sizeof seconds && seconds > INT32_MAX ? INT32_MAX : (number)seconds;
}

/* Errors are those that mean: look again. EAGAIN, the word has changed; EINTR; ETIMEDOUT. */
void cohort_futex_wait(atomic_uint *word, unsigned seen, int64_t end_ns)
{
    const number until[2] = { seconds_of(end_ns), (number)(end_ns % 1000000000) };
    (void)syscall(CALL, word, FUTEX_WAIT_BITSET_PRIVATE, seen, end_ns != INT64_MAX ? until : NULL,
                  NULL, FUTEX_BITSET_MATCH_ANY);
}

void cohort_futex_wake(atomic_uint *word)
{
    (void)atomic_fetch_add(word, 1);
    (void)syscall(CALL, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}
