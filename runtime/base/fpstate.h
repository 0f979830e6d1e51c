/* SPDX-License-Identifier: BSD-3-Clause */
/* The floating-point state of a thread: rounding, traps, flush to zero. */
#ifndef COHORT_BASE_FPSTATE_H
#define COHORT_BASE_FPSTATE_H

#include <stdint.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
typedef uint64_t
    /* MXCSR, and above it the control word of the x87 unit, where long double is computed */
    cohort_fpstate;
static inline cohort_fpstate cohort_fpstate_get(void)
{
    uint16_t control;
    __asm__ volatile("fnstcw %0" : "=m"(control));
    return (uint64_t)control << 32 | _mm_getcsr();
}
static inline void cohort_fpstate_set(cohort_fpstate state)
{
    uint16_t control = (uint16_t)(state >> 32);
    _mm_setcsr((uint32_t)state);
    __asm__ volatile("fldcw %0" : : "m"(control));
}
static inline cohort_fpstate cohort_fpstate_default(void)
{
    return UINT64_C(0x37f) << 32 | 0x1f80;
}
/* The low six bits of MXCSR are flags of past exceptions, no mode. */
static inline int cohort_fpstate_same_mode(cohort_fpstate a, cohort_fpstate b)
{
    return ((a ^ b) & ~UINT64_C(0x3f)) == 0;
}
#elif defined(__aarch64__)
typedef uint64_t cohort_fpstate;
static inline cohort_fpstate cohort_fpstate_get(void)
{
    uint64_t state;
    __asm__ volatile("mrs %0, fpcr" : "=r"(state));
    return state;
}
static inline void cohort_fpstate_set(cohort_fpstate state)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(state));
}
static inline cohort_fpstate cohort_fpstate_default(void)
{
    return 0;
}
static inline int cohort_fpstate_same_mode(cohort_fpstate a, cohort_fpstate b)
{
    return a == b;
}
#else
#include <fenv.h>
typedef int cohort_fpstate; /* the rounding mode is all that C can set portably */
static inline cohort_fpstate cohort_fpstate_get(void)
{
    return fegetround();
}
static inline void cohort_fpstate_set(cohort_fpstate state)
{
    (void)fesetround(state);
}
static inline cohort_fpstate cohort_fpstate_default(void)
{
    return FE_TONEAREST;
}
static inline int cohort_fpstate_same_mode(cohort_fpstate a, cohort_fpstate b)
{
    return a == b;
}
#endif

/* Around arithmetic of ours on a thread that may be the program's: results have the same bits
 * whatever mode it is in.
 */
static inline cohort_fpstate cohort_fpstate_enter(void)
{
    cohort_fpstate before = cohort_fpstate_get();
    if (!cohort_fpstate_same_mode(before, cohort_fpstate_default()))
        cohort_fpstate_set(cohort_fpstate_default());
    return before;
}

static inline void cohort_fpstate_leave(cohort_fpstate before)
{
    if (!cohort_fpstate_same_mode(before, cohort_fpstate_default()))
        cohort_fpstate_set(before);
}

#endif
