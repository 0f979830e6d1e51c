/* SPDX-License-Identifier: BSD-3-Clause */
/* Claims of the library about itself: what holds whatever the program, a plugin or a file does, so
 * that a claim that does not hold is a mistake in this code and never in an argument. Input from
 * outside is checked, and answered with an error.
 *
 * Builds of configure --enable-assertions look at each claim and end the program at the first that
 * does not hold. Releases compile the claims and never evaluate them. */
#ifndef COHORT_BASE_ASSERT_H
#define COHORT_BASE_ASSERT_H

#include <errno.h>
#include <pthread.h>

#ifdef COHORT_ASSERTIONS
#define cohort_assert(claim)                                                                       \
    ((claim) ? (void)0 : cohort_assert_fail(#claim, __FILE__, __LINE__, __func__))

/* Writes the claim and its place to the standard error, and aborts. Any thread, any lock held. */
_Noreturn void cohort_assert_fail(const char *claim, const char *file, int line,
                                  const char *function);
#else
#define cohort_assert(claim) ((void)sizeof((claim) ? 1 : 0))
#endif

/* Some thread holds the mutex, which is not recursive: this one, as the caller's comment says. */
#define cohort_assert_held(mutex) cohort_assert(pthread_mutex_trylock(mutex) == EBUSY)

#endif
