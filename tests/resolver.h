/* SPDX-License-Identifier: BSD-3-Clause */
/* What tests of resolvers share: variables, refusals, answers, and texts that are damaged. */
#ifndef COHORT_TESTS_RESOLVER_H
#define COHORT_TESTS_RESOLVER_H

#include "tests/tap.h"

#include <cohort/cohort.h>

#include <inttypes.h>

/* The call answers NULL, and the error says so. */
#define refuses(call, text, ...)                                                                   \
    (ok((call) == NULL, __VA_ARGS__), has_text(cohort_error_text(), text, "and says so"))

/* NULL: it is not set. */
static inline void set_one(const char *name, const char *value)
{
    if (value != NULL)
        (void)setenv(name, value, 1);
    else
        (void)unsetenv(name);
}

static inline void is_cluster(cohort_resolver *r, const char *spec, const char *type, int32_t id,
                              const char *master)
{
    is_text(r != NULL ? cohort_cluster_spec_json(cohort_resolver_cluster_spec(r))
                      : cohort_error_text(),
            spec, "it is a cluster");
    if (r == NULL)
        return;
    is_text(cohort_resolver_task_type(r), type, "with a task");
    ok(cohort_resolver_task_id(r) == id, "and its id");
    is_text(cohort_resolver_master(r, NULL, 0, NULL), master, "and its master");
}

/* What plugins are stays loaded. */
static inline void warm_accelerators(void)
{
    cohort_accelerators none[1];
    cohort_resolver_ops ops = { .struct_size = sizeof ops, .name = "warm" };
    cohort_resolver *warm = cohort_resolver_create(&ops, NULL);
    (void)cohort_resolver_num_accelerators(warm, none, 0);
    cohort_resolver_destroy(warm);
}

/* ------------------------------------------------------------------ damage */

static uint64_t resolver_state;

static inline uint32_t draw(uint32_t n)
{
    resolver_state = resolver_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(resolver_state >> 33) % n;
}

static inline void draw_begin(void)
{
    const char *seed = getenv("SEED");
    resolver_state = seed != NULL ? strtoull(seed, NULL, 10) : 1;
    diag("SEED=%" PRIu64, resolver_state);
}

/* A copy of the text, of less than `bytes`, with up to three bytes of it changed, left out, or
 * there twice, or cut. */
static inline void draw_damaged(const char *text, char *out, size_t bytes)
{
    static const char likely[] = "0123456789-.,:;'\"[]{}/\\ \n\t\x01\x7f\x80\xff";
    (void)snprintf(out, bytes, "%s", text);
    for (uint32_t i = 0, n = 1 + draw(3); i < n; i++) {
        size_t length = strlen(out), at = draw((uint32_t)length + 1);
        switch (draw(4)) {
        case 0:
            out[at] = '\0';
            break;
        case 1:
            memmove(out + at, out + at + (at < length), length - at + (at == length));
            break;
        case 2:
            if (length + 1 < bytes)
                memmove(out + at + 1, out + at, length - at + 1);
            break;
        default:
            if (at < length)
                out[at] = likely[draw(sizeof likely - 1)];
        }
    }
}

/* It is either made, and answers, or says why not and of what. Destroys it. */
static inline bool is_told(cohort_resolver *r, const char *of)
{
    bool is_made =
        r != NULL && cohort_resolver_cluster_spec(r) != NULL && cohort_resolver_task_id(r) >= 0;
    bool is_right = is_made || (r == NULL && strstr(cohort_error_text(), of) != NULL);
    cohort_resolver_destroy(r);
    return is_right;
}

#endif
