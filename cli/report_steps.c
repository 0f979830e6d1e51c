/* SPDX-License-Identifier: BSD-3-Clause */
/* Which slices begin a step. The first of three steps or more is left out: it makes memory, kernels
 * and plans that the others have. */
#include "config.h"

#include "cli/report.h"

#include <stdlib.h>
#include <string.h>

const char *report_unit_text(report_unit unit)
{
    static const char *const texts[] = { "ranges named \"step\"",
                                         "steps of a recorded program",
                                         "step functions, not recorded",
                                         "batches, not recorded",
                                         "rounds of the same calls, not recorded",
                                         "the whole trace, which has no steps" };
    return texts[unit];
}

static bool is_call(const timeline *t, const timeline_slice *s, const char *name)
{
    return s->kind == TIMELINE_CALL && strncmp(t->names[s->name], name, strlen(name)) == 0;
}

static bool begins_step(const timeline *t, const timeline_slice *s, report_unit unit)
{
    switch (unit) {
    case REPORT_RANGES:
        return s->kind == TIMELINE_RANGE && strcmp(t->names[s->name], "step") == 0;
    case REPORT_PROGRAM_STEPS:
        return s->kind == TIMELINE_STEP;
    case REPORT_STEP_FUNCTIONS:
        return is_call(t, s, "cohort_for_each_replica");
    case REPORT_BATCHES:
        return is_call(t, s, "cohort_input_next") || is_call(t, s, "cohort_run_next");
    default:
        return false;
    }
}

static int64_t count_steps(const timeline *t, report_unit unit)
{
    int64_t n = 0;
    for (size_t i = 0; i < t->n; i++)
        n += begins_step(t, &t->slices[i], unit);
    return n;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Devices are behind the calls: what was handed over before is a part of the steps. Numbers of
 * calls are even and those of steps of a program odd, and both grow. */
static int64_t end_of(const timeline *t, int64_t until_ns, int64_t last_flow)
{
    int64_t end = until_ns;
    for (size_t i = 0; i < t->n; i++) {
        const timeline_slice *s = &t->slices[i];
        if (timeline_is_device(s) && s->flow > 0 && s->flow <= last_flow &&
            s->flow % 2 == last_flow % 2)
            end = later(end, s->end_ns);
    }
    return end;
}

static void be_whole(report *r)
{
    r->begins[0] = r->t.n > 0 ? r->t.slices[0].begin_ns : 0;
    r->begins[1] = r->begins[0];
    for (size_t i = 0; i < r->t.n; i++)
        r->begins[1] = later(r->begins[1], r->t.slices[i].end_ns);
    r->n_steps = 1;
}

/* Of rounds there are only the beginnings. */
static void leave_out_first(report *r)
{
    if (r->n_steps < 3)
        return;
    r->left_out = 1;
    r->n_steps--;
    memmove(r->begins, r->begins + 1, (size_t)(r->n_steps + 1) * sizeof *r->begins);
    if (r->unit == REPORT_ROUNDS)
        return;
    memmove(r->heads, r->heads + 1, (size_t)r->n_steps * sizeof *r->heads);
    memmove(r->flows, r->flows + 1, (size_t)r->n_steps * sizeof *r->flows);
}

/* Of calls the last one begins a step whose end is not known: it only ends the one before. */
static void fill_steps(report *r)
{
    const timeline_slice *last = NULL;
    bool is_head = false;
    int64_t n = 0;
    for (size_t i = 0; i < r->t.n; i++) {
        is_head = is_head || is_call(&r->t, &r->t.slices[i], "cohort_program_run");
        if (!begins_step(&r->t, &r->t.slices[i], r->unit))
            continue;
        last = &r->t.slices[i];
        r->heads[n] = is_head || r->unit != REPORT_PROGRAM_STEPS;
        r->flows[n] = last->flow;
        r->begins[n++] = last->begin_ns;
        is_head = false;
    }
    if (r->unit <= REPORT_PROGRAM_STEPS) {
        r->begins[n] = end_of(&r->t, last->end_ns, last->flow);
    } else {
        n--;
        r->begins[n] = end_of(&r->t, last->begin_ns, last->flow - 2);
    }
    r->n_steps = n;
    leave_out_first(r);
}

/* The first that is there twice; how often, into *n. */
static report_unit choose_unit(const timeline *t, int64_t *n)
{
    report_unit unit = REPORT_RANGES;
    while (unit < REPORT_ROUNDS && (*n = count_steps(t, unit)) < 2)
        unit++;
    return unit;
}

/* The unit is REPORT_WHOLE where there are none. False: out of memory. */
static bool find_rounds(report *r)
{
    int64_t last_flow = 0;
    r->n_steps = report_find_rounds(&r->t, &r->begins, &last_flow);
    r->unit = r->n_steps > 0 ? REPORT_ROUNDS : REPORT_WHOLE;
    if (r->n_steps > 0)
        r->begins[r->n_steps] = end_of(&r->t, r->begins[r->n_steps], last_flow);
    leave_out_first(r);
    return r->n_steps >= 0;
}

bool report_find_steps(report *r)
{
    int64_t n = 0;
    r->unit = choose_unit(&r->t, &n);
    if (r->unit == REPORT_ROUNDS && !find_rounds(r))
        return false;
    if (r->unit == REPORT_ROUNDS)
        return true;
    r->begins = calloc((size_t)n + 2, sizeof *r->begins);
    r->flows = calloc((size_t)n + 2, sizeof *r->flows);
    r->heads = calloc((size_t)n + 2, sizeof *r->heads);
    if (r->begins == NULL || r->flows == NULL || r->heads == NULL)
        return false;
    if (r->unit == REPORT_WHOLE)
        be_whole(r);
    else
        fill_steps(r);
    return true;
}
