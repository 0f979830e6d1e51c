/* SPDX-License-Identifier: BSD-3-Clause */
/* The causes, each with a model of its own of what would be saved: T, the time of a step, less
 *
 *   slow-device  the time of bodies on the slowest device, less the mean of all devices
 *   contention   what bodies took beside those of other devices, less what the same ones took alone
 *   copy         the copies of the busiest device
 *   reduce       half of its sums, since twice the batch has half as many for the same rows
 *   setup        the rest of its operations: kernels that are built, memory that changes
 *   input        the time that it waited for rows
 *   dispatch     the time that it had nothing to do while calls were planned and handed over
 *   program      the same while the program was in no call
 *   wait         the same while other devices worked, or the calling thread had to be woken
 *
 * Each is the most that a change can save, as if the rest stayed as it is. */
#include "config.h"

#include "cli/report.h"
#include "cli/report_text.h"

#include <stdarg.h>
#include <stdlib.h>

/* A tenth of a step is worth a change. */
static const double worth = 0.1;

double report_step_ns(const report *r)
{
    return (double)report_kept_before(r, r->begins[r->n_steps]) / (double)r->n_kept;
}

static double step_part(const report *r, int32_t device, report_state state)
{
    return (double)r->devices[device].ns[state] / (double)r->n_kept;
}

double report_step_share(const report *r, int32_t device, report_state state)
{
    const double step = report_step_ns(r);
    return step > 0 ? step_part(r, device, state) / step : 0;
}

double report_bodies_ns(const report *r)
{
    double all = 0;
    for (int32_t d = 0; d < r->t.n_devices; d++)
        all += step_part(r, d, REPORT_COMPUTE);
    return all;
}

bool report_is_slower_than_one(const report *r)
{
    int32_t used = 0;
    for (int32_t d = 0; d < r->t.n_devices; d++)
        used += r->devices[d].launches > 0;
    return used >= 2 && report_bodies_ns(r) < report_step_ns(r);
}

/* ------------------------------------------------------------------ a cause */

/* NULL: it would save too little. */
static report_cause *add(report *r, const char *id, double saved_ns)
{
    const double step = report_step_ns(r);
    if (saved_ns < worth * step || step <= 0 || r->n_causes == REPORT_MOST_CAUSES)
        return NULL;
    report_cause *c = &r->causes[r->n_causes++];
    *c = (report_cause){ .id = id, .step_ns = step - saved_ns };
    return c;
}

/* All the time in which the busiest device is in a state; in words, too. */
static report_cause *add_of_busiest(report *r, const char *id, report_state state,
                                    char out_time[REPORT_TIME_BYTES])
{
    const double ns = step_part(r, r->busiest, state);
    (void)report_time(ns, out_time);
    return add(r, id, ns);
}

__attribute__((format(printf, 2, 3))) static void say(char out[REPORT_TEXT_BYTES],
                                                      const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(out, REPORT_TEXT_BYTES, format, arguments);
    va_end(arguments);
}

/* ------------------------------------------------------------------ devices */

static void find_slow_device(report *r)
{
    char most_text[REPORT_TIME_BYTES], mean_text[REPORT_TIME_BYTES];
    const double mean = report_bodies_ns(r) / r->t.n_devices;
    int32_t slow = 0;
    for (int32_t d = 1; d < r->t.n_devices; d++)
        slow = r->devices[d].ns[REPORT_COMPUTE] > r->devices[slow].ns[REPORT_COMPUTE] ? d : slow;
    const double most = step_part(r, slow, REPORT_COMPUTE);
    report_cause *c = add(r, "slow-device", most - mean);
    if (c == NULL)
        return;
    say(c->cause, "%s is the slowest device: the others wait for it", r->t.devices[slow]);
    say(c->evidence, "its bodies take %s of a step, those of a device %s on average",
        report_time(most, most_text), report_time(mean, mean_text));
    say(c->change,
        "host fewer replicas on %s (cohort_strategy_set_hosted, or "
        "cohort_strategy_balance after each step), or give them fewer rows "
        "(cohort_input_options)",
        r->t.devices[slow]);
}

enum { LEAST_SAMPLES = 8 };

/* What bodies that have been seen both ways took together, and would have taken alone; *out_name:
 * the one with most of it. */
static double compare_beside(const report *r, double *out_alone_ns, int32_t *out_name)
{
    double together = 0, most = 0;
    *out_alone_ns = 0;
    for (int32_t i = 0; i < r->t.n_names; i++) {
        const report_beside *b = &r->beside[i];
        if (b->alone < LEAST_SAMPLES || b->together < LEAST_SAMPLES)
            continue;
        together += b->together_ns;
        *out_alone_ns += b->alone_ns / (double)b->alone * (double)b->together;
        if (b->together_ns > most) {
            most = b->together_ns;
            *out_name = i;
        }
    }
    return together;
}

/* By the share of the bodies' time that was compared. */
static void find_contention(report *r)
{
    double alone;
    int32_t name = 0;
    char with_text[REPORT_TIME_BYTES], alone_text[REPORT_TIME_BYTES];
    const double together = compare_beside(r, &alone, &name);
    const report_beside *b = &r->beside[name];
    const double all = report_bodies_ns(r) * (double)r->n_kept;
    const double saved = together > alone && all > 0 ? (together - alone) / all : 0;
    report_cause *c = add(r, "contention", saved * step_part(r, r->busiest, REPORT_COMPUTE));
    if (c == NULL)
        return;
    say(c->cause, "bodies of several devices are in each other's way: they share cores or memory");
    say(c->evidence, "%s takes %s beside bodies of other devices, %s alone", r->t.names[name],
        report_time(b->together_ns / (double)b->together, with_text),
        report_time(b->alone_ns / (double)b->alone, alone_text));
    say(c->change, "give a BLAS or OpenMP in bodies one thread (OPENBLAS_NUM_THREADS=1), take no "
                   "more devices than cores, or work on parts that fit into the caches");
}

/* ------------------------------------------------------------------ work that is none of bodies */

static void find_copies(report *r)
{
    char time[REPORT_TIME_BYTES];
    report_cause *c = add_of_busiest(r, "copy", REPORT_COPY, time);
    if (c == NULL)
        return;
    say(c->cause, "%s copies instead of computing", r->t.devices[r->busiest]);
    say(c->evidence, "copies take %s of a step there, for %.3f MiB", time,
        r->devices[r->busiest].bytes / (double)r->n_kept / (1 << 20));
    say(c->change, "keep in values and variables what steps use again, instead of passing arrays "
                   "of the program; read results every n-th step; pass a narrower dtype");
}

static void find_sums(report *r)
{
    char time[REPORT_TIME_BYTES];
    const double sums = step_part(r, r->busiest, REPORT_REDUCE);
    report_cause *c = add(r, "reduce", sums / 2);
    if (c == NULL)
        return;
    say(c->cause, "%s combines what replicas have computed for much of a step",
        r->t.devices[r->busiest]);
    say(c->evidence, "reductions take %s of a step there", report_time(sums, time));
    say(c->change, "take a batch that is twice as large, which has half as many reductions for the "
                   "same rows, or fewer replicas");
}

static void find_setup(report *r)
{
    char time[REPORT_TIME_BYTES];
    report_cause *c = add_of_busiest(r, "setup", REPORT_OTHER, time);
    if (c == NULL)
        return;
    say(c->cause, "%s is prepared for what steps do, which is needed once",
        r->t.devices[r->busiest]);
    say(c->evidence, "building kernels and changing memory takes %s of a step there", time);
    say(c->change,
        "trace more steps, for the first ones pay for all; where it goes on, keep values "
        "and functions instead of making them in each step");
}

/* ------------------------------------------------------------------ devices without work */

static void find_input(report *r)
{
    char time[REPORT_TIME_BYTES];
    report_cause *c = add_of_busiest(r, "input", REPORT_INPUT, time);
    if (c == NULL)
        return;
    say(c->cause, "the input is too slow: devices wait for rows");
    say(c->evidence, "%s has nothing to do for %s of a step while a call waits for rows",
        r->t.devices[r->busiest], time);
    say(c->change, "map on several threads (cohort_dataset_map), keep elements in memory "
                   "(cohort_dataset_cache), read further ahead (cohort_dataset_prefetch), or do "
                   "less for each row");
}

static int64_t all_operations(const report *r)
{
    int64_t n = 0;
    for (int32_t d = 0; d < r->t.n_devices; d++)
        n += r->devices[d].operations;
    return n;
}

static void advise_calls(const report *r, char out[REPORT_TEXT_BYTES])
{
    const double waits = (double)r->waits / (double)r->n_kept;
    if (r->t.planned + r->t.repeated == 0)
        say(out, "record the step (cohort_program_record), and take a larger batch");
    else if (r->t.planned > r->t.repeated)
        say(out,
            "let the recorded step be repeated, which it was not%s%s; then take a larger batch",
            r->t.why[0] != '\0' ? ", because " : "", r->t.why);
    else if (waits >= 1)
        say(out,
            "give several steps to each cohort_program_run, and read results every n-th step: "
            "the calling thread waits %.1f times a step; then take a larger batch",
            waits);
    else
        say(out, "take a larger batch, or make one function of several: operations are too small");
}

static void find_dispatch(report *r)
{
    char time[REPORT_TIME_BYTES];
    report_cause *c = add_of_busiest(r, "dispatch", REPORT_DISPATCH, time);
    if (c == NULL)
        return;
    say(c->cause, "calls cost more than the work that they give to devices");
    say(c->evidence, "%s has nothing to do for %s of a step while calls hand over %.1f operations",
        r->t.devices[r->busiest], time, (double)all_operations(r) / (double)r->n_kept);
    advise_calls(r, c->change);
}

static void find_program(report *r)
{
    char time[REPORT_TIME_BYTES];
    report_cause *c = add_of_busiest(r, "program", REPORT_PROGRAM, time);
    if (c == NULL)
        return;
    say(c->cause, "the program does something else between its calls: devices wait for it");
    say(c->evidence, "%s has nothing to do for %s of a step while the program is in no call",
        r->t.devices[r->busiest], time);
    say(c->change, "do that work in a body, in a function of the dataset, or in another thread, "
                   "or call without a wait in between");
}

/* Who waits while nobody works has not been woken yet: by another thread, or by the system, whose
 * cores do something else. */
static void explain_waits(const report *r, double saved_ns, report_cause *c)
{
    char time[REPORT_TIME_BYTES], unserved[REPORT_TIME_BYTES];
    const double nobody = (double)r->unserved_ns / (double)r->n_kept;
    const bool is_asleep = nobody > saved_ns / 2;
    say(c->cause, is_asleep ? "threads wait for a core, or to be woken"
                            : "devices and the calling thread wait for one another");
    say(c->evidence,
        "%s, the busiest device, has nothing to do for %s of a step while others work or are "
        "waited "
        "for, %s of it while nobody works; the calling thread waits %.1f times a step",
        r->t.devices[r->busiest], report_time(saved_ns, time), report_time(nobody, unserved),
        (double)r->waits / (double)r->n_kept);
    say(c->change,
        "%sread results every n-th step, and give several steps to each "
        "cohort_program_run",
        is_asleep ? "take no more devices than there are free cores; "
                  : "share out what one device alone works on; ");
}

static void find_waits(report *r)
{
    const double saved = step_part(r, r->busiest, REPORT_WAIT);
    report_cause *c = add(r, "wait", saved);
    if (c != NULL)
        explain_waits(r, saved, c);
}

static int by_time(const void *a, const void *b)
{
    const report_cause *x = a, *y = b;
    return x->step_ns < y->step_ns ? -1 : x->step_ns > y->step_ns;
}

void report_find_causes(report *r)
{
    find_slow_device(r);
    find_contention(r);
    find_copies(r);
    find_sums(r);
    find_setup(r);
    find_input(r);
    find_dispatch(r);
    find_program(r);
    find_waits(r);
    qsort(r->causes, (size_t)r->n_causes, sizeof *r->causes, by_time);
}
