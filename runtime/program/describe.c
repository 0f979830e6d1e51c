/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/program/program.h"

#include "runtime/base/array.h"
#include "runtime/base/print.h"

static void describe_batch(const cohort_program *p, FILE *out)
{
    char shape[128];
    for (int32_t k = 0; k < p->n_components; k++)
        (void)fprintf(
            out, "  batch[%d]: %s\n", k,
            cohort_shape_to_string(p->specs[k].dtype, p->specs[k].rank, p->specs[k].shape, shape));
}

/* Objects that a call names may be destroyed by now: then its name stands alone. */
static bool has_all_objects(const cohort_program *p)
{
    bool has = true;
    for (size_t i = 0; i < p->n_used; i++)
        has = has && !p->used[i].is_gone;
    return has;
}

/* Where those that wait are made in any case. */
static size_t end_of_block(const cohort_program *p, const cohort_recorded_call *c)
{
    const cohort_program_block *b = c->inside;
    if (b == NULL)
        return p->n_calls;
    return c < p->calls + b->otherwise ? b->otherwise : b->end;
}

static void describe_waiting(const cohort_program *p, const cohort_recorded_call *c, FILE *out)
{
    if (!cohort_program_defers(p, c))
        return;
    (void)fprintf(out, ", waits for others like it, until ");
    if (c->due < end_of_block(p, c))
        (void)fprintf(out, "call %zu at most", c->due + 1);
    else if (c->inside != NULL)
        (void)fprintf(out, "the end of its block at most");
    else
        (void)fprintf(out, "the end of the step at most");
}

/* How many calls of these a step makes, if there are no conditions. */
static uint64_t count_made(const cohort_program *p, size_t from, size_t to)
{
    uint64_t n = 0;
    for (size_t i = from; i < to; i = cohort_program_behind(p, i)) {
        const cohort_program_block *b = p->calls[i].block;
        n += b != NULL ? (uint64_t)b->times * count_made(p, i + 1, b->end) : 1;
    }
    return n;
}

/* Which of them is the one of that number, from 1, among those that a step makes; 0: there are
 * less.
 */
static size_t find_made(const cohort_program *p, size_t from, size_t to, uint64_t number)
{
    for (size_t i = from; i < to; i = cohort_program_behind(p, i)) {
        const cohort_program_block *b = p->calls[i].block;
        const uint64_t once = b != NULL ? count_made(p, i + 1, b->end) : 1,
                       all = b != NULL ? (uint64_t)b->times * once : 1;
        if (number <= all)
            return b != NULL ? find_made(p, i + 1, b->end, (number - 1) % once + 1) : i + 1;
        number -= all;
    }
    return 0;
}

/* Which call keeps the steps from being repeated. */
static void describe_why(const cohort_program *p, FILE *out)
{
    size_t call;
    const char *why = cohort_repeat_why_not(&p->repeat, &call);
    if (why != NULL && p->repeat.never == NULL && call > 0)
        call = find_made(p, 0, p->n_calls, call);
    if (why != NULL && call > 0)
        (void)fprintf(out, "  not repeated for call %zu, %s: %s\n", call, p->calls[call - 1].name,
                      why);
    else if (why != NULL)
        (void)fprintf(out, "  not repeated: %s\n", why);
}

/* Which sums are stored, where steps are repeated. */
static void describe_stored(const cohort_program *p, FILE *out)
{
    size_t made = 0;
    const char *why;
    for (size_t i = 0; (why = cohort_repeat_why_stored(&p->repeat, i, &made)) != NULL; i++) {
        size_t call = find_made(p, 0, p->n_calls, made);
        if (call > 0)
            (void)fprintf(out, "  a sum of call %zu, %s, is stored and not fed: %s\n", call,
                          p->calls[call - 1].name, why);
    }
}

static void describe_call(const cohort_program *p, const cohort_recorded_call *c, FILE *out)
{
    if (has_all_objects(p))
        c->recordable->describe(p->strategy, c->request, out);
    else
        (void)fprintf(out, "of something that was destroyed");
    describe_waiting(p, c, out);
    (void)fprintf(out, ", %llu bytes moved\n", (unsigned long long)c->moved);
}

/* Calls of a block stand further in. */
static void describe_range(const cohort_program *p, size_t from, size_t to, int depth, FILE *out)
{
    for (size_t i = from; i < to; i = cohort_program_behind(p, i)) {
        const cohort_program_block *b = p->calls[i].block;
        (void)fprintf(out, "%*s%zu: %s ", 2 * depth, "", i + 1, p->calls[i].name);
        describe_call(p, &p->calls[i], out);
        if (b == NULL)
            continue;
        describe_range(p, i + 1, b->is_condition ? b->otherwise : b->end, depth + 1, out);
        if (b->is_condition && b->otherwise < b->end) {
            (void)fprintf(out, "%*scohort_program_otherwise\n", 2 * depth, "");
            describe_range(p, b->otherwise, b->end, depth + 1, out);
        }
    }
}

static void describe(const void *what, FILE *out)
{
    const cohort_program *p = what;
    (void)fprintf(
        out, "program of %zu call%s, %lld step%s done, %lld of them repeated, %lld sums fed\n",
        p->n_calls, p->n_calls == 1 ? "" : "s", (long long)p->steps, p->steps == 1 ? "" : "s",
        (long long)p->repeat.series.n_repeated, (long long)p->repeat.series.n_fed);
    describe_why(p, out);
    describe_stored(p, out);
    describe_batch(p, out);
    describe_range(p, 0, p->n_calls, 1, out);
}

const char *cohort_program_describe(cohort_program *program)
{
    return cohort_handle_is(program, COHORT_HANDLE_PROGRAM)
               ? cohort_print_kept(&program->description, describe, program)
               : "";
}
