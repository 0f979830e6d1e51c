/* SPDX-License-Identifier: BSD-3-Clause */
/* Is this a build with a sanitizer that has an allocator, threads and descriptors of its own, or
 * with that of threads? 1 or 0. */
#ifndef COHORT_TESTS_SANITIZED_H
#define COHORT_TESTS_SANITIZED_H

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                               \
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#else
#define IS_SANITIZED 0
#endif

#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define IS_THREAD_SANITIZED 1
#else
#define IS_THREAD_SANITIZED 0
#endif

/* How many threads more there may be than at first. libomp, which comes with the thread sanitizer,
 * keeps its threads in a pool: two threads that run a team one after the other leave one there, at
 * the same time two. */
#define POOLED_THREADS (IS_THREAD_SANITIZED ? 4 : 0)

#endif
