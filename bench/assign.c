/* SPDX-License-Identifier: BSD-3-Clause */
/* bench/assign: a variable assigned from an array of the program, beside memcpy. Nobody reads the
 * variable meanwhile. bench/turns.h says how. */
#include "config.h"

#include "bench/must.h"
#include "bench/turns.h"

#include <cohort/cohort.h>

#include <string.h>

typedef struct bench {
    cohort_strategy *strategies[3];
    cohort_variable *variables[3];
    int64_t n;
    float *from, *into;
} bench;

static void copy(void *user)
{
    const bench *t = user;
    memcpy(t->into, t->from, (size_t)t->n * sizeof(float));
}

static void assign(const bench *t, int which)
{
    must(cohort_variable_assign(t->variables[which], COHORT_ARRAY(t->from, t->n)) == COHORT_OK,
         "assign");
    must(cohort_wait(t->strategies[which]) == COHORT_OK, "wait");
}

static void assign_one(void *user)
{
    assign(user, 0);
}

static void assign_in_place(void *user)
{
    assign(user, 1);
}

static void assign_shared(void *user)
{
    assign(user, 2);
}

static void open_bench(bench *t)
{
    static const cohort_strategy_options options[] = {
        { .devices = "host:0" },
        { .devices = "host:0", .rollback = COHORT_ROLLBACK_OFF },
        { .devices = "host/2" },
    };
    t->from = malloc((size_t)t->n * sizeof(float));
    t->into = malloc((size_t)t->n * sizeof(float));
    must(t->from != NULL && t->into != NULL, "memory");
    for (int64_t i = 0; i < t->n; i++)
        t->from[i] = t->into[i] = (float)i;
    for (int i = 0; i < 3; i++) {
        t->strategies[i] = cohort_strategy_create(&options[i]);
        must(t->strategies[i] != NULL, options[i].devices);
        t->variables[i] =
            cohort_variable_create(t->strategies[i], "x", COHORT_ARRAY(t->into, t->n), NULL);
        must(t->variables[i] != NULL, "a variable");
        assign(t, i);
        assign(t, i);
    }
}

static void check(const bench *t, const char *row)
{
    for (int i = 0; i < 3; i++) {
        memset(t->into, 0, (size_t)t->n * sizeof(float));
        must(cohort_variable_read(t->variables[i], COHORT_ARRAY(t->into, t->n)) == COHORT_OK, row);
        if (memcmp(t->into, t->from, (size_t)t->n * sizeof(float)) != 0) {
            fprintf(stderr, "assign: %s: another content\n", row);
            exit(1);
        }
    }
}

static void close_bench(bench *t)
{
    for (int i = 0; i < 3; i++)
        cohort_strategy_destroy(t->strategies[i]);
    free(t->from);
    free(t->into);
}

int main(void)
{
    static const int64_t sizes[] = { 16 << 10, 256 << 10, 1 << 20, 16 << 20, 64 << 20 };
    int n = turns_are_tiny() ? 1 : sizeof sizes / sizeof *sizes;
    turns_table("assign from an array");
    for (int k = 0; k < n; k++) {
        char row[64];
        bench t = { .n = sizes[k] / (int64_t)sizeof(float) };
        (void)snprintf(row, sizeof row, "%lld KiB", (long long)(sizes[k] >> 10));
        open_bench(&t);
        check(&t, row);
        turns_side sides[] = {
            { "memcpy", "the caller alone", copy, .bench = &t, .is_limit = true },
            { "cohort", "host:0, a wait each", assign_one, .bench = &t },
            { "cohort, no rollback", "host:0, a wait each", assign_in_place, .bench = &t },
            { "cohort", "host/2, a wait each", assign_shared, .bench = &t },
        };
        turns_row(row, sides, sizeof sides / sizeof *sides);
        close_bench(&t);
    }
    return 0;
}
