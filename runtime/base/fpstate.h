/* SPDX-License-Identifier: BSD-3-Clause */
/* The floating-point state of a thread: rounding, traps, flush to zero. */
#ifndef COHORT_BASE_FPSTATE_H
#define COHORT_BASE_FPSTATE_H

#include <stdint.h>

#if defined(__x86_64__) || defined(__SSE__)
#include <xmmintrin.h>
typedef uint32_t cohort_fpstate;
static inline cohort_fpstate cohort_fpstate_get(void) { return _mm_getcsr(); }
static inline void cohort_fpstate_set(cohort_fpstate state) { _mm_setcsr(state); }
static inline cohort_fpstate cohort_fpstate_default(void) { return 0x1f80; }
/* The low six bits are flags of past exceptions, no mode. */
static inline int cohort_fpstate_same_mode(cohort_fpstate a, cohort_fpstate b) { return ((a ^ b) & ~0x3fu) == 0; }
#elif defined(__aarch64__)
typedef uint64_t cohort_fpstate;
static inline cohort_fpstate cohort_fpstate_get(void)
{
    uint64_t state;
    __asm__ volatile("mrs %0, fpcr" : "=r"(state));
    return state;
}
static inline void cohort_fpstate_set(cohort_fpstate state) { __asm__ volatile("msr fpcr, %0" : : "r"(state)); }
static inline cohort_fpstate cohort_fpstate_default(void) { return 0; }
static inline int cohort_fpstate_same_mode(cohort_fpstate a, cohort_fpstate b) { return a == b; }
#else
#include <fenv.h>
typedef int cohort_fpstate; /* the rounding mode is all that C can set portably */
static inline cohort_fpstate cohort_fpstate_get(void) { return fegetround(); }
static inline void cohort_fpstate_set(cohort_fpstate state) { (void)fesetround(state); }
static inline cohort_fpstate cohort_fpstate_default(void) { return FE_TONEAREST; }
static inline int cohort_fpstate_same_mode(cohort_fpstate a, cohort_fpstate b) { return a == b; }
#endif

#endif
