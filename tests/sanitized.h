/* SPDX-License-Identifier: BSD-3-Clause */
/* Is this a build with a sanitizer that has an allocator, threads and descriptors of its own? 1 or 0. */
#ifndef COHORT_TESTS_SANITIZED_H
#define COHORT_TESTS_SANITIZED_H

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || __has_feature(address_sanitizer) ||               \
    __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#else
#define IS_SANITIZED 0
#endif

/* libomp, which comes with that, keeps threads in one pool, which grows with how many teams happen to run at once. */
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define HAS_THREAD_POOL 1
#else
#define HAS_THREAD_POOL 0
#endif

#endif
