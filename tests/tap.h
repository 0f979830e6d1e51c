/* SPDX-License-Identifier: BSD-3-Clause */
/* The Test Anything Protocol: each check is a claim; the plan comes last. */
#ifndef COHORT_TESTS_TAP_H
#define COHORT_TESTS_TAP_H

#include <cohort/status.h>

#include <float.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((weak)) int tap_count, tap_failures; /* of all files of a program */

/* ok(condition, "claim"): one line of output; returns the condition. */
#define ok(condition, ...) tap_check((condition), __FILE__, __LINE__, __VA_ARGS__)

__attribute__((format(printf, 4, 5))) static inline bool tap_check(bool is_good, const char *file,
                                                                   int line, const char *format,
                                                                   ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("%sok %d - ", is_good ? "" : "not ", ++tap_count);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    if (!is_good) {
        tap_failures++;
        printf("# failed at %s:%d\n", file, line);
    }
    fflush(stdout);
    return is_good;
}

__attribute__((format(printf, 1, 2))) static inline void diag(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("# ");
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    fflush(stdout);
}

/* is_text("found", "wanted", "claim"), and the same for a part of a text. */
#define is_text(found, wanted, ...)                                                                \
    (ok(strcmp((found), (wanted)) == 0, __VA_ARGS__) ||                                            \
     (diag("found  %s", (found)), diag("wanted %s", (wanted)), false))
#define has_text(found, wanted, ...)                                                               \
    (ok(strstr((found), (wanted)) != NULL, __VA_ARGS__) ||                                         \
     (diag("found  %s", (found)), diag("wanted ...%s...", (wanted)), false))

static inline void skip(const char *claim, const char *reason)
{
    printf("ok %d - %s # SKIP %s\n", ++tap_count, claim, reason);
    fflush(stdout);
}

static inline int skip_all(const char *reason)
{
    printf("1..0 # SKIP %s\n", reason);
    return 0;
}

/* First lines of main, in a test of bits that are the same everywhere: where the compiler keeps
 * more of a float than its bits between two operations (i386 without SSE2), nobody promises them.
 * if (!HAS_EQUAL_BITS) return skip_all(UNEQUAL_BITS); */
#define HAS_EQUAL_BITS (FLT_EVAL_METHOD == 0)
#define UNEQUAL_BITS "FLT_EVAL_METHOD is not 0, and equal bits are not promised"

/* Last line of main: return tap_done(); */
static inline int tap_done(void)
{
    printf("1..%d\n", tap_count);
    return tap_failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
